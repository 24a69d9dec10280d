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


class GridRestore:
    """How the objects that have a piece on a lost node are restored."""

    def __init__(self, store: StorageGridStore) -> None:
        self._store = store
        self._pieces, self._data = store.what.pieces
        self._full: tuple[Node, list[int], float] | None = None

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is restored at a time, an object, and those of one copy or fragment."""
        return object_size, object_size / self._data

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take note of objects of `size` bytes that have `pieces` pieces on a node, on all of its drives."""
        names: list[int] = []
        name = 0
        while len(names) < pieces:
            if any(holder is node for holder, _ in self._pieces_of(name)):
                names.append(name)
            name += 1
        self._full = node, names, size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how a node is restored once it has been replaced."""
        return Repair(0.0, self._restored, needs_replacement=True)

    def lost(self) -> float:
        """Return the bytes that have no way back: none, a node that is restored has other copies or fragments."""
        return 0.0

    def _restored(self) -> Iterator[Piece]:
        assert self._full is not None  # studies fill the store first
        node, names, size = self._full
        for name in names:
            yield Piece(size / self._data, self._restore(name, node, size))

    def _restore(self, name: int, node: Node, size: float) -> Step:
        """Return the step that rebuilds the piece of an object on a node."""
        store, share = self._store, 1 / self._data
        others = [piece for piece in self._pieces_of(name) if piece[0] is not node]
        (target,) = (device for holder, device in self._pieces_of(name) if holder is node)
        uses, rate = list(target.write("direct", share)), target.write_rate() / share
        start = mix(store.salt, name, 5) % len(others)
        for holder, device in (others[start:] + others[:start])[: self._data]:
            uses += device.read("direct", share) + store.layout.transfer(holder, node, share)
            rate = min(rate, device.read_rate() / share)
        work = Work(size, Flow(tuple(uses), rate, "one restored object").demand)
        streams = Pool(f"{node.name}/restore", store.spec.rebuilt_objects)
        return Hold(streams, 1, Sequence((Delay(store.request_time), work)))

    def _pieces_of(self, name: int) -> list[tuple[Node, Device]]:
        return list(islice(self._store.placement.order(name), self._pieces))
