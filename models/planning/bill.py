"""The bill of a scenario: its machines, and what a rented store asks for the bytes it keeps and the requests it gets.

A load of requests goes on all the time: its requests are charged by the second, those of a closed loop as a run of it
says. A job that comes again is charged as often as it comes, with the requests and the bytes out of the store that its
run says; how often another job runs nobody says, so that its requests are in the cost of a job alone. What a job asks
grows with its data, as the stored bytes do. Beside others it asks what it does alone: its data says that.

What reads a rented store from outside its region pays for the bytes as for those over a line.

What a workload fetches from another rented store leaves that one, beside others, too: once, or as often as it comes,
more as its data grows. Copies within a store leave nothing. The requests for it, less than a hundredth of what the
bytes cost, are in the cost of the job alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from models.jobs.copy import Copy
from models.jobs.object_load import ObjectLoad
from models.jobs.workload import WorkloadModel
from models.planning.capacity import capacity
from models.planning.cost import Cost, cost
from models.planning.demand import Demanded, Grown, Stock
from models.planning.fetching import Fetched
from models.planning.growth import stored_at_start
from models.planning.prices import Traffic
from models.units import YEAR
from models.work import Metrics

if TYPE_CHECKING:
    from models.scenario import Scenario

RATE, OFFERED = "request rate", "offered rate"
READS, WRITES = ("GET", "HEAD"), ("PUT", "COPY", "POST", "LIST")
"""Requests that stores charge as reads and as writes; a DELETE is free. Source: Amazon S3 pricing, requests."""


def bill(scenario: Scenario, metrics: Metrics | None = None, grown: float = 1.0) -> Cost | None:
    """Return what a scenario costs, with the `metrics` of its run if there are any; None without a price list.

    In that run the data of the jobs that grow was `grown` times that of the start.
    """
    store, fetched = scenario.storage, list(fetched_of(scenario))
    part, always = _up(scenario, metrics), tuple(store.server_groups().values())
    if store.home is not None:
        demanded = Demanded(factor=_factor(scenario))
        return cost(scenario, demanded=demanded, fetched=fetched, rented_part=part, always=always)
    stock, asked = _stock(scenario), _demanded(scenario, metrics, grown)
    outside = store.is_outside
    return cost(scenario, stock, asked, store.rented_as, outside, fetched, part, always)


def _up(scenario: Scenario, metrics: Metrics | None) -> float:
    """Return the part of the time for which rented servers are up: at least while jobs that come again run."""
    if scenario.prices is None or scenario.prices.rented_part == 1 or metrics is None:
        return 1.0 if scenario.prices is None else scenario.prices.rented_part
    jobs = {name: one.workload.every for name, one in scenario.each().items() if one.workload.every}
    lasts = sum((_own(metrics, name) or {}).get("duration", (0.0, "s"))[0] / every for name, every in jobs.items())
    return min(max(scenario.prices.rented_part, lasts), 1.0)


def fetched_of(scenario: Scenario) -> Iterator[Fetched]:
    """Yield what workloads fetch from rented stores that are not the one they write to."""
    for name, one in scenario.each().items():
        for origin, amount in one.workload.fetched():
            if origin.home is None and origin.system != scenario.storage.system:
                every = one.workload.every
                grows = every is not None and _factor(scenario) is not None and _is_growing(scenario, name)
                has_line = isinstance(one.workload, Copy) and one.workload.line is not None
                is_over_line = has_line or origin.is_outside
                yield Fetched(name, amount, origin.rented_as, YEAR / every if every else 0.0, grows, is_over_line)


def traffic(scenario: Scenario, metrics: Metrics, duration: float) -> Traffic:
    """Return what a run of `duration` seconds asked of a rented store."""
    if isinstance(scenario.workload, ObjectLoad):
        return _of_load(scenario.workload, metrics).scaled(duration)
    return _of_run(metrics)


def _stock(scenario: Scenario) -> Stock:
    """Return the bytes that a rented store bills over the years, as they grow if the scenario says so."""
    growth, plan = scenario.growth, capacity(scenario)
    if growth is None:
        return Grown(plan.needed)
    return Grown(stored_at_start(scenario), growth, times=plan.needed / plan.stored if plan.stored else 1.0)


def _demanded(scenario: Scenario, metrics: Metrics | None, grown: float) -> Demanded:
    """Return what workloads ask of their store, as far as it is known of those that come again.

    The metrics of one of many have its name in front.
    """
    known = Demanded(factor=_factor(scenario))
    for name, one in scenario.each().items():
        own = _own(metrics, name)
        asked = _comes(one.workload, own)
        if asked is not None and known.factor is not None and _is_growing(scenario, name):
            ran = not isinstance(one.workload, ObjectLoad) or RATE in (own or {})  # else it is its rate at the start
            known = known.plus(Demanded(growing=asked.scaled(1 / grown if ran else 1.0)))
        elif asked is not None:
            known = known.plus(Demanded(asked))
    return known


def _factor(scenario: Scenario) -> Callable[[float], float] | None:
    """Return how many times the data of the start there is after so many years; None where none is told."""
    growth = scenario.growth
    start = stored_at_start(scenario) if growth is not None else 0.0
    return None if growth is None or not start else Grown(start, growth, over=start)


def _is_growing(scenario: Scenario, name: str) -> bool:
    """Tell whether the data of a workload grows as the stored data does."""
    return scenario.growth is not None and scenario.growth.of(name).workload_grows


def _own(metrics: Metrics | None, name: str) -> Metrics | None:
    """Return the metrics of a workload by its name, of the only one by ""."""
    if metrics is None or not name:
        return metrics
    prefix = f"{name}."
    return {key.removeprefix(prefix): value for key, value in metrics.items() if key.startswith(prefix)}


def _comes(workload: WorkloadModel, metrics: Metrics | None) -> Traffic | None:
    """Return what a workload asks a second, as a mean; None where nobody knows or it does not come again."""
    if isinstance(workload, ObjectLoad):
        is_known = workload.rate is not None or (metrics is not None and RATE in metrics)
        return _of_load(workload, metrics) if is_known else None
    if metrics is None or workload.every is None:
        return None
    return _of_run(metrics).scaled(1 / workload.every)


def _of_load(load: ObjectLoad, metrics: Metrics | None) -> Traffic:
    """Return what a load asks a second: at the rate of a run of it, else at its own.

    What clients send counts, also where the store does not carry all of it: it is what was asked for.
    """
    known = metrics or {}
    rate = known.get(OFFERED, known.get(RATE, (load.rate or 0.0, "")))[0]
    return _charged({verb: count * rate for verb, count in load.verbs().items()}, load.read_bytes() * rate)


def _of_run(metrics: Metrics) -> Traffic:
    """Return what a run of a job asked."""
    asked = {name.removesuffix(" requests"): value for name, (value, _) in metrics.items()}
    return _charged(asked, metrics.get("egress", (0.0, "B"))[0])


def _charged(requests: Mapping[str, float], read: float) -> Traffic:
    reads = sum(requests.get(verb, 0.0) for verb in READS)
    return Traffic(reads, sum(requests.get(verb, 0.0) for verb in WRITES), read)
