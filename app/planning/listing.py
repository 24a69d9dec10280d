"""What ships, and one profile or study with every number, its unit and its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.planning.kinds import part_folders
from app.planning.loading import Chosen
from app.reports.library.profile_values import ListedProfile, ListedStudy, ShownProfile, ShownStudy, ShownValue
from models.planning.study import COMMANDS, FOLDER, KINDS, Study
from models.quantity import Model, extra
from profiles.loading import catalog
from profiles.loading.loader import Loaded, load
from profiles.shipped.outcomes import documented
from profiles.text.tree import dotted


def listed() -> list[ListedProfile]:
    """Return the shipped profiles, by family and name."""
    known = documented()
    return [
        ListedProfile(entry.name, entry.family, entry.title, tuple(known[id] for id in entry.documented if id in known))
        for entry in catalog.describe()
    ]


def studies() -> list[ListedStudy]:
    """Return the shipped studies of the planner."""
    return [ListedStudy(study.name, study.title, COMMANDS[KINDS[study.kind]]) for study in catalog.studies()]


def parts() -> dict[str, tuple[str, ...]]:
    """Return the names of the shipped parts by their folder."""
    return {folder: catalog.names(folder) for folder in part_folders()}


def shown(chosen: Chosen) -> ShownProfile:
    """Return a profile with every value."""
    loaded = chosen.loaded
    about = loaded.scenario.profile
    return ShownProfile(
        chosen.profile, about.family, about.title, chosen.outcomes, tuple(_values(loaded)), loaded.resolved
    )


def shown_study(name: str, model: type[Study]) -> ShownStudy:
    """Return a study with its keys.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    loaded = load(name, model, folders=[FOLDER])
    return ShownStudy(name, loaded.scenario.title, COMMANDS[model], tuple(_values(loaded)), loaded.resolved)


def _values(loaded: Loaded[Any]) -> Iterator[ShownValue]:
    """Yield every value of a profile in the order of the models, those left at their default among them."""
    for key, value, unit in _leaves(loaded.scenario, (), None):
        name = dotted(key)
        source = loaded.sources.get(name)
        is_stated = name in loaded.values
        yield ShownValue(
            key=name,
            typed=loaded.values[name] if is_stated else None,
            value=value,
            unit=unit,
            is_default=not is_stated,
            source=(source.kind, source.text) if source else None,
        )


def _leaves(
    value: Any, key: tuple[str | int, ...], unit: str | None
) -> Iterator[tuple[tuple[str | int, ...], Any, str | None]]:
    """Yield (key path, value, unit) of everything in a model that is no table."""
    if isinstance(value, Model):
        for name, info in type(value).model_fields.items():
            below = getattr(value, name)
            if info.exclude_if is None or not info.exclude_if(below):
                yield from _leaves(below, (*key, info.alias or name), extra(info).get("unit"))
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _leaves(entry, (*key, name), unit)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, (*key, index), unit)
    else:
        yield key, value, unit
