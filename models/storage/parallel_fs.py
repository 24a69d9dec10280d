"""A parallel or distributed file system with dedicated file servers: Lustre, GPFS, AFS.

A client's read passes the drives behind a server, the server's controller and network card, and the client's card.
Files lie evenly on all servers. A server process of limited speed, such as the AFS file server, may be one more
ceiling. What a client moves beyond what a job asks for belongs to the client (`models/storage/posix.py`).

Not covered: writes, metadata servers, locking, striping of one file over several servers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from models.hardware.cluster import BayBatch, Cluster, Layout, Node, bay_batches, bay_capacity, check_bay
from models.quantity import Model, Quantity, quantity, setting
from models.storage.flow import Flow
from models.storage.placement import mix
from models.storage.room import Room, in_blocks
from models.work import Resource, Use


class ParallelFs(Model):
    """A file system on file servers."""

    system: Literal["parallel-fs"] = setting("Storage system.")
    servers: str = setting("Server group of the file servers.")
    bay: str = setting("Drives that hold the files.", default="data")
    process_bandwidth: Quantity = quantity(
        "B/s", "Most that the file server process of one server delivers.", default=math.inf, gt=0
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
    def heals_into_free_space(self) -> bool:
        """Whether lost pieces are made anew on the servers that are left: no, redundancy lies below the servers."""
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of a file of `size` bytes: whole blocks of a drive."""
        return in_blocks(size)


class ParallelFsStore:
    """A parallel file system on the servers of a layout."""

    def __init__(self, spec: ParallelFs, layout: Layout, salt: int) -> None:
        self.spec = spec
        self._layout, self._salt = layout, salt
        self._nodes = layout.groups[spec.servers]
        self._processes: dict[int, Resource] = {}
        self._flows: dict[tuple[int, int, int], Flow] = {}
        if not math.isinf(spec.process_bandwidth):
            for node in self._nodes:
                self._processes[node.index] = layout.resources.add(
                    f"{node.name}/file-server",
                    kind="process",
                    group=f"{node.group}/file server process",
                    unit="B",
                    capacity=spec.process_bandwidth,
                )

    def read(self, place: int, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads at a place, a number that says where the bytes lie."""
        key = mix(self._salt, place)
        server = self._nodes[key % len(self._nodes)]
        drive = (key >> 20) % len(server.bays[self.spec.bay])
        if (server.index, drive, node.index) not in self._flows:
            self._flows[server.index, drive, node.index] = self._flow(server, drive, node)
        return self._flows[server.index, drive, node.index]

    def _flow(self, server: Node, drive: int, node: Node) -> Flow:
        device = server.bays[self.spec.bay][drive]
        uses = device.read("direct") + self._layout.transfer(server, node)
        if server.index in self._processes:
            uses.append(Use(self._processes[server.index], 1.0, 1.0))
        rate, link = device.read_rate(), self._layout.stream_rate(server, node)
        return Flow(tuple(uses), min(rate, link), "one drive stream" if rate <= link else "one connection")
