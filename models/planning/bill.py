"""The bill of a scenario: its machines, and what a rented store asks for the bytes it keeps and the requests it gets.

A load of requests goes on all the time: its requests are charged by the second, those of a closed loop as a run of it
says. How often another job runs nobody says, so that its requests are in the cost of a job alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from models.jobs.object_load import ObjectLoad
from models.planning.capacity import capacity
from models.planning.cost import Cost, Stock, cost
from models.planning.growth import stored_at_start
from models.planning.prices import Traffic
from models.work import Metrics

if TYPE_CHECKING:
    from models.scenario import Scenario

READS, WRITES = ("GET", "HEAD"), ("PUT", "COPY", "POST", "LIST")
"""Requests that stores charge as reads and as writes; a DELETE is free. Source: Amazon S3 pricing, requests."""


def bill(scenario: Scenario, metrics: Metrics | None = None) -> Cost | None:
    """Return what a scenario costs, with the `metrics` of its run if there are any; None without a price list."""
    if scenario.storage.home is not None:
        return cost(scenario)
    return cost(scenario, _stock(scenario), _a_second(scenario, metrics), scenario.storage.rented_as)


def traffic(scenario: Scenario, metrics: Metrics, duration: float) -> Traffic:
    """Return what a run of `duration` seconds asked of a rented store."""
    a_second = _a_second(scenario, metrics)
    if a_second is not None:
        return a_second.scaled(duration)
    asked = {name.removesuffix(" requests"): value for name, (value, _) in metrics.items()}
    return _charged(asked, metrics.get("egress", (0.0, "B"))[0])


def _stock(scenario: Scenario) -> Stock:
    """Return the bytes that a rented store bills over the years, as they grow if the scenario says so."""
    growth, plan = scenario.growth, capacity(scenario)
    if growth is None:
        return lambda years: plan.needed
    start, billed = stored_at_start(scenario), plan.needed / plan.stored if plan.stored else 1.0
    return lambda years: growth.data_after(years, start) * billed


def _a_second(scenario: Scenario, metrics: Metrics | None) -> Traffic | None:
    """Return what a load of requests asks of its store each second, None where nobody knows or it is no such load."""
    load = scenario.workload
    if not isinstance(load, ObjectLoad):
        return None
    rate = load.rate if metrics is None else metrics["request rate"][0]
    if rate is None:
        return None
    return _charged({verb: count * rate for verb, count in load.verbs().items()}, load.read_bytes() * rate)


def _charged(requests: Mapping[str, float], read: float) -> Traffic:
    reads = sum(requests.get(verb, 0.0) for verb in READS)
    return Traffic(reads, sum(requests.get(verb, 0.0) for verb in WRITES), read)
