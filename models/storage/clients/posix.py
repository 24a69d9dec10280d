"""A mounted file system (FUSE, Lustre, GPFS, AFS): what its client moves and spends beyond what a job asks for."""

from __future__ import annotations

from typing import ClassVar, Literal

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import Repairs
from models.quantity import Model, Quantity, quantity, setting
from models.storage.clients.mount import Page, Shares
from models.storage.clients.native import NativeMount
from models.storage.contract import FileStore, Interface
from models.storage.flow import Flow
from models.work import Step


class PosixClient(Model):
    """A mounted file system (FUSE, Lustre, GPFS, AFS) as a job sees it."""

    interface: ClassVar[Interface] = "files"
    many_writers: ClassVar[bool] = True
    connector: Literal["posix"] = setting("Client library.")
    overread: float = setting(
        "Bytes moved per byte that a job asks for: read-ahead, prefetch, whole chunks.", default=1.0, ge=1
    )
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte that the client moves (FUSE, JVM, checksums).", default=0.0, ge=0
    )
    latency: Quantity = quantity("s", "Time of a read without its bytes.", default=0.0, ge=0)


class PosixMount(NativeMount):
    """Files of a mounted file system; its client spends CPU on every byte, and waits for each range."""

    def __init__(
        self, store: FileStore, client: PosixClient, page: Page, shares: Shares, repairs: Repairs | None
    ) -> None:
        super().__init__(store, page, shares, repairs)
        self._client = client
        self.wait, self.overread = client.latency, client.overread
        self._through: dict[tuple[Flow, int], Flow] = {}

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits."""
        return self._passing(super().read(split, splits, node, access), node)

    def fetch(self, place: int, places: int, node: Node, size: float) -> Flow:
        """Return the flow of ranges at one of `places`."""
        return self._passing(super().fetch(place, places, node, size), node)

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere."""
        return self._passing(super().average(node, size), node)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file."""
        return super().write(file, node, amount, self._passing(own, node), access, replication)

    def _passing(self, flow: Flow, node: Node) -> Flow:
        """Return a flow that passes through the client on a node, made once for one that is made once itself."""
        if flow.again is not None:
            return flow.joined(Flow(tuple(node.compute(self._client.stream_cpu))))
        key = (flow, node.index)
        if key not in self._through:
            self._through[key] = flow.joined(Flow(tuple(node.compute(self._client.stream_cpu))))
        return self._through[key]
