"""What a requirement comes to over servers and against cost, a curve for each candidate: for window and report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.reports.document import Axis, Lines, Mark, Series
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.plan.plan_words import aim
from app.reports.scales import axis_of
from models.planning.sheet import Required
from models.planning.study import Plan
from models.target import plain
from models.units import CURRENCIES
from simulator.studies.measures import by_plain_name
from simulator.studies.size import Option

COUNTED = "survives"  # what measures begin with that count failures
CURVE = 2  # points of a curve at least

Places = Mapping[str, Sequence[tuple[float, float]]]
"""Points of each candidate, by its name."""


@dataclass(frozen=True, slots=True)
class Point:
    """One option: its servers, what it comes to, and its measures by requirement, in units of their own."""

    servers: float
    objective: float
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Limit:
    """A requirement whose measure is a number: its limit, in the unit of the points; whether it takes a run."""

    words: str
    unit: str
    at: float
    is_simulated: bool = False


def points(options: Sequence[Option], plan: Plan, objective: str) -> Iterator[Point]:
    """Yield options as points of a curve: what is known of each requirement that is a number."""
    for option in options:
        known = by_plain_name(option.measures)
        servers, cost = known.get("servers"), known.get(plain(objective))
        if option.scenario is not None and servers is not None:
            required = {need.words: known.get(plain(need.target.measure)) for need in _numbers(plan)}
            told = {words: measure.value for words, measure in required.items() if measure is not None}
            values = {words: value for words, value in told.items() if math.isfinite(value)}
            yield Point(servers.value, option.objective if cost is None else cost.value, values)


def limits(answer: PlanAnswer) -> Iterator[Limit]:
    """Yield the requirements of a plan that are numbers, and of which something is known."""
    for required in _numbers(answer.plan):
        known = (by_plain_name(option.measures).get(plain(required.target.measure)) for option in answer.sizing.options)
        measure = next((value for value in known if value is not None), None)
        if measure is not None:
            yield Limit(required.words, measure.unit, required.target.value(measure.unit), bool(required.workload))


def over_servers(limit: Limit, places: Places) -> Lines:
    """Return what a requirement comes to over the servers of each candidate."""
    return _curves(f"{limit.words}, over servers", axis_of("servers", "1"), limit, places)


def against_cost(limit: Limit, places: Places, objective: Axis, budget: float | None) -> Lines:
    """Return what a requirement comes to against what each candidate costs, and what may be paid."""
    marks = [] if budget is None else [Mark("budget", budget, is_upright=True)]
    return _curves(f"{limit.words}, against {objective.label}", objective, limit, places, marks)


def drawn(answer: PlanAnswer) -> Iterator[Lines]:
    """Yield the curves of the requirement that tells most, if there is one of a run that has a curve."""
    asked = answer.plan, answer.objective
    known = {judged.name: list(points(answer.known_of(judged), *asked)) for judged in answer.judged}
    required = list(limits(answer))
    limit = required[telling(required, known)] if required else None
    if (
        limit is None
        or not limit.is_simulated
        or max(len(one) for one in placed(known, limit.words, servers).values()) < CURVE
    ):
        return
    yield over_servers(limit, placed(known, limit.words, servers))
    costs = placed(known, limit.words, cost)
    yield against_cost(limit, costs, axis_of(aim(answer), answer.unit), budget_of(required, answer.unit))


def budget_of(required: Sequence[Limit], unit: str) -> float | None:
    """Return what may be paid in a currency, None where nothing limits it."""
    return next((one.at for one in required if one.unit == unit and one.unit in CURRENCIES), None)


def servers(point: Point) -> float:
    """Return the servers of a point."""
    return point.servers


def cost(point: Point) -> float:
    """Return what a point costs."""
    return point.objective


def placed(known: Mapping[str, Sequence[Point]], words: str, along: Callable[[Point], float]) -> Places:
    """Return where the points of each candidate stand of which a requirement is known."""
    return {
        name: [(along(point), point.values[words]) for point in points if words in point.values]
        for name, points in known.items()
    }


def telling(required: Sequence[Limit], known: Mapping[str, Sequence[Point]]) -> int:
    """Return the number of the requirement that tells most: the first of a run with a curve, else of most points."""
    counts = [[sum(limit.words in point.values for point in points) for points in known.values()] for limit in required]
    curves = (i for i, limit in enumerate(required) if limit.is_simulated and max(counts[i], default=0) >= CURVE)
    totals = [sum(count) for count in counts]
    return next(curves, totals.index(max(totals)) if totals else 0)


def _curves(name: str, x: Axis, limit: Limit, places: Places, marks: Sequence[Mark] = ()) -> Lines:
    series = [
        Series(candidate, [x for x, _ in sorted(places[candidate])], [y for _, y in sorted(places[candidate])])
        for candidate in places
    ]
    return Lines(name, x, Axis(limit.words, limit.unit), series, marks=[Mark("limit", limit.at), *marks])


def _numbers(plan: Plan) -> list[Required]:
    """Return what is measured by more than a count of failures."""
    return [need for need in plan.requirements.required() if not need.target.measure.startswith(COUNTED)]
