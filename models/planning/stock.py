"""What planning asks of a scenario and its storage system, so that it depends on neither.

The storage systems say in their own words what each of these answers means for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from models.hardware.bays import BayBatch
from models.hardware.cluster import Cluster
from models.storage.room import Room


class Store(Protocol):
    """A storage system on a cluster."""

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        ...

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster on which the system cannot be set up."""
        ...

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        ...

    def grouped(self, cluster: Cluster) -> Cluster:
        """Return a cluster whose drives do what they do as parts of the system's arrays, if it has some."""
        ...

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of server; none where nobody sees them."""
        ...

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes."""
        ...

    @property
    def bytes_passed(self) -> float:
        """Bytes that pass a hard drive for each that is read of it in a row."""
        ...

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms."""
        ...

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes."""
        ...

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left."""
        ...


class Load(Protocol):
    """A workload."""

    @property
    def is_only_kept(self) -> bool:
        """Whether the data is kept without a job."""
        ...

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        ...


class Stocked(Protocol):
    """A scenario, or a part of one, that keeps data; `planning` is a `models.planning.capacity.Planning` or None."""

    @property
    def cluster(self) -> Cluster:
        """Its servers."""
        ...

    @property
    def storage(self) -> Store:
        """Its storage system."""
        ...

    @property
    def workload(self) -> Load:
        """Its workload."""
        ...

    @property
    def planning(self) -> Any:
        """Its operating rules."""
        ...
