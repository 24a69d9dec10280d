"""What a parallel file system does on a layout: reads and writes between clients and the drives of its servers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.flow import Flow, spread
from models.storage.parallel_fs.system import ParallelFs
from models.storage.placement import mix
from models.work import Pool, Resource, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANYWHERE = 1 << 64
"""Places that are told apart: all hashes."""
WRITTEN = 1
"""What tells the place of a file that a task writes from that of a split of the same number."""


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
