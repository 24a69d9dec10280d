"""Forecast beside reality: a trend through what was stored on some days, and the growth of a plan put right by it.

    log(stored) = a + r x years        by least squares; growth a year = exp(r) - 1

What few days tell of r lies between its ends by Student's quantile. The forecast starts at the last day that was
measured, on the cluster of that day; servers that the plan adds later are added. Where a byte takes more raw bytes than
planned, the data counts for so much more. Not covered: seasons, and growth that itself grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from models.planning.calibration import LEVEL
from models.planning.growth import DAYS_A_YEAR, MOST_MONTHS, Growth, GrowthPlan, cluster_at, grow
from models.planning.prediction import student
from models.quantity import LARGEST
from models.scenario import Scenario

STEEPEST = math.log(1e15)
"""Growth a year, as a logarithm, beyond which days tell nothing of a year: a double has 16 digits of what is left."""
FEWEST = 3
"""Days from which an interval is told: two make a line, the third tells how far days lie beside it."""
AHEAD = 120
"""Months that a forecast looks ahead at least. Assumption: nobody keeps servers for longer."""


@dataclass(frozen=True, slots=True)
class Trend:
    """What was stored (B) at the last of some days by the line through them, and the growth a year.

    `low` and `high` are the ends of the growth, None where too few days tell none.
    """

    first: date
    last: date
    count: int
    stored: float
    growth: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """Low and high growth a year; both are the growth itself where nothing is known of them."""
        return (self.growth if self.low is None else self.low), (self.growth if self.high is None else self.high)


@dataclass(frozen=True, slots=True)
class Filling:
    """A scenario that begins on the last measured day, and how it fills."""

    scenario: Scenario
    plan: GrowthPlan


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a cluster fills by the growth as it was measured, at its low end, and at its high end."""

    likely: Filling
    slow: Filling
    fast: Filling


def trend(days: Sequence[tuple[date, float]]) -> Trend | None:
    """Return the trend of what was stored on days (B), None for less than two of them, or where it is too steep."""
    known = sorted(dict(days).items())
    if len(known) < 2:
        return None
    last = known[-1][0]
    years = [(day - last).days / DAYS_A_YEAR for day, _ in known]
    logs = [math.log(value) for _, value in known]
    middle, level = sum(years) / len(years), sum(logs) / len(logs)
    spread = sum((year - middle) ** 2 for year in years)
    rate = sum((year - middle) * (log - level) for year, log in zip(years, logs, strict=True)) / spread
    if abs(rate) > STEEPEST:
        return None
    stored = math.exp(level - rate * middle)
    fitted = Trend(known[0][0], last, len(known), stored, math.expm1(rate))
    if len(known) < FEWEST:
        return fitted
    rest = sum((log - level - rate * (year - middle)) ** 2 for year, log in zip(years, logs, strict=True))
    freedom = len(known) - 2
    half = student(LEVEL, freedom) * math.sqrt(rest / freedom / spread)
    ends = math.expm1(max(rate - half, -STEEPEST)), math.expm1(min(rate + half, STEEPEST))
    return Trend(fitted.first, last, len(known), stored, fitted.growth, *ends)


def forecast(scenario: Scenario, last: date, stored: float, growths: tuple[float, float, float]) -> Forecast:
    """Return how a cluster fills from a day on that holds so much (B), at a likely growth, a low one and a high one.

    Raises:
        RefusalError: the cluster of that day cannot be set up.
    """
    cases = {growth: _from(scenario, last, stored, growth) for growth in growths}  # of one measured day all are alike
    fillings = {growth: Filling(case, grow(case)) for growth, case in cases.items()}
    return Forecast(*(fillings[growth] for growth in growths))


def _from(scenario: Scenario, day: date, stored: float, growth: float) -> Scenario:
    """Return a scenario that begins on a day with so much stored (B), and grows by a part a year."""
    planned = scenario.growth or Growth(start=day)
    left = (planned.end().year - day.year) * 12 + planned.end().month - day.month
    told = 12 * math.log(LARGEST / stored) / math.log1p(growth) if growth > 0 else math.inf
    changed = {
        "start": day,
        "stored": stored,
        "annual_growth": growth,
        "ingest": 0.0,
        "ingest_growth": 0.0,
        "retention": math.inf,
        "months": math.floor(max(min(max(left, AHEAD), MOST_MONTHS, told), 1)),
        "expansions": tuple(expansion for expansion in planned.expansions if expansion.date > day),
    }
    cluster = cluster_at(scenario, day) if scenario.growth else scenario.cluster
    return scenario.model_copy(update={"cluster": cluster, "growth": planned.model_copy(update=changed)})


def planned_growth(growth: Growth, stored: float, first: date, last: date) -> float | None:
    """Return the growth a year that a plan has between two days, over a year at least; `stored` (B) is at its start.

    Before its start it grows as at the start. None where it has no data on the first of them.
    """
    after = max((last - first).days / DAYS_A_YEAR, 1.0)
    begin = max(growth.years_until(first), 0.0)
    before, then = growth.data_after(begin, stored), growth.data_after(begin + after, stored)
    return float((then / before) ** (1 / after) - 1) if before > 0 and then > 0 else None
