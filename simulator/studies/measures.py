"""What a scenario and its answer are measured by: what a run says, and what follows from the scenario alone.

One name a measure, in comparisons, sweeps, targets and reports. A measure that a scenario does not have (a price
without a price list) is absent. A cost names the years that it covers: "cost over 3 years".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.hardware.cluster import Cluster, Group
from models.planning.bill import bill, traffic
from models.planning.capacity import capacity
from models.planning.cost import TERABYTE, Cost
from models.planning.durability import durability
from models.planning.power import power
from models.planning.prices import GIVEN
from models.planning.survival import MEASURES as SURVIVAL, survives
from models.problem import RefusalError
from models.scenario import Scenario
from models.storage.rented import RentedStorage
from models.target import Target, plain
from simulator.studies.points import Answer
from simulator.studies.rebuild import known_repair_time

DURABLE = ("durability", "mttdl")
"""Measures for which a repair is simulated."""
MORE_IS_BETTER = ("B/s", "1/s", "B", "1")
"""Units of metrics of which a higher value is better: rates and counts of work done; times are better when short."""
LESS_IS_BETTER = ("slowdown", "timed out", "retries", "refused", "failed", "raw_needed", "servers_needed")
"""Names of metrics in these units of which a lower value is better all the same."""

COST_OVER = "cost_over_"
"""How the names of costs over some years begin."""
PRESENT = "present_"
"""What stands before them in those of net present costs."""
_YEARS = re.compile(f"({PRESENT})?{COST_OVER}" + r"(\d+(?:_\d+)?)_years?")


@dataclass(frozen=True, slots=True)
class Measure:
    """A value, its unit, and whether more of it is better; `is_least`: a closed form says that it is no less."""

    value: float
    unit: str
    is_more_better: bool
    is_least: bool = False


def measures(
    scenario: Scenario,
    answer: Answer | None,
    asked: Iterable[str] = DURABLE,
    *,
    grown: float = 1.0,
    years: float | None = None,
) -> dict[str, Measure]:
    """Return all measures by name: of the run if there is an answer, and of the scenario.

    In the run the data of the jobs that grow was `grown` times that of the start. Costs are those of so many `years`;
    default: of those over which the price list tells them.

    `asked` are names that are wanted besides, as targets write them: costs over other years than those of the list,
    and durability, for which a repair is simulated.
    """
    asked = list(asked)
    priced = _whole(bill(scenario, None if answer is None else answer.metrics, grown))
    measured = dict(_of_run(answer)) if answer is not None else {}
    measured.update(_of_scenario(scenario, priced, asked, years))
    if answer is not None and priced is not None:
        per_job = priced.per_job(answer.duration, traffic(scenario, answer.metrics, answer.duration))
        measured["cost_per_job"] = Measure(per_job, priced.currency, False)
        measured.update(_of_power(scenario, answer))
    return measured


def _of_power(scenario: Scenario, answer: Answer) -> Iterator[tuple[str, Measure]]:
    """Yield what a run draws and emits with all machines to itself; what has no price may draw power, too."""
    drawn = power(scenario, {group.group: group for group in answer.groups})
    if drawn is None:
        return
    yield "mean_power", Measure(drawn.mean, "W", False)
    if answer.duration:
        yield "energy_per_job", Measure(drawn.energy(answer.duration), "kWh", False)
    emitted = drawn.emitted(answer.duration)
    if emitted:
        yield "carbon_per_job", Measure(emitted, "kg", False)


def leading(answers: Iterable[Answer]) -> list[str]:
    """Return the names of what is read first of runs that are told together, the one that they are ranked by in front.

    These are the metrics that lead in all of them; the duration, which every run has, where no two lead alike.
    """
    all_leading = [answer.leading for answer in answers]
    if not all_leading or len({next(iter(row)) for row in all_leading}) > 1:
        return ["duration"]
    return [name for name in all_leading[0] if all(name in row for row in all_leading)]


def by_plain_name(measured: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return measures by the names that targets write."""
    return {plain(name): measure for name, measure in measured.items()}


def _whole(priced: Cost | None) -> Cost | None:
    """Return a bill that nothing is missing from, or None."""
    return None if priced is None or priced.unpriced else priced


def miss(target: Target, measure: Measure) -> str | None:
    """Return in words by what a measure misses a target, None if it meets it.

    Raises:
        RefusalError: the target is in another unit.
    """
    if target.is_met(measure.value, measure.unit):
        return None
    return target.missed(measure.value, measure.unit)


