"""A parallel or distributed file system with dedicated file servers: Lustre, GPFS, AFS.

A client's read passes the drives behind a server, the server's controller and network card, and the client's card.
Files lie evenly on all servers. A server process of limited speed, such as the AFS file server, may be one more
ceiling. What a client moves beyond what a job asks for belongs to the client (`models/storage/clients/posix.py`).

A write takes the way back, and ends when its drive has the bytes. Not covered: metadata servers, locking, striping of
one file over several servers, write-back on the client.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from models.hardware.cluster import BayBatch, Cluster, Device, Layout, Node, bay_batches, bay_capacity, check_bay
from models.hardware.drive import Access
from models.outage import Outage
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface, StorageModel
from models.storage.flow import Flow, spread
from models.storage.placement import mix
from models.storage.room import Room, in_blocks
from models.work import Pool, Resource, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANYWHERE = 1 << 64
"""Places that are told apart: all hashes."""
WRITTEN = 1
"""What tells the place of a file that a task writes from that of a split of the same number."""


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


class ParallelFsStore:
    """A parallel file system on the servers of a layout."""

    write_cpu = 0.0

    def __init__(self, spec: ParallelFs, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec = spec
        self._layout, self._salt = layout, salt
        self._nodes = layout.groups[spec.servers]
        self._processes: dict[int, Resource] = {}
        self._flows: dict[tuple[str, Device, int], Flow] = {}
        if not math.isinf(spec.process_bandwidth):
            for node in self._nodes:
                self._processes[node.index] = layout.resources.add(
                    f"{node.name}/file-server",
                    kind="process",
                    group=f"{node.group}/file server process",
                    unit="B",
                    capacity=spec.process_bandwidth,
                )

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.spec.split_size

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: files are equally far from all clients."""
        return None

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie: any place has a drive of its own by chance."""
        return ANYWHERE

    def hold(self, splits: int, size: float) -> None:
        """Take no account: redundancy lies below the servers."""

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of a client on `node` that reads at a place, a number that says where the bytes lie."""
        return self._flow("read", *self._place(split), node)

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere."""
        places = [(server, device) for server in self._nodes for device in server.bays[self.spec.bay]]
        return spread([self._flow("read", server, device, node) for server, device in places])

    def write(
        self,
        file: int,
        node: Node,
        amount: float,
        own: Flow,
        access: Access,
        pool: Callable[[Node], Pool],
        replication: int | None = None,
    ) -> Step:
        """Return the step of writing a file to its server while the task spends `own` per byte."""
        flow = self._flow("write", *self._place(mix(file, WRITTEN)), node)
        return flow.step(amount, own)

    def _place(self, place: int) -> tuple[Node, Device]:
        key = mix(self._salt, place)
        server = self._nodes[key % len(self._nodes)]
        devices = server.bays[self.spec.bay]
        return server, devices[(key >> 20) % len(devices)]

    def _flow(self, way: Literal["read", "write"], server: Node, device: Device, node: Node) -> Flow:
        """Return the flow between a drive of a file server and a client, made once for all that are alike."""
        key = (way, device, node.index)
        if key not in self._flows:
            self._flows[key] = self._made(way, server, device, node)
        return self._flows[key]

    def _made(self, way: Literal["read", "write"], server: Node, device: Device, node: Node) -> Flow:
        if way == "read":
            uses, rate = device.read("direct") + self._layout.transfer(server, node), device.read_rate()
        else:
            uses, rate = device.write("direct") + self._layout.transfer(node, server), device.write_rate()
        if server.index in self._processes:
            uses.append(Use(self._processes[server.index], 1.0, 1.0))
        link = self._layout.stream_rate(server, node)
        return Flow(tuple(uses), min(rate, link), "one drive stream" if rate <= link else "one connection")
