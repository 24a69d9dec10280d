"""What a StorageGRID does for a request: one description, which runs of jobs and of requests share.

A gateway hands a request to a worker slot of a storage node, which asks the index. A GET seeks once and reads from a
drive, or from fragments side by side; what lies on another node crosses to the one that answers, and from it the bytes
pass the gateway to the client. A PUT is written to all copies, or fragments, before it is acknowledged; one that finds
too few nodes for its fragments makes two copies for the time being.

A recovered node serves requests and takes writes, but holds nothing until its objects are restored, `rebuilt_objects`
at a time, each from another node or from k of them.

With compression a node spends `compression_cpu` on every byte, one core a request, and reads a range from the start of
its object.

Assumptions: the index takes as long to note an object as to look it up, and looks up each part of an upload that it
completes; what a job reads spans all fragments. Not covered: lifecycle rules, several sites, fewer bytes by
compression, the copy that follows a PUT in the background, CPU time of decoding fragments, the index that a recovered
node builds again.

Source: NetApp, How to enable StorageGRID in your environment, 22 April 2024: data compression, multipart upload; S3
REST API, "Initiate Multipart Upload": Balanced makes two interim copies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from dataclasses import replace

from models.hardware.cluster import Layout, Node
from models.storage.described import REBUILT_PIECE, Anyone, ByteRange, Description, Piece, Placement, Sources, Targets
from models.storage.operation import Operation
from models.storage.placement import mix
from models.storage.stages import (
    LIST_PAGE,
    Compute,
    Either,
    FirstByte,
    Held,
    Lanes,
    Move,
    Option,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Write,
)
from models.storage.storagegrid.system import INDEX, INTERIM_COPIES, WORKERS, StorageGrid


class StorageGridOperations(Description):
    """The operations of StorageGRID."""

    front = "gateway"

    def __init__(self, spec: StorageGrid) -> None:
        self.spec = spec
        self.home, self.pieces = (spec.servers, spec.bay), (spec.code.pieces, spec.code.data)
        self.roles = {
            "node": Anyone(spec.servers),
            "gateway": Anyone(spec.gateways),
            "source": Sources(near="node"),
            "target": Targets(first="node"),
            "copy": Targets(first="node", object=1),
        }

    @property
    def quorum(self) -> int:
        """The pieces without which nothing is written: one, as interim copies will do."""
        return 1

    def prepare(self, layout: Layout) -> None:
        """Make the index of each storage node."""
        for node in layout.groups[self.spec.servers]:
            layout.service(node, INDEX, self.spec.index_threads)

    def placement(self, nodes: Series[Node], salt: int) -> Placement:
        """Return where pieces lie: on nodes next to each other."""
        return Neighbours(nodes, self.spec.bay, salt)

    def get(self, part: ByteRange) -> Operation:
        """Return a GET: from the drives, or from the SSD cache."""
        sought, read = self._read(part)
        way_out = FirstByte(), Move("node", "gateway"), *self._encrypted(), Move("gateway", "client")
        return self._served((self._asked(), sought, Stream((*read, *way_out))), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT, acknowledged once all copies or fragments are written."""
        count, data = self.pieces
        if missing:
            count, data = min(count if data == 1 else INTERIM_COPIES, count - missing), 1
        way_in = Move("client", "gateway"), *self._encrypted(), Move("gateway", "node")
        bytes_in = Stream((*way_in, *self._written((count, data), "target")))
        sought = Lanes((Seek("target", self.spec.bay, is_write=True),), count)
        return self._served((sought, bytes_in, self._asked()), size)

    def copy(self) -> Operation:
        """Return a COPY: the node reads the object from its holders and writes it under another name."""
        sought, read = self._read(ByteRange())
        lanes = Lanes((Seek("copy", self.spec.bay, is_write=True),), self.pieces[0])
        both = Stream((*read, *self._written(self.pieces, "copy")))
        return self._served((self._asked(2), sought, lanes, both))

    def note(self, parts: int = 0) -> Operation:
        """Return what begins or completes a multipart upload: the index notes it, and looks up its parts."""
        return self._served((self._asked(1 + parts),))

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD: the index knows whether the object exists."""
        return self._served((self._asked(),))

    @property
    def rebuild_streams(self) -> int:
        """Objects that are restored to a recovered node at a time."""
        return self.spec.rebuilt_objects

    def rebuild(self, size: float) -> Operation:
        """Return the restore of a piece: the index of the node looks its object up first."""
        asked = replace(self._asked(), at=REBUILT_PIECE)
        return Operation((asked, *super().rebuild(size).stages), size)

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing."""
        return self._served((self._index(self.spec.list_cpu),))

    def delete(self) -> Operation:
        """Return a DELETE: the index looks the object up and notes that it is gone."""
        return self._served((self._asked(2),))

    def _served(self, stages: tuple[Stage, ...], size: float = 0.0) -> Operation:
        gateway = Compute("gateway", self.spec.gateway_cpu)
        return Operation((gateway, Held("node", WORKERS, self.spec.workers, stages)), size)

    def _asked(self, times: int = 1) -> Service:
        """Return what the index works to look up or note so many objects."""
        return self._index(self.spec.lookup_cpu * times)

    def _index(self, cost: float) -> Service:
        return Service("node", INDEX, self.spec.index_threads, cost, self.spec.index_spread)

    def _read(self, part: ByteRange) -> tuple[Stage, tuple[Stage, ...]]:
        """Return how the holders seek, and how bytes come from them to the node that answers."""
        spec, lanes = self.spec, self._fragments(part.size)
        through = 1 + part.ahead if spec.compression else 1.0
        seeks, reads = [], []
        for bay, chance, otherwise, note in self._sources():
            read = Read("source", bay, through), Move("source", "node")
            seeks.append(Option(chance, (Lanes((Seek("source", bay),), lanes, otherwise=otherwise),), note))
            reads.append(Option(chance, (Lanes(read, lanes, 1 / lanes, otherwise),), note))
        return Either("drives", tuple(seeks)), (Either("drives", tuple(reads)), *self._compressed(through))

    def _written(self, lanes: tuple[int, int], at: str) -> tuple[Stage, ...]:
        """Return how bytes go from the node that received them to copies or fragments, of which some hold them once."""
        count, data = lanes
        return *self._compressed(1.0), Lanes((Move("node", at), Write(at, self.spec.bay)), count, 1 / data)

    def _compressed(self, through: float) -> tuple[Stage, ...]:
        return (Compute("node", per_byte=self.spec.compression_cpu * through),) if self.spec.compression else ()

    def _encrypted(self) -> tuple[Stage, ...]:
        cpu = self.spec.encryption_cpu
        return (Compute("gateway", per_byte=cpu),) if cpu else ()

    def _sources(self) -> Iterator[tuple[str, float, int | None, str]]:
        """Yield the bays of GETs, the part of them that each serves, and from how many where a fragment is lost."""
        spec, data = self.spec, self.pieces[1]
        if spec.cached_reads < 1:
            yield spec.bay, 1 - spec.cached_reads, data if data > 1 else None, ""
        if spec.cached_reads > 0 and spec.cache_bay is not None:
            yield spec.cache_bay, spec.cached_reads, None, "cached"

    def _fragments(self, size: float) -> int:
        """Return from how many holders a GET of `size` bytes reads: from one, unless it spans several fragments."""
        data = self.pieces[1]
        stripes = size / self.spec.fragment_stripe
        return data if stripes >= data else max(math.ceil(stripes), 1)


class Neighbours:
    """Pieces on storage nodes next to each other, from the one that an object's name chooses."""

    def __init__(self, nodes: Series[Node], bay: str, salt: int) -> None:
        self._nodes, self._bay, self._salt = nodes, bay, salt

    @property
    def numbers(self) -> None:
        """Objects share no places."""

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield a drive of each node."""
        nodes = self._nodes
        start = mix(self._salt, name) % len(nodes) if first is None else nodes.index(first)
        for i in range(len(nodes)):
            node = nodes[(start + i) % len(nodes)]
            drives = node.bays[self._bay]
            yield node, drives[mix(self._salt, name, node.index, 2) % len(drives)]
