"""What the tasks of a copy do on a layout: read from the origin, write to HDFS, streamed or through a local place."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.hardware.cluster import Device, Layout, Node
from models.jobs.copy import Copy, Staging
from models.storage.amazon_s3 import AmazonS3Store, S3Client
from models.storage.flow import Flow, compute, write_behind
from models.storage.hdfs_store import HdfsStore
from models.work import Delay, Hold, Job, Metric, Moment, Parallel, Pool, Sequence, Stage, Step

PIECE = 134_217_728.0
"""Bytes of a download that are handed to the page cache at a time. Assumption: detail of the model only."""


class CopyPlan:
    """A copy on a layout, from Amazon S3 through its client to HDFS."""

    def __init__(
        self,
        job: Copy,
        layout: Layout,
        origin: AmazonS3Store,
        client: S3Client,
        target: HdfsStore,
        page: Callable[[Node], Pool],
    ) -> None:
        self._job, self._layout, self._page = job, layout, page
        self._origin, self._client, self._target = origin, client, target
        self._nodes = [node for group in job.tool.servers for node in layout.groups[group]]
        self._size = job.size / job.files
        self._shares = job.shares(job.tool.processes * len(self._nodes))

    def job(self) -> Job:
        """Return the job: one stage of tasks on the slots of the tool's servers."""
        slots = [0] * len(self._layout.nodes)
        for node in self._nodes:
            slots[node.index] = self._job.tool.processes
        stage = Stage("copy", len(self._shares), self._task)
        racks = [node.rack for node in self._layout.nodes]
        return Job("copy", [stage], slots, racks, setup=Delay(self._job.tool.job_start))

    def metrics(self) -> dict[str, Metric]:
        """Return the bytes of the files over the time of the copy."""
        return {"throughput": Metric("B/s", lambda account: self._job.size / account.duration)}

    def _task(self, task: int, index: int, moment: Moment) -> Step:
        """Return the step of one process: it starts, and its threads take its files in order."""
        tool, node = self._job.tool, self._layout.nodes[index]
        if tool.staging is not None:
            return Sequence([step for file in self._shares[task] for step in self._staged(file, node, tool.staging)])
        copies = [self._streamed(file, node) for file in self._shares[task]]
        threads = Pool(f"threads/{task}", tool.threads)
        return Sequence((self._start(node), Parallel([Hold(threads, 1, copy) for copy in copies])))

    def _start(self, node: Node) -> Step:
        tool = self._job.tool
        return Sequence((Delay(tool.process_start), compute(node, 1.0).move(tool.start_cpu)))

    def _streamed(self, file: int, node: Node) -> Step:
        """Return the step of one thread that reads and writes at the pace of the slower."""
        own = self._origin.read(node, self._client, self._size).joined(self._checksums(node))
        write = self._target.write(file, node, self._size, own, "buffered", self._page)
        return Sequence((Delay(self._origin.wait(self._client)), write))

    def _staged(self, file: int, node: Node, staging: Staging) -> list[Step]:
        devices = node.devices(staging.place)
        device = devices[file % len(devices)]
        upload = [self._upload(file, node, device)] if staging.uploads else []
        return [Delay(staging.start), *self._download(node, device), self._start(node), *upload]

    def _download(self, node: Node, device: Device) -> list[Step]:
        """Return the steps of a download through the page cache; the device takes it behind, as if never removed."""
        pieces = max(math.ceil(self._size / PIECE - 1e-9), 1)
        flow = self._origin.read(node, self._client, self._size)
        cache = write_behind(self._page(node), device, self._size / pieces)
        return [Delay(self._origin.wait(self._client)), *[flow.move(self._size / pieces), cache] * pieces]

    def _upload(self, file: int, node: Node, device: Device) -> Step:
        """Return the step of an upload; the part of the file that memory does not hold is read back."""
        cache = node.server.memory.page_cache(self._job.tool.heap) / self._job.tool.processes
        missing = max(1 - cache / self._size, 0.0)
        back = Flow(tuple(device.read("buffered")), device.read_rate(), "reading back the download").scaled(missing)
        own = back.joined(self._checksums(node))
        return self._target.write(file, node, self._size, own, "buffered", self._page)

    def _checksums(self, node: Node) -> Flow:
        """Return what a byte costs the writer: as much as each server that it passes."""
        return compute(node, self._target.spec.stream_cpu)
