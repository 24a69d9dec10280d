"""How many servers each quarter needs: the fewest with which the data fits and no target is missed until the next.

Space is a closed form. With targets the scenario is simulated as it stands on the last day of the quarter; more servers
are taken to meet what fewer meet, so that the fewest are found by doubling and halving, from those of the quarter
before. Servers that cannot be added to the storage system in such a number are passed over.

They come in lots: one by one where data spreads over all servers; where what is added is a pool that keeps its own data
(MinIO), as many as survive by themselves what is asked for.

Times are taken to rise with the data, too: a run in which none is missed stands for the quarters before it that have
less data and no fewer servers. So a later quarter is asked at once, twice as far ahead after each that misses nothing,
and no more as far as one that did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

from models.planning.capacity import CLOSE, capacity
from models.planning.growth import Expansion, add_months, data_at, growth_of, scenario_at, stored_at_start
from models.planning.survival import MEASURES, survives
from models.problem import RefusalError, refusal
from models.scenario import Scenario
from models.target import Target
from simulator.studies.growth import Moving, Run, Watch, moving
from simulator.studies.measures import by_plain_name, of_scenario
from simulator.studies.names import check
from simulator.studies.points import Point
from simulator.studies.purchase_plan import QUARTERS, Need
from simulator.studies.rebalance import just_come

MONTHS = 12 // QUARTERS
MOST = 16
"""Times the servers of the start that are tried before no number of them is thought to do. Assumption: a cluster that
grows more than that within a plan is another cluster."""


def quarters(scenario: Scenario) -> list[date]:
    """Return the first day of each quarter that the growth covers, and the day after the last."""
    growth = growth_of(scenario)
    return [add_months(growth.start, months) for months in range(0, growth.months + 1, MONTHS)]


def on_arrival(scenario: Scenario, day: date, there: int, more: int) -> Scenario | None:
    """Return a scenario on a day on which so many servers have just come `more` than were there.

    None where no data moves onto them.
    """
    name, growth = scenario.growing_group(), growth_of(scenario)
    home = scenario.storage.home
    if home is None or home[0] != name or not more:
        return None
    group = scenario.cluster.groups[name]
    later = group.later if sum(batch.count for batch in group.later) < there else ()
    groups = {**scenario.cluster.groups, name: group.model_copy(update={"count": there, "later": later})}
    first = growth.start + timedelta(days=1)
    expansions = (*others(scenario), Expansion(date=first, servers=more))
    grown = growth.model_copy(update={"expansions": expansions, "stored": stored_at_start(scenario)})
    cluster = scenario.cluster.model_copy(update={"groups": groups})
    return just_come(scenario.model_copy(update={"cluster": cluster, "growth": grown}), max(day, first), more)


def survives_as_asked(scenario: Scenario, targets: Sequence[Target]) -> bool:
    """Tell whether a cluster survives what targets ask for; those of other measures do not count.

    Raises:
        RefusalError: nothing is known of where its bytes lie.
    """
    asked = [target for target in targets if target.measure in MEASURES]
    counts = dict(survives(scenario).measures()) if asked else {}
    return all(target.is_met(counts[target.measure], "1") for target in asked)


def lots(scenario: Scenario, targets: Sequence[Target]) -> list[int]:
    """Return the lots in which servers may be added: the smallest, and larger ones with more room a server.

    A lot survives by itself what targets ask for, else as many servers and drives as those of the start do. So it is 1
    unless what is added is a pool of its own, and never more than the servers of the start.
    """
    initial = scenario.cluster.groups[scenario.growing_group()].count
    day = quarters(scenario)[-1]
    try:
        asked = _of_survival(scenario, targets)
        if _with_lot(scenario, day, 1, asked) is not None:
            return [1]
    except RefusalError:
        return [1]  # nothing is known of where its bytes lie
    before = capacity(scenario_at(_grown(scenario, 0, 1), day)).effective
    smallest: list[int] = []
    most = 0.0
    for lot in range(2, initial + 1):
        standing = _with_lot(scenario, day, lot, asked)
        room = (capacity(standing).effective - before) / lot if standing is not None else 0.0
        if room > most * (1 + CLOSE):
            smallest.append(lot)
            most = room
    return smallest or [initial]


def _of_survival(scenario: Scenario, targets: Sequence[Target]) -> list[Target]:
    """Return the targets of what survives; without any, that as many drives and servers survive as at the start."""
    stated = [target for target in targets if target.measure in MEASURES]
    now = survives(scenario).measures()
    return stated or [Target(measure, ">=", f"{count}") for measure, count in now if not measure.endswith("racks")]


def _with_lot(scenario: Scenario, day: date, lot: int, asked: Sequence[Target]) -> Scenario | None:
    """Return a scenario with a lot more as it stands on a day; None where it cannot be added or survives too little."""
    try:
        standing = scenario_at(_grown(scenario, 1, lot), day)
        return standing if survives_as_asked(standing, asked) else None
    except RefusalError:
        return None


def others(scenario: Scenario) -> tuple[Expansion, ...]:
    """Return what the plan of a scenario adds to groups that are not the question."""
    growing = scenario.growing_group()
    return tuple(more for more in growth_of(scenario).expansions if more.group not in (None, growing))


def _grown(scenario: Scenario, count: int, lot: int) -> Scenario:
    """Return a scenario to which so many lots are added after its first day, in place of what its plan adds."""
    growth = growth_of(scenario)
    first = growth.start + timedelta(days=1)
    sizes = [lot] * count if lot > 1 else [count] * bool(count)  # one by one they are as if they came together
    expansions = (*others(scenario), *(Expansion(date=first, servers=size) for size in sizes))
    return scenario.model_copy(update={"growth": growth.model_copy(update={"expansions": expansions})})


class Needs:
    """The servers of the growing group that each quarter needs: iterates over them, each as soon as it is known.

    They come in lots of `lot`. Expansions of that group are left out: what to buy is the question. Others stand.

    Raises:
        RefusalError: the scenario states no growth; while iterating, no number of servers does.
        ProblemError: a target names what nothing is measured by.
    """

    def __init__(
        self, scenario: Scenario, targets: Sequence[Target], lot: int, point: Callable[[Scenario], Point], run: Run
    ) -> None:
        check(targets, [scenario])
        self._scenario, self._lot = scenario, lot
        self.initial = scenario.cluster.groups[scenario.growing_group()].count
        days = quarters(scenario)
        self.days, self._ends = days[:-1], [day - timedelta(days=1) for day in days[1:]]
        known = by_plain_name(of_scenario(scenario, [target.measure for target in targets]))
        still = [target for target in targets if target.measure in known]
        running = [target for target in targets if target.measure not in known]
        self._still = Watch(still, point, run) if still else None
        self._running = Watch(running, point, run) if running else None
        self._looks_ahead = all(map(_is_of_time, running))
        self._ahead, self._furthest = 1, len(self.days)
        self._met: list[tuple[int, int]] = []

    @property
    def simulated(self) -> int:
        """How many scenarios were run."""
        return 0 if self._running is None else self._running.simulated

    def moving(self, day: date, scenario: Scenario) -> Moving:
        """Return how data moves onto servers that have just come, beside the workload where its runs are asked for."""
        return moving(day, scenario, self._running)

    def __iter__(self) -> Iterator[Need]:
        more, step, cause = 0, 1, ""
        for number, day in enumerate(self.days):
            enough, text = self._fewest(number, more, step)
            more, step, cause = enough, max(enough - more, 1), text or cause
            yield Need(day, self._servers(more), cause)

    def _servers(self, more: int) -> int:
        """Return the servers with so many lots more."""
        return self.initial + more * self._lot

    def _fewest(self, number: int, least: int, step: int) -> tuple[int, str]:
        """Return the fewest lots more, `least` or above, that miss nothing in a quarter, and what one fewer misses.

        What takes no run is asked first.
        """
        enough, cause = self._from(number, least, step, self._lacks)
        if self._running is not None:
            enough, missed = self._from(number, enough, step, lambda *at: self._lacks(*at) or self._misses(*at))
            cause = missed or cause
        return enough, cause

    def _from(self, number: int, least: int, step: int, missed: Callable[[int, int], str | None]) -> tuple[int, str]:
        """Return the fewest lots more with which nothing is missed; at first so many are tried, then twice as many."""
        text = first = missed(number, least)
        if first is None:
            return least, ""
        low, last = least, first
        while (text := missed(number, low + step)) is not None:
            low, step, last = low + step, step * 2, text
            if low * self._lot > MOST * self.initial:
                on = f"on {self._ends[number]} {self._servers(least)} servers miss: {first}"
                text = f"{on}; {self._servers(low)} miss: {last}"
                raise refusal("growth", text, "lower what is asked for, or begin with other servers")
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            text = missed(number, middle)
            low, high, last = (low, middle, last) if text is None else (middle, high, text)
        return high, last

    def _lacks(self, number: int, more: int) -> str | None:
        """Return what so many lots more lack at the end of a quarter and no run has to tell, None for nothing."""
        day = self._ends[number]
        try:
            standing = scenario_at(_grown(self._scenario, more, self._lot), day)
            plan = capacity(standing)
        except RefusalError as error:
            return f"{error}".splitlines()[0]
        if data_at(self._scenario, day) > plan.effective * (1 + CLOSE):
            return f"full, limited by: {plan.limit}"
        return None if self._still is None else self._still.causes([(day, standing)])[0]

    def _misses(self, number: int, more: int) -> str | None:
        """Return what runs of a quarter miss with so many lots more; a later quarter may tell that it is nothing."""
        until = self._until(number)
        if any(number <= later <= until and lots <= more for later, lots in self._met):
            return None
        later = min(number + self._ahead - 1, until)
        if later > number:
            if self._simulated(later, more) is None:
                self._ahead = min(2 * self._ahead, self._furthest)
                return None
            self._ahead //= 2
            self._furthest = max(self._ahead, 2)  # the next quarter is asked anyhow
        text = self._simulated(number, more)
        if text is None and later == number:
            self._ahead = min(max(self._ahead, 2), self._furthest)
        return text

    def _simulated(self, number: int, more: int) -> str | None:
        assert self._running is not None  # else nothing is asked of runs
        day = self._ends[number]
        try:
            standing = scenario_at(_grown(self._scenario, more, self._lot), day)
        except RefusalError as error:
            return f"{error}".splitlines()[0]
        text = self._running.causes([(day, standing)])[0]
        if text is None:
            self._met.append((number, more))
        return text

    def _until(self, number: int) -> int:
        """Return the last of the quarters from one on in which no data vanishes and no other group grows."""
        if not self._looks_ahead:
            return number
        dates = {expansion.date for expansion in others(self._scenario)}
        last = number
        for here, (day, end) in enumerate(pairwise(self._ends[number:]), number):
            if any(day < date <= end for date in dates) or data_at(self._scenario, end) < data_at(self._scenario, day):
                break
            last = here + 1
        return last


def _is_of_time(target: Target) -> bool:
    """Tell whether a target says how long something may take."""
    try:
        return target.sense == "<=" and target.value("s") > 0
    except RefusalError:
        return False
