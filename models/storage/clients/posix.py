"""A mounted file system (FUSE, Lustre, GPFS, AFS): what its client moves and spends beyond what a job asks for.

A store of objects is mounted through an SDK (Mountpoint, s3fs, goofys): a file is an object, which one process writes
from its beginning to its end.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.quantity import Model, Quantity, quantity, setting
from models.storage.clients.mount import Mount
from models.storage.clients.s3 import S3Client
from models.storage.clients.through import Through
from models.storage.contract import Interface
from models.storage.flow import Flow
from models.work import Step


class PosixClient(Model):
    """A mounted file system (FUSE, Lustre, GPFS, AFS) as a job sees it."""

    speaks: ClassVar[tuple[Interface, ...]] = ("files", "objects")
    shared_writes: ClassVar[tuple[Interface, ...]] = ("files",)
    connector: Literal["posix"] = setting("Client library.")
    overread: float = setting(
        "Bytes moved per byte that a job asks for: read-ahead, prefetch, whole chunks.", default=1.0, ge=1
    )
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte that the client moves (FUSE, JVM, checksums).", default=0.0, ge=0
    )
    written_cpu: Quantity | None = quantity(
        "s/B", "The same per byte that it writes; default: as what it reads.", default=None, ge=0
    )
    latency: Quantity = quantity("s", "Time of a read without its bytes.", default=0.0, ge=0)
    objects: S3Client = setting(
        "How it reads and writes a store of objects.", default=S3Client(connector="s3", connections=1)
    )


class PosixMount(Through):
    """A mounted file system; its client spends CPU on every byte, and waits for each range."""

    def __init__(self, mount: Mount, client: PosixClient) -> None:
        super().__init__(mount)
        self._client = client
        self._through: dict[tuple[Flow, int, float], Flow] = {}

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte."""
        return self._mount.wait + self._client.latency

    @property
    def overread(self) -> float:
        """Bytes moved per byte that is asked for."""
        return self._client.overread

    def passing(self, flow: Flow, node: Node) -> Flow:
        """Return a flow that passes through the client on a node as it reads."""
        return self._spending(self._client.stream_cpu, flow, node)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file while spending `own` per byte, and what the client does."""
        return self._mount.write(file, node, amount, self._written(own, node), access, replication)

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself, and what the client does."""
        return self._mount.create(file, node, amount, self._written(own, node), is_renamed=is_renamed)

    def _written(self, own: Flow, node: Node) -> Flow:
        """Return what a byte costs a writer, with what the client spends on it."""
        client = self._client
        return self._spending(client.stream_cpu if client.written_cpu is None else client.written_cpu, own, node)

    def _spending(self, cost: float, flow: Flow, node: Node) -> Flow:
        """Return a flow with what the client spends on a byte of it, made once for a flow that is made once itself."""
        if flow.again is not None:
            return flow.joined(Flow(tuple(node.compute(cost))))
        key = (flow, node.index, cost)
        if key not in self._through:
            self._through[key] = flow.joined(Flow(tuple(node.compute(cost))))
        return self._through[key]
