"""All storage systems, a line each: how a profile describes it, what it does on a layout, and how it repairs itself.

`mount` is the one way in which a workload gets at any of them: the system through a client.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from models.storage.amazon_s3.store import AmazonS3Store
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.mount import Mount, MountPoint
from models.storage.clients.native import NativeMount
from models.storage.clients.posix import PosixClient, PosixMount
from models.storage.clients.s3 import S3Client, S3Mount
from models.storage.clients.s3a import Buffer, Fs, S3aClient, S3aSettings
from models.storage.clients.s3a_mount import S3aMount
from models.storage.clients.s3a_writer import S3aWriter
from models.storage.hdfs.stores import hdfs_repairs, hdfs_store
from models.storage.hdfs.system import Hdfs
from models.storage.minio.rebuild import MinioRebuild
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.parallel_fs.store import ParallelFsStore
from models.storage.parallel_fs.system import ParallelFs
from models.storage.storagegrid.store import StorageGridStore
from models.storage.storagegrid.system import StorageGrid

StorageSystem = Annotated[Hdfs | Minio | ParallelFs | AmazonS3 | StorageGrid, Field(discriminator="system")]
Client = Annotated[S3aClient | PosixClient | S3Client, Field(discriminator="connector")]


@dataclass(frozen=True, slots=True)
class System:
    """A storage system: its description in a profile, its operations on a layout, and how it rebuilds after a loss."""

    spec: type
    store: Callable[..., Any]
    repairs: Callable[..., Any] | None = None


SYSTEMS = (
    System(Hdfs, hdfs_store, hdfs_repairs),
    System(Minio, MinioStore, MinioRebuild),
    System(StorageGrid, StorageGridStore),
    System(AmazonS3, AmazonS3Store),
    System(ParallelFs, ParallelFsStore),
)

_KINDS = {system.spec: system for system in SYSTEMS}


def usual_client(storage: StorageSystem, stages_at: str | None) -> Client | None:
    """Return the client that a workload takes where a profile names none; None is a file system's own.

    A Hadoop job, which stages its output at a place of its servers, takes S3A on an object store; others an SDK that
    reads an object over one connection.
    """
    if storage.interface == "objects":
        if stages_at is None:
            return S3Client(connector="s3", connections=1)
        return S3aClient(connector="s3a", fs=Fs(s3a=S3aSettings(buffer=Buffer(dir=stages_at))))
    return None if storage.has_own_client else PosixClient(connector="posix")


def mount(storage: StorageSystem, client: Client | None, point: MountPoint) -> Mount:
    """Return a storage system through a client; None is a file system's own client."""
    system = _KINDS[type(storage)]
    if point.write_window is not None and "write_window" in type(storage).model_fields:
        storage = storage.model_copy(update={"write_window": point.write_window})
    store = system.store(storage, point.layout, point.salt, point.outage)
    repairs = system.repairs(store) if system.repairs and point.outage.may_fail else None
    if client is None:
        return NativeMount(store, point.local.pool, storage.shares, repairs)
    if isinstance(client, PosixClient):
        return PosixMount(store, client, point.local.pool, storage.shares, repairs)
    if isinstance(client, S3Client):
        return S3Mount(store, client, storage.shares, repairs)
    writer = S3aWriter(client.fs.s3a, store, point.local, client.pending(storage.uploads_expire))
    return S3aMount(store, writer, storage.shares, point.object_size, repairs)
