"""Steps, written into the tables of the step loop.

What is executed is written part by part, and leaves the tables when it is done. Steps with parts of their own, which
many tasks may share, are written once and known by their identity; those that nothing under way names any more are
taken out now and then. Of a sequence within another one the parts are written in its place, until it comes again: then
it is shared, too. Each work has its demand with it: the loop finds out which demands are equal. One of very many uses,
as of a fetch from all drives, is written once for all works that have it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from struct import Struct, pack_into
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.columns import Columns
from models.work import (
    Await,
    Deferred,
    Delay,
    Demand,
    Failover,
    Hold,
    Parallel,
    Pieces,
    Pool,
    Repeat,
    Sequence,
    Step,
    Work,
    WriteBehind,
)
from simulator.fluid.activities import Activities, grown
from simulator.fluid.state import KEPT, NONE
from simulator.steps.state import (
    ASKS,
    AWAIT,
    CACHED,
    DEFERRED,
    DELAY,
    FREE,
    HOLD,
    NEED,
    NEEDS,
    PARALLEL,
    PIECES,
    PLANNED,
    REPEAT,
    ROOT,
    SENT,
    SEQUENCE,
    STEP,
    WORK,
    WRITE_BEHIND,
)
from simulator.steps.tables import DEMAND_KIND, ROW, ROWS, StepTables

FULL = 4096  # Assumption: with fewer new shared steps nobody looks which of them are needed no more
FULLEST = 1 << 16  # and with as many somebody does, even if what is taken out comes again: some 100 MB
AGAIN = 0.25  # of those new ones, that many sequences that were taken out before are reason to keep twice as many
LARGE = 256  # Assumption: uses of a demand, 6 kB, which no documented run has, from which on works name it
CODE = 0x7FFFFFFF  # bits of a hash that a code keeps: it is a number from 0 on
ASKED_ABOUT = (WORK, DEFERRED, REPEAT)
WITH_PARTS = (SEQUENCE, PARALLEL, HOLD, WRITE_BEHIND, PIECES)

_AS_STEP = Struct("d4i")  # as STEP
_STEP = _AS_STEP.pack
_DEMAND = Struct("d2id").pack  # as DEMAND
_NEED = "d2id"  # as NEED


class StepWriter:
    """Writes steps, and knows the pools and milestones that they name."""

    def __init__(self, tables: StepTables, activities: Activities) -> None:
        self.pools: list[Pool] = []
        self.milestones: dict[str, int] = {}  # row of each
        self._tables, self._activities = tables, activities
        self._rooms: dict[str, int] = {}  # row of each pool, by its name
        self._layouts: dict[int, Struct] = {}  # of as many needs
        self._longest = 0  # of the demands in words
        self._resources = len(activities.known)
        self._shared: list[Step | None] = []  # by number
        self._records: list[bytes] = []  # of each of them
        self._number_of: dict[int, int] = {}  # by identity
        self._free: list[int] = []
        self._units: dict[Hashable, Work] = {}  # one unit of each large demand, by its identity
        self._owner = np.full(ROWS, NONE, np.int32)  # of each row of a part: the number of its step
        self._new = 0  # since somebody looked which are needed
        self._again = 0  # sequences that came again since then, after they were taken out
        self._since = object()  # stands for that moment: later ones know nothing of the words of earlier ones
        self._full = self._least = FULL
        self.is_full = False  # whether as many shared steps were written as were needed before
        self._writers: dict[type, Callable[[Any, int], bytes]] = {
            Failover: self._work,
            Work: self._unit,
            Sequence: self._sequence,
            Parallel: self._parallel,
            Hold: self._hold,
            WriteBehind: self._write_behind,
            Await: self._await,
            Deferred: self._deferred,
            Repeat: self._repeat,
        }

    def write(self, step: Step) -> tuple[int, int]:
        """Write a step, of a sequence its parts; return the first row, and the number of rows.

        Raises:
            ValueError: it, or a part, cannot be carried out.
        """
        return self._tables.put(self._in_turn(step) if type(step) is Sequence else self._words((step,)))

    def _in_turn(self, step: Sequence) -> bytes:
        """Return the parts of a sequence as in their table, made into words once."""
        known = self._known(step)
        if known is None:
            self._again += step.words is not None
            known = self._words(step.steps, is_series=True)
            step.words = self._since, known  # type: ignore[misc]  # what it says stays the same
        return known

    def _known(self, step: Sequence) -> bytes | None:
        """Return the words of a sequence that has come before."""
        words: Any = step.words
        known: bytes | None = words[1] if words is not None and words[0] is self._since else None
        return known

    def _words(self, steps: Iterable[Step], *, is_series: bool = False) -> bytes:
        """Return steps as in their table; those of a `series` follow each other."""
        words: list[bytes] = []
        last: Step | None = None
        for step in steps:
            if step is not last:  # as the pieces of a write are
                last = step
                if type(step) is Delay:
                    record = _STEP(_seconds(step), DELAY, self._activities.cap(step.cause), NONE, 0)
                elif type(step) is Work:
                    is_large = len(step.demand.uses) >= LARGE and 0.0 < step.amount < math.inf
                    record = self._large(step) if is_large else self._work(step, NONE)
                elif type(step) is Pieces:
                    record = self._pieces(step)
                elif (number := self._number_of.get(id(step))) is not None:
                    record = self._records[number]
                elif is_series and type(step) is Sequence and self._known(step) is None:
                    record, last = self._in_turn(step), None
                else:
                    record = self._share(step)
            words.append(record)
        return b"".join(words)

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

    def keep_needed(self) -> None:
        """Take out the shared steps that nothing under way names."""
        for number in np.flatnonzero(~self._needed()).tolist():
            step = self._shared[number]
            if step is not None:
                self._forget(number, step)
        if self._again > AGAIN * self._new:
            self._least = min(2 * self._least, FULLEST)
        self._full = max(self._least, len(self._shared) - len(self._free))
        self._new, self._again, self.is_full = 0, 0, False
        self._since = object()

    def _needed(self) -> NDArray[np.bool_]:
        """Return which shared steps something under way names."""
        tables, members = self._tables.all, self._activities.tables.members
        is_needed = np.zeros(len(self._shared), np.bool_)
        frames = tables.frames[tables.frames["kind"] != FREE]
        has_own = (frames["kind"] == ROOT) | (frames["kind"] == PLANNED)
        own, others = frames[has_own], frames[~has_own & (frames["first"] >= 0)]
        numbers = np.concatenate([self._owner[others["first"]], members["step"][members["owner"] >= 0]])
        parts = _ranges(own["first"], own["last"])
        while len(parts) or len(numbers):
            steps = tables.steps[parts]
            asked = steps["first"][np.isin(steps["kind"], ASKED_ABOUT)]
            numbers = np.concatenate([numbers, asked, self._owner[_with_parts(steps)["first"]]])
            is_named = np.zeros(len(is_needed), np.bool_)
            is_named[numbers[numbers >= 0]] = True
            numbers = np.flatnonzero(is_named & ~is_needed)  # np.unique would import numpy.ma
            is_needed[numbers] = True
            records = b"".join([self._records[number][:ROW] for number in numbers.tolist()])
            shared = _with_parts(np.frombuffer(records, STEP))
            parts, numbers = _ranges(shared["first"], shared["first"] + shared["many"]), numbers[:0]
        return is_needed

    def _forget(self, number: int, step: Step) -> None:
        """Take a shared step out."""
        _, kind, _, first, many = _AS_STEP.unpack_from(self._records[number])
        if kind in WITH_PARTS and many:
            self._tables.give_back(first, many)
        if type(step) is Work:
            asked = self._activities.tables.kinds["asked"]
            asked[asked == first + 2] = NONE  # behind the work and its demand
            del self._units[step.demand.identity]
        del self._number_of[id(step)]
        self._shared[number] = None
        self._free.append(number)

    def _share(self, step: Step) -> bytes:
        """Write a step with its parts, and keep it in mind."""
        self._new += 1
        self.is_full = self._new > self._full
        if self._free:
            number = self._free.pop()
        else:
            number = len(self._shared)
            self._shared.append(None)
            self._records.append(b"")
        try:
            record = self._records[number] = self._writers[type(step)](step, number)
        except ValueError:
            self._free.append(number)
            raise
        self._shared[number] = step
        self._number_of[id(step)] = number
        return record

    def _parts(self, words: bytes, number: int) -> tuple[int, int]:
        """Write the parts of a shared step; return the row of the first, and their number."""
        first, many = self._tables.put(words)
        if first + many > len(self._owner):
            self._owner = grown(self._owner, first + many)
        self._owner[first : first + many] = number
        return first, many

    def _work(self, step: Work, number: int) -> bytes:
        """Return a work, with its demand behind it."""
        amount, demand = step.amount, step.demand
        if not 0.0 <= amount < math.inf:
            raise ValueError(f"amount of a work must be >= 0 and finite (got {amount})")
        rows = demand.rows or self._rows(demand)
        size = len(rows)
        if size > self._longest:
            self._longest = size
            self._activities.reach_needs(len(demand.uses))
        return _STEP(amount, WORK, self._activities.cap(demand.cap), number, size // ROW - 1) + rows

    def _large(self, step: Work) -> bytes:
        """Return a work of a large demand as one piece of so many units of it."""
        unit = self._units.get(step.demand.identity)
        if unit is None:
            unit = Work(1.0, step.demand)
            self._share(unit)
            self._units[step.demand.identity] = unit
            self._new += len(step.demand.uses) // LARGE  # as it takes the memory of many others
        _, _, _, first, parts = _AS_STEP.unpack_from(self._records[self._number_of[id(unit)]])
        return _STEP(step.amount, PIECES, 1, first, parts)

    def _unit(self, step: Work, number: int) -> bytes:
        rows = bytearray(self._work(step, NONE))
        pack_into("i", rows, ROW + DEMAND_KIND, KEPT)
        return _STEP(0.0, SEQUENCE, NONE, *self._parts(bytes(rows), number))

    def _rows(self, demand: Demand) -> bytes:
        """Return a demand as in the table of steps, and keep that: models have many works of a demand.

        Raises:
            ValueError: it uses a resource that was added after the tables were made.
        """
        uses, weight = demand.uses, demand.weight
        if isinstance(uses, Columns) and uses.end <= self._resources:
            packed = _columns(uses, weight)
        else:
            packed = self._each(demand)
        bound = demand.max_rate / weight
        rows = _DEMAND(bound, ASKS, (hash(packed) ^ hash(bound)) & CODE, weight) + packed
        demand.rows = rows  # type: ignore[misc]  # what it says stays the same
        return rows

    def _each(self, demand: Demand) -> bytes:
        """Return the needs of a demand, use by use."""
        many, weight, known = len(demand.uses), demand.weight, self._resources
        needs: list[float] = []
        for resource, cost, moved in demand.uses:
            index = resource.index
            if index >= known:
                raise ValueError(f"resource {resource.name!r} was added after the run began")
            needs += (cost * weight, NEEDS, index, moved * weight)
        layout = self._layouts.get(many)
        if layout is None:
            layout = self._layouts[many] = Struct(_NEED * many)
        return layout.pack(*needs)

    def _pieces(self, step: Pieces) -> bytes:
        """Return pieces, whose step is shared by all that are made of it."""
        size, many = step.size, step.many
        if not 0.0 <= size < math.inf or many < 1:
            raise ValueError(f"pieces must be one at least, of a size >= 0 and finite (got {many} of {size})")
        number = self._number_of.get(id(step.step))
        of = self._share(step.step) if number is None else self._records[number]
        _, _, _, first, parts = _AS_STEP.unpack_from(of)
        return _STEP(size, PIECES, many, first, parts)

    def _deferred(self, step: Deferred, number: int) -> bytes:
        if step.likely is not None:
            self._words((step.likely,), is_series=True)
        return _STEP(0.0, DEFERRED, NONE, number, 0)

    def _repeat(self, step: Repeat, number: int) -> bytes:
        return _STEP(0.0, REPEAT, NONE, number, 0)

    def _sequence(self, step: Sequence, number: int) -> bytes:
        return _STEP(0.0, SEQUENCE, NONE, *self._parts(self._in_turn(step), number))

    def _parallel(self, step: Parallel, number: int) -> bytes:
        return _STEP(len(step.steps), PARALLEL, NONE, *self._parts(self._words(step.steps), number))

    def _hold(self, step: Hold, number: int) -> bytes:
        room, pool, amount = self._room(step.pool), step.pool, step.amount
        if amount > pool.capacity:
            raise ValueError(f"cannot hold {amount} of the pool {pool.name!r} of {pool.capacity}")
        return _STEP(_of_pool(amount, pool), HOLD, room, *self._parts(self._words((step.step,)), number))

    def _write_behind(self, step: WriteBehind, number: int) -> bytes:
        room, pool = self._room(step.pool), step.pool
        return _STEP(_of_pool(step.amount, pool), WRITE_BEHIND, room, *self._parts(self._words((step.drain,)), number))

    def _await(self, step: Await, number: int) -> bytes:
        return _STEP(0.0, AWAIT, self.milestone(step.milestone), NONE, 0)

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
        common = self._room(pool.common) if pool.common else NONE
        rooms = self._tables.all.rooms
        side = CACHED if pool.is_cache else SENT
        rooms[row] = (pool.capacity, pool.capacity, 0, 0, NONE, NONE, common, NONE, 0, side)
        if common != NONE:
            ring = rooms["next"]
            first = row if ring[common] == NONE else ring[common]
            ring[row], ring[first], ring[common] = ring[first], row, first
        return row


def _with_parts(steps: NDArray[np.void]) -> NDArray[np.void]:
    """Return those of some steps that have parts."""
    return steps[np.isin(steps["kind"], WITH_PARTS) & (steps["many"] > 0)]


def _columns(uses: Columns, weight: float) -> bytes:
    """Return the needs of a demand whose uses are columns."""
    needs = np.zeros(len(uses), NEED)
    needs["resource"], needs["cost"], needs["bytes"] = uses.table * ((1.0,), (weight,), (weight,))
    needs["kind"] = NEEDS
    return needs.tobytes()


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
