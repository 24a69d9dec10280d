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
from typing import ClassVar, Literal

from models.hardware.cluster import Cluster
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.owned import OwnedStorage
from models.storage.room import Room


class ParallelFs(OwnedStorage):
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

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: all."""
        return sum(room.total for room in rooms)
