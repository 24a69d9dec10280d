"""What a sweep came to: each point with its measures, the best of them, and those that no other beats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.jobs.workload import WorkloadModel
from models.planning.grid import Values
from models.problem import RefusalError
from models.quantity import Model
from models.scenario import Scenario
from simulator.studies.measures import Measure, leading, measures
from simulator.studies.points import Answer

OBJECTIVES = re.compile(r"cost_over_.*|cost_per_job|power")
"""What a buyer weighs against what leads, where a sweep changes it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One point: its answer with all measures, or the reason why it has none, `is_fault` if the program failed.

    `amount` is what its workload states of how much there is to do, as a text; points are compared that do the same.
    """

    values: Values
    answer: Answer | None
    measures: dict[str, Measure]
    reason: str = ""
    is_fault: bool = False
    amount: str = ""
    scenario: Scenario | None = None


def row(values: Values, scenario: Scenario, answer: Answer, years: float | None = None) -> Row:
    """Return a point that was run, with its costs over so many years; default: those of its price list."""
    return Row(
        values, answer, measures(scenario, answer, years=years), amount=_amount(scenario.workload), scenario=scenario
    )


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


def firsts(rows: Sequence[Row]) -> list[int]:
    """Return the numbers of the rows that lead those that do as much: none where each does another amount.

    How fast requests are met, and not how long a job takes, can be compared whatever there is to do.
    """
    if best(rows) is None:
        return []
    alike = _alike(rows)
    groups = alike if len(alike) == 1 else [group for group in alike if len(group) > 1]
    return [group[number] for group in groups if (number := best([rows[i] for i in group])) is not None]


def unbeaten(rows: Sequence[Row]) -> set[int]:
    """Return the numbers of the rows that no other row that does as much beats: as good in all, better in one.

    What is weighed is what leads, and all `OBJECTIVES`, where they vary.

    Empty where only one objective varies: there the best row says it all.
    """
    run = [i for i, row in enumerate(rows) if row.answer is not None]
    weighed = (name for i in run for name in rows[i].measures if OBJECTIVES.fullmatch(name))
    names = [name for name in dict.fromkeys([leading_of(rows)[0], *weighed]) if _varies(name, [rows[i] for i in run])]
    if len(names) < 2:
        return set()
    worth = {i: [_worth(rows[i].measures[name]) for name in names] for i in run}
    return {i for group in _alike(rows) for i in _front({i: worth[i] for i in group})}


def _front(worth: dict[int, list[float]]) -> list[int]:
    front: list[int] = []
    for i in sorted(worth, key=lambda i: worth[i], reverse=True):  # what beats a row comes before it
        if not any(_beats(worth[j], worth[i]) for j in front):
            front.append(i)
    return front


def _alike(rows: Sequence[Row]) -> list[list[int]]:
    """Return the numbers of the rows that were run, those together that can be compared by what leads."""
    name, groups = leading_of(rows)[0], dict[str, list[int]]()
    for i, row in enumerate(rows):
        if row.answer is not None:
            groups.setdefault("" if row.measures[name].is_more_better else row.amount, []).append(i)
    return list(groups.values())


def _amount(workload: WorkloadModel) -> str:
    """Return the sizes of a workload and its values that would grow with its data, "" where it does not say which."""
    try:
        grown = workload.grown(2.0)
    except RefusalError:
        return ""
    sizes = (getattr(workload, name) for name in workload.sizes)
    return ", ".join(f"{value}" for value in (*_differing(workload, grown), *sizes))


def _differing(one: object, other: object) -> Iterator[object]:
    """Yield the values of a model, and of those below it, that another has otherwise."""
    if isinstance(one, Model) and isinstance(other, Model):
        for name, value in one:
            yield from _differing(value, getattr(other, name))
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for value, grown in zip(one, other, strict=True):
            yield from _differing(value, grown)
    elif one != other:
        yield one


def _varies(name: str, rows: Sequence[Row]) -> bool:
    """Tell whether all rows have a measure, and not all the same."""
    values = [row.measures[name].value for row in rows if name in row.measures]
    return len(values) == len(rows) and len(set(values)) > 1


def _worth(measure: Measure) -> float:
    return measure.value if measure.is_more_better else -measure.value


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))
