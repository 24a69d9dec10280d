"""What would flip a decision: how far growth, data and prices may be off before another answer is right.

By closed forms and by what was simulated; a job's time is taken to grow with its data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports import words
from app.reports.plan.plan_answer import Judged
from models.planning.capacity import CLOSE
from models.planning.sheet import MOST_GROWTH, Requirements
from models.planning.study import Plan
from simulator.studies.size import Option

STEPS = 40
"""Halvings of a search for a number, to a part of 1e-12."""


def flips(plan: Plan, judged: Sequence[Judged], objective: str) -> Iterator[str]:
    """Yield in sentences what would change the decision, for the best candidate, or the nearest if none meets all.

    The best is that with the least of the `objective`: of a cost, or of servers where there are no prices.
    """
    feasible = [candidate for candidate in judged if candidate.is_feasible and candidate.option is not None]
    options = [candidate.option for candidate in feasible if candidate.option is not None]
    if not options:
        return
    best = min(options, key=lambda option: option.objective)
    name = best.candidate
    effective = best.measures["effective"].value
    if plan.requirements.stored and effective < float("inf"):
        yield _of_growth(plan.requirements, name, effective)
    yield from _of_jobs(next(candidate for candidate in feasible if candidate.option is best))
    measure = best.measures.get(objective)
    yield from _of_others(best, judged, measure.unit if measure is not None else "1", plan.requirements)


def most_growth(requirements: Requirements, effective: float) -> float:
    """Return the largest part by which the data may grow a year and still always fit into so many bytes."""
    low, high = -0.99, MOST_GROWTH
    for _ in range(STEPS):
        middle = (low + high) / 2
        grown = requirements.model_copy(update={"annual_growth": middle})
        low, high = (middle, high) if grown.stored_at(grown.fullest) <= effective else (low, middle)
    return low


def _of_growth(requirements: Requirements, name: str, effective: float) -> str:
    most, asked = most_growth(requirements, effective), requirements.annual_growth
    is_more = asked < MOST_GROWTH and most > MOST_GROWTH * (1 - CLOSE)
    text = f"{name} has room for a growth of {'more than' if is_more else 'up to'} {words.percent(most)} a year"
    return f"{text}; asked for is {words.percent(asked)}."


def _of_jobs(judged: Judged) -> Iterator[str]:
    for met in judged.met:
        is_time = met.measure is not None and met.measure.unit == "s" and met.required.target.sense == "<="
        if is_time and met.required.target.measure.endswith("_duration") and met.margin is not None and met.margin < 1:
            more = 1 / (1 - met.margin) - 1
            text = f"{met.required.workload} meets its deadline with up to {words.percent(more)} more data"
            yield f"{text}, if its time grows with it."


def _of_others(best: Option, judged: Sequence[Judged], unit: str, required: Requirements) -> Iterator[str]:
    for candidate in judged:
        other = candidate.meeting
        if other is None or other.candidate == best.candidate or not 0 < best.objective < other.objective:
            continue
        less = 1 - best.objective / other.objective
        what = "The best" if candidate.is_feasible else f"What meets {required.all_but_limits}"
        fewer = f"do with {words.percent(less)} fewer servers to be the answer"
        cheaper = f"cost {words.percent(less)} less to be the cheaper answer"
        yield f"{what} of {candidate.name} would have to {fewer if unit == '1' else cheaper}."
