"""A storage system whose bytes lie on the drives in one bay of one server group: what most of them share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.hardware.bays import BayBatch, bay_batches, bay_capacity
from models.hardware.cluster import Cluster
from models.hardware.places import check_bay
from models.problem import refusal
from models.quantity import group, setting
from models.storage.contract import Home, StorageModel
from models.storage.redundancy import Redundancy, Replicas
from models.storage.room import Room, in_blocks, on_distinct_servers


class OwnedStorage(StorageModel):
    """A system on drives of the cluster; the pieces of an object usually lie on servers that differ."""

    servers: str = group("Server group of the storage servers.")
    bay: str = setting("Drives that hold the bytes.", default="data")

    @property
    def home(self) -> Home:
        """The server group and the bay whose drives hold the bytes."""
        return self.servers, self.bay

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster without the bay, or with fewer servers than pieces.

        Raises:
            RefusalError: with the number of servers or the name of the bay.
        """
        check_bay(cluster, self.servers, self.bay)
        needed, count = self._code(cluster).pieces, cluster.groups[self.servers].count
        if needed > count:
            raise refusal(self.protected_by, f"{needed} servers are needed, storage.servers has {count}", "add servers")

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes."""
        code = self._code(cluster)
        return code.pieces / code.data

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of server."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms, with the pieces of an object on servers that differ."""
        code = self._code(cluster)
        return on_distinct_servers(rooms, code.pieces, code.data)

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes: its pieces, each in blocks of the drive."""
        code = self._code(cluster)
        return code.pieces * in_blocks(math.ceil(size / code.data))

    def _code(self, cluster: Cluster) -> Redundancy:
        return self.redundancy(cluster) or Replicas(1)
