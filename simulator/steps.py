"""Steps carried out on the clock: how each kind begins and when it is done.

Steps are interpreted with callbacks, so a task costs no process. To begin a step answers whether it was done at once;
only otherwise is its callback called, later. So a long sequence of instant steps does not recurse.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from models.work import Await, Deferred, Delay, Hold, Parallel, Pool, Sequence, Step, Work, WriteBehind
from simulator.activities import Activities, Done
from simulator.clock import Clock
from simulator.rooms import Room

BEHIND = 1
"""What drains behind a work with a tag is booked under this much more; callers number their tags accordingly."""

Begin = Callable[[Any, Done, int], bool]


class Interpreter:
    """Carries out steps on works and a clock; all that belong to one run share what waits for room and milestones."""

    def __init__(self, activities: Activities, env: Clock) -> None:
        self.activities, self.env = activities, env
        self.waited: dict[int, float] = {}  # seconds that write-behinds with a tag waited for room, summed over them
        self._rooms: dict[str, Room] = {}
        self._reached: set[str] = set()
        self._awaiting: dict[str, list[Done]] = {}
        self._begin: dict[type, Begin] = self._beginnings()

    def execute(self, step: Step, done: Done, tag: int = 0) -> None:
        """Let a step begin at this instant; `done` is called when it has ended. `tag` says to whom it belongs."""
        if self.begin(step, done, tag):
            self.env.call_at(self.env.now, done)

    def begin(self, step: Step, done: Done, tag: int) -> bool:
        """Let a step begin at this instant; return True if it was done at once, else `done` will be called."""
        return self._begin[type(step)](step, done, tag)

    def _beginnings(self) -> dict[type, Begin]:
        """Return what begins each kind of step."""
        return {
            Work: self.activities.begin,
            Delay: self.env.begin,
            Sequence: self._begin_sequence,
            Parallel: self._begin_parallel,
            Hold: self._begin_hold,
            WriteBehind: self._begin_write_behind,
            Await: self._begin_await,
        }

    def _begin_sequence(self, step: Sequence, done: Done, tag: int) -> bool:
        series = _Series(self._begin, step, tag)
        if series.go_on():
            return True
        series.done = done
        return False

    def _begin_parallel(self, step: Parallel, done: Done, tag: int) -> bool:
        join = _Join(len(step.steps) + 1, done)
        for each in step.steps:
            if self._begin[type(each)](each, join.leave, tag):
                join.left -= 1
        join.left -= 1  # the one that kept it open while its steps began
        return join.left == 0

    def _begin_hold(self, step: Hold, done: Done, tag: int) -> bool:
        room = self._room(step.pool)
        if step.amount > room.pool.capacity:
            raise ValueError(f"cannot hold {step.amount} of the pool {room.pool.name!r} of {room.pool.capacity}")

        held = _Held(self._begin, step, room, done, tag)
        if not room.take(step.amount):
            room.wait(step.amount, held.enter)
            return False
        if not self._begin[type(step.step)](step.step, held.leave, tag):
            return False
        room.give_back(step.amount)
        return True

    def _begin_write_behind(self, step: WriteBehind, done: Done, tag: int) -> bool:
        pool = step.pool
        room = self._rooms.get(pool.name)
        if room is None or room.pool is not pool:
            room = self._room(pool)
        amount = step.amount if step.amount <= pool.capacity else pool.capacity
        if not room.take(amount):
            room.wait(amount, partial(self._go_behind, step.drain, amount, room, done, tag, self.env.now))
            return False
        self._drain(step.drain, amount, room, tag)
        return True

    def _go_behind(self, drain: Step, amount: float, room: Room, done: Done, tag: int, since: float) -> None:
        """Let a write-behind that waited since a time (s) drain, and what follows it go on."""
        self.waited[tag] = self.waited.get(tag, 0.0) + self.env.now - since
        self._drain(drain, amount, room, tag)
        done()

    def _drain(self, drain: Step, amount: float, room: Room, tag: int) -> None:
        back = room.backs.get(amount)
        if back is None:
            back = room.backs[amount] = partial(room.give_back, amount)
        if self._begin[type(drain)](drain, back, tag + BEHIND):
            back()

    def _begin_deferred(self, step: Deferred, done: Done, tag: int) -> bool:
        return self.begin(step.plan(), done, tag)

    def _begin_await(self, step: Await, done: Done, tag: int) -> bool:
        if step.milestone in self._reached:
            return True
        self._awaiting.setdefault(step.milestone, []).append(done)
        return False

    def _room(self, pool: Pool) -> Room:
        room = self._rooms.get(pool.name)
        if room is None:
            room = self._rooms[pool.name] = Room(pool)
        elif room.pool is not pool and room.pool != pool:
            raise ValueError(f"pool {pool.name!r} has capacity {room.pool.capacity} already (got {pool.capacity})")
        return room


class _Series:
    """A sequence on its way; `done` is called once it has come to a step that takes time."""

    __slots__ = ("_begin", "_steps", "_tag", "done")

    def __init__(self, begin: dict[type, Begin], sequence: Sequence, tag: int) -> None:
        self._begin = begin
        self._steps = iter(sequence.steps)
        self._tag = tag
        self.done: Done | None = None

    def go_on(self) -> bool:
        """Begin steps until one takes time; return whether all are done."""
        begin, go_on, tag = self._begin, self.go_on, self._tag
        for step in self._steps:
            if not begin[type(step)](step, go_on, tag):
                return False
        if self.done is not None:
            self.done()
        return True


class _Held:
    """A hold on its way: whoever leaves goes on before the next in line comes in, as in SimPy."""

    __slots__ = ("_begin", "_done", "_hold", "_room", "_tag")

    def __init__(self, begin: dict[type, Begin], hold: Hold, room: Room, done: Done, tag: int) -> None:
        self._begin, self._hold, self._room, self._done, self._tag = begin, hold, room, done, tag

    def enter(self) -> None:
        step = self._hold.step
        if self._begin[type(step)](step, self.leave, self._tag):
            self.leave()

    def leave(self) -> None:
        self._done()
        self._room.give_back(self._hold.amount)


class _Join:
    """The end of a parallel: done when the last has left."""

    __slots__ = ("_done", "left")

    def __init__(self, left: int, done: Done) -> None:
        self.left = left
        self._done = done

    def leave(self) -> None:
        self.left -= 1
        if self.left == 0:
            self._done()
