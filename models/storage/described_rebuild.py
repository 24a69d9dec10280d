"""How a described storage system makes lost pieces anew in a run of jobs: object by object, under its own throttles.

A piece is rebuilt on what replaced its drive, or in the free space of a server that holds none of its object. Of an
object that has too few pieces left nothing is rebuilt: it is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series
from itertools import islice

from models.outage import Piece, Repair
from models.storage.described import Piece as Place
from models.storage.described_cast import Cast
from models.storage.described_store import DescribedStore
from models.work import Deferred, Delay, Hold, Pool, Sequence, Step


class DescribedRebuild:
    """How the objects that are known to lie in a store are rebuilt."""

    def __init__(self, store: DescribedStore) -> None:
        self._store = store
        self._objects: dict[tuple[bool, int], float] = {}
        self._gone: set[tuple[bool, int]] = set()
        self._times = 1.0  # objects for which one stands

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take account of an object of `size` bytes, which a job reads or writes."""
        self._objects[is_output, name] = size
        self._gone.discard((is_output, name))

    def fill(self, held: Series[Place], pieces: int, size: float, times: float = 1.0) -> None:
        """Take account of objects of `size` bytes with `pieces` pieces in all on some drives."""
        self._times, devices = times, {device for _, device in held}
        name, count = 0, 0
        while count < pieces:
            here = sum(device in devices for _, device in self._places(name))
            if here and (False, name) not in self._objects:
                self.hold(name, size)
            count += here
            name += 1

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is rebuilt at a time, an object of `object_size` bytes, and those of one piece."""
        return object_size, object_size / self._store.what.pieces[1]

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how objects are rebuilt that had pieces on some lost resources."""
        what = self._store.what
        self._gone.update(key for key in self._known() if not self._cast(key[1]).is_readable)
        waits = not what.rebuilds_into_free_space
        return Repair(what.rebuild_delay, lambda: self._pieces(resources), needs_replacement=waits)

    def lost(self) -> float:
        """Return the bytes of objects that had too few pieces left at some time."""
        return sum(self._known()[key] for key in self._gone) * self._times

    def _known(self) -> dict[tuple[bool, int], float]:
        return self._objects | self._store.objects

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        for key, size in self._known().items():
            for place in self._places(key[1]):
                if place[1].resource.index in resources and key not in self._gone:
                    bytes = size * self._times / self._store.what.pieces[1]
                    yield Piece(bytes, self._rebuilt(key[1], size, place))

    def _places(self, name: int) -> list[Place]:
        """Return where the pieces of an object are."""
        return self._cast(name).home(0)

    def _cast(self, name: int) -> Cast:
        return Cast(self._store, name, self._store.layout.nodes[0])

    def _rebuilt(self, name: int, size: float, lost: Place) -> Step:
        """Return the step that rebuilds a piece that was lost, planned when its turn comes."""
        streams = self._store.what.rebuild_streams

        def begin() -> Step:
            cast = self._cast(name)
            place = self._place(cast, lost)
            if place is None or not cast.is_readable:
                return Delay(0.0)
            cast.rebuilt = place
            flow = self._store.rebuild(cast, size)
            turn = Pool(f"{place[0].name}/rebuild", streams)
            return Sequence(
                (Hold(turn, 1, flow.move(size * self._times)), Deferred(lambda: self._done(cast, lost, place)))
            )

        return Deferred(begin)

    def _place(self, cast: Cast, lost: Place) -> Place | None:
        """Return where a lost piece goes; None where there is no room for it."""
        outage = self._store.outage
        if not self._store.what.rebuilds_into_free_space:
            return lost if outage.takes_writes(*lost) else None
        held = {node for node, _ in cast.home(0)}
        order = self._store.placement.order(cast.number(0))
        free = (place for place in order if place[0] not in held and outage.holds_data(*place))
        return next(islice(free, 1), None)

    def _done(self, cast: Cast, lost: Place, place: Place) -> Step:
        self._store.moved[cast.number(0), lost[1]] = place
        return Delay(0.0)
