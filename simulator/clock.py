"""Simulated time: a SimPy environment that also knows when the next fluid work ends.

Works have no events in SimPy's queue, so there is nothing stale in it. An instant is over when no event of the same
time is left; only then are the rates of all works shared anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from heapq import heappop, heappush

import simpy
from simpy.core import EmptySchedule

from simulator.activities import Activities, Done

CALL = 2  # priority of plain calls: after SimPy's URGENT (0) and NORMAL (1) events of the same time
POLL = 4096  # Assumption: steps between two looks at whether to stop; some 10 ms


class Cancelled(Exception):  # noqa: N818 - says what happened
    """The run was stopped from outside before its end."""


class Clock(simpy.Environment):
    """SimPy's queue of events and the ends of works, in one order of time."""

    def __init__(self, activities: Activities, should_stop: Callable[[], bool]) -> None:
        super().__init__(0.0)
        self._activities = activities
        self._should_stop = should_stop
        self._steps = 0

    def call_at(self, time: float, action: Done) -> None:
        """Call a function at a time (s), after the SimPy events of that time.

        Raises:
            ValueError: the time is past, or not a number.
        """
        if not self._now <= time < math.inf:
            raise ValueError(f"time must be >= {self._now} and finite (got {time})")
        heappush(self._queue, (time, CALL, next(self._eid), action))  # type: ignore[misc]

    def poll(self) -> None:
        """Look whether the run is to stop.

        Raises:
            Cancelled: it is.
        """
        self._steps = 0
        if self._should_stop():
            raise Cancelled(f"cancelled at {self._now} s of simulated time")

    def step(self) -> None:
        """Let the next thing happen: one event of the queue, or the ends of the works that end next.

        Raises:
            Cancelled: the run is to stop.
            EmptySchedule: nothing is left.
        """
        self._steps += 1
        if self._steps >= POLL:
            self.poll()
        queue = self._queue
        if (not queue or queue[0][0] > self._now) and self._advance():
            return
        if not queue:
            raise EmptySchedule
        if queue[0][1] == CALL:
            self._now, _, _, action = heappop(queue)
            action()  # type: ignore[operator]
        else:
            super().step()

    def _advance(self) -> bool:
        """Go on to the next ends of works if they come before the queue's next event; return whether they did."""
        activities = self._activities
        horizon = self._queue[0][0] if self._queue else math.inf
        if activities.is_settled and activities.next_end > horizon:
            return False
        time, ended = activities.advance(self._now, horizon)
        if not ended:
            return False
        self._now = time
        for done in ended:
            done()
        return True
