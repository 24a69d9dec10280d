"""MinIO for jobs: its operations on the sets of a layout, some of whose drives may be down."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence as Series
from itertools import groupby

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.described import REBUILT_PIECE, ByteRange, Piece
from models.storage.flow import Flow, rerouted
from models.storage.fluid import Placed
from models.storage.minio.operations import MinioOperations
from models.storage.minio.rules import Code
from models.storage.minio.system import Minio
from models.storage.operation import OperationCache
from models.storage.placement import mix

REQUESTS_ONLY = {"metadata_seeks": 0.0, "request_cpu": 0.0}
"""What counts for loads of requests only, and not for jobs."""


class MinioStore:
    """MinIO on the servers of a layout; `size` drives a set and `data` shards a stripe are those of the first pool.

    A GET takes any k shards that are left, and the coordinator computes what is missing; a PUT leaves out the drives
    that are down while there are enough for its quorum. Not covered: time-outs of clients and servers.
    """

    def __init__(self, spec: Minio, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec, self._requested = spec, spec.model_copy(update=REQUESTS_ONLY)
        self.outage = outage or Outage()
        self._layout = layout
        self._nodes = layout.groups[spec.servers]
        self._salt = salt
        pools = [list(pool) for _, pool in groupby(self._nodes, key=lambda node: node.batch)]
        codes = spec.codes(layout.cluster)
        self.sets = [each for code, pool in zip(codes, pools, strict=True) for each in self._cut(pool, code)]
        self._codes = {code.drives: code for code in codes}
        self.size, self.data = codes[0].drives, codes[0].data
        self._flows: dict[Hashable, Flow] = {}
        self._described = OperationCache()
        self._by_offline: dict[tuple[int, int], MinioOperations] = {}  # by the drives of a set, and those that are down

    def _cut(self, pool: list[Node], code: Code) -> list[list[Piece]]:
        """Return the drives of a pool as its sets."""
        code.check()
        count = len(pool[0].bays[self.spec.bay])
        drives = [(node, node.bays[self.spec.bay][d]) for d in range(count) for node in pool]
        return [drives[i : i + code.drives] for i in range(0, len(drives), code.drives)]

    def places(self) -> int:
        """Return how many names reach all drives evenly: one for each drive on which an object may begin."""
        return sum(map(len, self.sets))

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        return self.spec.request_time

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing: those of any request."""
        return self.spec.request_time

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which an object is made of uploaded parts: they stay where they lie."""
        return self.spec.request_time

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET of the object `name` by a client on `node`; `stream` tells requests apart.

        Reads take the first k drives of the object's order that are online; a missing data shard is
        reconstructed by the coordinator. A range is found at once, however many bytes lie `ahead` of it. Of an object
        without k shards nothing is read.
        """
        if not self.is_readable(name):
            return Flow()
        servers = {"client": node, "coordinator": self._coordinator(name, node, stream)}

        def made() -> Flow:
            return self._described.of(self._operations(name).get, ByteRange()).flow(
                self._site(name, servers, {}, access)
            )

        flow = self._alike(("get", access), name, servers, made)
        return rerouted(flow, node, self.outage, lambda: self.read(name, node, access, stream, ahead, size))

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of the object `name` by a client on `node`: stripe after stripe.

        Nothing is written where too many drives are down for the write quorum.

        Raises:
            RefusalError: the drives that the profile states to be offline leave none.
        """
        if not self._has_quorum(name):
            return Flow()
        servers = {"client": node, "coordinator": self._coordinator(name, node, stream)}

        def made() -> Flow:
            site = self._site(name, servers, {"target": self._targets(name)})
            return self._described.of(self._operations(name).put, math.inf).flow(site)

        flow = self._alike(("put",), name, servers, made)
        return rerouted(flow, node, self.outage, lambda: self.write(name, node, stream, size))

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a server-side COPY: the coordinator reads the object and writes it under another name.

        Raises:
            RefusalError: the drives that the profile states to be offline leave no write quorum.
        """
        other = mix(name, 1)
        if not (self.is_readable(name) and self._has_quorum(other)):
            return Flow()
        site = self._site(name, {"coordinator": self._coordinator(name, node, 0)}, {"copy": self._targets(other)})
        flow = self._described.of(self._operations(name).copy_to, self._operations(other)).flow(site)
        return rerouted(flow, node, self.outage, lambda: self.copy(name, node))

    def rebuild(self, name: int, node: Node, device: Device) -> Flow:
        """Return the flow of the rebuild of a shard of an object on the drive that replaced its own."""
        site = self._site(name, {REBUILT_PIECE: node}, {REBUILT_PIECE: [(node, device)]})
        return self._described.of(self._operations(name).rebuild, math.inf).flow(site)

    def _operations(self, name: int) -> MinioOperations:
        """Return the operations of MinIO on the object's set, with its drives that are down."""
        code = self.code(name)
        offline = code.drives - len(self._writable(name))
        key = code.drives, offline
        if key not in self._by_offline:
            self._by_offline[key] = MinioOperations(self._requested, code, offline=offline)
        return self._by_offline[key]

    def _site(
        self, name: int, servers: Mapping[str, Node], drives: Mapping[str, Series[Piece]], access: Access = "direct"
    ) -> Placed:
        """Return who plays the roles: k drives of the object's set that hold shards, and others."""
        data = self.code(name).data
        sources = self._readable(name)[:data]
        missing = 1 - len(set(sources) & set(self.order(name)[:data])) / data
        return Placed(self._layout, servers, {"source": sources, **drives}, access, missing)

    def _alike(self, way: Hashable, name: int, servers: Mapping[str, Node], made: Callable[[], Flow]) -> Flow:
        """Return the flow of a request between servers, made once for all objects that lie alike."""
        key = (way, *self.place(name), *(server.index for server in servers.values()), self.outage.epoch)
        flow = self._flows.get(key)
        if flow is None:
            flow = self._flows[key] = made()
        return flow

    def code(self, name: int) -> Code:
        """Return how the object is coded while all drives of its set are online."""
        return self._codes[len(self.sets[self.place(name)[0]])]

    def is_readable(self, name: int) -> bool:
        """Tell whether enough shards of an object are left."""
        return not self.outage.epoch or len(self._readable(name)) >= self.code(name).data

    def _has_quorum(self, name: int) -> bool:
        """Tell whether enough drives are up to write an object, and count the write as refused otherwise."""
        code = self.code(name)
        has_quorum = not self.outage.epoch or code.takes_writes(code.drives - len(self._writable(name)))
        self.outage.refused += not has_quorum
        return has_quorum

    def order(self, name: int) -> list[Piece]:
        """Return the drives of the object's set, in the order in which its shards lie on them."""
        number, start = self.place(name)
        drives = self.sets[number]
        return drives[start:] + drives[:start]

    def place(self, name: int) -> tuple[int, int]:
        """Return the number of the object's set, and the place in it of its first shard."""
        key = mix(self._salt, name)
        number = key % len(self.sets)
        return number, (key >> 20) % len(self.sets[number])

    def _online(self, name: int) -> list[Piece]:
        """Return the object's drives that are online, in its order: the first drives of a set are the failed ones."""
        drives = self.sets[self.place(name)[0]]
        failed = set(drives[: self.spec.failed_drives])
        return [drive for drive in self.order(name) if drive not in failed]

    def _readable(self, name: int) -> list[Piece]:
        online = self._online(name)
        return [drive for drive in online if self.outage.holds_data(*drive)] if self.outage.epoch else online

    def _writable(self, name: int) -> list[Piece]:
        online = self._online(name)
        return [drive for drive in online if self.outage.takes_writes(*drive)] if self.outage.epoch else online

    def _targets(self, name: int) -> list[Piece]:
        """Return the drives to which an object is written.

        Raises:
            RefusalError: the drives that the profile states to be offline leave too few.
        """
        online = self._writable(name)
        self.spec.check_writes(self.code(name), self.code(name).drives - len(online))
        return online

    def _coordinator(self, name: int, node: Node, stream: int) -> Node:
        live = self._nodes
        if self.outage.nodes:
            live = [server for server in self._nodes if server.index not in self.outage.nodes] or live
        return live[mix(self._salt, name, node.index, stream) % len(live)]
