"""Ceph moves pieces of placement groups onto new OSDs, which CRUSH gives them: misplaced, but none is lost.

Until a piece has moved its old OSD serves. Each new OSD takes `recovery.max_backfills` pieces at a time, each from the
first OSD of its group, which sends as many; with a code that one gets the piece from the OSD that has it, and decodes
nothing. What a backfill may take is as with those that make lost pieces anew (`models.storage.ceph.rebuild`).

Source: Ceph documentation, CRUSH maps, backfill; ceph/ceph, src/osd/ECBackend.cc (a shard that is there is read as it
is). Not covered: pieces that CRUSH moves between old OSDs, and `target_max_misplaced_ratio`, by which the balancer and
the autoscaler go, not this.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence as Series
from functools import partial

from models.hardware.cluster import Device, Node
from models.rebalance import MOST_STEPS, THROTTLE, Intake, shared
from models.storage.ceph.groups import PlacementGroups
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.rebuild import turns
from models.storage.described import Piece
from models.storage.described_store import DescribedStore
from models.storage.flow import Flow
from models.storage.placement import mix
from models.work import AT_ONCE, Deferred, Resource, Sequence, Step, Use

KEY = "backfill"
DRAWS = 4
"""Groups among which that one is moved first whose reservations are granted first. Assumption: as good as all."""


class CephBalance:
    """How pieces come onto the OSDs of the servers of a pool that hold nothing yet."""

    def __init__(self, store: DescribedStore) -> None:
        assert isinstance(store.what, RadosOperations)
        assert isinstance(store.placement, PlacementGroups)
        self._store, self._what, self._spec, self._layout = store, store.what, store.what.spec, store.layout
        self._old, self._groups = store.nodes, store.placement.groups
        self._new = self._layout.groups[self._spec.servers][len(self._old) :]
        self._throttles = {
            drive: self._throttle(node, drive) for node in self._new for drive in node.bays[self._spec.bay]
        }
        self._begun = 0
        self._sending: Counter[Device] = Counter()

    def intakes(self, held: float, moved: float) -> list[Intake]:
        """Return how each new server takes in its part of `moved` bytes; the placement groups share what is held."""
        piece = held / len(self._groups) / self._spec.code.pieces
        return [self._intake(*part, piece) for part in shared(self._new, self._spec.bay, moved)]

    def _intake(self, node: Node, bytes: float, piece: float) -> Intake:
        drives, most = node.bays[self._spec.bay], self._spec.recovery.max_backfills
        part = bytes / len(drives) / most
        steps = min(math.ceil(part / piece), MOST_STEPS)
        ways = [self._backfills(node, drive, part / steps, steps) for drive in drives for _ in range(most)]
        return Intake(bytes, ways, steps, [self._throttles[drive] for drive in drives])

    def _throttle(self, node: Node, drive: Device) -> Resource:
        """Return what all backfills of an OSD take together at most; without a limit that is what its drive takes."""
        most = min(self._spec.recovery.most(spins=self._what.spins), drive.write_rate())
        name = f"{drive.resource.name.removeprefix(node.name + '/')}-{KEY}"
        return self._layout.of(node, name, THROTTLE, f"{node.group}/{KEY}", "B", most)

    def _backfills(self, node: Node, drive: Device, size: float, steps: int) -> Iterator[Step]:
        """Yield backfills of pieces of so many bytes, each of the group whose first OSD sends least."""
        for _ in range(steps):
            drawn = [self._groups[self._chance(draw) % len(self._groups)] for draw in range(DRAWS)]
            group = min(drawn, key=lambda group: self._sending[group[0][1]])
            self._sending[group[0][1]] += 1
            self._begun += 1
            ended = Deferred(partial(self._ended, group[0][1]))
            yield Sequence((self._backfilled(node, drive, size, group), ended))

    def _chance(self, draw: int) -> int:
        return mix(self._store.salt, self._begun, draw, 19)

    def _ended(self, source: Device) -> Step:
        self._sending[source] -= 1
        return AT_ONCE

    def _backfilled(self, node: Node, drive: Device, size: float, group: Series[Piece]) -> Step:
        """Return the step that moves a piece of a placement group onto an OSD."""
        spec, layout, cpu = self._spec, self._layout, self._spec.osd_cpu
        first = group[0]
        holder = first if spec.code.data == 1 else group[self._chance(DRAWS) % len(group)]
        uses = holder[1].read("direct") + layout.transfer(holder[0], first[0]) + layout.transfer(first[0], node)
        uses += drive.write("direct") + first[0].compute(cpu) + node.compute(cpu)
        uses += [] if holder is first else holder[0].compute(cpu)
        uses.append(Use(self._throttles[drive], 1.0, 1.0))
        links = (layout.stream_rate(holder[0], first[0]), layout.stream_rate(first[0], node))
        rate = min(holder[1].read_rate(), drive.write_rate(), *links)
        _, allowed = self._what.backfill(spec.object_size, holder[1], drive)
        active = float(spec.recovery.active(spins=self._what.spins))
        flow = Flow(tuple(uses), rate, "one backfill", weight=active).joined(Flow((), allowed, "backfill throttle"))
        return turns(spec, first[1], drive, flow.move(size))
