"""`simulate profiles`: what ships, and one profile with every number, its unit and its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from app.reports.profile_pages import ListedProfile, ListedStudy, ShownProfile, ShownStudy, ShownValue
    from models.planning.study import Study
    from profiles.loader import Loaded


@click.command("profiles")
@click.argument("name", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, format_: str) -> None:
    """List the shipped profiles by family, or show one, by NAME or path, with every number and its source.

    A study is shown with its keys and the command that carries it out.
    """
    from app.planning.studies import study_model
    from app.reports import profile_json, profile_pages

    form = {"text": profile_pages, "json": profile_json}[format_]
    if name is None:
        text = form.render_list(_listed(), _studies(), _parts())
    elif model := study_model(name):
        text = form.render_study(_shown_study(name, model))
    else:
        text = form.render_profile(_shown(name))
    click.echo(text, nl=False)


def _listed() -> list[ListedProfile]:
    from app.reports.profile_pages import ListedProfile
    from profiles.catalog import describe
    from profiles.outcomes import documented

    known = documented()
    return [
        ListedProfile(entry.name, entry.family, entry.title, tuple(known[id] for id in entry.documented if id in known))
        for entry in describe()
    ]


def _studies() -> list[ListedStudy]:
    from app.reports.profile_pages import ListedStudy
    from models.planning.study import COMMANDS, KINDS
    from profiles.catalog import studies

    return [ListedStudy(each.name, each.title, COMMANDS[KINDS[each.kind]]) for each in studies()]


def _parts() -> dict[str, tuple[str, ...]]:
    """Return the names of the shipped parts by their folder."""
    from app.cli.kinds import part_folders
    from profiles.catalog import names

    return {folder: names(folder) for folder in part_folders()}


def _shown(name: str) -> ShownProfile:
    from app.planning.loading import load_profile
    from app.reports.profile_pages import ShownProfile

    loaded, outcomes = load_profile(name)
    about = loaded.scenario.profile
    return ShownProfile(name, about.family, about.title, outcomes, tuple(_values(loaded)), loaded.resolved)


def _shown_study(name: str, model: type[Study]) -> ShownStudy:
    from app.reports.profile_pages import ShownStudy
    from models.planning.study import COMMANDS, FOLDER
    from profiles.loader import load

    loaded = load(name, model, folders=[FOLDER])
    return ShownStudy(name, loaded.scenario.title, COMMANDS[model], tuple(_values(loaded)), loaded.resolved)


def _values(loaded: Loaded[Any]) -> Iterator[ShownValue]:
    """Yield every value of a profile in the order of the models, those left at their default among them."""
    from app.reports.profile_pages import ShownValue
    from profiles.tree import dotted

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
    from models.quantity import Model, extra

    if isinstance(value, Model):
        for name, info in type(value).model_fields.items():
            yield from _leaves(getattr(value, name), (*key, info.alias or name), extra(info).get("unit"))
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _leaves(entry, (*key, name), unit)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, (*key, index), unit)
    else:
        yield key, value, unit
