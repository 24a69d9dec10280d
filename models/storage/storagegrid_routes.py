"""StorageGRID, request by request, for a load of GET, PUT, HEAD, LIST and DELETE from clients at the other end.

A gateway hands a request to a worker slot of a storage node, which asks the index. A GET seeks once and reads turn by
turn from a drive, or from one fragment after the other side by side; what lies on another node crosses to the one that
answers. A PUT returns when all copies, or all fragments, are on drives and the index knows them.

Where nodes are lost, GETs go to the copies that are left, or collect k other fragments; a PUT that finds too few nodes
for its fragments makes two copies for the time being. A recovered node serves requests and takes writes, but holds
nothing until its objects are restored, `healed_objects` at a time, each from another node or from k of them.

Source: NetApp, StorageGRID documentation, S3 REST API, "Initiate Multipart Upload": Balanced makes two interim copies.

Assumptions: a node has a copy of the object it is asked for as often as chance has it; the index takes as long to note
an object as to look it up; a multipart upload costs the index a note to begin and one to complete.
Not covered: information lifecycle rules, several sites, the copy that follows a PUT in the background, CPU time of
decoding fragments, the index that a recovered node builds anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from models.hardware.cluster import Layout
from models.jobs.requests import Background, Draw, Fan, FirstByte, Pick, Route, Station, Visit, lognormal
from models.storage.object_routes import HEALED, Ends, Variant, in_turns
from models.storage.stations import UNBOUNDED, stations
from models.storage.storagegrid import StorageGrid

INTERIM_COPIES = 2
"""Copies of an object whose fragments find too few nodes. Source: as above."""


@dataclass(frozen=True, slots=True)
class LostNodes:
    """So many storage nodes are lost, and gone; or recovered (`is_replaced`), but still without their objects."""

    count: int
    is_replaced: bool


NONE_LOST = LostNodes(0, is_replaced=False)


class StorageGridRoutes:
    """The routes of StorageGRID on a layout for clients at the other end."""

    def __init__(self, spec: StorageGrid, layout: Layout, ends: Ends, lost: LostNodes = NONE_LOST) -> None:
        self._spec, self._ends = spec, ends
        self._nodes, self._gateways = stations(layout, spec.servers), stations(layout, spec.gateways)
        count = self._nodes.count
        self._lost, self._holding = lost.count, count - lost.count  # the last ones are lost
        self._up = count if lost.is_replaced else self._holding
        self._node = Draw("storage node", self._up)
        self._gateway = Pick(Draw("gateway", self._gateways.count))
        self._here = Pick(self._node)
        self._speed = self._nodes.nodes[0].server.cpu.speed
        self._worker = Station(f"{spec.servers}/request workers", spec.workers, count, "workers")
        self._index = Station(f"{spec.servers}/metadata index", spec.index_threads, count, "index")

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object: from the drives, and from the SSD cache."""
        spec = self._spec
        found: list[Variant] = []
        if spec.cached_reads < 1:
            found += self._from_drives(size, object_size)
        if spec.cached_reads > 0:
            assert spec.cache_bay is not None  # the storage system has been validated
            lanes = self._fragments(size)
            route = self._get(size, object_size, spec.cache_bay, (lanes, 1 / lanes))
            found.append(Variant(route, spec.cached_reads, "cached"))
        return tuple(found)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        spec, nodes, drives = self._spec, self._nodes, self._drives(self._spec.bay, self._up)
        lanes, data = spec.pieces()
        if lanes > self._up:
            lanes, data = min(lanes if data == 1 else INTERIM_COPIES, self._up), 1
        share = 1 / data
        away = (lanes - 1) * share
        piece = nodes.receive(self._spread(self._up), (lanes - 1) / lanes) + nodes.write(spec.bay, drives)
        turn = (
            *self._ends.group.send(self._ends.pick),
            *self._gateways.receive(self._gateway),
            *self._gateways.send(self._gateway),
            *nodes.receive(self._here),
            *nodes.send(self._here, away),
            Fan(piece, lanes, share),
        )
        seek = nodes.seek(spec.bay, drives, 1.0)
        placed = (Fan(seek, lanes),) if seek else ()
        return self._served((*placed, *in_turns(turn, size), self._asked(spec.lookup_cpu)))

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload: the index notes it."""
        return self._served((self._asked(self._spec.lookup_cpu),))

    def head(self, *, found: bool) -> Route:
        """Return the route of a HEAD: the index knows whether the object exists."""
        return self._served((self._asked(self._spec.lookup_cpu),))

    def list_page(self) -> Route:
        """Return the route of a LIST page."""
        return self._served((self._asked(self._spec.list_cpu),))

    def delete(self) -> Route:
        """Return the route of a DELETE: the index looks the object up and notes that it is gone."""
        return self._served((self._asked(2 * self._spec.lookup_cpu),))

    @property
    def misses_data(self) -> bool:
        """Whether objects have yet to be restored to nodes."""
        return self._lost > 0

    def healing(self, size: float, in_flight: float) -> Background:
        """Return the work that restores objects of `size` bytes to the nodes that were lost and recovered."""
        spec, nodes, parts = self._spec, self._nodes, self._spec.pieces()[1]
        whose, bays = Draw("restored node", self._lost, by_client=True), nodes.nodes[0].server.bays[spec.bay].count
        node = Pick(whose, stride=1, first=self._holding, among=self._lost)
        source = Pick(Draw("source drive", bays), self._holding, Draw("source node", self._holding), nodes.count)
        target = Pick(Draw("restored drive", bays), self._lost, whose, nodes.count, first=self._holding, server=node)
        turn = (
            Fan(nodes.read(spec.bay, source) + nodes.send(source), parts, 1 / parts),
            *nodes.receive(node),
            Fan(nodes.write(spec.bay, target), 1, 1 / parts),
        )
        found, placed = nodes.seek(spec.bay, source, 1.0), nodes.seek(spec.bay, target, 1.0)
        route = (
            Visit(self._index, lognormal(spec.lookup_cpu / self._speed, spec.index_spread), pick=node),
            *((Fan(found, parts),) if found else ()),
            *placed,
            *in_turns(turn, size),
            Visit(Station(HEALED, UNBOUNDED, kind="delay")),
        )
        return Background(route, spec.healed_objects * self._lost, size)

    def healed(self, size: float) -> float:
        """Return the bytes that restoring an object of `size` bytes makes safe again: those of one of its pieces."""
        return size / self._spec.pieces()[1]

    def _fragments(self, size: float) -> int:
        """Return from how many nodes a GET reads: from one, unless it spans several fragments."""
        spec = self._spec
        if spec.protection == "copies":
            return 1
        return min(spec.data_fragments, max(math.ceil(size / spec.fragment_stripe), 1))

    def _from_drives(self, size: float, object_size: float) -> Iterator[Variant]:
        """Yield the routes of a GET from the drives: of what is there, and of fragments that others stand in for."""
        spec, lanes, count = self._spec, self._fragments(size), self._nodes.count
        share, intact = 1 - spec.cached_reads, 1.0
        if spec.protection == "erasure-coding" and lanes < spec.data_fragments:
            intact = math.comb(self._holding, lanes) / math.comb(count, lanes)
        if intact > 0:
            yield Variant(self._get(size, object_size, spec.bay, (lanes, 1 / lanes)), share * intact)
        if intact < 1:
            route = self._get(size, object_size, spec.bay, (spec.data_fragments, 1 / lanes))
            yield Variant(route, share * (1 - intact))

    def _get(self, size: float, object_size: float, bay: str, read: tuple[int, float]) -> Route:
        """Return the route of a GET from drives of a bay, of which it reads so many, a part of its bytes each."""
        spec, nodes, drives = self._spec, self._nodes, self._drives(bay, self._holding)
        (lanes, share), has_it = read, spec.copies / nodes.count
        if spec.protection == "erasure-coding":
            has_it = 1 / nodes.count
        away = 0.0 if bay != spec.bay else 1 - has_it * self._holding / self._up
        ahead = object_size / 2 / lanes if spec.compression else 0.0
        drive = nodes.nodes[0].server.bays[bay].drive
        positioned = nodes.seek(bay, drives, 1 + ahead * drive.read_cost() / drive.seek_time if drive.seek_time else 0)
        piece = nodes.read(bay, drives) + nodes.send(self._spread(self._holding), away)
        turn = (
            Fan(piece, lanes, share),
            *nodes.receive(self._here, away * lanes * share),
            FirstByte(),
            *nodes.send(self._here),
            *self._gateways.receive(self._gateway),
            *self._gateways.send(self._gateway),
            *self._ends.group.receive(self._ends.pick),
        )
        seeks = (Fan(positioned, lanes),) if positioned else ()
        return self._served((self._asked(spec.lookup_cpu), *seeks, *in_turns(turn, size)))

    def _drives(self, bay: str, among: int) -> Pick:
        """Return a drive of the node that is asked, and one of each after it for further lanes, among so many nodes."""
        nodes = self._nodes
        return Pick(Draw(f"{bay} drive", nodes.nodes[0].server.bays[bay].count), among, self._node, nodes.count)

    def _spread(self, among: int) -> Pick:
        """Return the node that is asked, and those after it for further lanes, among so many nodes."""
        return Pick(Draw("one", 1), among, self._node)

    def _served(self, inside: Route) -> Route:
        once = self._gateways.compute(self._gateway, once=self._spec.gateway_cpu)
        return (*once, Visit(self._worker, inside=inside, pick=self._here))

    def _asked(self, cost: float) -> Visit:
        return Visit(self._index, lognormal(cost / self._speed, self._spec.index_spread), pick=self._here)
