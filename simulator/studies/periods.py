"""A long even workload beside others that come again: one period is simulated, and stands for all of them.

A copy of files that are alike does the same at any time, and what runs every night meets the same each night but for
chance. So the first night is simulated, with as much of the copy as lasts until its end; between two nights the copy
goes on as it does alone. What the copy moves in a period of P seconds is then known: c in the T seconds of the night,
and (P - T) / A of itself in the others, where it takes A seconds alone. Its end follows from adding up periods.

Not covered: what one period leaves to the next, such as dirty pages, and a store that grows full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from models.jobs.schedule import Scheduled
from models.scenario import Scenario
from models.units import format_duration
from models.values import value
from simulator.result import Result

FIRST = 0.4
"""Part of the period's work that is due in which the long workload is expected to be met at first. Assumption: a night
that is done in time takes less than that; where it takes longer, more is simulated."""
SPARE = 1.5
"""Times the duration of a night for which the long workload is made to last once that is known. Assumption."""
TRIES = 4
"""Nights simulated at most until the long workload outlasts one. Assumption: each lasts half as long again."""

Simulate = Callable[[Scenario], Result]


@value()
class Periods:
    """A scenario of a `long` workload, and of others that come again every `period` s and begin as it does."""

    scenario: Scenario
    long: Scheduled
    others: tuple[Scheduled, ...]
    period: float

    @classmethod
    def of(cls, scenario: Scenario) -> Periods | None:
        """Return the periods of a scenario; None where it has none, or one that is told by its faults."""
        long = [entry for entry in scenario.workloads if entry.is_even and entry.every is None and not entry.arrivals]
        others = tuple(entry for entry in scenario.workloads if entry not in long)
        periods = {entry.every for entry in others}
        starts = {entry.start for entry in scenario.workloads}
        may_fail = scenario.failures is not None and scenario.failures.is_in_run
        if len(long) != 1 or len(periods) != 1 or starts != {0.0} or may_fail:
            return None
        period = periods.pop()
        return cls(scenario, long[0], others, period) if period is not None else None

    def first(self, part: float) -> Scenario:
        """Return the scenario with the first period of the others, beside a part of the long workload."""
        once = {"every": None, "until": None}
        entries = (
            self.long.grown(part) if entry is self.long else entry.model_copy(update=once)
            for entry in self.scenario.workloads
        )
        return self.scenario.with_entries(tuple(entries))

    def end(self, alone: float, busy: float, moved: float) -> float:
        """Return when the long workload ends, which takes `alone` s by itself and moves a part of it in a night.

        A night lasts `busy` s.
        """
        period = max(self.period, busy)  # a night that is longer holds up the next one
        whole, left = divmod(1.0, moved + (period - busy) / alone)
        if left <= moved:
            return whole * period + busy * left / moved
        return whole * period + busy + (left - moved) * alone


def by_periods(scenario: Scenario, simulate: Simulate) -> Result:
    """Return how a scenario goes: by one of its periods where it has any and is longer than that, or as a whole."""
    periods = Periods.of(scenario)
    if periods is None:
        return simulate(scenario)
    name = periods.long.name
    alone = simulate(scenario.alone(name)).duration
    due = min((entry.finish_by or periods.period for entry in periods.others), default=periods.period)
    lasts = FIRST * due
    for _ in range(TRIES):
        part = lasts / alone
        if part >= 1:
            break
        result = simulate(periods.first(part))
        busy = max(result.metrics[f"{entry.name}.worst duration"][0] for entry in periods.others)
        ended = result.metrics[f"{name}.worst duration"][0]
        if ended >= busy:
            return _told(periods, result, periods.end(alone, busy, part - (ended - busy) / alone))
        if busy >= periods.period:  # late for its next time with less beside it: the copy goes on at its pace
            return _told(periods, result, periods.end(alone, busy, part * busy / ended))
        lasts = SPARE * busy
    return simulate(scenario)


def _told(periods: Periods, result: Result, end: float) -> Result:
    """Return the result of a first period as that of the whole, in which the long workload ends at a time (s)."""
    own = f"{periods.long.name}."
    metrics = {name: value for name, value in result.metrics.items() if not name.startswith(own)}
    metrics |= {"duration": (end, "s"), f"{own}duration": (end, "s"), f"{own}worst duration": (end, "s")}
    text = (
        f"not exact: one period of {format_duration(periods.period)} was simulated and stands for the others; between"
        f" its runs {periods.long.name} goes on as it does alone"
    )
    return replace(result, duration=end, durations=(end,), metrics=metrics, warnings=(*result.warnings, text))
