"""What the splits of a scan do on a layout: wait for their requests, take their bytes, compute."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

from models.hardware.cluster import Layout, Node
from models.jobs.scan import Scan
from models.jobs.table_reads import reopened
from models.plan import Ground, Plan, by_node, reading
from models.storage.clients.mount import Mount, MountPoint
from models.storage.clients.reading import Fetch, as_asked
from models.storage.flow import Flow, ranged
from models.storage.placement import mix
from models.storage.systems import fetching
from models.work import Delay, Demand, Job, Metric, Moment, Sequence, Stage, Step, Use, Work

SPREAD = 0.47
"""Standard deviation of the logarithm of a request's time. Source: ln(22 ms / 12 ms) / 1.2816, from the median and the
90th percentile of the first byte of Amazon S3 (dvassallo/s3-benchmark). It lets the threads of a worker fall out of
step, without which no wait would be hidden behind another thread's computing."""
NORMAL = NormalDist()
STAGES = 2
"""Stages of a query: one that reads, and one that adds up what the others counted. By arithmetic."""


class ScanPlan:
    """A scan on a layout and a storage system; `fetch` says what becomes of its columns, over `tls` or not."""

    def __init__(
        self, job: Scan, layout: Layout, mount: Mount, salt: int, fetch: Fetch = as_asked, *, tls: bool = False
    ) -> None:
        self._job, self._layout, self._mount, self._salt = job, layout, mount, salt
        self._nodes = [node for group in job.servers for node in layout.groups[group]]
        self._splits, self._cpu, self._tls = job.splits, job.cpu_per_split, tls
        self._read = job.reads(fetch)
        mount.hold(self._splits, job.table.size / self._splits)
        self._flows: dict[Flow, Flow] = {}
        self._computes: dict[int, Demand] = {}

    def job(self) -> Job:
        """Return the query as one stage of splits, dealt to whichever thread is free: no worker prefers its own."""
        tasks = (self._job.engine.tasks(node.server.cpu.threads) for node in self._nodes)
        slots = by_node(self._layout, self._nodes, tasks)
        racks = [node.rack for node in self._layout.nodes]
        stage = Stage("scan", self._splits, self._split)
        speed = self._nodes[0].server.cpu.speed
        fixed = self._job.engine.fixed_time(STAGES, speed, speed)
        return Job("scan", [stage], slots, racks, setup=Delay(fixed))

    def metrics(self) -> dict[str, Metric]:
        """Return the rows and the stored bytes that the query reads over its time."""
        rows, read = self._job.table.rows, self._job.read_bytes
        return {
            "rows": Metric("1/s", lambda account: rows / account.duration),
            "throughput": Metric("B/s", lambda account: read / account.duration),
        }

    def _split(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        steps: list[Step] = [Delay(self._wait(task))] if self._mount.wait > 0 else []
        if self._read.amount > 0:
            split = mix(self._salt, task) % self._splits
            flow = self._mount.fetch(split, self._splits, node, self._read.request_size)
            steps += reopened(self._read, flow, node, self._layout, tls=self._tls)
            steps.append(self._stream(flow).move(self._read.amount))
        if self._cpu > 0:
            steps.append(Work(self._cpu, self._compute(node)))
        return Sequence(steps)

    def _wait(self, task: int) -> float:
        """Return the seconds that the requests of a split take, each of them lognormal around the mean."""
        keys = [mix(self._salt, task, request, 1) for request in range(self._read.rounds)]
        normals = [NORMAL.inv_cdf(((key >> 11) + 0.5) / 2**53) for key in keys]
        return self._mount.wait * sum(math.exp(SPREAD * normal - SPREAD**2 / 2) for normal in normals)

    def _stream(self, flow: Flow) -> Flow:
        """Return the flow of the ranges of a split as one that competes as one thread does against one thread.

        Computing counts core-seconds and a flow counts bytes: 1 / (core-seconds per byte) is the weight of a thread.
        """
        if flow not in self._flows:
            spent = max((use.cost for use in flow.uses if use.resource.kind == "cpu"), default=1.0)
            self._flows[flow] = replace(ranged(flow, self._read.request_size), weight=1 / spent)
        return self._flows[flow]

    def _compute(self, node: Node) -> Demand:
        if node.index not in self._computes:
            self._computes[node.index] = Demand((Use(node.cpu, 1.0),), node.server.cpu.speed, cap="one core a thread")
        return self._computes[node.index]


def plan(job: Scan, ground: Ground) -> Plan:
    """Return the splits of the scan."""
    layout = ground.layout
    fetch = fetching(ground.client if job.engine.file_system == "hadoop" else None)
    mount = ground.mounted(MountPoint(layout, ground.chance(1), reading(layout)))
    splits = ScanPlan(job, layout, mount, ground.chance(2), fetch, tls=ground.storage.is_encrypted)
    return Plan(layout, splits.job(), splits.metrics())
