"""A storage system together with its client, as jobs see it: splits to read, files to write, a commit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.hardware.cluster import Layout, Node
from models.hardware.drive import Access
from models.storage.flow import Flow
from models.storage.hdfs import Hdfs, HdfsStore
from models.storage.minio import Minio, MinioStore
from models.storage.s3a import Local, S3aSettings, S3aWriter
from models.work import Delay, Pool, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Page = Callable[[Node], Pool]


class HdfsFiles:
    """Files on HDFS, written by its own client; output is renamed in the name space, which costs nothing."""

    def __init__(self, spec: Hdfs, layout: Layout, page: Page, salt: int) -> None:
        self._store, self._page = HdfsStore(spec, layout, salt), page

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

    def shares(self, group: str, place: str) -> bool:
        """Tell whether blocks lie on the drives at `place` of a server group."""
        return group == self._store.spec.servers and place == self._store.spec.bay


class S3aFiles:
    """Objects on MinIO, read and written through S3A."""

    def __init__(self, spec: Minio, settings: S3aSettings, layout: Layout, local: Local, salt: int) -> None:
        self._store = MinioStore(spec, layout, salt)
        self._writer = S3aWriter(settings, self._store, local)

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._writer.split_size

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: objects are equally far from all."""
        return None

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits."""
        return self._store.read(split, node, access)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file and committing the task."""
        return self._writer.write(file, node, amount, own)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job."""
        return self._writer.commit(files, amount, node)

    def shares(self, group: str, place: str) -> bool:
        """Tell whether objects lie on the drives at `place` of a server group."""
        return group == self._store.spec.servers and place == self._store.spec.bay
