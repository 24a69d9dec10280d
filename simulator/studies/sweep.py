"""What a sweep came to: each point with its measures, the best of them, and those that no other beats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.planning.grid import Values
from models.scenario import Scenario
from simulator.studies.measures import Measure, leading, measures
from simulator.studies.points import Answer

OBJECTIVES = re.compile(r"cost_over_.*|cost_per_job|power")
"""What a buyer weighs against what leads, where a sweep changes it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One point: its answer with all measures, or the reason why it has none, `is_fault` if the program failed."""

    values: Values
    answer: Answer | None
    measures: dict[str, Measure]
    reason: str = ""
    is_fault: bool = False


def row(values: Values, scenario: Scenario, answer: Answer, years: float | None = None) -> Row:
    """Return a point that was run, with its costs over so many years; default: those of its price list."""
    return Row(values, answer, measures(scenario, answer, years=years))


def leading_of(rows: Sequence[Row]) -> list[str]:
    """Return the measures by which those rows lead that were run, the one that they are ranked by in front."""
    return leading(row.answer for row in rows if row.answer is not None)


def best(rows: Sequence[Row]) -> int | None:
    """Return the number of the row that leads: the shortest job, the load that carries most; the first of equals.

    None if nothing was run, or nothing takes any time: data that is only kept.
    """
    name = leading_of(rows)[0]
    run = [i for i, row in enumerate(rows) if row.answer is not None]
    if not any(row.answer.duration for row in rows if row.answer is not None):
        return None
    return max(run, key=lambda i: _worth(rows[i].measures[name]), default=None)


def unbeaten(rows: Sequence[Row]) -> set[int]:
    """Return the numbers of the rows that no other row beats: as good in all that varies, better in one.

    That is what leads, and all `OBJECTIVES`.

    Empty where only one objective varies: there the best row says it all.
    """
    run = [i for i, row in enumerate(rows) if row.answer is not None]
    weighed = (name for i in run for name in rows[i].measures if OBJECTIVES.fullmatch(name))
    names = [name for name in dict.fromkeys([leading_of(rows)[0], *weighed]) if _varies(name, [rows[i] for i in run])]
    if len(names) < 2:
        return set()
    worth = {i: [_worth(rows[i].measures[name]) for name in names] for i in run}
    front: list[int] = []
    for i in sorted(run, key=lambda i: worth[i], reverse=True):  # what beats a row comes before it
        if not any(_beats(worth[j], worth[i]) for j in front):
            front.append(i)
    return set(front)


def _varies(name: str, rows: Sequence[Row]) -> bool:
    """Tell whether all rows have a measure, and not all the same."""
    values = [row.measures[name].value for row in rows if name in row.measures]
    return len(values) == len(rows) and len(set(values)) > 1


def _worth(measure: Measure) -> float:
    return measure.value if measure.is_more_better else -measure.value


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))
