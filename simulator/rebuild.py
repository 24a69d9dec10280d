"""A repair on its way: its pieces start at their pace and compete with all else; it is over when the last has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from models.outage import Piece, Repair
from simulator.engine import Engine


class Rebuild:
    """The pieces of one repair: bytes made safe so far, and when the last piece ended (s)."""

    def __init__(self, engine: Engine, repair: Repair, on_end: Callable[[], None]) -> None:
        self.rebuilt = 0.0
        self.ended_at: float | None = None
        self._engine, self._repair, self._on_end = engine, repair, on_end
        self._pieces: Iterator[Piece] = iter(())
        self._under_way = 0
        self._is_started = False  # all of its pieces

    def start(self) -> None:
        """Begin; the pieces are those that are needed at this instant."""
        self._pieces = iter(self._repair.pieces())
        self._next_batch()

    def _next_batch(self) -> None:
        repair = self._repair
        batch = list(islice(self._pieces, repair.batch if repair.interval else None))
        self._is_started = not repair.interval or len(batch) < repair.batch
        self._under_way += len(batch)
        for piece in batch:
            self._engine.execute(piece.step, partial(self._on_rebuilt, piece.bytes))
        if self._is_started:
            self._end_if_done()
        else:
            self._engine.call_after(repair.interval, self._next_batch)

    def _on_rebuilt(self, bytes: float) -> None:
        self.rebuilt += bytes
        self._under_way -= 1
        self._end_if_done()

    def _end_if_done(self) -> None:
        if self._is_started and self._under_way == 0:
            self.ended_at = self._engine.now
            self._on_end()
