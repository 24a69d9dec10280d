"""How many servers each quarter needs: the fewest with which the data fits and no target is missed until the next.

Space is a closed form. With targets the scenario is simulated as it stands on the last day of the quarter; more servers
are taken to meet what fewer meet, so that the fewest are found by doubling and halving, from those of the quarter
before. Servers that cannot be added to the storage system in such a number are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from models.planning.capacity import CLOSE, capacity
from models.planning.growth import Expansion, add_months, data_at, growth_of, scenario_at
from models.problem import RefusalError, refusal
from models.scenario import Scenario
from models.target import Target
from simulator.studies.growth import Run, Watch
from simulator.studies.names import check
from simulator.studies.points import Point
from simulator.studies.purchase_plan import QUARTERS, Need

MONTHS = 12 // QUARTERS
MOST = 16
"""Times the servers of the start that are tried before no number of them is thought to do. Assumption: a cluster that
grows more than that within a plan is another cluster."""


def quarters(scenario: Scenario) -> list[date]:
    """Return the first day of each quarter that the growth covers, and the day after the last."""
    growth = growth_of(scenario)
    return [add_months(growth.start, months) for months in range(0, growth.months + 1, MONTHS)]


def needs(
    scenario: Scenario, targets: Sequence[Target], point: Callable[[Scenario], Point], run: Run
) -> tuple[list[Need], int]:
    """Return the servers of the growing group that each quarter needs, and how many scenarios were run for that.

    Expansions of that group are left out: what to buy is the question. Those of other groups stand.

    Raises:
        RefusalError: no number of servers does, or the scenario states no growth.
        ProblemError: a target names what nothing is measured by.
    """
    check(targets, [scenario])
    search = _Search(scenario, Watch(targets, point, run) if targets else None)
    wanted: list[Need] = []
    more, cause = 0, ""
    for day, end in pairwise(quarters(scenario)):
        more, text = search.fewest(end - timedelta(days=1), more)
        cause = text or cause
        wanted.append(Need(day, search.initial + more, cause))
    return wanted, search.simulated


def spread_time(scenario: Scenario, day: date, servers: int) -> float:
    """Return how long it takes (s) until data has been spread onto servers that come on a day, so that all hold alike.

    Each takes its share in at the rate of the storage system's balancer; 0 where new servers fill as data comes. A
    closed form: the servers that give are as many as those that take, or more.
    """
    group = scenario.cluster.groups[scenario.growing_group()]
    home = scenario.storage.home
    rate = scenario.storage.spread_rate(group.server) if home and home[0] == scenario.growing_group() else None
    if rate is None:
        return 0.0
    held = data_at(scenario, day) * scenario.storage.raw_per_byte(scenario.cluster)
    return held / servers / rate


class _Search:
    """Asks how many servers more than at the start do."""

    def __init__(self, scenario: Scenario, watch: Watch | None) -> None:
        self._scenario, self._watch = scenario, watch
        self.initial = scenario.cluster.groups[scenario.growing_group()].count

    @property
    def simulated(self) -> int:
        """How many scenarios were run."""
        return 0 if self._watch is None else self._watch.simulated

    def fewest(self, day: date, from_: int) -> tuple[int, str]:
        """Return the fewest servers more, at least `from_`, that miss nothing on a day, and what one fewer misses."""
        missed = self._missed(day, from_)
        if missed is None:
            return from_, ""
        low, step, first = from_, 1, missed
        while (text := self._missed(day, low + step)) is not None:
            low, step, missed = low + step, step * 2, text
            if low > MOST * self.initial:
                text = f"on {day} {self.initial + from_} servers miss: {first}; {self.initial + low} miss: {missed}"
                raise refusal("growth", text, "lower what is asked for, or begin with other servers")
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            text = self._missed(day, middle)
            low, high, missed = (low, middle, missed) if text is None else (middle, high, text)
        return high, missed

    def _missed(self, day: date, more: int) -> str | None:
        """Return what so many servers more miss on a day, None for nothing."""
        try:
            standing = scenario_at(self._with(more), day)
            plan = capacity(standing)
        except RefusalError as error:
            return f"{error}".splitlines()[0]
        if data_at(self._scenario, day) > plan.effective * (1 + CLOSE):
            return f"full, limited by: {plan.limit}"
        return None if self._watch is None else self._watch.causes([(day, standing)])[0]

    def _with(self, more: int) -> Scenario:
        growth, growing = growth_of(self._scenario), self._scenario.growing_group()
        first = growth.start + timedelta(days=1)
        expansions = tuple(expansion for expansion in growth.expansions if expansion.group not in (None, growing))
        expansions += (Expansion(date=first, servers=more),) if more else ()
        return self._scenario.model_copy(update={"growth": growth.model_copy(update={"expansions": expansions})})
