"""A storage system with its client while components fail, as jobs see it: `models.storage.files` that know a loss."""

from __future__ import annotations

from typing import Protocol

from models.hardware.cluster import Layout, Node
from models.hardware.drive import Access
from models.outage import Outage, Repair
from models.storage.files import HdfsFiles, Kept, Page, S3aFiles
from models.storage.flow import Flow
from models.storage.hdfs import Hdfs
from models.storage.hdfs_failing import FailingHdfsStore
from models.storage.minio import Minio
from models.storage.minio_failing import FailingMinioStore
from models.storage.s3a import S3aSettings
from models.storage.s3a_writer import Local, S3aWriter
from models.work import Step


class FailingFiles(Protocol):
    """What the simulator asks of a storage system in which something failed."""

    def hold(self, splits: int, size: float) -> None:
        """Take note of an input of `splits` splits of `size` bytes."""
        ...

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how the loss of some resources, or of a whole server, is made good."""
        ...

    def lost(self) -> float:
        """Return the bytes that have no way back."""
        ...


class FailingHdfsFiles(HdfsFiles):
    """Files on HDFS while components fail."""

    def __init__(self, spec: Hdfs, layout: Layout, page: Page, salt: int, outage: Outage) -> None:
        super().__init__(spec, layout, page, salt)
        self._store: FailingHdfsStore = FailingHdfsStore(spec, layout, salt, outage)
        self.hold, self.repair, self.lost = self._store.hold, self._store.repair, self._store.lost


class FailingS3aFiles(S3aFiles):
    """Objects on MinIO while components fail."""

    def __init__(
        self, spec: Minio, settings: S3aSettings, layout: Layout, local: Local, salt: int, outage: Outage
    ) -> None:
        store = FailingMinioStore(spec, layout, salt, outage)
        super().__init__(store, S3aWriter(settings, store, local), Kept(spec.servers, spec.bay))
        self._store: FailingMinioStore = store
        self.repair, self.lost = self._store.repair, self._store.lost

    def hold(self, splits: int, size: float) -> None:
        """Take note of an input of `splits` objects of `size` bytes."""
        for name in range(splits):
            self._store.hold(name, size)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file and committing the task."""
        self._store.hold(file, amount, is_output=True)
        return super().write(file, node, amount, own, access, replication)
