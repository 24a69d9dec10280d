"""What a profile assumes: the numbers that are not sure and act in a run, stated or left at their default."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from models.planning.prediction import Assumed, Knob
from models.quantity import Model, ends, extra
from models.scenario import Scenario
from profiles.loading.loader import Loaded
from profiles.text.tree import dotted

BESIDE = ("profile", "planning", "growth", "prices", "failures")
"""Parts of a profile of which a run takes no notice; failures in a run are drawn, not assumed."""


def knobs(loaded: Loaded[Scenario], beside: Sequence[str] = BESIDE) -> list[Knob]:
    """Return the numbers that are not sure, those of one statement together, in the order of their first keys.

    So they are drawn alike however the file orders its tables. Those in the parts of the profile that stand `beside`
    the question are left out.
    """
    groups: dict[tuple[str, str, str], list[Assumed]] = defaultdict(list)
    for key, limits in loaded.ranges.items():
        source = loaded.sources.get(key)
        kind, text = (source.kind, source.text) if source else ("assumed", "")
        number = Assumed(key, limits.low, limits.likely, limits.high, limits.unit, limits.is_whole)
        groups[limits.knob, kind, text].append(number)
    for path, name, extras, value in _defaults(loaded.scenario, ()):
        low, high = ends(extras["between"], value)
        if dotted(path) not in loaded.values and low <= value <= high:
            kind, _, text = extras.get("source", "assumed").partition(":")
            number = Assumed(dotted(path), low, value, high, extras.get("unit"), isinstance(value, int))
            groups[name, kind, text.strip()].append(number)
    not_sure = []
    for (name, kind, text), numbers in groups.items():
        acting = [number for number in numbers if number.low < number.high and number.key.split(".")[0] not in beside]
        if acting:
            not_sure.append(Knob(name, tuple(sorted(acting, key=lambda number: number.key)), kind, text))
    return sorted(not_sure, key=lambda knob: knob.numbers[0].key)


def _defaults(value: Any, key: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str, Any, Any]]:
    """Yield key, name of the declaration, what it says and the value of each number that acts and has a range there."""
    if isinstance(value, Model):
        for name, info in type(value).model_fields.items():
            below, path = getattr(value, name), (*key, info.alias or name)
            if not value.acts(name):
                continue
            if "between" in extra(info) and isinstance(below, (int, float)):
                yield path, f"{type(value).__name__}.{name}", extra(info), below
            elif info.exclude_if is None or not info.exclude_if(below):
                yield from _defaults(below, path)
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _defaults(entry, (*key, name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _defaults(item, (*key, index))