def of_scenario(scenario: Scenario, asked: Iterable[str] = ()) -> dict[str, Measure]:
    """Return the measures that need no run; `asked` as for `measures`."""
    return dict(_of_scenario(scenario, _whole(bill(scenario)), list(asked)))


def _of_scenario(
    scenario: Scenario, priced: Cost | None, asked: Sequence[str], years: float | None = None
) -> Iterator[tuple[str, Measure]]:
    cluster, plan = scenario.cluster, capacity(scenario)
    yield "servers", Measure(servers(cluster), "1", False)
    yield "drives", Measure(drives(cluster), "1", False)
    yield "raw", Measure(plan.raw, "B", True)
    yield "usable", Measure(plan.usable, "B", True)
    yield "effective", Measure(plan.effective, "B", True)
    yield from _survival(scenario)
    if any(name in DURABLE for name in asked):
        yield from durable(scenario).items()
    if priced is not None:
        yield from _costs(priced, plan.usable, asked, years)
        if priced.power or not servers(cluster):  # where all is rented, nothing stands here
            yield "power", Measure(priced.power, "W", False)
            yield "rack_units", Measure(priced.rack_units, "1", False)
        if priced.power and priced.carbon is not None:
            yield "carbon_per_year", Measure(priced.carbon, "kg", False)


def servers(cluster: Cluster) -> float:
    """Return the number of servers of all groups, but for those that are the customer's own."""
    return float(sum(group.count for group in _chosen(cluster)))


def drives(cluster: Cluster) -> float:
    """Return the number of drives in these servers."""
    return float(sum(group.count * sum(bay.count for bay in group.server.bays.values()) for group in _chosen(cluster)))


def _chosen(cluster: Cluster) -> list[Group]:
    return [group for group in cluster.groups.values() if group.server.model != GIVEN]


def _of_run(answer: Answer) -> Iterator[tuple[str, Measure]]:
    for name, (value, unit) in answer.metrics.items():
        yield name, Measure(value, unit, is_more_better(name, unit))


def is_more_better(name: str, unit: str) -> bool:
    """Tell whether more is better of a metric of a run, or of one of its workloads."""
    return unit in MORE_IS_BETTER and name.rpartition(".")[2] not in LESS_IS_BETTER


def _survival(scenario: Scenario) -> Iterator[tuple[str, Measure]]:
    """Yield what may fail at once; of a rented store anything, as nothing of the cluster holds its data."""
    if isinstance(scenario.storage, RentedStorage):
        yield from ((name, Measure(math.inf, "1", True)) for name in SURVIVAL)
        return
    try:
        survival = survives(scenario)
    except RefusalError:  # a storage system whose placement is not modelled
        return
    for name, count in survival.measures():
        yield name, Measure(float(count), "1", True)


def is_durable(scenario: Scenario) -> bool:
    """Tell whether durability is known of a scenario: it has failure rates, and a storage system whose repairs are."""
    failures = scenario.failures
    has_rates = failures is not None and failures.drive_failures_per_year > 0
    return has_rates and scenario.storage.placement(scenario.cluster) is not None


def known_of_durability(scenario: Scenario) -> tuple[str, ...]:
    """Return which measures of durability a scenario has; of a service the nines alone, as its provider says."""
    if is_durable(scenario):
        return DURABLE
    return DURABLE[:1] if scenario.storage.published_nines is not None else ()


def durable(scenario: Scenario) -> dict[str, Measure]:
    """Return the nines of an object and the mean time to the first loss, where they are known; simulates a repair."""
    if not is_durable(scenario):
        published = scenario.storage.published_nines
        return {} if published is None else {DURABLE[0]: Measure(published, "1", True)}
    nines = durability(scenario, known_repair_time(scenario))
    return {"durability": Measure(nines.object_nines, "1", True), "mttdl": Measure(nines.mttdl, "s", True)}


def _costs(priced: Cost, usable: float, asked: Iterable[str], years: float | None) -> Iterator[tuple[str, Measure]]:
    unit, over = priced.currency, plain(f"{COST_OVER}{years or priced.told:g}_years")
    usual = (over, f"{PRESENT}{over}") if priced.terms.discount_rate else (over,)
    yield "cost_per_year", Measure(priced.per_year, unit, False)
    for name in (*usual, *map(plain, asked)):
        if match := _YEARS.fullmatch(name):
            years = float(match[2].replace("_", "."))
            yield name, Measure(priced.present(years) if match[1] else priced.over(years), unit, False)
    if 0 < usable / TERABYTE < float("inf"):
        yield "cost_per_usable_tb_month", Measure(priced.per_terabyte_month(usable), unit, False)
