"""Files on the drives of single servers, as ext4 or XFS keep them: no redundancy, and no network for their own server.

A file lies whole on one drive of one server of the group; a group of one server is that server. A process on the same
server reads and writes it directly, others over the network, as with scp, rsync or a share. What a process writes goes
onto a drive of its own server if that belongs to the group, else to a server that the file's name draws.

Not covered: page caches, RAID beneath the file system (state what the volume reads and writes as its drive), journals.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.hardware.cluster import Cluster
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Scattered
from models.storage.owned import OwnedStorage
from models.storage.redundancy import Redundancy, Replicas

FILE = 134217728.0
"""Bytes of a file where durability asks for them. Assumption: 128 MiB."""


class LocalDisks(OwnedStorage):
    """Files on servers' own drives."""

    interface: ClassVar[Interface] = "files"
    has_own_client: ClassVar[bool] = True
    is_local: ClassVar[bool] = True
    system: Literal["local"] = setting("Storage system.")
    request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of its server per operation.",
        default="20 us",
        gt=0,
        source="assumed: system calls, path and extents",
        between=("5 us", "100 us"),
    )

    def redundancy(self, cluster: Cluster) -> Redundancy:
        """Return how its bytes outlive a failure: not at all."""
        return Replicas(1)

    def placement(self, cluster: Cluster) -> Scattered:
        """Return its failure domains: each file on one server, new ones on those that are up."""
        return Scattered(Replicas(1), FILE, 1, "any", chooses=True)
