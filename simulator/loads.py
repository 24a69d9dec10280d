"""Loads of requests beside works: what they take of each resource over time, before any work gets a part.

A load is sampled once without others. What a request takes of each station then says, with the rate at which requests
come, which part of the resources of that name the load has. A closed loop comes at the rate of its own sample first,
and then at the rate that its requests had beside the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.schedule import HOUR, Scheduled
from models.requests import ENDLESS, Flows, Open, RequestRun
from models.work import Resources
from simulator.readings import members_of
from simulator.requests import RequestResult, run_requests

Floats = NDArray[np.float64]
Stop = Callable[[], bool] | None

SAMPLE = 3_000
"""Requests that are simulated at least of each time in which a load meets the same. Assumption (range 2,000 to 20,000):
30 of them lie beyond the 99th percentile."""
WHOLE = 20_000
"""Requests that are simulated of all times together, each as it counts, as far as that is more. Assumption."""
MOST = 0.95
"""Part of a resource that loads have at most, so that works beside an overload still end. Assumption."""


@dataclass(slots=True, eq=False)
class Load:
    """A load of requests beside others: when it goes on (s), and how it fares alone.

    `carried` are the requests a second that a closed loop has, by the ends of times (s); empty: those it has alone.
    """

    entry: Scheduled
    plan: ObjectLoadPlan
    spans: tuple[tuple[float, float], ...]
    alone: RequestResult
    carried: list[tuple[float, float]] = field(default_factory=list)

    @property
    def run(self) -> RequestRun:
        """The load as one run of requests."""
        return self.plan.runs()[0]

    @property
    def is_open(self) -> bool:
        """Whether requests come at a rate, whatever becomes of them."""
        return isinstance(self.run.loop, Open)

    @property
    def demand(self) -> dict[str, float]:
        """The part of a station that one request a second takes, by its name: of each of its copies."""
        found: dict[str, list[float]] = {}
        for use in self.alone.stations:
            found.setdefault(use.station.name, []).append(use.utilization)
        rate = self.alone.throughput.value
        return {name: float(np.mean(parts)) / rate for name, parts in found.items()} if rate > 0 else {}

    def factor(self, time: float) -> float:
        """Return the part of its usual rate at which requests come at a time, 0 outside of its spans."""
        is_on = any(start <= time < end for start, end in self.spans)
        return self.entry.rate_at(time) if is_on else 0.0

    def rate(self, time: float) -> float:
        """Return the requests a second at a time."""
        factor = self.factor(time)
        if isinstance(self.run.loop, Open):
            return self.run.loop.rate * factor
        known = next((rate for end, rate in self.carried if time < end), self.alone.throughput.value)
        return known if factor > 0 else 0.0

    def changes(self) -> Iterator[float]:
        """Yield the times at which its rate changes."""
        for start, end in self.spans:
            yield from (start, end)
            if self.entry.rate_by_hour:
                yield from (hour * HOUR for hour in range(int(start // HOUR) + 1, int(np.ceil(end / HOUR))))
        yield from (end for end, _ in self.carried)


def load(entry: Scheduled, plan: ObjectLoadPlan, starts: Sequence[float], seed: int, should_stop: Stop) -> Load:
    """Return a load that begins at some times, after a sample of it alone."""
    job = plan.job
    alone = run_requests(sampled(plan.runs()[0]), seed=seed, should_stop=should_stop)
    lasts = job.duration if job.duration is not None else (job.count or 1) / alone.throughput.value
    return Load(entry, plan, tuple((start, start + lasts) for start in starts), alone)


def sampled(run: RequestRun, share: float = 0.25, flows: tuple[Flows, ...] = ()) -> RequestRun:
    """Return a sample of a run beside flows, which stands for a share of all its requests."""
    count = min(max(int(share * WHOLE), SAMPLE), run.count)
    return replace(run, count=count, duration=np.inf, precision=0.0, goes_on=True, flows=flows)


def bundled(loads: Sequence[Load]) -> list[tuple[Load, ...]]:
    """Return the loads that can be simulated as one: open ones whose clients are as patient as each other."""
    found: dict[object, list[Load]] = {}
    for each in loads:
        found.setdefault(each.run.patience if each.is_open else id(each), []).append(each)
    return [tuple(bundle) for bundle in found.values()]


def together(bundle: Sequence[Load], factors: Sequence[float], runs: Sequence[RequestRun]) -> RequestRun:
    """Return loads as one run, whose kinds are named "tenant/get"; each comes at a part of its rate.

    Requests that come at random at two rates come together at the sum of them.
    """
    first = runs[0]
    if not isinstance(first.loop, Open):
        return replace(first, kinds=tuple(replace(k, name=f"{bundle[0].entry.name}/{k.name}") for k in first.kinds))
    rates = [run.loop.rate * factor for run, factor in zip(runs, factors, strict=True) if isinstance(run.loop, Open)]
    kinds = []
    for each, run, rate in zip(bundle, runs, rates, strict=True):
        total = sum(kind.weight for kind in run.kinds)
        for kind in run.kinds:
            if rate > 0:
                kinds.append(replace(kind, name=f"{each.entry.name}/{kind.name}", weight=kind.weight / total * rate))
    in_flight = max(run.loop.in_flight for run in runs if isinstance(run.loop, Open))
    return replace(first, name="requests", kinds=tuple(kinds), loop=Open(sum(rates), in_flight), count=ENDLESS)


def parts(loads: Sequence[Load], known: Resources, time: float) -> Floats:
    """Return the part of each resource that loads have at a time."""
    found = np.zeros(len(known))
    members = members_of(known)
    for each in loads:
        rate = each.rate(time)
        for group, cost in each.demand.items():
            if group in members:
                found[members[group]] += rate * cost
    return np.asarray(np.minimum(found, MOST))


def of_groups(each: Load, members: Mapping[str, object], time: float) -> dict[str, float]:
    """Return the part of each group of resources that a load has at a time."""
    rate = each.rate(time)
    return {group: rate * cost for group, cost in each.demand.items() if group in members}
