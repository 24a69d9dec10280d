"""StorageGRID for jobs: which nodes and drives serve a request, by the hash of its name.

What a request takes of them is of `storagegrid_operations`. A GET comes from a drive of a copy, the node's own where it
has one; with erasure coding it collects k fragments. Parts of an upload, and ranges that are read, lie on drives of
their own.

Assumption: what a job reads spans all fragments.
Not covered: lifecycle rules, several sites, fewer bytes by compression.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence as Series

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.flow import Flow
from models.storage.operation import Operation, Site
from models.storage.placement import mix
from models.storage.storagegrid import operations
from models.storage.storagegrid.system import StorageGrid

Piece = tuple[Node, Device]
"""A copy or a fragment: the storage node and the drive that hold it."""
Placed = tuple[int, Series[Piece]]
"""An object that is placed by a number, and its pieces."""
Roles = Mapping[str, Series[Node]]
"""The servers that play a role."""


class StorageGridStore:
    """StorageGRID on the storage nodes and gateways of a layout."""

    def __init__(self, spec: StorageGrid, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec = spec
        self._layout, self._salt = layout, salt
        self._nodes, self._gateways = layout.groups[spec.servers], layout.groups[spec.gateways]
        self._pieces, self._parts = spec.pieces()
        for node in self._nodes:
            layout.service(node, operations.INDEX, spec.index_threads)  # a run starts with all of its resources

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes: gateway and index."""
        return self._alone(operations.lookup(self.spec))

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        return self._alone(operations.list_page(self.spec))

    def places(self) -> int:
        """Return how many names reach all drives about evenly. Assumption: eight times as many as there are drives."""
        return 8 * sum(len(node.bays[self.spec.bay]) for node in self._nodes)

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which an object is made of parts. Assumption: the index looks each of them up."""
        return self._alone(operations.lookup(self.spec, 1 + parts))

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET of a range by a client on `node`, `ahead` times as many bytes into its object."""
        server, gateway = self._way(name, node, stream)
        placed = mix(name, stream)
        bays = operations.sources(self.spec)
        operation = operations.get(self.spec, 0.0, self._lanes(self._parts), bays, ahead)
        roles = {"client": (node,), "gateway": (gateway,), "node": (server,)}
        return operation.flow(self._site(roles, {"holder": (placed, self._sources(placed, server))}, access))

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT by a client on `node`."""
        server, gateway = self._way(name, node, stream)
        placed = mix(name, stream)
        operation = operations.put(self.spec, 0.0, self._lanes(self._pieces))
        roles = {"client": (node,), "gateway": (gateway,), "node": (server,)}
        return operation.flow(self._site(roles, {"holder": (placed, self._held(placed, server))}))

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY: a storage node reads the object and writes it under another name."""
        server, gateway = self._way(name, node, 0)
        source, target = mix(name, 0), mix(name, 1)
        operation = operations.copy(self.spec, self._lanes(self._parts), self._lanes(self._pieces))
        pieces = {"holder": (source, self._sources(source, server)), "copy": (target, self._held(target, server))}
        return operation.flow(self._site({"gateway": (gateway,), "node": (server,)}, pieces))

    def _lanes(self, count: int) -> tuple[int, float]:
        """Return so many copies or fragments, and the part of the bytes of each."""
        return count, 1 / self._parts

    def _alone(self, operation: Operation) -> float:
        roles = {"gateway": self._gateways[:1], "node": self._nodes[:1]}
        return operation.alone(self._site(roles, {}))

    def _site(self, roles: Roles, pieces: Mapping[str, Placed], access: Access = "direct") -> Site:
        """Return who plays the roles: servers, and the holders of the pieces of an object."""
        holders = {role: [node for node, _ in held] for role, (_, held) in pieces.items()}

        def device(role: str, bay: str, lane: int) -> Device:
            number, held = pieces[role]
            node, drive = held[lane]
            if bay == self.spec.bay:
                return drive
            drives = node.bays[bay]
            return drives[mix(self._salt, number, 3) % len(drives)]

        return Site(self._layout, {**roles, **holders}, device, access)

    def _sources(self, name: int, server: Node) -> list[Piece]:
        """Return the pieces that a GET reads: all that hold the bytes once; of copies the one of the node itself."""
        pieces = self._held(name, self._nodes[mix(self._salt, name) % len(self._nodes)])
        if self._parts > 1:
            return pieces[: self._parts]
        return ([piece for piece in pieces if piece[0] is server] or pieces)[:1]

    def _held(self, name: int, first: Node) -> list[Piece]:
        """Return where the pieces of an object lie: on as many nodes, from `first` on."""
        start = self._nodes.index(first)
        nodes = [self._nodes[(start + i) % len(self._nodes)] for i in range(self._pieces)]
        return [(node, self._drive(name, node)) for node in nodes]

    def _drive(self, name: int, node: Node) -> Device:
        drives = node.bays[self.spec.bay]
        return drives[mix(self._salt, name, node.index, 2) % len(drives)]

    def _way(self, name: int, node: Node, stream: int) -> tuple[Node, Node]:
        """Return the storage node and the gateway of a request, chosen by the balancer regardless of the object."""
        chosen = mix(self._salt, name, node.index, stream)
        return self._nodes[chosen % len(self._nodes)], self._gateways[(chosen >> 20) % len(self._gateways)]
