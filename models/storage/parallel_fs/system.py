"""A parallel or distributed file system with dedicated file servers: Lustre, GPFS, AFS.

A client's read passes the drives behind a server, the server's controller and network card, and the client's card.
Files lie evenly on all servers. A server process of limited speed, such as the AFS file server, may be one more
ceiling. What a client moves beyond what a job asks for belongs to the client (`models/storage/clients/posix.py`).

A write takes the way back, and ends when its drive has the bytes. Not covered: metadata servers, locking, striping of
one file over several servers, write-back on the client.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from models.hardware.cluster import BayBatch, Cluster, bay_batches, bay_capacity, check_bay
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface, StorageModel
from models.storage.room import Room, in_blocks

if TYPE_CHECKING:
    pass


class ParallelFs(StorageModel):
    """A file system on file servers."""

    interface: ClassVar[Interface] = "files"
    system: Literal["parallel-fs"] = setting("Storage system.")
    servers: str = setting("Server group of the file servers.")
    bay: str = setting("Drives that hold the files.", default="data")
    process_bandwidth: Quantity = quantity(
        "B/s", "Most that the file server process of one server delivers.", default=math.inf, gt=0
    )

    split_size: Quantity = quantity(
        "B", "Bytes of a split of a file, for jobs that cut files up (fs.local.block.size).", default="32 MiB", gt=0
    )

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return {"storage.servers": self.servers}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster without the bay.

        Raises:
            RefusalError: the servers have no such bay.
        """
        check_bay(cluster, self.servers, self.bay)

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return group == self.servers and place == self.bay

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: one, redundancy lies below the file system."""
        return 1.0

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of server."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: all."""
        return sum(room.total for room in rooms)

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left: no, redundancy lies below the servers."""
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of a file of `size` bytes: whole blocks of a drive."""
        return in_blocks(size)
