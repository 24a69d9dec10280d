"""StorageGRID, request by request: its operations for a load of requests, and the restore of lost nodes beside it.

A recovered node serves requests and takes writes, but holds nothing until its objects are restored, `rebuilt_objects`
at a time, each from another node or from k of them.

Not covered: information lifecycle rules, several sites, the copy that follows a PUT in the background, CPU time of
decoding fragments, the index that a recovered node builds again.
"""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.requests import Background, Draw, Fan, Pick, Station, Visit
from models.storage.described_routes import NOTHING_LOST, DescribedRoutes, Lost
from models.storage.object_routes import REBUILT, Ends, in_turns
from models.storage.stations import UNBOUNDED, stations
from models.storage.storagegrid.operations import INDEX, StorageGridOperations
from models.storage.storagegrid.system import StorageGrid


class StorageGridRoutes(DescribedRoutes):
    """The routes of StorageGRID on a layout for clients at the other end."""

    def __init__(self, spec: StorageGrid, layout: Layout, ends: Ends, lost: Lost = NOTHING_LOST) -> None:
        super().__init__(StorageGridOperations(spec), layout, ends, lost)
        self._spec, self._lost, self._nodes = spec, lost.servers, stations(layout, spec.servers)
        self._holding = self._nodes.count - lost.servers  # the last ones are lost

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
        found, placed = nodes.seek(spec.bay, source, 1.0), nodes.seek(spec.bay, target, 1.0)
        route = (
            *nodes.serve(node, (INDEX, spec.index_threads), spec.lookup_cpu, spec.index_spread),
            *((Fan(found, parts),) if found else ()),
            *placed,
            *in_turns(turn, size),
            Visit(Station(REBUILT, UNBOUNDED, kind="delay")),
        )
        return Background(route, spec.rebuilt_objects * self._lost, size)

    def rebuilt(self, size: float) -> float:
        """Return the bytes that restoring an object of `size` bytes makes safe again: those of one of its pieces."""
        return size / self._spec.pieces()[1]
