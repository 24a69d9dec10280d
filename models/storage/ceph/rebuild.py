"""Ceph makes the pieces of placement groups anew that were on an OSD that is out.

Each group is backfilled from its first OSD that is left, which with a code reads k shards, to another one that CRUSH
gives it: on a host, or an OSD, that has none of its pieces, the least loaded of two that are drawn. It takes a turn of
the one that sends, then of the one that takes (`recovery.max_backfills`), and goes on at the rate of
`models.storage.ceph.recovery`. Groups that are left with the fewest pieces come first. Where every host, or OSD, has a
piece of a group, it waits for the replacement. What jobs hold lies evenly in all groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece as Part, Repair
from models.storage.ceph.groups import PlacementGroups
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.placed import PGS_PER_OSD
from models.storage.ceph.pool import RadosPool
from models.storage.described import Piece
from models.storage.described_store import DescribedStore
from models.storage.flow import Flow, coded
from models.storage.placement import mix
from models.work import Deferred, Delay, Failover, Hold, Pool, Sequence, Step


class Backfill:
    """How the placement groups of a pool are made whole."""

    def __init__(self, store: DescribedStore) -> None:
        assert isinstance(store.what, RadosOperations)
        assert isinstance(store.placement, PlacementGroups)
        self._store, self._what, self._outage = store, store.what, store.outage
        self._spec, self._groups = store.what.spec, store.placement.groups
        self._bytes = 0.0
        self._sizes: dict[tuple[bool, int], float] = {}
        self._taken: Counter[Device] = Counter()

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take account of an object of `size` bytes, which a job reads or writes."""
        self._bytes += size - self._sizes.get((is_output, name), 0.0)
        self._sizes[is_output, name] = size

    def fill(self, held: Series[tuple[Node, Device]], pieces: int, size: float, times: float = 1.0) -> None:
        """Take account of objects that fill `pieces` pieces, each of an object of `size` bytes, on some drives."""
        devices = {device for _, device in held}
        count = sum(device in devices for group in self._groups for _, device in group)
        self._bytes = pieces * times * size * len(self._groups) / max(count, 1)

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of a placement group of full OSDs, whatever objects it has, and those of one piece."""
        node = self._store.nodes[0]
        piece = getattr(node.bays[self._spec.bay][0].drive, "capacity", 0.0) / PGS_PER_OSD
        return piece * self._spec.code.data, piece

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how groups are made whole after the loss of some resources, or of a whole server."""
        waits = self._places_beside(resources) < self._spec.code.pieces
        return Repair(
            0.0 if waits else self._what.rebuild_delay, lambda: self._pieces(resources), needs_replacement=waits
        )

    def _places_beside(self, resources: set[int]) -> int:
        """Return how many pieces of a group may lie beside some resources: on OSDs, hosts or racks of their own."""
        up = [
            (node, drive)
            for node in self._store.nodes
            for drive in node.bays[self._spec.bay]
            if drive.resource.index not in resources and self._outage.takes_writes(node, drive)
        ]
        if self._what.shares_servers:
            return len(up) * self._spec.osds_per_drive
        if self._spec.failure_domain == "rack":
            return len({node.rack for node, _ in up})
        return len({node.index for node, _ in up})

    def lost(self) -> float:
        """Return the bytes of groups of which too few pieces are left to read them."""
        code, size = self._spec.code, self._bytes / len(self._groups)
        return size * sum(len(self._left(group)) < code.data for group in self._groups)

    def _left(self, group: Series[Piece]) -> list[Piece]:
        return [piece for piece in group if self._outage.holds_data(*piece)]

    def _pieces(self, resources: set[int]) -> Iterator[Part]:
        code = self._spec.code
        size = self._bytes / len(self._groups) / code.data
        by_left = sorted(range(len(self._groups)), key=lambda number: len(self._left(self._groups[number])))
        for number in by_left:
            for place, (_, device) in enumerate(self._groups[number]):
                if device.resource.index in resources and size and len(self._left(self._groups[number])) >= code.data:
                    yield Part(size, self._backfilled(number, place, size))

    def _backfilled(self, number: int, place: int, size: float) -> Step:
        """Return the step that makes one piece of a group anew: its turn at both ends, then its bytes."""
        group = self._groups[number]
        target, first = self._target(number, place), self._left(group)[0]
        self._taken[target[1]] += 1

        def again(left: float) -> Step:
            is_possible = len(self._left(group)) >= self._spec.code.data
            return self._backfilled(number, place, left) if is_possible else Delay(0.0)

        def moved() -> Step:
            group[place] = target
            return Delay(0.0)

        work = Failover(size, self._flow(group, target).demand, again)
        return turns(self._spec, first[1], target[1], Sequence((work, Deferred(moved))))

    def _target(self, number: int, place: int) -> Piece:
        """Return the OSD that takes the place of a lost piece: the less loaded of two that CRUSH draws."""
        group, spec = self._groups[number], self._spec
        lost, outage = group[place], self._outage
        others = [piece for i, piece in enumerate(group) if i != place]
        held = {node for node, _ in others} if spec.failure_domain != "osd" else set[Node]()
        racks = {node.rack for node in held} if spec.failure_domain == "rack" else set[int]()
        hosts = [node for node in self._store.nodes if node not in held and node.rack not in racks]
        up = [(node, drive) for node in hosts for drive in node.bays[spec.bay] if outage.takes_writes(node, drive)]
        if spec.failure_domain == "osd":
            full = Counter(drive for _, drive in others)
            up = [piece for piece in up if full[piece[1]] < spec.osds_per_drive]
        if not up:
            return lost
        drawn = [up[mix(self._store.salt, number, place, draw) % len(up)] for draw in range(2)]
        return min(drawn, key=lambda piece: self._taken[piece[1]])

    def _flow(self, group: Series[Piece], target: Piece) -> Flow:
        """Return the flow per byte of a piece: k reads to the first that is left, and a write from there."""
        spec, layout, code = self._spec, self._store.layout, self._spec.code
        sources = self._left(group)[: code.data]
        first, cpu = sources[0][0], spec.osd_cpu
        uses = target[1].write("direct") + layout.transfer(first, target[0]) + target[0].compute(cpu)
        rate = min(target[1].write_rate(), layout.stream_rate(first, target[0]))
        for node, device in sources:
            uses += device.read("direct") + layout.transfer(node, first) + node.compute(cpu)
            rate = min(rate, device.read_rate(), layout.stream_rate(node, first))
        decoding = spec.encode_cpu * code.data if code.data > 1 else 0.0
        _, allowed = self._what.backfill(spec.object_size, sources[0][1], target[1])
        throttled = Flow((), allowed, "backfill throttle")
        active = float(spec.recovery.active(spins=self._what.spins))
        flow = Flow(tuple(uses), rate, "one backfill", weight=active)
        return flow.joined(coded(first, decoding)).joined(throttled)


def turns(spec: RadosPool, source: Device, target: Device, step: Step) -> Step:
    """Return a step that takes a turn of the OSD that sends, then of the one that takes."""
    most = float(spec.recovery.max_backfills)
    sends, takes = (Pool(f"{end.resource.name}/{way}", most) for end, way in ((source, "sends"), (target, "takes")))
    return Hold(sends, 1.0, Hold(takes, 1.0, step))
