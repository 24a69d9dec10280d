"""What a scenario and its answer are measured by: what a run says, and what follows from the scenario alone.

One name a measure, in comparisons, sweeps, targets and reports. A measure that a scenario does not have (a price
without a price list) is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from models.hardware.cluster import Cluster
from models.planning.capacity import capacity
from models.planning.cost import TERABYTE, Cost, cost
from models.planning.durability import durability
from models.planning.survival import survives
from models.planning.target import Target, plain
from models.scenario import Scenario
from models.storage.amazon_s3 import AmazonS3
from models.storage.hdfs import Hdfs
from models.storage.minio import Minio
from models.storage.storagegrid import StorageGrid
from models.units import format
from simulator.studies.points import Answer
from simulator.studies.rebuild import known_repair_time

MORE_IS_BETTER = ("B/s", "1/s", "B", "1")
"""Units of metrics of which a higher value is better: rates and counts of work done; times are better when short."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A value, its unit, and whether more of it is better."""

    value: float
    unit: str
    is_more_better: bool


def measures(scenario: Scenario, answer: Answer | None) -> dict[str, Measure]:
    """Return all measures by name: of the run if there is an answer, and of the scenario."""
    found = dict(_of_run(answer)) if answer is not None else {}
    found.update(of_scenario(scenario))
    if answer is not None and (priced := bill(scenario)) is not None and not priced.unpriced:
        found["cost_per_job"] = Measure(priced.per_job(answer.duration), "USD", False)
    return found


def by_plain_name(found: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return measures by the names that targets write."""
    return {plain(name): measure for name, measure in found.items()}


def miss(target: Target, measure: Measure) -> str | None:
    """Return in words by what a measure misses a target, None if it meets it.

    Raises:
        ValueError: the target is in another unit.
    """
    if target.is_met(measure.value, measure.unit):
        return None
    said = f"{measure.value:,.0f} USD" if measure.unit == "USD" else format(measure.value, measure.unit)
    return f"{target.measure} {said}, not {target.sense} {target.limit}"


def of_scenario(scenario: Scenario) -> dict[str, Measure]:
    """Return the measures that need no run."""
    cluster, plan = scenario.cluster, capacity(scenario)
    found = {
        "servers": Measure(servers(cluster), "1", False),
        "drives": Measure(drives(cluster), "1", False),
        "raw": Measure(plan.raw, "B", True),
        "usable": Measure(plan.usable, "B", True),
        "effective": Measure(plan.effective, "B", True),
    }
    found.update(_survival(scenario))
    found.update(_durability(scenario))
    found.update(_bill(scenario, plan.usable))
    return found


def bill(scenario: Scenario) -> Cost | None:
    """Return what a scenario costs, with what its data costs in a rented store; None without a price list."""
    is_rented = isinstance(scenario.storage, AmazonS3)
    return cost(scenario, capacity(scenario).stored if is_rented else 0.0)


def servers(cluster: Cluster) -> float:
    """Return the number of servers of all groups."""
    return float(sum(group.count for group in cluster.groups.values()))


def drives(cluster: Cluster) -> float:
    """Return the number of drives in all servers."""
    groups = cluster.groups.values()
    return float(sum(group.count * sum(bay.count for bay in group.server.bays.values()) for group in groups))


def _of_run(answer: Answer) -> Iterator[tuple[str, Measure]]:
    for name, (value, unit) in answer.metrics.items():
        yield name, Measure(value, unit, unit in MORE_IS_BETTER)


def _survival(scenario: Scenario) -> Iterator[tuple[str, Measure]]:
    try:
        found = survives(scenario)
    except ValueError:  # a storage system whose placement is not modelled
        return
    for name in ("drives", "servers", "racks"):
        yield f"survives_{name}", Measure(float(getattr(found, name).readable), "1", True)


def _durability(scenario: Scenario) -> Iterator[tuple[str, Measure]]:
    """Yield the nines of an object and the mean time to the first loss, where the profile states failure rates."""
    failures, storage = scenario.failures, scenario.storage
    if failures is None or not failures.drive_failures_per_year or not isinstance(storage, (Hdfs, Minio, StorageGrid)):
        return
    found = durability(scenario, known_repair_time(scenario))
    yield "durability", Measure(found.object_nines, "1", True)
    yield "mttdl", Measure(found.mttdl, "s", True)


def _bill(scenario: Scenario, usable: float) -> Iterator[tuple[str, Measure]]:
    priced = bill(scenario)
    if priced is None or priced.unpriced:
        return
    yield "cost_per_year", Measure(priced.per_year, "USD", False)
    yield "cost", Measure(priced.total, "USD", False)
    if 0 < usable / TERABYTE < float("inf"):
        yield "cost_per_usable_tb_month", Measure(priced.per_terabyte_month(usable), "USD", False)
    if priced.power:
        yield "power", Measure(priced.power, "W", False)
        yield "rack_units", Measure(priced.rack_units, "1", False)
