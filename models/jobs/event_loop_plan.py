"""What the jobs of an event loop do on a layout: read an event, compute on it, again and again."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count

from models.hardware.cluster import Layout, Node
from models.jobs.event_loop import EventLoop
from models.storage.flow import Flow
from models.storage.placement import mix
from models.storage.posix import PosixClient
from models.units import format
from models.work import Account, Demand, Job, Metric, Moment, Repeat, Resource, Sequence, Stage, Step, Use, Work

ReadAt = Callable[[int, Node], Flow]
"""Answers with the flow of reading at a place (a number that says where the bytes lie) on a node."""

EVENTS = 200_000
"""Events of all jobs that are simulated at most, however long the sample. Assumption: chance moves a mean over so many
by 0.2 %; the documented samples hold 5,000 to 25,000."""


class EventLoopPlan:
    """An event loop on a layout, a file system and its client."""

    def __init__(self, job: EventLoop, layout: Layout, read: ReadAt, client: PosixClient, salt: int) -> None:
        self._job, self._layout, self._read, self._client, self._salt = job, layout, read, client, salt
        self._nodes = layout.groups[job.servers]
        self._moved = job.event_bytes * client.overread
        self._computes: dict[int, Demand] = {}
        self._reads: dict[tuple[Flow, int], Step] = {}
        self._left = EVENTS

    def job(self) -> Job:
        """Return the jobs as one stage, spread evenly over the servers."""
        slots = [0] * len(self._layout.nodes)
        for node in self._nodes:
            slots[node.index] = math.ceil(self._job.jobs / len(self._nodes))
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
        return sum(account.bytes(resource) for resource in self._drives())

    def notes(self, account: Account) -> tuple[str, ...]:
        """Return in words what was simulated, if that was less than the sample."""
        if self._left > 0:
            return ()
        spent, sample = format(account.duration, "s"), format(self._job.simulated, "s")
        return (f"the simulation ended after {EVENTS:,} events, {spent} of a sample of {sample}; counts are scaled up",)

    def _drives(self) -> list[Resource]:
        return [device.resource for node in self._layout.nodes for bay in node.bays.values() for device in bay]

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
        flow = self._read(key, node)
        if (flow, node.index) not in self._reads:
            client = Flow(tuple(node.compute(self._client.stream_cpu)), latency=self._client.latency)
            self._reads[flow, node.index] = flow.joined(client).move(self._moved)
        return self._reads[flow, node.index]

    def _compute(self, node: Node) -> Demand:
        if node.index not in self._computes:
            self._computes[node.index] = Demand((Use(node.cpu, 1.0),), node.server.cpu.speed, cap="one core a job")
        return self._computes[node.index]
