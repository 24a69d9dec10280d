"""What a scenario can never exceed: rates and times that follow from its parts alone, without a clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from models.jobs.mapreduce import MapReduce
from models.jobs.yarn import Framework
from models.scenario import Scenario
from models.target import Target, plain
from models.values import value


@value()
class Nameplate:
    """The drives of a storage system as their data sheet has them: their `group` in results, and B/s of all."""

    group: str
    read_rate: float


@value()
class Bound:
    """The least seconds that a job can take, and what says so."""

    seconds: float
    reason: str


def nameplate(scenario: Scenario) -> Nameplate | None:
    """Return the sequential read rate of all data drives together, None for a store whose drives nobody sees."""
    home = scenario.storage.home
    if home is None:
        return None
    group = scenario.cluster.groups[home[0]]
    bay = group.server.bays[home[1]]
    return Nameplate(f"{home[0]}/{home[1]} drives", group.count * bay.count * bay.drive.read_bandwidth)


def least_duration(scenario: Scenario) -> Bound:
    """Return the least time that the job of a scenario can take; 0 for kinds of jobs without a closed form.

    A MapReduce job takes at least the CPU time of its records on all processors, and the time in which its input passes
    all data drives at their sequential rate, or all network cards where storage and tasks share no servers.
    """
    job = scenario.workload
    if not isinstance(job, MapReduce):
        return Bound(0.0, "no closed form")
    workers = scenario.cluster.groups[job.framework.servers]
    processors = workers.count * max(workers.server.cpu.capacity())
    bounds = [Bound(job.framework.job_start + job.total_cpu() / processors, "its CPU time on all processors")]
    if job.input:
        bounds += _reading(scenario, job.input, job.framework)
    return max(bounds, key=lambda bound: bound.seconds)


def least_durations(scenario: Scenario) -> dict[str, Bound]:
    """Return the least times that the jobs of a scenario can take, by the name of their measure in targets."""
    jobs = scenario.each()
    return {plain(f"{name}.duration") if name else "duration": least_duration(alone) for name, alone in jobs.items()}


def too_long(scenario: Scenario, targets: Iterable[Target]) -> Iterator[tuple[Target, Bound]]:
    """Yield those of some targets for times of jobs that no run can meet, each with the least time."""
    bounds = least_durations(scenario)
    for target in targets:
        bound = bounds.get(target.measure)
        if bound is not None and target.sense == "<=" and bound.seconds > target.value("s"):
            yield target, bound


def _reading(scenario: Scenario, amount: float, framework: Framework) -> list[Bound]:
    plate, home = nameplate(scenario), scenario.storage.home
    bounds = [] if plate is None else [Bound(amount / plate.read_rate, "reading its input from all drives")]
    if home is None or home[0] != framework.servers:
        workers = scenario.cluster.groups[framework.servers]
        cards = workers.count * workers.server.nic.rate
        bounds.append(Bound(amount / cards, "taking its input in over all network cards"))
    return bounds
