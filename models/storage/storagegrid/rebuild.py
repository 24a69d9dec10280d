"""StorageGRID restores a storage node: its objects are rebuilt from copies or fragments on the others.

A failed drive is the business of the node's array, which rebuilds it on the spare room of its other drives; the grid
restores a node that is lost with all its drives, once it has been replaced: `rebuilt_objects` at a time, each read from
another copy, or from k other fragments, and written to a drive of the node.

Source: NetApp, StorageGRID documentation, "Recover appliance Storage Node". Assumption: how many objects at a time.
Not covered: the rebuild of the index, lifecycle rules that place copies elsewhere meanwhile, CPU time of decoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series
from itertools import islice

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.flow import Flow
from models.storage.placement import mix
from models.storage.storagegrid.store import StorageGridStore
from models.work import Delay, Hold, Pool, Sequence, Step, Work


class RebuildGridStore(StorageGridStore):
    """StorageGRID that knows objects with a piece on a lost node."""

    _lost: tuple[Node, list[int], float]

    @property
    def data(self) -> int:
        """Pieces that hold the bytes of an object once."""
        return self.what.pieces[1]

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take note of objects of `size` bytes that have `pieces` pieces on a node, on all of its drives."""
        names: list[int] = []
        name = 0
        while len(names) < pieces:
            if any(holder is node for holder, _ in self._pieces_of(name)):
                names.append(name)
            name += 1
        self._lost = node, names, size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how a node is restored once it has been replaced."""
        return Repair(0.0, self._restored, needs_replacement=True)

    def _restored(self) -> Iterator[Piece]:
        node, names, size = self._lost
        for name in names:
            yield Piece(size / self.what.pieces[1], self._restore(name, node, size))

    def _restore(self, name: int, node: Node, size: float) -> Step:
        """Return the step that rebuilds the piece of an object on a node."""
        share, others = 1 / self.what.pieces[1], [piece for piece in self._pieces_of(name) if piece[0] is not node]
        (target,) = (device for holder, device in self._pieces_of(name) if holder is node)
        uses, rate = list(target.write("direct", share)), target.write_rate() / share
        start = mix(self.salt, name, 5) % len(others)
        for holder, device in (others[start:] + others[:start])[: self.what.pieces[1]]:
            uses += device.read("direct", share) + self.layout.transfer(holder, node, share)
            rate = min(rate, device.read_rate() / share)
        work = Work(size, Flow(tuple(uses), rate, "one restored object").demand)
        streams = Pool(f"{node.name}/restore", self.spec.rebuilt_objects)
        return Hold(streams, 1, Sequence((Delay(self.request_time), work)))

    def _pieces_of(self, name: int) -> list[tuple[Node, Device]]:
        return list(islice(self.placement.order(name), self.what.pieces[0]))
