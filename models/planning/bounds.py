"""What a scenario can never exceed: rates and times that follow from its parts alone, without a clock."""

from __future__ import annotations

from dataclasses import dataclass

from models.jobs.mapreduce import Framework, MapReduce
from models.scenario import Scenario
from models.storage.amazon_s3.system import AmazonS3


@dataclass(frozen=True, slots=True)
class Nameplate:
    """The drives of a storage system as their data sheet has them: their `group` in results, and B/s of all."""

    group: str
    read_rate: float


@dataclass(frozen=True, slots=True)
class Bound:
    """The least seconds that a job can take, and what says so."""

    seconds: float
    reason: str


def nameplate(scenario: Scenario) -> Nameplate | None:
    """Return the sequential read rate of all data drives together, None for a store whose drives nobody sees."""
    storage = scenario.storage
    if isinstance(storage, AmazonS3):
        return None
    group = scenario.cluster.groups[storage.servers]
    bay = group.server.bays[storage.bay]
    return Nameplate(f"{storage.servers}/{storage.bay} drives", group.count * bay.count * bay.drive.read_bandwidth)


def least_duration(scenario: Scenario) -> Bound:
    """Return the least time that the job of a scenario can take; 0 for kinds of jobs without a closed form.

    A MapReduce job takes at least the CPU time of its records on all processors, and the time in which its input passes
    all data drives at their sequential rate, or all network cards where storage and tasks share no servers.
    """
    job = scenario.workload
    if not isinstance(job, MapReduce):
        return Bound(0.0, "no closed form")
    amount = job.input or job.generated
    workers = scenario.cluster.groups[job.framework.servers]
    processors = workers.count * max(workers.server.cpu.capacity())
    bounds = [Bound(job.framework.job_start + amount * job.cpu / processors, "its CPU time on all processors")]
    if job.input:
        bounds += _reading(scenario, job.input, job.framework)
    return max(bounds, key=lambda bound: bound.seconds)


def _reading(scenario: Scenario, amount: float, framework: Framework) -> list[Bound]:
    plate = nameplate(scenario)
    found = [] if plate is None else [Bound(amount / plate.read_rate, "reading its input from all drives")]
    if isinstance(scenario.storage, AmazonS3) or scenario.storage.servers != framework.servers:
        workers = scenario.cluster.groups[framework.servers]
        cards = workers.count * workers.server.nic.bandwidth
        found.append(Bound(amount / cards, "taking its input in over all network cards"))
    return found
