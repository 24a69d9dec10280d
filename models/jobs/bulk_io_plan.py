"""What the processes of a bulk input or output do on a layout and a storage system."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

from models.hardware.cluster import Layout, Node
from models.jobs.bulk_io import PROCESS_RATE, RATE, BulkIo
from models.plan import Ground, Plan, by_node, local
from models.quantity import pieces
from models.storage.clients.mount import Mount, MountPoint
from models.storage.flow import Flow, compute
from models.storage.placement import mixed
from models.work import Account, Delay, Job, Metric, Moment, Parallel, Sequence, Stage, Step


class BulkIoPlan:
    """Bulk input or output on a layout and a storage system."""

    def __init__(self, job: BulkIo, layout: Layout, mount: Mount, salt: int = 0) -> None:
        self._job, self._layout, self._mount, self._salt = job, layout, mount, salt
        self._nodes = [node for group in job.servers for node in layout.groups[group]]
        self._count = job.processes * len(self._nodes)
        self._passes = ["pass"] if job.passes == 1 else [f"pass {n + 1}" for n in range(job.passes)]
        self._owns: dict[int, Flow] = {}
        if job.direction == "read":
            splits, total = self._splits, job.size * self._count
            mount.hold(splits, total / splits)

    def job(self) -> Job:
        """Return the passes one after the other, each with a task for every process."""
        slots = by_node(self._layout, self._nodes, [self._job.processes] * len(self._nodes))
        stages = [
            Stage(name, self._count, self._process, after=before, is_timed=True)
            for name, before in zip(self._passes, [None, *self._passes], strict=False)
        ]
        racks = [node.rack for node in self._layout.nodes]
        return Job("bulk io", stages, slots, racks, setup=Delay(self._job.process_start))

    def metrics(self) -> dict[str, Metric]:
        """Return the rate of all processes together, and that of one.

        `throughput` takes the time until the last has ended. `process rate` is all bytes over the times of all
        processes, and `mean process rate` the mean of their rates: throughput and average I/O rate of TestDFSIO.
        """
        size, start = self._job.size, self._job.process_start
        total = size * self._count * len(self._passes)
        return {
            RATE: Metric("B/s", lambda account: total / (account.duration - start)),
            PROCESS_RATE: Metric("B/s", lambda account: total / sum(self._times(account))),
            "mean process rate": Metric(
                "B/s", lambda account: sum(size / time for time in self._times(account)) * size / total
            ),
        }

    def _times(self, account: Account) -> Iterator[float]:
        for name in self._passes:
            yield from account.times(name)

    def _process(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        return self._read(task, node) if self._job.direction == "read" else self._write(task, node)

    def _read(self, task: int, node: Node) -> Step:
        """Return the step that reads the part of a process, split by split."""
        job, split = self._job, self._split
        first = task * (job.size if job.files == "shared" else math.ceil(job.size / split - 1e-9) * split)
        flows = ((self._flow(number, node), amount) for number, amount in _cut(first, job.size, split))
        steps = [flow.move(amount) for flow, amount in flows]
        return steps[0] if len(steps) == 1 else Sequence(steps)

    @property
    def _split(self) -> float:
        """Bytes of a file that a process reads in one go."""
        return self._mount.streamed(self._file)

    @property
    def _file(self) -> float:
        """Bytes of a file."""
        return self._job.size * (self._count if self._job.files == "shared" else 1)

    @property
    def _splits(self) -> int:
        """Splits in which all that is read lies: of one file, or of one for each process."""
        job = self._job
        if job.files == "shared":
            return pieces(self._count * job.size, self._split, "workload.size")
        return self._count * pieces(job.size, self._split, "workload.size")

    @cached_property
    def _arrivals(self) -> list[int]:
        """The turn in which each split came to its store: as files that are cut grow at once, by chance.

        In turns of their numbers, files of as many splits as there are drives would begin on the same drive, and
        processes would go from drive to drive in step. A file that lies in one place has the turn of its number.
        """
        splits = self._splits
        is_cut = splits > (1 if self._job.files == "shared" else self._count)
        return mixed(self._salt, splits, 0).argsort(kind="stable").tolist() if is_cut else list(range(splits))

    def _flow(self, number: int, node: Node) -> Flow:
        block, splits, number = self._job.block, self._splits, self._arrivals[number]
        if block is None:
            return self._mount.read(number, splits, node, "direct", self._file).joined(self._own(node))
        flow = self._mount.fetch(number, splits, node, block, self._file)
        return flow.joined(self._own(node)).side_by_side(self._job.depth)

    def _own(self, node: Node) -> Flow:
        """Return what a stream of a process spends on a byte, and how long it waits for it where it asks for blocks."""
        if node.index not in self._owns:
            block = self._job.block
            waits = Flow() if block is None else Flow(pause=self._mount.wait / block)
            checksums = self._mount.write_cpu if self._job.direction == "write" else 0.0
            self._owns[node.index] = compute(node, self._job.cpu + checksums).joined(waits)
        return self._owns[node.index]

    def _write(self, task: int, node: Node) -> Step:
        """Return the step that writes the part of a process, with as many writers as it has blocks in flight."""
        job = self._job
        file = 0 if job.files == "shared" else task
        one = self._mount.create(file, node, job.size / job.depth, self._own(node), is_renamed=False)
        return one if job.depth == 1 else Parallel([one] * job.depth)


def _cut(first: float, size: float, split: float) -> Iterator[tuple[int, float]]:
    """Yield the splits in which `size` bytes from the byte `first` on lie, and how many lie in each."""
    number, left = math.floor(first / split + 1e-9), size
    while left > size * 1e-9:
        amount = min((number + 1) * split - (first + size - left), left)
        yield number, amount
        left -= amount
        number += 1


def plan(job: BulkIo, ground: Ground) -> Plan:
    """Return the passes of all processes."""
    layout = ground.layout
    servers = sum(len(layout.groups[group]) for group in job.servers)
    given = local(layout, lambda node: job.heap if node.group in job.servers else 0.0, job.processes, servers)
    size = job.size if job.files == "own" else job.size * job.processes * servers
    mount = ground.mounted(MountPoint(layout, ground.salt, given, object_size=size))
    passes = BulkIoPlan(job, layout, mount, ground.chance(1))
    return Plan(layout, passes.job(), passes.metrics())
