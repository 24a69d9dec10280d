"""An object store makes the pieces of objects anew that were on what failed, on servers that have none of them.

Object by object a server reads k pieces and writes the missing one; `rebuild_streams` at a time on each server that
takes one. An object lies where its name puts it, its parts as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from itertools import islice

from models.hardware.cluster import Device, Node
from models.outage import Piece as Part, Repair
from models.storage.described import Piece
from models.storage.described_store import Cast, DescribedStore
from models.storage.flow import Flow, compute
from models.storage.object_store.operations import DirectOperations
from models.work import Deferred, Delay, Failover, Hold, Pool, Sequence, Step


class DirectRebuild:
    """How the objects that are known to lie in a store are made whole."""

    def __init__(self, store: DescribedStore) -> None:
        assert isinstance(store.what, DirectOperations)
        self._store, self._spec, self._outage = store, store.what.spec, store.outage
        self._objects: dict[tuple[bool, int], float] = {}

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take account of an object of `size` bytes, which a job reads or writes."""
        self._objects[is_output, name] = size

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take account of objects of `size` bytes with `pieces` pieces on some drives of a server."""
        name = 0
        while pieces > 0:
            here = sum(device in devices for _, device in self._held(name))
            if here:
                self.hold(name, size)
            pieces -= here
            name += 1

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of an object, and those of one of its pieces."""
        return object_size, object_size / self._spec.code.data

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how objects are made whole after the loss of some resources, or of a whole server."""
        waits = is_server and len(self._store.nodes) == self._spec.code.pieces
        return Repair(
            0.0 if waits else self._spec.rebuild_delay, lambda: self._pieces(resources), needs_replacement=waits
        )

    def lost(self) -> float:
        """Return the bytes of objects of which too few pieces are left."""
        code = self._spec.code
        return math.fsum(size for (_, name), size in self._objects.items() if len(self._left(name)) < code.data)

    def _number(self, name: int) -> int:
        return Cast(self._store, name, self._store.nodes[0]).number(0)

    def _held(self, name: int) -> list[Piece]:
        """Return the pieces of an object, those that were rebuilt where they are now."""
        number, count = self._number(name), self._spec.code.pieces
        found = islice(self._store.placement.order(number), count)
        return [self._store.moved.get((number, piece[1]), piece) for piece in found]

    def _left(self, name: int) -> list[Piece]:
        return [piece for piece in self._held(name) if self._outage.holds_data(*piece)]

    def _pieces(self, resources: set[int]) -> Iterator[Part]:
        data = self._spec.code.data
        by_left = sorted(self._objects.items(), key=lambda item: len(self._left(item[0][1])))
        for (_, name), size in by_left:
            origins = islice(self._store.placement.order(self._number(name)), self._spec.code.pieces)
            for origin, (_, device) in zip(origins, self._held(name), strict=True):
                if device.resource.index in resources and len(self._left(name)) >= data:
                    yield Part(size / data, self._rebuilt(name, origin, size / data))

    def _rebuilt(self, name: int, origin: Piece, size: float) -> Step:
        """Return the step that makes a piece of an object anew, on the next server in the order of its name."""
        number, left = self._number(name), self._left(name)
        taken = [node for node, _ in self._held(name) if node.index not in self._outage.nodes]
        order = self._store.placement.order(number)
        free = (piece for piece in order if self._outage.takes_writes(*piece) and piece[0] not in taken)
        target = next(free, None) or self._beside(origin)

        def again(rest: float) -> Step:
            is_possible = len(self._left(name)) >= self._spec.code.data
            return self._rebuilt(name, origin, rest) if is_possible else Delay(0.0)

        def moved() -> Step:
            self._store.moved[number, origin[1]] = target
            return Delay(0.0)

        work = Failover(size, self._flow(left[: self._spec.code.data], target).demand, again)
        streams = Pool(f"{target[0].name}/rebuild", float(self._spec.rebuild_streams))
        return Hold(streams, 1.0, Sequence((work, Deferred(moved))))

    def _beside(self, origin: Piece) -> Piece:
        """Return another drive of the server of a lost piece, or the drive that replaced its own."""
        node, lost = origin
        up = [drive for drive in node.bays[self._spec.bay] if self._outage.takes_writes(node, drive)]
        return node, (lost if lost in up or not up else up[lost.resource.index % len(up)])

    def _flow(self, sources: Series[Piece], target: Piece) -> Flow:
        """Return the flow per byte of a piece: k reads to the server that takes it, and a write there."""
        spec, layout, (node, drive) = self._spec, self._store.layout, target
        uses, rate = drive.write("direct") + node.compute(spec.piece_cpu), drive.write_rate()
        for holder, device in sources:
            uses += device.read("direct") + layout.transfer(holder, node) + holder.compute(spec.piece_cpu)
            rate = min(rate, device.read_rate(), layout.stream_rate(holder, node))
        decoding = spec.encode_cpu * len(sources) if len(sources) > 1 else 0.0
        return Flow(tuple(uses), rate, "one rebuild stream").joined(compute(node, decoding))
