"""What assumed numbers do to the answer of a plan: they are drawn for all candidates at once, so that these compare.

All that has a range in the profile of an option is drawn together (a Latin hypercube that is always the same): prices
and operating rules move costs and room by closed forms. What is simulated is run again for each draw only where a run
is small, or where all is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from app.planning.assumptions import knobs
from app.planning.drawing import LEAST, NOTHING, scenario_drawn
from app.planning.effort import RUNS, Effort
from app.planning.loading import rated
from app.planning.plans.plan_options import merged
from app.reports.plan.plan_decision import LeastRegret, Regretted
from models.planning.prediction import Spread, chance_below, design, inflated
from models.planning.sheet import Demand, Required
from models.problem import ProblemError
from models.scenario import Scenario
from models.units import CURRENCIES
from profiles.plans.sheet import Sheet
from simulator.studies.measures import DURABLE, Measure, by_plain_name, measures
from simulator.studies.points import Answer, Point
from simulator.studies.size import Finished, Option, margin

BESIDE = ("profile", "growth", "failures")
"""Parts of a profile that are not drawn: growth is required, failures in a run are drawn by chance."""
PRICES = "prices."
ROWS = 48
"""Draws where closed forms alone are asked, as of a capacity. Assumption: of 8, chance moves a chance by 7 points."""
SMALL = 2000
"""Tasks and requests of a run up to which it is repeated for the draws. Assumption: half a second to a second each."""
RunAll = Callable[[Sequence[Point]], Sequence[Finished]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """An option under the draws: its measures in each, by the names that targets write; None where it cannot be so.

    `fixed` are workloads whose runs were not repeated, with what was simulated of them among the measures. It has
    prices where some are among the numbers.
    """

    rows: Sequence[Mapping[str, Measure] | None]
    numbers: frozenset[str]
    fixed: tuple[str, ...] = ()
    has_prices: bool = False

    def chance(self, required: Required, likely: Measure) -> float | None:
        """Return in which part of the cases a requirement is met that follows from closed forms; None: not moved."""
        name = required.target.measure
        spread, nothing = self.spread(name, likely), self._nothing(name)
        if not (spread.variance or nothing) or likely.value <= 0:
            return None
        limit = required.target.value(likely.unit)
        below = chance_below(limit, likely.value, spread.shift, spread.variance) if limit > 0 else 0.0
        below = nothing + (1 - nothing) * below
        return below if required.target.sense == "<=" else 1 - below

    def _nothing(self, name: str) -> float:
        """Return the part of the draws in which a measure is 0, as the room where too few servers are left."""
        values = [row[name].value for row in self.rows if row is not None and name in row]
        return values.count(0.0) / len(values) if values else 0.0

    def spread(self, name: str, likely: Measure) -> Spread:
        """Return what the draws do to a measure, as changes of its logarithm where it has one."""
        values = [row[name].value for row in self.rows if row is not None and name in row]
        moved = [math.log(value / likely.value) for value in values if 0 < value < math.inf and likely.value > 0]
        if len(moved) < LEAST or max(moved) == min(moved):
            return NOTHING
        return Spread(math.fsum(moved) / len(moved), inflated(moved), (), len(moved))


@dataclass(slots=True)
class _Side:
    """An option that is drawn: the scenarios of its rows, and the points of the runs that tell of each."""

    option: Option
    numbers: frozenset[str]
    has_prices: bool
    scenarios: list[Scenario | None]
    points: list[Sequence[tuple[Sequence[Demand], Point]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Again:
    """How runs are made again for the draws: how many, those that tell of a scenario, and what carries them out."""

    effort: Effort
    asked: Callable[[Scenario], Sequence[tuple[Sequence[Demand], Point]]]
    run: RunAll


def drawn(sheet: Sheet, options: Sequence[Option], objective: str, again: Again) -> dict[int, Drawn]:
    """Return options, by their `id`, under the same draws of all that is assumed."""
    effort = again.effort
    repeated = {id(option) for option in options if effort == "full" or (effort == "fast" and _size(option) <= SMALL)}
    sides = _sides(sheet, options, RUNS[effort] if repeated else ROWS)
    for side in sides:
        is_repeated = id(side.option) in repeated
        side.points = [again.asked(scenario) if is_repeated and scenario else [] for scenario in side.scenarios]
    asked = [point for side in sides for row in side.points for _, point in row]
    answers = dict(zip((point.key for point in asked), again.run(asked) if asked else (), strict=True))
    requirements = sheet.plan.requirements
    required = [need.target.measure for need in requirements.required() if not need.workload]
    names = [objective, *(name for name in required if name not in DURABLE)]
    grown = requirements.grown(requirements.fullest)
    return {id(side.option): _drawn(side, answers, names, grown) for side in sides}


def chances(sheet: Sheet, option: Option, required: Sequence[Required]) -> dict[str, float]:
    """Return in which part of the cases an option has what closed forms tell of it but for limits, by the measure."""
    needs = [need for need in required if not need.workload and not need.is_limit]
    known, told = by_plain_name(option.measures), dict[str, float]()
    for side in _sides(sheet, [option], ROWS):
        side.points = [[] for _ in side.scenarios]
        own = _drawn(side, {}, [need.target.measure for need in needs if need.target.measure not in DURABLE], 1.0)
        for need in needs:
            measure = known.get(need.target.measure)
            chance = own.chance(need, measure) if measure is not None else None
            if chance is not None:
                told[need.target.measure] = chance
    return told


def least_regret(
    required: Sequence[Required], options: Mapping[str, Option], draws: Mapping[int, Drawn], objective: str
) -> LeastRegret | None:
    """Return which candidate loses least over the draws; None where fewer than two have a price.

    A candidate's loss in a draw is its cost, as much more of it as it falls short by, less the least of all candidates.
    Draws in which one of them cannot be set up are left out.
    """
    priced = {name: option for name, option in options.items() if objective in option.measures and id(option) in draws}
    unit = next((option.measures[objective].unit for option in priced.values()), "1")
    if unit not in CURRENCIES or len(priced) < 2:
        return None
    hard = [need for need in required if not need.is_limit]
    rows = list(zip(*(draws[id(option)].rows for option in priced.values()), strict=True))
    losses = [[_loss(row, hard, objective) for row in case if row is not None] for case in rows if None not in case]
    if not losses:
        return None
    choices = []
    for i, (name, option) in enumerate(priced.items()):
        over = [row[i] - min(row) for row in losses]
        best = sum(not excess for excess in over) / len(over)
        mean = math.fsum(over) / len(over)
        choices.append(Regretted(name, option.measures[objective].value, mean, max(over), best))
    return LeastRegret(
        draws=len(losses),
        has_prices=any(draws[id(option)].has_prices for option in priced.values()),
        numbers=len(frozenset().union(*(draws[id(option)].numbers for option in priced.values()))),
        unit=unit,
        choices=sorted(choices, key=lambda choice: (choice.worst, choice.mean)),
        left_out=[(name, "something of it has no price") for name in options if name not in priced],
        fixed=list(dict.fromkeys(name for choice in priced.values() for name in draws[id(choice)].fixed)),
    )


def _sides(sheet: Sheet, options: Sequence[Option], rows: int) -> list[_Side]:
    loaded = []
    for option in options:
        with suppress(ProblemError):  # beyond what the candidate can be
            loaded.append((option, sheet.loaded_at(option.candidate, option.values)))
    sides = []
    for option, profile in loaded:
        own = knobs(profile, BESIDE)
        made = [scenario_drawn(profile, own, row.tolist()) for row in design(rows, own)]
        scenarios = [scenario and rated(scenario) for scenario in made]
        has_prices = any(number.key.startswith(PRICES) for knob in own for number in knob.numbers)
        sides.append(_Side(option, frozenset(knob.name for knob in own), has_prices, scenarios))
    return sides


def _drawn(side: _Side, answers: Mapping[str, Finished], names: Sequence[str], grown: float) -> Drawn:
    is_repeated = any(side.points)
    base = by_plain_name(side.option.measures)
    rows: list[Mapping[str, Measure] | None] = []
    for scenario, points in zip(side.scenarios, side.points, strict=True):
        if scenario is None:
            rows.append(None)
            continue
        parts = [(run, simulated) for run, point in points if isinstance(simulated := answers[point.key], Answer)]
        answer = merged(parts) if parts else side.option.answer  # which says what is asked of a rented store
        own = by_plain_name(measures(scenario, answer, names, grown=grown))
        rows.append({**base, **own})
    fixed = () if is_repeated else tuple(_simulated(side.option))
    return Drawn(rows, side.numbers, fixed, side.has_prices)


def _simulated(option: Option) -> list[str]:
    """Return the workloads of an option that were simulated."""
    scenario = option.scenario
    return [entry.name for entry in scenario.workloads] if scenario is not None and option.answer is not None else []


def _size(option: Option) -> float:
    """Return how many tasks and requests the runs of an option have; without end where it was not run."""
    answer = option.answer
    if answer is None:
        return math.inf
    rates = [value for name, (value, _) in answer.metrics.items() if name.endswith(".request rate")]
    return sum(stage.tasks for stage in answer.stages) + sum(rates) * answer.duration


def _loss(row: Mapping[str, Measure], hard: Sequence[Required], objective: str) -> float:
    """Return what a candidate costs in a draw, with as much more as it falls short by."""
    short = [-margin(need.target, row[need.target.measure]) for need in hard if need.target.measure in row]
    return row[objective].value * (1 + max([0.0, *short]))
