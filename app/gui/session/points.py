"""What a sweep or a sizing varies, read as it is typed: axes and points, or what is wrong and in which row. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.gui.session.profile_tree import UNSET
from app.planning.points import candidates
from models import units
from models.planning.grid import Axis, Values, axis, combined
from models.problem import Problem, ProblemError, RefusalError, refusal
from models.scenario import Scenario
from models.units import format_duration
from profiles.editing.edit import set_value
from profiles.loading.loader import Variants, load_text
from profiles.loading.overrides import canonical
from profiles.loading.usual import usual_for
from profiles.text.dump import dump

DOUBLINGS = (0.5, 1, 2)
"""Multiples of the present value that are proposed for a number."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows that were read. `wrong` says what is the matter, by row; `clash`, what is with all of them together."""

    axes: tuple[Axis, ...] = ()
    points: tuple[Values, ...] = ()
    wrong: Mapping[int, str] = field(default_factory=dict)
    clash: str = ""

    @property
    def is_right(self) -> bool:
        """Whether there are points and nothing is wrong."""
        return bool(self.points) and not self.wrong and not self.clash


def planned(rows: Sequence[tuple[str, str]], *, zipped: bool = False) -> Plan:
    """Return what rows of (key, values as typed) ask for, blank ones nothing; what keys may be is not looked at."""
    axes: list[Axis] = []
    wrong: dict[int, str] = {}
    for i, (key, text) in enumerate(rows):
        if is_blank((key, text)):
            continue
        try:
            axes.append(_axis(key, text, [earlier.key for earlier in axes]))
        except RefusalError as error:
            wrong[i] = str(error)
    if wrong or not axes:
        return Plan(tuple(axes), wrong=wrong)
    try:
        return Plan(tuple(axes), tuple(combined(axes, zipped=zipped)))
    except RefusalError as error:
        return Plan(tuple(axes), clash=str(error))


def is_blank(row: tuple[str, str]) -> bool:
    """Tell whether nothing has been typed into a row yet."""
    return not any(row)


def _axis(key: str, text: str, before: Sequence[str]) -> Axis:
    if not key:
        raise refusal("", "choose a key of the profile")
    if canonical(key) in map(canonical, before):
        raise refusal("", "this key is named twice; give all of its values in one row")
    return axis(key, text)


def misfits(axes: Sequence[Axis], text: str, base: Path) -> dict[int, str]:
    """Return what is wrong with keys, or with their first and last values, in a profile that is right; by axis."""
    variants: Variants[Scenario] = Variants.of_text(text, Scenario, path=base)
    by_axis: dict[int, str] = {}
    for i, varied in enumerate(axes):
        ends = dict.fromkeys((varied.values[0], varied.values[-1]))
        try:
            candidates(variants, {}, [((varied.key, value),) for value in ends])
        except ProblemError as error:
            by_axis[i] = in_words(error.problems)
    return by_axis


def in_words(problems: Iterable[Problem]) -> str:
    """Return what problems say, each once."""
    return "; ".join(dict.fromkeys(problem.message for problem in problems))


def proposal(typed: str, choices: Sequence[str]) -> str:
    """Return values to vary a key over: what may be chosen, or half of its value as typed, the same, and the double."""
    if choices:
        return ",".join(choices)
    number, _, unit = typed.partition(" ")
    try:
        value = float(number)
        if unit:
            units.unit(unit)
    except ValueError:
        return "" if typed == UNSET else typed
    if not math.isfinite(value) or value <= 0:
        return typed
    is_count = not unit and value.is_integer() and "." not in number
    several = [max(1, round(value * n)) if is_count else value * n for n in DOUBLINGS]
    return ",".join(f"{part:.12g}{f' {unit}' if unit else ''}" for part in dict.fromkeys(several))


def point_text(text: str, base: Path, values: Values) -> str:
    """Return the text of a profile at one point: its lines changed, or, where a line cannot say it, written again.

    Raises:
        ProblemError: the values do not go together.
    """
    try:
        changed = text
        for key, value in values:
            changed = set_value(changed, key, value, usual=usual_for(key, changed, Scenario, path=base))
        load_text(changed, Scenario, path=base)
    except ProblemError:
        return dump(load_text(text, Scenario, dict(values), path=base).resolved)
    return changed


def said(values: Values) -> str:
    """Return a point in words: "count = 12, input = 1 TB"."""
    return ", ".join(f"{key.rpartition('.')[2]} = {value}" for key, value in values)


def time_needed(points: int, seconds: float, then: int, now: int) -> str:
    """Return in words how long points take with `now` workers, if each took `seconds` of `then` workers' time."""
    expected = points * seconds * then / max(1, min(now, points))
    return f"about {format_duration(max(1, round(expected)))}"
