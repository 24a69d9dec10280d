"""A storage system together with its client, as jobs see it: splits to read, files to write, a commit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import Repairs
from models.storage.flow import Flow
from models.storage.hdfs_replication import HdfsReplication
from models.storage.hdfs_store import HdfsStore
from models.storage.minio_rebuild import MinioRebuild
from models.storage.object_store import ObjectStore
from models.storage.s3a_writer import S3aWriter
from models.work import Delay, Pool, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Page = Callable[[Node], Pool]


class HdfsFiles:
    """Files on HDFS, written by its own client; output is renamed in the name space, which costs nothing."""

    def __init__(self, store: HdfsStore, page: Page) -> None:
        self._store, self._page = store, page
        self.repairs: Repairs | None = HdfsReplication(store)

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes."""
        self._store.hold(splits, size)

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._store.split_size

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split, of shape (splits, replicas)."""
        return self._store.preferred(splits)

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits."""
        return self._store.read(split, splits, node, access)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file."""
        return self._store.write(file, node, amount, own, access, self._page, replication)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job."""
        return Delay(0.0)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests to an object store: none."""
        return {}

    def shares(self, group: str, place: str) -> bool:
        """Tell whether blocks lie on the drives at `place` of a server group."""
        return group == self._store.spec.servers and place == self._store.spec.bay


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a store keeps its objects, and the size (B) of those that hold the input; None: a split each."""

    servers: str
    bay: str
    object_size: float | None = None


class S3aFiles:
    """Objects in a store, read and written through S3A; `repairs` keep account of them where something may fail."""

    def __init__(self, store: ObjectStore, writer: S3aWriter, kept: Kept, repairs: MinioRebuild | None = None) -> None:
        self._store, self._writer, self._kept, self.repairs = store, writer, kept, repairs
        size = writer.split_size if kept.object_size is None else kept.object_size
        self._splits = max(math.ceil(size / writer.split_size - 1e-9), 1)  # of an object

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._writer.split_size

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes: of the objects that hold them."""
        assert self.repairs is not None  # something may fail
        for name in range(math.ceil(splits / self._splits)):
            self.repairs.hold(name, size * min(self._splits, splits - name * self._splits))

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: objects are equally far from all."""
        return None

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits: a range of its object."""
        name, before = divmod(split, self._splits)
        return self._store.read(name, node, access, stream=before, ahead=float(before))

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file and committing the task."""
        if self.repairs is not None:
            self.repairs.hold(file, amount, is_output=True)
        return self._writer.write(file, node, amount, own)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job."""
        return self._writer.commit(files, amount, node)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind: it reads `splits` and writes `files` of `amount` bytes in all."""
        return self._writer.requests(splits, files, amount)

    def shares(self, group: str, place: str) -> bool:
        """Tell whether objects lie on the drives at `place` of a server group."""
        return group == self._kept.servers and place == self._kept.bay
