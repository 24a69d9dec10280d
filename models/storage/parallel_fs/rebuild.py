"""RAID rebuilds a drive: whole, whatever lies on it, from all drives of its group that are left.

A classic group writes to a spare drive of its server, or to the one that replaces the lost one where there is none; a
declustered array to spare room on all of its drives, from all of them. Either goes on at `target.rebuild_rate` at most,
beside the requests. Of a server that is lost with its drives nothing can be rebuilt.

Source: md(4), Linux, dev.raid.speed_limit_max; OpenZFS, dRAID; IBM Storage Scale RAID.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.flow import Flow
from models.storage.parallel_fs.store import ParallelFsStore, TargetDrives
from models.work import Deferred, Delay, Failover, Hold, Pool, Step

PIECES = 1000
"""Parts in which a drive is rebuilt. Assumption: fine enough for requests to get in between, and for its end."""


class RaidRebuild:
    """How the drives of RAID groups are rebuilt."""

    def __init__(self, store: ParallelFsStore) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._gone: set[TargetDrives] = set()
        self._promised: set[Device] = set()

    def fill(self, held: Series[tuple[Node, Device]], pieces: int, size: float, times: float = 1.0) -> None:
        """Take no account: whole drives are rebuilt."""

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is rebuilt at a time, whatever objects there are, and those on one drive."""
        return object_size, object_size / self._spec.target.data

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how the drives among some lost resources are rebuilt; of a group that is lost none is."""
        self._gone.update(filter(self._store.is_lost, self._targets()))
        waits = is_server or not self._has_spare()
        return Repair(0.0, lambda: self._pieces(resources), needs_replacement=waits)

    def lost(self) -> float:
        """Return the bytes of the run that lay on targets which have lost more drives than they can do without."""
        return self._store.held * len(self._gone) / len(self._targets())

    def _targets(self) -> list[TargetDrives]:
        return [target for held in self._store.targets for target in held]

    def _has_spare(self) -> bool:
        target = self._spec.target
        bays = [len(node.bays[self._spec.bay]) for node in {held[0].server for held in self._store.targets}]
        return all(bay > target.groups(bay) * target.drives or target.declustered for bay in bays)

    def _capacity(self, target: TargetDrives) -> float:
        return getattr(target.drives[0].drive, "capacity", 0.0)

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        seen: set[int] = set()
        for target in self._targets():
            for drive in target.drives:
                if drive.resource.index in resources - seen and target not in self._gone:
                    seen.add(drive.resource.index)
                    turn = Pool(f"{drive.resource.name}/rebuild", 1.0)
                    yield from self._in_turn(turn, target, drive, self._capacity(target) / PIECES)

    def _in_turn(self, turn: Pool, target: TargetDrives, lost: Device, size: float) -> Iterator[Piece]:
        """Yield the parts of a drive, one after the other; then its group does without it."""
        spare = self._spare(target, lost)

        def whole() -> Step:
            for other in (group for group in self._targets() if lost in group.drives):
                kept = [drive for drive in other.drives if drive is not lost]
                other.drives = tuple(kept if self._spec.target.declustered else [*kept, spare])
            return Delay(0.0)

        yield from (Piece(size, Hold(turn, 1.0, self._rebuilt(target, spare, size))) for _ in range(PIECES))
        yield Piece(0.0, Hold(turn, 1.0, Deferred(whole)))

    def _rebuilt(self, target: TargetDrives, spare: Device, size: float) -> Step:
        """Return the step that rebuilds `size` bytes of a drive."""

        def again(left: float) -> Step:
            return Delay(0.0) if self._store.is_lost(target) else self._rebuilt(target, spare, left)

        return Failover(size, self._flow(target, spare).demand, again)

    def _flow(self, target: TargetDrives, spare: Device) -> Flow:
        """Return the flow per byte of a drive: k reads from what is left, and a write."""
        code, server = self._spec.target, target.server
        left = [drive for drive in target.drives if self._outage.holds_data(server, drive)]
        uses = [use for drive in left for use in drive.read("direct", code.data / len(left))]
        written = left if code.declustered else [spare]
        uses += [use for drive in written for use in drive.write("direct", 1 / len(written))]
        reading = min(drive.read_rate() for drive in left) * len(left) / code.data
        rate = min(reading, written[0].write_rate() * len(written))
        return Flow(tuple(uses), min(rate, code.rebuild_bandwidth), "rebuild rate")

    def _spare(self, target: TargetDrives, lost: Device) -> Device:
        """Return the drive that takes the place of a lost one: a spare, or its replacement."""
        code, drives = self._spec.target, target.server.bays[self._spec.bay]
        spares = drives[code.groups(len(drives)) * code.drives :]
        free = (drive for drive in spares if drive not in self._promised)
        spare = next((drive for drive in free if self._outage.takes_writes(target.server, drive)), lost)
        self._promised.add(spare)
        return spare
