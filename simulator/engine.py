"""The engine: executes the steps that the models answer with, on a SimPy clock.

Steps are interpreted with callbacks, so a task costs no process. To begin a step answers whether it was done at once;
only otherwise is its callback called, later. So a long sequence of instant steps does not recurse.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import simpy

from models.work import Await, Delay, Hold, Parallel, Pool, Resources, Sequence, Step, Work, WriteBehind
from simulator.activities import Activities, ConservationError, Done
from simulator.clock import Cancelled, Clock
from simulator.recorder import Books
from simulator.rooms import Room

__all__ = ["Books", "Cancelled", "ConservationError", "Engine", "StuckError"]

BEHIND = 1
"""What drains behind a work with a tag is booked under this much more; callers number their tags accordingly."""


class StuckError(RuntimeError):
    """Nothing can happen any more, and yet something waits."""


class Engine:
    """Executes steps on shared resources; times are simulated seconds.

    `should_stop` is asked now and then during a run; its yes ends the run with `Cancelled`.
    """

    def __init__(self, resources: Resources, *, should_stop: Callable[[], bool] | None = None) -> None:
        self._should_stop = should_stop
        self._is_cancelled = False
        self.activities = Activities(resources)
        self.env = Clock(self.activities, self._is_to_stop)
        self.waited: dict[int, float] = {}  # seconds that write-behinds with a tag waited for room, summed over them
        self._rooms: dict[str, Room] = {}
        self._reached: set[str] = set()
        self._awaiting: dict[str, list[Done]] = {}
        self._begin: dict[type, Callable[[Any, Done, int], bool]] = {
            Work: self.activities.begin,
            Delay: self.env.begin,
            Sequence: self._begin_sequence,
            Parallel: self._begin_parallel,
            Hold: self._begin_hold,
            WriteBehind: self._begin_write_behind,
            Await: self._begin_await,
        }

    @property
    def now(self) -> float:
        """The present simulated time (s)."""
        return self.env.now

    def execute(self, step: Step, done: Done, tag: int = 0) -> None:
        """Let a step begin at this instant; `done` is called when it has ended. `tag` says to whom it belongs."""
        if self._begin[type(step)](step, done, tag):
            self.env.call_at(self.env.now, done)

    def execute_event(self, step: Step, tag: int = 0) -> simpy.Event:
        """Let a step begin at this instant, and return the SimPy event of its end."""
        event = self.env.event()
        self.execute(step, event.succeed, tag)
        return event

    def call_at(self, time: float, action: Done) -> None:
        """Call a function at a time (s), which is not past."""
        self.env.call_at(time, action)

    def call_after(self, delay: float, action: Done) -> None:
        """Call a function after a delay (s)."""
        self.env.call_at(self.env.now + delay, action)

    def milestone(self, name: str) -> None:
        """Reach a milestone: what awaits it goes on, now or later."""
        self._reached.add(name)
        for done in self._awaiting.pop(name, ()):
            done()

    def cancel(self) -> None:
        """End the run with `Cancelled` at its next look."""
        self._is_cancelled = True

    def run(self, until: float | simpy.Event | None = None) -> Any:
        """Run until a time (s), until an event, or until nothing is left; return the value of the event.

        Raises:
            StuckError: something waits for what can never come.
            ConservationError: a work, a resource or a rate broke a law.
            Cancelled: the run was stopped from outside.
        """
        if until is not None and not isinstance(until, simpy.Event) and until <= self.env.now:
            return None
        self.env.poll()
        try:
            with _without_collections():
                value = self.env.run(until)
        except RuntimeError as error:
            if isinstance(until, simpy.Event) and not until.triggered and not isinstance(error, ConservationError):
                raise StuckError(self._waits() or "the event to run to never comes") from None
            raise
        if until is None and (waits := self._waits()):
            raise StuckError(waits)
        return value

    def close(self) -> Books:
        """Return what has been used so far, after checking that the books balance.

        Raises:
            ConservationError: they do not.
        """
        return self.activities.close(self.env.now)

    def _is_to_stop(self) -> bool:
        return self._is_cancelled or (self._should_stop is not None and self._should_stop())

    def _waits(self) -> str:
        """Return in words what waits for a milestone or for room in a pool."""
        lines = [f"{len(who)} wait for the milestone {name!r}" for name, who in self._awaiting.items()]
        lines += [room.waits() for room in self._rooms.values() if room.waiting]
        return "nothing can happen any more, but " + "; ".join(lines) if lines else ""

    def _begin_sequence(self, step: Sequence, done: Done, tag: int) -> bool:
        return _Series(self._begin, step, done, tag).go_on()

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

        def leave() -> None:  # as in SimPy, who leaves goes on before the next in line comes in
            done()
            room.give_back(step.amount)

        def enter() -> None:
            if self._begin[type(step.step)](step.step, leave, tag):
                leave()

        if not room.take(step.amount, enter):
            return False
        if not self._begin[type(step.step)](step.step, leave, tag):
            return False
        room.give_back(step.amount)
        return True

    def _begin_write_behind(self, step: WriteBehind, done: Done, tag: int) -> bool:
        room = self._room(step.pool)
        amount = min(step.amount, room.pool.capacity)
        give_back = partial(room.give_back, amount)

        def drain() -> None:
            if self._begin[type(step.drain)](step.drain, give_back, tag + BEHIND):
                give_back()

        def enter() -> None:
            self.waited[tag] = self.waited.get(tag, 0.0) + self.env.now - since
            drain()
            done()

        since = self.env.now
        if not room.take(amount, enter):
            return False
        drain()
        return True

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


@contextmanager
def _without_collections() -> Iterator[None]:
    """Let Python look for no cyclic garbage: a run makes hardly any, and the looks took up to half of large runs."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Series:
    """A sequence on its way."""

    __slots__ = ("_begin", "_done", "_steps", "_tag")

    def __init__(
        self, begin: dict[type, Callable[[Any, Done, int], bool]], sequence: Sequence, done: Done, tag: int
    ) -> None:
        self._begin = begin
        self._steps = iter(sequence.steps)
        self._done = done
        self._tag = tag

    def go_on(self) -> bool:
        """Begin steps until one takes time; return whether all are done."""
        for step in self._steps:
            if not self._begin[type(step)](step, self._resume, self._tag):
                break
        else:
            return True
        return False

    def _resume(self) -> None:
        if self.go_on():
            self._done()


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
