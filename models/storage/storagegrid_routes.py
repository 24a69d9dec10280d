"""StorageGRID, request by request, for a load of GET, PUT, HEAD, LIST and DELETE from clients at the other end.

A gateway hands a request to a worker slot of a storage node, which asks the index. A GET seeks once and reads turn by
turn from a drive, or from one fragment after the other side by side; what lies on another node crosses to the one that
answers. A PUT returns when all copies, or all fragments, are on drives and the index knows them.

Assumptions: a node has a copy of the object it is asked for as often as chance has it; the index takes as long to note
an object as to look it up; a multipart upload costs the index a note to begin and one to complete.
Not covered: information lifecycle rules, several sites, the copy that follows a PUT in the background.
"""

from __future__ import annotations

import math

from models.hardware.cluster import Layout
from models.jobs.requests import Draw, Fan, FirstByte, Pick, Route, Station, Visit, lognormal
from models.storage.object_routes import Ends, Variant, in_turns
from models.storage.stations import stations
from models.storage.storagegrid import StorageGrid


class StorageGridRoutes:
    """The routes of StorageGRID on a layout for clients at the other end."""

    def __init__(self, spec: StorageGrid, layout: Layout, ends: Ends) -> None:
        self._spec, self._ends = spec, ends
        self._nodes, self._gateways = stations(layout, spec.servers), stations(layout, spec.gateways)
        count = self._nodes.count
        self._node = Draw("storage node", count)
        self._gateway = Pick(Draw("gateway", self._gateways.count))
        self._here = Pick(self._node)
        self._speed = self._nodes.nodes[0].server.cpu.speed
        self._worker = Station(f"{spec.servers}/request workers", spec.workers, count, "workers")
        self._index = Station(f"{spec.servers}/metadata index", spec.index_threads, count, "index")

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object: from the drives, and from the SSD cache."""
        spec = self._spec
        found = []
        if spec.cached_reads < 1:
            found.append(Variant(self._get(size, object_size, spec.bay), 1 - spec.cached_reads))
        if spec.cached_reads > 0:
            assert spec.cache_bay is not None  # the storage system has been validated
            found.append(Variant(self._get(size, object_size, spec.cache_bay), spec.cached_reads, "cached"))
        return tuple(found)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        spec, nodes = self._spec, self._nodes
        is_coded = spec.protection == "erasure-coding"
        lanes = spec.data_fragments + spec.parity_fragments if is_coded else spec.copies
        share = 1 / spec.data_fragments if is_coded else 1.0
        away = (lanes - 1) * share
        piece = nodes.receive(self._spread(), (lanes - 1) / lanes) + nodes.write(spec.bay, self._drives(spec.bay))
        turn = (
            *self._ends.group.send(self._ends.pick),
            *self._gateways.receive(self._gateway),
            *self._gateways.send(self._gateway),
            *nodes.receive(self._here),
            *nodes.send(self._here, away),
            Fan(piece, lanes, share),
        )
        seek = nodes.seek(spec.bay, self._drives(spec.bay), 1.0)
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

    def _get(self, size: float, object_size: float, bay: str) -> Route:
        spec, nodes, drives = self._spec, self._nodes, self._drives(bay)
        lanes, has_it = 1, spec.copies / nodes.count
        if spec.protection == "erasure-coding":
            lanes = min(spec.data_fragments, max(math.ceil(size / spec.fragment_stripe), 1))
            has_it = 1 / nodes.count
        away = 0.0 if bay != spec.bay else 1 - has_it
        ahead = object_size / 2 / lanes if spec.compression else 0.0
        drive = nodes.nodes[0].server.bays[bay].drive
        positioned = nodes.seek(bay, drives, 1 + ahead * drive.read_cost() / drive.seek_time if drive.seek_time else 0)
        piece = nodes.read(bay, drives) + nodes.send(self._spread(), away)
        turn = (
            Fan(piece, lanes, 1 / lanes),
            *nodes.receive(self._here, away),
            FirstByte(),
            *nodes.send(self._here),
            *self._gateways.receive(self._gateway),
            *self._gateways.send(self._gateway),
            *self._ends.group.receive(self._ends.pick),
        )
        seeks = (Fan(positioned, lanes),) if positioned else ()
        return self._served((self._asked(spec.lookup_cpu), *seeks, *in_turns(turn, size)))

    def _drives(self, bay: str) -> Pick:
        """Return a drive of the node that is asked, and one of each node after it for further lanes."""
        nodes = self._nodes
        return Pick(Draw(f"{bay} drive", nodes.nodes[0].server.bays[bay].count), nodes.count, self._node)

    def _spread(self) -> Pick:
        """Return the node that is asked, and those after it for further lanes."""
        return Pick(Draw("one", 1), self._nodes.count, self._node)

    def _served(self, inside: Route) -> Route:
        once = self._gateways.compute(self._gateway, once=self._spec.gateway_cpu)
        return (*once, Visit(self._worker, inside=inside, pick=self._here))

    def _asked(self, cost: float) -> Visit:
        return Visit(self._index, lognormal(cost / self._speed, self._spec.index_spread), pick=self._here)
