"""How a task's file reaches an object store through S3A, and what a job's commit takes, by output committer.

- staging (`directory`, `partitioned`): written to `buffer.dir` while the task runs, read back and uploaded at
  task commit by one stream, part after part; the upload is completed at job commit;
- `magic`: cut into parts of `multipart.size` that are buffered (on `buffer.dir` or in memory) and uploaded
  while the next is written; completed at job commit;
- `file` (FileOutputCommitter): uploaded likewise but under a temporary name; the rename is a copy inside the
  store: by the task to its place (`algorithm.version` 2), or by the task with its folder and once more by one thread at
  job commit (1). What is larger than `multipart.threshold` is copied in parts, side by side. Files of a folder are
  copied ten at a time, of which a task has one.

Source: Hadoop 3.1, hadoop-aws, committer_architecture.md and CommitOperations.uploadFileToPendingCommit; 3.3.5,
FileOutputCommitter and RenameOperation.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial

from models.hardware.cluster import Device, Node
from models.storage.clients.mount import Local
from models.storage.clients.s3a import S3aSettings
from models.storage.clients.s3a_requests import (
    CREATE,
    FILE_JOB,
    FILE_TASK,
    MAGIC_CLOSE,
    MAGIC_JOB,
    MAGIC_TASK,
    RENAME,
    committed,
    ended,
    listing_pages,
    opened,
    written,
)
from models.storage.contract import ObjectStore, Requests, wait
from models.storage.flow import Flow
from models.values import value
from models.work import Delay, Hold, Parallel, Pool, Repeat, Sequence, Step, WriteBehind

PIECE = 134_217_728.0
"""Bytes of local output that are handed to the page cache at a time. Assumption: detail of the model only."""


MOST_TOLD = 64
"""Parts in which a file is told at most where page caches have a grain. Assumption: detail of the model only."""


@value()
class S3aWriter:
    """Writes the files of tasks through S3A into a store that holds `pending` uncompleted uploads of other jobs."""

    settings: S3aSettings
    store: ObjectStore
    local: Local
    pending: float = 0.0
    least_split: float = 0.0

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return max(self.settings.block.size, self.least_split)

    def write(self, file: int, node: Node, amount: float, own: Flow) -> Step:
        """Return the step in which a task on `node` writes and commits a file of `amount` bytes."""
        if self.settings.is_staging:
            return self._staged(file, node, amount, own)
        if self.settings.committer.name == "file":
            return self._created(file, node, amount, own, FILE_TASK[self.settings.committer.version])
        streamed = self._streamed(file, node, amount, own)
        return Sequence((*streamed, self._sent(MAGIC_CLOSE), self._sent(MAGIC_TASK)))

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step in which a program on `node` streams a file of `amount` bytes, and perhaps renames it."""
        return self._created(file, node, amount, own, RENAME if is_renamed else None)

    def _created(self, file: int, node: Node, amount: float, own: Flow, renaming: Requests | None) -> Step:
        """Return the step of a stream, and of its rename if that sends requests."""
        streamed = (*self._streamed(file, node, amount, own), *self._completion(amount))
        return Sequence((*streamed, *(self._renamed(file, node, amount, renaming) if renaming else ())))

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits a job with `files` files of `amount` bytes in all, run on `node`."""
        committer = self.settings.committer
        if committer.name != "file":
            return Delay(self._completed(files, amount) + listing_pages(self.pending) * self.store.listing_time)
        end = self._sent(ended(files, committer.version))
        if committer.version != 1:
            return end
        moves = (Sequence(self._renamed(file, node, amount / files, FILE_JOB)) for file in range(files))
        return Sequence((Repeat(partial(next, moves, None)), end))

    def requests(self, splits: int, files: int, amount: float) -> Counter[str]:
        """Return the requests of a job that reads `splits` and writes `files` of `amount` bytes in all."""
        size = amount / files if files else 0.0
        settings = self.settings
        return opened(splits) + written(settings, files, size) + committed(settings, files, size, self.pending)

    def _completed(self, files: int, amount: float) -> float:
        """Return the seconds in which the threads of job commit complete the uploads of all files."""
        if not files:
            return 0.0
        lists = wait(self.store, MAGIC_JOB) if self.settings.committer.name == "magic" else 0.0
        rounds = math.ceil(files / min(self.settings.committer.threads, files))
        return rounds * (lists + self.store.completion_time(self.settings.parts(amount / files)))

    def _staged(self, file: int, node: Node, amount: float, own: Flow) -> Step:
        pieces = max(math.ceil(amount / PIECE - 1e-9), 1)
        size = amount / pieces
        stage = self.local.page(node).write(self._buffer_device(file, node), size)
        steps = [own.move(size), stage] * pieces
        lists = self.settings.committer.partitions if self.settings.committer.name == "partitioned" else 0
        return Sequence([*steps, Delay(lists * self.store.listing_time), *self._upload(file, node, amount)])

    def _upload(self, file: int, node: Node, amount: float) -> list[Step]:
        """Return the upload of a staged file: one stream, part after part, read back from cache or device."""
        missing = 1 - self.local.page(node).kept(amount * self.local.writers)
        device = self._buffer_device(file, node)
        back = Flow(tuple(device.read("buffered")), device.read_rate(), "reading back the buffer").scaled(missing)
        parts = self.settings.parts(amount)
        size = amount / parts
        return [self.store.write(file, node, part, size).joined(back).move(size) for part in range(parts)]

    def _streamed(self, file: int, node: Node, amount: float, own: Flow) -> list[Step]:
        """Return the steps that produce parts in turn and upload each while the next is produced.

        The task waits while as many parts are on their way as may be, and at the end for the last of them.
        """
        upload = self.settings.fast.upload
        parts = self.settings.parts(amount)
        told = self._told(node, parts)
        size, repeats = amount / told, parts / told
        at_once = min(upload.active.blocks, self.settings.streams)
        streams = Pool(f"{self.local.job}/upload/{node.index}/{file}", at_once)
        steps: list[Step] = [self._sent(CREATE)]
        moved = own.move(size)
        for part in range(told):
            steps.append(moved)
            if upload.buffer == "disk":
                steps.append(self.local.page(node).write(self._buffer_device(file, node, part), size))
            sent = self.store.write(file, node, part, amount / parts).repeated(repeats)
            steps.append(WriteBehind(streams, 1, sent.move(size)))
        return [*steps, Hold(streams, at_once, Delay(0.0))]

    def _told(self, node: Node, parts: int) -> int:
        """Return in how many parts a file is told that is uploaded in so many."""
        return parts if self.local.page(node).grain == 1 else min(parts, MOST_TOLD)

    def _completion(self, amount: float) -> list[Step]:
        """Return the end of an upload in parts; a file of one part went up in a single PUT."""
        parts = self.settings.parts(amount)
        return [Delay(self.store.completion_time(parts))] if parts > 1 else []

    def _renamed(self, file: int, node: Node, amount: float, renaming: Requests) -> list[Step]:
        """Return the copy of a file to its place: in one request up to the threshold, else in parts side by side."""
        parts = self.settings.copied_parts(amount)
        one = self.store.copy(file, node).move(amount / parts)
        if parts == 1:
            return [self._sent(renaming), one]
        lanes = min(parts, self.settings.streams)
        dealt = [len(range(lane, parts, lanes)) for lane in range(lanes)]
        side_by_side = Parallel([Sequence([one] * count) for count in dealt])
        return [self._sent(renaming), side_by_side, Delay(self.store.completion_time(parts))]

    def _sent(self, requests: Requests) -> Step:
        return Delay(wait(self.store, requests))

    def _buffer_device(self, file: int, node: Node, part: int = 0) -> Device:
        """Return the drive that takes a file, or a part of one that has a file of its own: one after the other.

        Source: Apache Hadoop, S3ADataBlocks.DiskBlockFactory: LocalDirAllocator.createTmpFileForWrite for each block.
        """
        devices = self.store.outage.up(node, node.devices(self.settings.buffer.dir))
        return devices[(file // self.local.servers + part) % len(devices)]
