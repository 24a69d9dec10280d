"""The tables of the step loop, as Python holds them: they double when they are full."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.fluid.activities import grown
from simulator.fluid.state import NONE, rows
from simulator.steps.loop import LOOKS
from simulator.steps.state import CALL, DEMAND, FRAME, LOOP, MILESTONE, NEED, ROOM, STEP, TODO, Steps

ROWS = 256  # Assumption: tables start with so many rows and double when full.
ROW = STEP.itemsize
STRIDE = ROW // 4


def _offset(rows: np.dtype[Any], name: str) -> int:
    """Return at which byte of a row a column begins."""
    assert rows.fields is not None
    return rows.fields[name][1]


DEMAND_KIND = _offset(DEMAND, "kind")
LINK = _offset(STEP, "object") // 4  # where a free block of steps names the next one
STEP_AT, FRAME_AT = (_offset(LOOP, name) // 4 for name in ("step", "frame"))


class StepTables:
    """The tables, and views through which Python writes into them fast."""

    def __init__(self, resources: int) -> None:
        steps = rows(ROWS, STEP)
        self.all = Steps(
            loop=rows(1, LOOP),
            steps=steps,
            demands=steps.view(DEMAND),
            needs=steps.view(NEED),
            blocks=np.full(ROWS, NONE, np.int32),
            frames=rows(ROWS, FRAME),
            rooms=rows(ROWS, ROOM),
            milestones=rows(ROWS, MILESTONE),
            calls=rows(ROWS, CALL),
            todo=rows(ROWS, TODO),
            waited=np.zeros(ROWS),
            is_alive=np.zeros(ROWS, np.bool_),
            is_lost=np.zeros(max(resources, 1), np.bool_),
            inbox=np.zeros(ROWS),
        )
        self.all.loop["free"] = NONE
        self.all.loop["look"] = LOOKS
        self.loop = memoryview(self.all.loop.view(np.int32))
        self._top = 1  # of the rows of steps; the first one stays empty
        self.grow(0)

    def grow(self, needed: int, *names: str) -> None:
        """Double tables until they have more rows than needed."""
        tables = {name: grown(getattr(self.all, name), needed) for name in names}
        if "steps" in tables:
            tables |= {"demands": tables["steps"].view(DEMAND), "needs": tables["steps"].view(NEED)}
        self.all = self.all._replace(**tables)
        self.inbox = memoryview(self.all.inbox)
        self._step_bytes = memoryview(self.all.steps.view(np.uint8))
        self._links = memoryview(self.all.steps.view(np.int32))
        self._heads = memoryview(self.all.blocks)

    def put(self, words: bytes) -> tuple[int, int]:
        """Put rows of steps side by side into the table; return the first, and their number."""
        size = len(words)
        many = size // ROW
        if many >= len(self._heads):
            self.grow(many, "blocks")
        first: int = self._heads[many]
        if first >= 0:
            self._heads[many] = self._links[STRIDE * first + LINK]
        else:
            first = self._top
            self._top += many
            if self._top > len(self.all.steps):
                self.grow(self._top, "steps")
        at = first * ROW
        self._step_bytes[at : at + size] = words
        return first, many

    def give_back(self, first: int, many: int) -> None:
        """Give rows of steps back."""
        self._links[STRIDE * first + LINK] = self._heads[many]
        self._heads[many] = first
