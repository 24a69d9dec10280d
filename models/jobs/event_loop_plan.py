"""What the jobs of an event loop do on a layout: read an event, compute on it, again and again."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count

from models.hardware.cluster import Layout, Node
from models.jobs.event_loop import EventLoop
from models.plan import Ground, Plan, by_node, reading
from models.storage.clients.mount import Mount, MountPoint
from models.storage.flow import Flow
from models.storage.placement import mix
from models.units import format
from models.work import Account, Demand, Job, Metric, Moment, Repeat, Resource, Sequence, Stage, Step, Use, Work

EVENTS = 200_000
"""Events of all jobs that are simulated at most, however long the sample. Assumption: chance moves a mean over so many
by 0.2 %; the documented samples hold 5,000 to 25,000."""

SURE = 400
"""Events from which chance moves their number by 5 % at most, as they need CPU time of an exponential distribution.
Assumption: less is not worth a word."""


class EventLoopPlan:
    """An event loop on a layout and a storage system."""

    def __init__(self, job: EventLoop, layout: Layout, mount: Mount, salt: int) -> None:
        self._job, self._layout, self._mount, self._salt = job, layout, mount, salt
        self._nodes = layout.groups[job.servers]
        self._moved = job.event_bytes * mount.overread
        self._places = mount.places(job.data)
        mount.hold(self._places, job.data / self._places)
        self._computes: dict[int, Demand] = {}
        self._reads: dict[Flow, Step] = {}
        self._left = EVENTS

    def job(self) -> Job:
        """Return the jobs as one stage, spread evenly over the servers."""
        servers = len(self._nodes)
        slots = by_node(self._layout, self._nodes, [math.ceil(self._job.jobs / servers)] * servers)
        stage = Stage("events", self._job.jobs, self._events)
        return Job("event loop", [stage], slots, [node.rack for node in self._layout.nodes])

    def metrics(self) -> dict[str, Metric]:
        """Return the events that all jobs finish in the run time, and the rate at which they read."""
        return {
            "events": Metric("1", self._events_done),
            "read rate": Metric("B/s", lambda account: self._bytes_moved(account) / account.duration),
        }

    def _events_done(self, account: Account) -> float:
        return self._bytes_moved(account) / self._moved * self._job.run_time / account.duration

    def _bytes_moved(self, account: Account) -> float:
        return sum(account.bytes(resource) for resource in self._counted())

    def notes(self, account: Account) -> tuple[str, ...]:
        """Return in words what was simulated, if that was less than the sample, or so little that chance decides."""
        events = self._bytes_moved(account) / self._moved
        if self._left > 0:
            return () if events >= SURE else (_by_chance(events, self._job),)
        spent, sample = format(account.duration, "s"), format(self._job.simulated, "s")
        return (f"the simulation ended after {EVENTS:,} events, {spent} of a sample of {sample}; counts are scaled up",)

    def _counted(self) -> list[Resource]:
        """Return what each byte that is read passes once: the drives that hold it, or the cards of the servers."""
        held = [
            device.resource
            for node in self._layout.nodes
            for bay, devices in node.bays.items()
            if self._mount.shares(node.group, bay)
            for device in devices
        ]
        return held or [node.nic_in for node in self._nodes]

    def _events(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        numbers = count()
        return Repeat(lambda: self._next(node, mix(self._salt, task, next(numbers))))

    def _next(self, node: Node, key: int) -> Step | None:
        """Return a job's next event, None when enough were simulated."""
        if self._left == 0:
            return None
        self._left -= 1
        unit = (key >> 11) / 2**53
        cpu = -math.log1p(-unit) * self._job.event_cpu
        return Sequence((self._read_step(node, key), Work(cpu, self._compute(node))))

    def _read_step(self, node: Node, key: int) -> Step:
        flow = self._mount.fetch(key, self._places, node, self._moved)
        if flow.again is not None:  # one of its own
            return replace(flow, latency=self._mount.wait).move(self._moved)
        if flow not in self._reads:
            self._reads[flow] = replace(flow, latency=self._mount.wait).move(self._moved)
        return self._reads[flow]

    def _compute(self, node: Node) -> Demand:
        if node.index not in self._computes:
            self._computes[node.index] = Demand((Use(node.cpu, 1.0),), node.server.cpu.speed, cap="one core a job")
        return self._computes[node.index]


def _by_chance(events: float, job: EventLoop) -> str:
    """Return what a sample of few events is worth."""
    longer = "a longer sample (workload.sample)" if job.simulated < job.run_time else "a longer run_time"
    sure = f"chance alone moves their number by {1 / math.sqrt(max(events, 1.0)):.0%}"
    return f"few events were simulated, {events:.0f} in {format(job.simulated, 's')}: {sure}; {longer} holds more"


def plan(job: EventLoop, ground: Ground) -> Plan:
    """Return the loops of all processes; a run ends with the sample of them that is simulated."""
    layout = ground.layout
    mount = ground.mounted(MountPoint(layout, ground.chance(1), reading(layout)))
    loops = EventLoopPlan(job, layout, mount, ground.chance(2))
    return Plan(layout, loops.job(), loops.metrics(), horizon=job.simulated, notes=loops.notes)
