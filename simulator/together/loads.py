"""Loads of requests beside works: what they take of each resource over time, before any work gets a part.

A load is sampled once without others at each of its rates. What a request takes of each station at its usual one says,
with the rate at which requests come, which part of the resources of that name the load has. A closed loop comes at the
rate of its own sample first, and then at the rate that its requests had beside the others. Where servers stand for
others, all of this is of their part of the requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.schedule import Scheduled
from models.requests import ENDLESS, Closed, Flows, Kind, Open, RequestRun
from models.storage.placement import mix
from models.units import DAY, HOUR
from simulator.requests.run import RequestResult, run_requests

Floats = NDArray[np.float64]
Members = Mapping[str, list[int]]
Stop = Callable[[], bool] | None

SAMPLE = 3_000
"""Requests that are simulated at least of each time in which a load meets the same. Assumption (range 2,000 to 20,000):
30 of them lie beyond the 99th percentile."""
WHOLE = 40_000
"""Requests that are simulated of all times together, each as it counts, as far as that is more. Assumption."""
MOST = 0.95
"""Part of a resource that loads have at most, so that works beside an overload still end. Assumption."""


@dataclass(eq=False)
class Load:
    """A load of requests beside others, what chance brings it, and when it goes on (s).

    `carried` are the requests a second that a closed loop has, by the ends of times (s); empty: those it has alone.
    Where it `goes_on`, it lasts as long as the jobs beside it; with rates by the hour for a day at least.
    """

    entry: Scheduled
    plan: ObjectLoadPlan
    seed: int
    should_stop: Stop
    spans: tuple[tuple[float, float], ...] = ()
    carried: list[tuple[float, float]] = field(default_factory=list)
    samples: dict[float, RequestResult] = field(default_factory=dict)
    goes_on: bool = False

    @cached_property
    def run(self) -> RequestRun:
        """The load as one run of requests."""
        return self.plan.runs()[0]

    def alone(self, factor: float = 1.0) -> RequestResult:
        """Return how it fares alone at a part of its usual rate, sampled once."""
        if factor not in self.samples:
            hours = self.entry.rate_by_hour or (1.0,)
            share = sum(hour for hour in hours if hour == factor) / sum(hours)
            run = sampled(together((self,), (factor,), (self.run,)), share)
            self.samples[factor] = run_requests(
                run, seed=seed_of(self.seed, len(self.samples)), should_stop=self.should_stop, keeps_samples=True
            )
        return self.samples[factor]

    @property
    def alike(self) -> int:
        """How many times as many requests as these there are."""
        return self.plan.alike

    @property
    def is_open(self) -> bool:
        """Whether requests come at a rate, whatever becomes of them."""
        return isinstance(self.run.loop, Open)

    @cached_property
    def demand(self) -> dict[str, float]:
        """The part of a station that one request a second takes, by its name: of each of its copies."""
        used: dict[str, list[float]] = {}
        alone = self.alone()
        for use in alone.stations:
            used.setdefault(use.station.name, []).append(use.utilization)
        rate = alone.throughput.value
        return {name: float(np.mean(parts)) / rate for name, parts in used.items()} if rate > 0 else {}

    def last(self) -> None:
        """Let it go on until it is told to end."""
        self.goes_on, self.spans = True, tuple((start, np.inf) for start, _ in self.spans)

    def end(self, time: float) -> None:
        """Let it have ended at a time (s), if it goes on."""
        if self.goes_on:
            self.spans = tuple((start, time) for start, _ in self.spans)

    def factor(self, time: float) -> float:
        """Return the part of its usual rate at which requests come at a time, 0 outside of its spans."""
        is_on = any(start <= time < end for start, end in self.spans)
        return self.entry.rate_at(time) if is_on else 0.0

    def rate(self, time: float) -> float:
        """Return the requests a second at a time."""
        factor = self.factor(time)
        if isinstance(self.run.loop, Open):
            return self.run.loop.rate * factor
        known = next((rate for end, rate in self.carried if time < end), self.alone().throughput.value)
        return known if factor > 0 else 0.0

    @property
    def follows_hours(self) -> bool:
        """Whether it goes on until it is told to end at rates by the hour, so that no last change is known."""
        return self.goes_on and bool(self.entry.rate_by_hour)

    def set_ends(self) -> Iterator[float]:
        """Yield the times until which it lasts at least, whatever becomes of the jobs beside it (s)."""
        if not self.goes_on:
            yield from (end for _, end in self.spans)
        elif self.follows_hours:
            yield DAY

    def changes(self) -> Iterator[float]:
        """Yield the times at which its rate changes; of one that follows its hours those of the first day."""
        for start, end in self.spans:
            yield from (start,) if self.goes_on else (start, end)
            if self.entry.rate_by_hour:
                last = DAY if self.goes_on else end
                yield from (hour * HOUR for hour in range(int(start // HOUR) + 1, int(np.ceil(last / HOUR))))
        yield from (end for end, _ in self.carried)


class Known(NamedTuple):
    """What a simulation before told of a load: what it `carried` beside the others, and its `samples` alone."""

    carried: list[tuple[float, float]]
    samples: dict[float, RequestResult]


def load(
    entry: Scheduled, plan: ObjectLoadPlan, starts: Sequence[float], seed: int, should_stop: Stop, known: Known | None
) -> Load:
    """Return a load that begins at some times; without a duration it lasts as long as its requests take alone."""
    made, duration = Load(entry, plan, seed, should_stop), plan.job.duration
    if known is not None:
        made.carried, made.samples = known
    lasts = duration if duration is not None else made.run.count / made.alone().throughput.value
    made.spans = tuple((start, start + lasts) for start in starts)
    return made


def seed_of(seed: int, number: int) -> int:
    """Return the seed of one of several samples, so that they are independent of each other: 31 bits."""
    return mix(seed, number) >> 33


def sampled(run: RequestRun, share: float, flows: tuple[Flows, ...] = ()) -> RequestRun:
    """Return a sample of a run beside flows, which stands for a share of all its requests."""
    count = min(max(int(share * WHOLE), SAMPLE), run.count)
    return replace(run, count=count, duration=np.inf, precision=0.0, goes_on=True, flows=flows)


def bundled(loads: Sequence[Load]) -> list[tuple[Load, ...]]:
    """Return the loads that can be simulated as one: open ones, or closed ones, with clients of the same patience."""
    bundles: dict[object, list[Load]] = {}
    for source in loads:
        bundles.setdefault((source.is_open, source.run.patience), []).append(source)
    return [tuple(bundle) for bundle in bundles.values()]


def together(bundle: Sequence[Load], factors: Sequence[float], runs: Sequence[RequestRun]) -> RequestRun:
    """Return loads as one run, whose kinds are named "tenant/get"; each open one comes at a part of its rate.

    Requests that come at random at two rates come together at the sum of them. Closed ones keep their own clients.
    """
    active = [at for at, factor in enumerate(factors) if factor > 0]
    kinds, pools = list[Kind](), list[tuple[int, int]]()
    for at in active:
        run, loop = runs[at], runs[at].loop
        total, rate = sum(kind.weight for kind in run.kinds), loop.rate * factors[at] if isinstance(loop, Open) else 1.0
        kinds += [
            replace(kind, name=f"{bundle[at].entry.name}/{kind.name}", weight=kind.weight / total * rate)
            for kind in run.kinds
        ]
        if isinstance(loop, Closed):
            pools.append((loop.clients, len(run.kinds)))
    if pools:
        joined: Closed | Open = Closed(sum(clients for clients, _ in pools), pools=tuple(pools))
    else:
        opened = [(run.loop, factor) for run, factor in zip(runs, factors, strict=True) if isinstance(run.loop, Open)]
        in_flight = max(loop.in_flight for loop, _ in opened)
        joined = Open(sum(loop.rate * factor for loop, factor in opened), in_flight)
    one = runs[active[0]]
    count = one.count if len(active) == 1 and pools else ENDLESS
    return replace(one, name="requests", kinds=tuple(kinds), loop=joined, count=count)


def parts(loads: Sequence[Load], members: Members, count: int, time: float) -> Floats:
    """Return the part of each of so many resources that loads have at a time."""
    used = np.zeros(count)
    for source in loads:
        for group, part in of_groups(source, members, time).items():
            used[members[group]] += part
    return np.asarray(np.minimum(used, MOST))


def of_groups(source: Load, members: Members, time: float) -> dict[str, float]:
    """Return the part of each group of resources that a load has at a time."""
    rate = source.rate(time)
    return {group: rate * cost for group, cost in source.demand.items() if group in members}
