"""S3A, Hadoop's client for object stores, with its settings under Hadoop's names, and the output committers.

A task's file reaches the store in one of three ways:

- staging (`directory`, `partitioned`): written to `buffer.dir` while the task runs, read back and uploaded at
  task commit by one stream, part after part; the upload is completed at job commit;
- `magic`: cut into parts of `multipart.size` that are buffered (on `buffer.dir` or in memory) and uploaded
  while the next is written; completed at job commit;
- `file` (FileOutputCommitter): uploaded likewise but under a temporary name; the rename is a copy inside the
  store: by the task to its place (`algorithm.version` 2), or by the task and once more by one thread at job commit (1).

Source: Hadoop 3.1, hadoop-aws, committer_architecture.md and CommitOperations.uploadFileToPendingCommit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from models.hardware.cluster import Device, Node
from models.quantity import Model, Quantity, quantity, setting
from models.storage.flow import Flow, write_behind
from models.storage.minio import MinioStore
from models.work import Delay, Hold, Pool, Sequence, Step, WriteBehind

PIECE = 134_217_728.0
"""Bytes of local output that are handed to the page cache at a time. Assumption: detail of the model only."""

CommitterName = Literal["directory", "partitioned", "magic", "file"]


class Block(Model):
    """fs.s3a.block."""

    size: Quantity = quantity("B", "Split size reported to jobs (fs.s3a.block.size).", default=33554432.0, gt=0)


class Multipart(Model):
    """fs.s3a.multipart."""

    size: Quantity = quantity("B", "Size of a part (fs.s3a.multipart.size).", default=67108864.0, ge=5242880)
    threshold: Quantity = quantity(
        "B", "Files up to this size go up in one PUT (fs.s3a.multipart.threshold).", default=134217728.0, ge=5242880
    )


class Threads(Model):
    """fs.s3a.threads."""

    max: int = setting("Upload threads of a process (fs.s3a.threads.max).", default=10, ge=1)


class Connection(Model):
    """fs.s3a.connection."""

    maximum: int = setting("Connections of a process (fs.s3a.connection.maximum).", default=15, ge=1)


class Active(Model):
    """fs.s3a.fast.upload.active."""

    blocks: int = setting(
        "Parts a stream may have in upload or in queue (fs.s3a.fast.upload.active.blocks).", default=4, ge=1
    )


class Upload(Model):
    """fs.s3a.fast.upload."""

    buffer: Literal["disk", "array", "bytebuffer"] = setting(
        "Where parts wait for upload (fs.s3a.fast.upload.buffer): on buffer.dir or in memory.", default="disk"
    )
    active: Active = setting("Parts in flight.", default=Active())


class Fast(Model):
    """fs.s3a.fast."""

    upload: Upload = setting("Streaming upload.", default=Upload())


class Committer(Model):
    """fs.s3a.committer."""

    name: CommitterName = setting("How output reaches its place (fs.s3a.committer.name).", default="file")
    threads: int = setting("Threads of job commit (fs.s3a.committer.threads).", default=8, ge=1)
    algorithm: Literal[1, 2] = setting(
        "Version of the FileOutputCommitter (mapreduce.fileoutputcommitter.algorithm.version).", default=1
    )
    partitions: int = setting("Partition directories a task checks (partitioned committer).", default=1, ge=1)


class Buffer(Model):
    """fs.s3a.buffer."""

    dir: str = setting("Bay or volume of the compute servers that buffers output (fs.s3a.buffer.dir).", default="root")


class S3aSettings(Model):
    """The settings of S3A that act in the model."""

    block: Block = setting("Splits.", default=Block())
    multipart: Multipart = setting("Multipart uploads.", default=Multipart())
    threads: Threads = setting("Threads.", default=Threads())
    connection: Connection = setting("Connections.", default=Connection())
    fast: Fast = setting("Streaming upload.", default=Fast())
    committer: Committer = setting("Output committer.", default=Committer())
    buffer: Buffer = setting("Local buffer.", default=Buffer())


class Fs(Model):
    """The file system settings."""

    s3a: S3aSettings = setting("S3A.", default=S3aSettings())


class S3aClient(Model):
    """The client side of an object store: `fs.s3a.*` as in core-site.xml."""

    connector: Literal["s3a"] = setting("Client library.")
    fs: Fs = setting("Settings.", default=Fs())


@dataclass(frozen=True, slots=True)
class Local:
    """What a compute server gives to output on its way: page cache, and files of how many tasks at a time.

    `servers` is the number of compute servers: tasks, and so files, are dealt to them in turn.
    """

    pool: Callable[[Node], Pool]
    page_cache: Callable[[Node], float]
    writers: int
    servers: int


@dataclass(frozen=True, slots=True)
class S3aWriter:
    """Writes the files of tasks through S3A into a store."""

    settings: S3aSettings
    store: MinioStore
    local: Local

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.settings.block.size

    def write(self, file: int, node: Node, amount: float, own: Flow) -> Step:
        """Return the step in which a task on `node` writes and commits a file of `amount` bytes."""
        name = self.settings.committer.name
        if name in ("directory", "partitioned"):
            return self._staged(file, node, amount, own)
        streamed = self._streamed(file, node, amount, own)
        if name == "file":
            return Sequence((streamed, self.store.copy(file, node).move(amount)))
        return streamed

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits a job with `files` files of `amount` bytes in all, run on `node`."""
        committer, request = self.settings.committer, self.store.spec.request_time
        if committer.name != "file":
            return Delay(math.ceil(files / min(committer.threads, files)) * request) if files else Delay(0.0)
        if committer.algorithm == 2:
            return Delay(request)
        return Sequence([self.store.copy(file, node).move(amount / files) for file in range(files)])

    def _staged(self, file: int, node: Node, amount: float, own: Flow) -> Step:
        pieces = max(math.ceil(amount / PIECE - 1e-9), 1)
        size = amount / pieces
        stage = write_behind(self.local.pool(node), self._buffer_device(file, node), size)
        steps = [own.move(size), stage] * pieces
        lists = self.settings.committer.partitions if self.settings.committer.name == "partitioned" else 0
        return Sequence([*steps, Delay(lists * self.store.spec.request_time), *self._upload(file, node, amount)])

    def _upload(self, file: int, node: Node, amount: float) -> list[Step]:
        """Return the upload of a staged file: one stream, part after part, read back from cache or device."""
        waiting = amount * self.local.writers
        missing = max(1 - self.local.page_cache(node) / waiting, 0.0) if waiting else 0.0
        device = self._buffer_device(file, node)
        back = Flow(tuple(device.read("buffered")), device.read_rate(), "reading back the buffer").scaled(missing)
        flow = self.store.write(file, node).joined(back)
        multipart = self.settings.multipart
        parts = math.ceil(amount / multipart.size - 1e-9) if amount > multipart.threshold else 1
        return [flow.move(amount / parts) for _ in range(parts)]

    def _streamed(self, file: int, node: Node, amount: float, own: Flow) -> Step:
        """Return the step that produces parts in turn and uploads each while the next is produced.

        The task waits while as many parts are on their way as may be, and at the end for the last of them.
        """
        upload = self.settings.fast.upload
        parts = max(math.ceil(amount / self.settings.multipart.size - 1e-9), 1)
        size = amount / parts
        at_once = min(upload.active.blocks, self.settings.threads.max, self.settings.connection.maximum)
        streams = Pool(f"upload/{node.index}/{file}", at_once)
        device = self._buffer_device(file, node)
        steps: list[Step] = []
        for part in range(parts):
            steps.append(own.move(size))
            if upload.buffer == "disk":
                steps.append(write_behind(self.local.pool(node), device, size))
            steps.append(WriteBehind(streams, 1, self.store.write(file, node, part).move(size)))
        return Sequence((*steps, Hold(streams, at_once, Delay(0.0))))

    def _buffer_device(self, file: int, node: Node) -> Device:
        devices = node.devices(self.settings.buffer.dir)
        return devices[file // self.local.servers % len(devices)]
