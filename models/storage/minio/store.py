"""MinIO for jobs: its operations on the sets of a layout, some of whose drives may be down."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence as Series
from dataclasses import replace
from itertools import groupby

from models.distributions import Spread
from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.anywhere import Asked, anywhere
from models.storage.crowd import Crowd, Drawn, dealt
from models.storage.described import REBUILT_PIECE, ByteRange, Piece
from models.storage.flow import Flow, rerouted
from models.storage.minio.operations import MinioOperations
from models.storage.minio.rules import Code
from models.storage.minio.system import Minio
from models.storage.operation import OperationCache
from models.storage.placement import mix
from models.storage.site import Placed

FULL = 1 << 15
"""Assumption: so many flows are kept at most, some 100 MB; beyond, those of a large cluster hardly ever come again."""


_Way = tuple[MinioOperations, bool]


class MinioStore:
    """MinIO on the servers of a layout; `size` drives a set and `data` shards a stripe are those of the first pool.

    A GET takes any k shards that are left, and the coordinator computes what is missing; a PUT leaves out the drives
    that are down while there are enough for its quorum. Not covered: time-outs of clients and servers.
    """

    def __init__(self, spec: Minio, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec = spec
        self.outage = outage or Outage()
        self._layout = layout
        self._nodes = layout.standing(spec.servers)
        self._salt = salt
        pools = [list(pool) for _, pool in groupby(self._nodes, key=lambda node: node.batch)]
        codes = spec.codes(layout.whole)
        self.sets = [drives for code, pool in zip(codes, pools, strict=True) for drives in self._cut(pool, code)]
        self._codes = {code.drives: code for code in codes}
        self.size, self.data = codes[0].drives, codes[0].data
        self._flows: dict[Hashable, Flow] = {}
        self._names: tuple[int, ...] = ()
        self._lying: dict[Hashable, tuple[int, tuple[Node, ...]]] = {}  # by place and what is down
        self._kinds: dict[Hashable, int] = {}
        self._described = OperationCache()
        self._crowds: tuple[int, dict[_Way, Crowd]] = (0, {})  # of what was lost then
        self._by_offline: dict[tuple[int, int], MinioOperations] = {}  # by the drives of a set, and those that are down

    def _cut(self, pool: list[Node], code: Code) -> list[list[Piece]]:
        """Return the drives of a pool as its sets."""
        code.check()
        count = len(pool[0].bays[self.spec.bay])
        drives = [(node, node.bays[self.spec.bay][d]) for d in range(count) for node in pool]
        return [drives[i : i + code.drives] for i in range(0, len(drives), code.drives)]

    def names(self) -> Series[int]:
        """Return names that reach all drives evenly: one for each drive on which an object may begin."""
        if not self._names:
            met: dict[tuple[int, int], int] = {}
            drives, name = sum(map(len, self.sets)), 0
            while len(met) < drives:
                met.setdefault(self.place(name), name)
                name += 1
            self._names = tuple(met.values())
        return self._names

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
        coordinator = self._coordinator(name, node, stream)
        gathered = self._gathered(name, coordinator, access, self.spec.end_cpu)
        hop = self._hop(coordinator, node)
        flow = self._alike((gathered, hop), lambda: self._piped("one download stream", gathered, hop))
        return rerouted(flow, node, self.outage, lambda: self.read(name, node, access, stream, ahead, size))

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges of `size` bytes that lie anywhere, in objects that others read."""
        asked = [
            Asked(
                crowd,
                node,
                self._described.of(ways.get, ByteRange(size, opens=0.0)).fluid(self._layout, is_missing=is_missing),
                self._described.of(ways.streamed, self.spec.end_cpu).fluid(self._layout, is_missing=is_missing),
            )
            for (ways, is_missing), crowd in self._crowds_of_ways().items()
        ]
        uses, rate = anywhere(asked, len(self.names()), size, self._layout.resources)
        flow = Flow(uses, rate, "one download stream")
        return rerouted(flow, node, self.outage, lambda: self.average(node, size))

    def _crowds_of_ways(self) -> dict[_Way, Crowd]:
        """Return who plays the roles, by what is done for the names of a crowd, made once for what is up."""
        if self._crowds[0] != self.outage.epoch or not self._crowds[1]:
            names: dict[_Way, list[int]] = {}
            for name in filter(self.is_readable, self.names()):
                names.setdefault((self._operations(name), self._missing(name) > 0), []).append(name)
            self._crowds = self.outage.epoch, {way: self._crowd(these) for way, these in names.items()}
        return self._crowds[1]

    def _crowd(self, names: Series[int]) -> Crowd:
        """Return who plays the roles in requests for some names: each draws its coordinator."""
        import numpy as np  # keeps numpy out of commands that only read profiles

        live = self._live
        times, (coordinators,) = dealt(len(names), [len(live)])
        by_name = np.repeat(np.arange(len(names)), times)
        drawn, pieces = Drawn(live, coordinators), dict[str, list[list[Piece]]]()

        def find(role: str, bay: str | None, lane: int) -> Drawn:
            if role == "coordinator":
                return drawn
            if role not in pieces:
                pieces[role] = [(self._sources if role == "source" else self._writable)(name) for name in names]
            return Drawn([held[lane][0 if bay is None else 1] for held in pieces[role]], by_name)

        return Crowd(times, find, "direct", [self._missing(name) for name in names])

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of the object `name` by a client on `node`: stripe after stripe.

        Nothing is written where too many drives are down for the write quorum.

        Raises:
            RefusalError: the drives that the profile states to be offline leave none.
        """
        if not self._has_quorum(name):
            return Flow()
        coordinator = self._coordinator(name, node, stream)
        scattered = self._scattered(name, coordinator, self.spec.read_ahead(size), self.spec.end_cpu)
        hop = self._hop(node, coordinator)
        flow = self._alike((hop, scattered), lambda: self._piped("one upload stream", hop, scattered))
        return rerouted(flow, node, self.outage, lambda: self.write(name, node, stream, size))

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a server-side COPY: the coordinator reads the object and writes it under another name.

        Raises:
            RefusalError: the drives that the profile states to be offline leave no write quorum.
        """
        other = mix(name, 1)
        if not (self.is_readable(name) and self._has_quorum(other)):
            return Flow()
        coordinator = self._coordinator(name, node, 0)
        gathered = self._gathered(name, coordinator, "direct", 0.0)
        flow = self._piped("one copy stream", gathered, self._scattered(other, coordinator, 0.0, 0.0))
        return rerouted(flow, node, self.outage, lambda: self.copy(name, node))

    def rebuild(self, name: int, node: Node, device: Device) -> Flow:
        """Return the flow of the rebuild of a shard of an object on the drive that replaced its own."""
        drives = {"source": self._sources(name), REBUILT_PIECE: [(node, device)]}
        site = Placed(self._layout, {REBUILT_PIECE: node}, drives)
        return self._described.of(self._operations(name).rebuild, math.inf).stream(site)

    def _gathered(self, name: int, coordinator: Node, access: Access, cpu: float) -> Flow:
        """Return the flow of k shards of an object to the coordinator, made once for all that lie alike."""

        def made() -> Flow:
            sources, missing = self._sources(name), self._missing(name)
            site = Placed(self._layout, {"coordinator": coordinator}, {"source": sources}, access, missing)
            return self._described.of(self._operations(name).gathered, cpu).stream(site)

        way = self._way(self.place(name), coordinator, lambda: (self._sources(name), self._missing(name)))
        return self._alike((*way, access, cpu), made)

    def _scattered(self, name: int, coordinator: Node, ahead: float, cpu: float) -> Flow:
        """Return the flow of all shards of an object from the coordinator, made once for all of a set.

        Each drive of the set that is up takes a shard, whichever of them takes the first.

        Raises:
            RefusalError: the drives that the profile states to be offline leave too few.
        """

        def made() -> Flow:
            code, online = self.code(name), self._writable(name)
            self.spec.check_writes(code, code.drives - len(online))
            site = Placed(self._layout, {"coordinator": coordinator}, {"target": online})
            return self._described.of(self._operations(name).scattered, ahead, cpu).stream(site)

        way = self._way(self.place(name)[:1], coordinator, lambda: (self._writable(name), 0.0))
        return self._alike((*way, ahead, cpu), made)

    def _alike(self, key: tuple[Hashable, ...], made: Callable[[], Flow]) -> Flow:
        key = (*key, self.outage.epoch)
        flow = self._flows.get(key)
        if flow is None:
            if len(self._flows) >= FULL:
                self._flows.clear()
            flow = self._flows[key] = made()
        return flow

    def _way(
        self, place: tuple[int, ...], coordinator: Node, laid: Callable[[], tuple[Series[Piece], float]]
    ) -> tuple[Hashable, ...]:
        """Return what tells the flows between a coordinator and the pieces of objects at a place from others.

        Where servers have images, flows are alike between drives that are the same, of which the same are on one
        server, and the same on the coordinator's. `laid` are the pieces, and the part of the bytes that are missing.
        """
        if self._layout.alike == 1:
            return *place, coordinator
        key = (place, self.outage.epoch)
        lying = self._lying.get(key)
        if lying is None:
            pieces, missing = laid()
            nodes = tuple(node for node, _ in pieces)
            code = self._codes[len(self.sets[place[0]])]
            kind = (code, missing, tuple(device for _, device in pieces), tuple(map(nodes.index, nodes)))
            if len(self._lying) >= FULL:
                self._lying.clear()
            lying = self._lying[key] = self._kinds.setdefault(kind, len(self._kinds)), nodes
        number, nodes = lying
        own = tuple(i for i, node in enumerate(nodes) if node is coordinator) if coordinator in nodes else ()
        return len(place), number, coordinator.index, own

    def _hop(self, source: Node, target: Node) -> Flow:
        """Return the flow between a client and the coordinator, made once for two servers."""

        def made() -> Flow:
            return Flow(tuple(self._layout.transfer(source, target)), self._layout.stream_rate(source, target))

        return self._alike((source.index, target.index, source is target), made)

    def _piped(self, cap: str, first: Flow, then: Flow) -> Flow:
        """Return the flow of stripes that pass two parts of their way, in one part while others are in the other."""
        flow = first.joined(then)
        return replace(flow, cap=cap, latency=self.spec.request_time, spread=Spread(self.spec.request_spread))

    def _operations(self, name: int) -> MinioOperations:
        """Return the operations of MinIO on the object's set, with its drives that are down."""
        code = self.code(name)
        key = code.drives, code.drives - len(self._writable(name))
        if key not in self._by_offline:
            self._by_offline[key] = MinioOperations(self.spec, code, offline=key[1])
        return self._by_offline[key]

    def _missing(self, name: int) -> float:
        """Return the part of an object's bytes that is computed from other shards."""
        sources, order = self._sources(name), self.order(name)
        return 1 - len(set(sources) & set(order[: len(sources)])) / len(sources)

    def _sources(self, name: int) -> list[Piece]:
        """Return the drives from which an object is read: the first k that are left."""
        return self._readable(name)[: self.code(name).data]

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

    def _coordinator(self, name: int, node: Node, stream: int) -> Node:
        live = self._live
        return live[mix(self._salt, name, node.index, stream) % len(live)]

    @property
    def _live(self) -> Series[Node]:
        """The servers that take requests: those that are up, or all if none is."""
        if not self.outage.nodes:
            return self._nodes
        return [server for server in self._nodes if server.index not in self.outage.nodes] or self._nodes
