"""What a profile assumes: the numbers that are not sure and act in a run, stated or left at their default.

A number that a file states is a guess where it says so, or does not say where it comes from. One without a range of its
own is as unsure as the default in its place, whose range is laid on it in factors; it has a draw of its own, since
errors found in validation tell nothing of it. Where the default has no range either, it is left out, and named. What is
set for one run is no guess, but the question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from models.planning.prediction import Assumed, Knob
from models.quantity import Model, ends, extra
from models.scenario import Scenario
from profiles.loading.loader import Loaded
from profiles.text.lines import Key
from profiles.text.provenance import COMMAND_LINE, UNSURE
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
    for path, name, (extras, default), value in _numbers(loaded.scenario, ()):
        key = dotted(path)
        if "between" not in extras or key in loaded.ranges:
            continue
        if key not in loaded.values:
            low, high = ends(extras["between"], value)
            kind, _, text = extras.get("source", "assumed").partition(":")
            knob = (name, kind, text.strip())
        elif is_guess(loaded, key):
            low, high = _laid_on(value, extras["between"], default)
            source = loaded.sources.get(key)
            knob = (f"{name} of {value:g}", *((source.kind, source.text) if source else ("assumed", "")))
        else:
            continue
        if low <= value <= high:
            groups[knob].append(Assumed(key, low, value, high, extras.get("unit"), isinstance(value, int)))
    not_sure = []
    for (name, kind, text), numbers in groups.items():
        acting = [number for number in numbers if number.low < number.high and number.key.split(".")[0] not in beside]
        if acting:
            not_sure.append(Knob(name, tuple(sorted(acting, key=lambda number: number.key)), kind, text))
    return sorted(not_sure, key=lambda knob: knob.numbers[0].key)


def left_out(loaded: Loaded[Scenario]) -> list[str]:
    """Return the keys of the numbers that say that they are guesses, and not how far: neither do their defaults."""
    return [
        key
        for path, _, (extras, _), _ in _numbers(loaded.scenario, ())
        for key in [dotted(path)]
        if key in loaded.sources and key not in loaded.ranges and "between" not in extras
        if is_guess(loaded, key) and path[0] not in BESIDE
    ]


def is_guess(loaded: Loaded[Scenario], key: str) -> bool:
    """Tell whether a number that is stated is one that nobody has found out, or says nothing of that."""
    source = loaded.sources.get(key)
    return source is None or (source.kind in UNSURE and source.file != COMMAND_LINE)


def _laid_on(value: float, between: Sequence[float | str], default: Any) -> tuple[float, float]:
    """Return the range of a default as factors of it, laid on another value; of no single default the ends hold it."""
    is_one = isinstance(default, (int, float)) and default > 0
    low, high = ends(between, default if is_one else value)
    return (value * low / default, value * high / default) if is_one else (min(low, value), max(high, value))


def _numbers(value: Any, key: Key) -> Iterator[tuple[Key, str, tuple[Any, Any], Any]]:
    """Yield key, name of the declaration, what it says with its default, and the value of each number that acts."""
    if isinstance(value, Model):
        for name, info in type(value).model_fields.items():
            below, path = getattr(value, name), (*key, info.alias or name)
            if not value.acts(name):
                continue
            if isinstance(below, (int, float)) and not isinstance(below, bool):
                yield path, f"{type(value).__name__}.{name}", (extra(info), info.default), below
            elif info.exclude_if is None or not info.exclude_if(below):
                yield from _numbers(below, path)
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _numbers(entry, (*key, name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _numbers(item, (*key, index))
