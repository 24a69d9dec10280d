"""Steps, written into the tables of the step loop.

What is executed is written part by part, and leaves the tables when it is done. Steps with parts of their own, which
many tasks may share, are written once and known by their identity; those that nothing under way names any more are
taken out now and then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.work import (
    Await,
    Deferred,
    Delay,
    Failover,
    Hold,
    Parallel,
    Pool,
    Repeat,
    Sequence,
    Step,
    Work,
    WriteBehind,
)
from simulator.activities import Activities, grown
from simulator.state import NONE
from simulator.step_state import (
    AWAIT,
    DEFERRED,
    DELAY,
    FREE,
    HOLD,
    PARALLEL,
    PLANNED,
    REPEAT,
    ROOT,
    SEQUENCE,
    STEP,
    WORK,
    WRITE_BEHIND,
)
from simulator.step_tables import ROWS, StepTables

FULL = 4096  # Assumption: with fewer new shared steps and demands nobody looks which of them are needed no more

_STEP = "d4i"  # as STEP
ROW = STEP.itemsize

Record = tuple[float, int, int, int, int]
"""A step as in its table."""

_NOTHING: Record = (0.0, 0, NONE, NONE, 0)


class StepWriter:
    """Writes steps, and knows the pools and milestones that they name."""

    def __init__(self, tables: StepTables, activities: Activities) -> None:
        self.pools: list[Pool] = []
        self.milestones: dict[str, int] = {}  # row of each
        self._tables, self._activities = tables, activities
        self._rooms: dict[str, int] = {}  # row of each pool, by its name
        self._layouts: dict[int, Struct] = {}
        self._packed: dict[int, tuple[Step, bytes]] = {}  # by identity: steps that were executed, in words
        self._shared: list[Step | None] = []  # by number
        self._records: list[Record] = []  # of each of them
        self._number_of: dict[int, int] = {}  # by identity
        self._free: list[int] = []
        self._owner = np.full(ROWS, NONE, np.int32)  # of each row of a part: the number of its step
        self._new = 0  # since somebody looked which are needed
        self._full = FULL
        self._writers: dict[type, Callable[[Any, int], Record]] = {
            Failover: self._work,
            Sequence: self._sequence,
            Parallel: self._parallel,
            Hold: self._hold,
            WriteBehind: self._write_behind,
            Await: self._await,
            Deferred: self._deferred,
            Repeat: self._repeat,
        }

    def write(self, step: Step) -> tuple[int, int]:
        """Write a step, of a sequence its parts; return the row of the first, and their number.

        What is executed again and again is made into words once.

        Raises:
            ValueError: it, or a part, cannot be carried out.
        """
        known = self._packed.get(id(step))
        if known is None:
            words = self._words(step.steps if type(step) is Sequence else (step,))
            if len(self._packed) >= FULL:
                self._packed.clear()
            known = self._packed[id(step)] = (step, words)
        return self._put(known[1])

    def _put(self, words: bytes) -> tuple[int, int]:
        """Put words into the table of steps; return the first row, and the number of rows."""
        tables, size = self._tables, len(words)
        many = size // ROW
        first = tables.block(many)
        at = first * ROW
        tables.step_bytes[at : at + size] = words
        return first, many

    def _words(self, steps: Iterable[Step]) -> bytes:
        """Return steps as in their table."""
        words: list[float] = []
        last: Step | None = None
        record = _NOTHING
        for step in steps:
            if step is last:  # as the pieces of a write are
                words += record
            elif type(step) is Work:
                words += self._work(step, NONE)
            elif type(step) is Delay:
                words += (_seconds(step), DELAY, self._activities.cap(step.cause), NONE, 0)
            else:
                number = self._number_of.get(id(step))
                last, record = step, self._records[number] if number is not None else self._share(step)
                words += record
        many = len(words) // len(_NOTHING)
        layout = self._layouts.get(many)
        if layout is None:
            layout = self._layouts[many] = Struct(_STEP * many)
        return layout.pack(*words)

    def shared(self, number: int) -> Step | None:
        """Return the shared step of a number, None for NONE."""
        return None if number < 0 else self._shared[number]

    def milestone(self, name: str) -> int:
        """Return the row of a milestone."""
        row = self.milestones.get(name)
        if row is None:
            row = self.milestones[name] = len(self.milestones)
            if row >= len(self._tables.all.milestones):
                self._tables.grow(row, "milestones")
            self._tables.all.milestones[row] = (0, NONE, NONE)
        return row

    @property
    def is_full(self) -> bool:
        """Whether as many shared steps and demands were written as were needed before."""
        return self._new + self._activities.new > self._full

    def keep_needed(self) -> None:
        """Take out the shared steps that nothing under way names, and the demands that no other step names."""
        self._packed.clear()
        is_needed, demands = self._needed()
        self._activities.keep(demands)
        for number in np.flatnonzero(~is_needed).tolist():
            step = self._shared[number]
            if step is not None:
                self._forget(number, step)
        self._new = 0
        self._full = max(FULL, len(self._shared) - len(self._free) + self._activities.demands)

    def _needed(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which shared steps something under way names, and which demands it or they name."""
        tables, members = self._tables.all, self._activities.tables.members
        is_needed = np.zeros(len(self._shared), np.bool_)
        demands = np.zeros(len(self._activities.tables.demands), np.bool_)
        frames = tables.frames[tables.frames["kind"] != FREE]
        has_own = (frames["kind"] == ROOT) | (frames["kind"] == PLANNED)
        own, others = frames[has_own], frames[~has_own & (frames["first"] >= 0)]
        numbers = np.concatenate([self._owner[others["first"]], members["step"][members["owner"] >= 0]])
        parts = _ranges(own["first"], own["last"])
        while len(parts) or len(numbers):
            steps = tables.steps[parts]
            works = steps["kind"] == WORK
            demands[steps["object"][works]] = True
            asked = steps["first"][works | (steps["kind"] == DEFERRED) | (steps["kind"] == REPEAT)]
            numbers = np.unique(np.concatenate([numbers, asked, self._owner[steps["first"][steps["many"] > 0]]]))
            numbers = numbers[numbers >= 0]
            numbers = numbers[~is_needed[numbers]]
            is_needed[numbers] = True
            records = [self._records[number] for number in numbers.tolist()]
            firsts, counts = (np.array([record[at] for record in records], np.int64) for at in (3, 4))
            parts, numbers = _ranges(firsts, firsts + counts), numbers[:0]
        return is_needed, demands

    def _forget(self, number: int, step: Step) -> None:
        """Take a shared step out."""
        _, _, _, first, many = self._records[number]
        if many:
            self._tables.give_back(first, many)
        del self._number_of[id(step)]
        self._shared[number] = None
        self._free.append(number)

    def _share(self, step: Step) -> Record:
        """Write a step with its parts, and keep it in mind."""
        self._new += 1
        if self._free:
            number = self._free.pop()
        else:
            number = len(self._shared)
            self._shared.append(None)
            self._records.append(_NOTHING)
        try:
            record = self._records[number] = self._writers[type(step)](step, number)
        except ValueError:
            self._free.append(number)
            raise
        self._shared[number] = step
        self._number_of[id(step)] = number
        return record

    def _parts(self, steps: Iterable[Step], number: int) -> tuple[int, int]:
        """Write the parts of a shared step; return the row of the first, and their number."""
        first, many = self._put(self._words(steps))
        if first + many > len(self._owner):
            self._owner = grown(self._owner, first + many)
        self._owner[first : first + many] = number
        return first, many

    def _work(self, step: Work, number: int) -> Record:
        amount, demand = step.amount, step.demand
        if not 0.0 <= amount < math.inf:
            raise ValueError(f"amount of a work must be >= 0 and finite (got {amount})")
        if demand.weight != 1.0:
            amount /= demand.weight
        return amount, WORK, self._activities.row(demand), number, 0

    def _deferred(self, step: Deferred, number: int) -> Record:
        return 0.0, DEFERRED, NONE, number, 0

    def _repeat(self, step: Repeat, number: int) -> Record:
        return 0.0, REPEAT, NONE, number, 0

    def _sequence(self, step: Sequence, number: int) -> Record:
        return 0.0, SEQUENCE, NONE, *self._parts(step.steps, number)

    def _parallel(self, step: Parallel, number: int) -> Record:
        return 0.0, PARALLEL, NONE, *self._parts(step.steps, number)

    def _hold(self, step: Hold, number: int) -> Record:
        room, pool, amount = self._room(step.pool), step.pool, step.amount
        if amount > pool.capacity:
            raise ValueError(f"cannot hold {amount} of the pool {pool.name!r} of {pool.capacity}")
        return _of_pool(amount, pool), HOLD, room, *self._parts((step.step,), number)

    def _write_behind(self, step: WriteBehind, number: int) -> Record:
        room, pool = self._room(step.pool), step.pool
        amount = min(_of_pool(step.amount, pool), pool.capacity)
        return amount, WRITE_BEHIND, room, *self._parts((step.drain,), number)

    def _await(self, step: Await, number: int) -> Record:
        return 0.0, AWAIT, self.milestone(step.milestone), NONE, 0

    def _room(self, pool: Pool) -> int:
        """Return the row of a pool."""
        row = self._rooms.get(pool.name)
        if row is None:
            return self._new_room(pool)
        known = self.pools[row]
        if known is not pool and known != pool:
            raise ValueError(f"pool {pool.name!r} has capacity {known.capacity} already (got {pool.capacity})")
        return row

    def _new_room(self, pool: Pool) -> int:
        if not pool.capacity > 0:
            raise ValueError(f"capacity of the pool {pool.name!r} must be > 0 (got {pool.capacity})")
        row = self._rooms[pool.name] = len(self.pools)
        self.pools.append(pool)
        if row >= len(self._tables.all.rooms):
            self._tables.grow(row, "rooms")
        self._tables.all.rooms[row] = (pool.capacity, pool.capacity, 0, 0, NONE, NONE)
        return row


def _seconds(step: Delay) -> float:
    """Return how long a delay takes, and refuse one that cannot be."""
    seconds = step.seconds
    if not 0.0 <= seconds < math.inf:
        raise ValueError(f"a delay must be >= 0 s and finite (got {seconds})")
    return seconds


def _of_pool(amount: float, pool: Pool) -> float:
    """Return an amount of a pool, and refuse one that cannot be."""
    if not amount >= 0:
        raise ValueError(f"amount of the pool {pool.name!r} must be >= 0 (got {amount})")
    return amount


def _ranges(firsts: NDArray[Any], lasts: NDArray[Any]) -> NDArray[np.int64]:
    """Return the numbers from each first to each last, without these."""
    counts = lasts - firsts
    ends = np.cumsum(counts, dtype=np.int64)
    starts = np.repeat(firsts - (ends - counts), counts)
    return np.asarray(np.arange(len(starts)) + starts, np.int64)
