"""A sweep from its candidates to the rows of its report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from app.planning.points import Candidate
from simulator.studies.points import Point, PointFailure
from simulator.studies.runner import Finished
from simulator.studies.sweep import Row, row


def points_of(found: Sequence[Candidate], profile: str, seed: int, replications: int) -> list[Point]:
    """Return the points of those candidates that have a scenario, in their order."""
    return [
        Point(scenario=each.scenario, values=each.values, profile=profile, seed=seed, replications=replications)
        for each in found
        if each.scenario is not None
    ]


def rows_of(found: Iterable[Candidate], finished: Iterable[Finished]) -> Iterator[Row]:
    """Yield a row for each candidate; `finished` are the results of those that have a scenario, in their order."""
    answers = iter(finished)
    for each in found:
        if each.scenario is None:
            yield Row(each.values, None, {}, each.reason)
            continue
        answer = next(answers)
        if isinstance(answer, PointFailure):
            yield Row(each.values, None, {}, answer.reason, answer.is_fault)
        else:
            yield row(each.values, each.scenario, answer)
