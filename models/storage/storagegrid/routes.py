"""StorageGRID, request by request, for a load of GET, PUT, HEAD, LIST and DELETE from clients at the other end.

What a request takes of whom is of `storagegrid_operations`; here stands who that is by chance, also while nodes are
lost. Then GETs go to the copies that are left, or collect k other fragments; a PUT that finds too few nodes for its
fragments makes two copies for the time being. A recovered node serves requests and takes writes, but holds nothing
until its objects are restored, `rebuilt_objects` at a time, each from another node or from k of them.

Source: NetApp, StorageGRID documentation, S3 REST API, "Initiate Multipart Upload": Balanced makes two interim copies.

Assumptions: a node has a copy of the object it is asked for as often as chance has it; a multipart upload costs the
index a note to begin and one to complete.
Not covered: information lifecycle rules, several sites, the copy that follows a PUT in the background, CPU time of
decoding fragments, the index that a recovered node builds again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.hardware.cluster import Layout
from models.requests import Background, Draw, Fan, Pick, Route, Station, Visit
from models.storage.object_routes import REBUILT, Ends, Variant, in_turns
from models.storage.operation import Field, Operation
from models.storage.stations import UNBOUNDED, stations
from models.storage.storagegrid import operations
from models.storage.storagegrid.system import StorageGrid

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

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object: from the drives, and from the SSD cache."""
        spec, lanes = self._spec, operations.fragments(self._spec, size)
        ahead = operations.bytes_ahead(spec, size, object_size)
        found: list[Variant] = []
        for bay, share in operations.sources(spec).items():
            ways = self._from_drives(lanes) if bay == spec.bay else [(lanes, 1.0)]
            for read, part in ways:
                operation = operations.get(spec, size, (read, 1 / lanes), {bay: 1.0}, ahead)
                note = "" if bay == spec.bay else "cached"
                found.append(Variant(operation.visits(self._field()), share * part, note))
        return tuple(found)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        pieces, data = self._spec.pieces()
        if pieces > self._up:
            pieces, data = min(pieces if data == 1 else INTERIM_COPIES, self._up), 1
        operation = operations.put(self._spec, size, (pieces, 1 / data))
        return operation.visits(self._field(self._up, (pieces - 1) / pieces))

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload: the index notes it."""
        return operations.lookup(self._spec).visits(self._field())

    def head(self, *, found: bool) -> Route:
        """Return the route of a HEAD: the index knows whether the object exists."""
        return operations.lookup(self._spec).visits(self._field())

    def list_page(self) -> Route:
        """Return the route of a LIST page."""
        return operations.list_page(self._spec).visits(self._field())

    def delete(self) -> Route:
        """Return the route of a DELETE: the index looks the object up and notes that it is gone."""
        return operations.lookup(self._spec, 2).visits(self._field())

    @property
    def misses_data(self) -> bool:
        """Whether objects have yet to be restored to nodes."""
        return self._lost > 0

    def rebuilding(self, size: float, in_flight: float) -> Background:
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
        index = Field({"node": nodes}, {"node": node}, lambda _, bay: source)
        found, placed = nodes.seek(spec.bay, source, 1.0), nodes.seek(spec.bay, target, 1.0)
        route = (
            *Operation((operations.asked(spec),)).visits(index),
            *((Fan(found, parts),) if found else ()),
            *placed,
            *in_turns(turn, size),
            Visit(Station(REBUILT, UNBOUNDED, kind="delay")),
        )
        return Background(route, spec.rebuilt_objects * self._lost, size)

    def rebuilt(self, size: float) -> float:
        """Return the bytes that restoring an object of `size` bytes makes safe again: those of one of its pieces."""
        return size / self._spec.pieces()[1]

    def _from_drives(self, lanes: int) -> list[tuple[int, float]]:
        """Return from how many holders GETs of so many fragments read, and how often: of k where one is missing."""
        spec, intact = self._spec, 1.0
        if spec.protection == "erasure-coding" and lanes < spec.data_fragments:
            intact = math.comb(self._holding, lanes) / math.comb(self._nodes.count, lanes)
        ways = ((lanes, intact), (spec.data_fragments, 1 - intact))
        return [way for way in ways if way[1] > 0]

    def _field(self, among: int | None = None, away: float | None = None) -> Field:
        """Return where requests find nodes and drives: pieces lie on the next `among` nodes from the one that is asked.

        Of them `away` are not on that node, by default as many as chance has it.
        """
        spec, span = self._spec, self._holding if among is None else among
        if away is None:
            held = (spec.copies if spec.protection == "copies" else 1) / self._nodes.count
            away = 1 - held * self._holding / self._up
        here = Pick(self._node)
        holder = Pick(Draw("one", 1), span, self._node)
        groups = {"client": self._ends.group, "gateway": self._gateways, "node": self._nodes, "holder": self._nodes}
        picks = {"client": self._ends.pick, "gateway": self._gateway, "node": here, "holder": holder}
        crossing = {("holder", "node"): away, ("node", "holder"): away}
        return Field(groups, picks, lambda _, drives: self._drives(drives, span), crossing)

    def _drives(self, bay: str, among: int) -> Pick:
        """Return a drive of the node that is asked, and one of each after it for further lanes, among so many nodes."""
        nodes = self._nodes
        return Pick(Draw(f"{bay} drive", nodes.nodes[0].server.bays[bay].count), among, self._node, nodes.count)
