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

from models.work import Delay
from simulator.activities import Activities, Done

CALL = 2  # priority of plain calls: after SimPy's URGENT (0) and NORMAL (1) events of the same time
POLL = 4096  # Assumption: things that happen between two looks at whether to stop; some 10 ms


class Cancelled(Exception):  # noqa: N818 - says what happened
    """The run was stopped from outside before its end."""


class Clock(simpy.Environment):
    """SimPy's queue of events and the ends of works, in one order of time."""

    def __init__(self, activities: Activities, should_stop: Callable[[], bool]) -> None:
        super().__init__(0.0)
        self._activities = activities
        self._should_stop = should_stop
        self._left = POLL

    def call_at(self, time: float, action: Done) -> None:
        """Call a function at a time (s), behind the SimPy events of that time.

        Raises:
            ValueError: the time is past, infinite or not a number.
        """
        if not self._now <= time < math.inf:
            raise ValueError(f"time must be >= {self._now} and finite (got {time})")
        heappush(self._queue, (time, CALL, next(self._eid), action))  # type: ignore[misc]

    def begin(self, delay: Delay, done: Done, tag: int) -> bool:
        """Let a delay start at this instant; `done` is called when it is over. Return True if it takes no time.

        Raises:
            ValueError: the delay is negative, infinite or not a number.
        """
        seconds = delay.seconds
        if 0.0 < seconds < math.inf:
            heappush(self._queue, (self._now + seconds, CALL, next(self._eid), done))  # type: ignore[misc]
            return False
        if seconds == 0.0:
            return True
        raise ValueError(f"a delay must be >= 0 s and finite (got {seconds})")

    def poll(self) -> None:
        """Look whether the run is to stop.

        Raises:
            Cancelled: it is.
        """
        if self._should_stop():
            raise Cancelled(f"cancelled at {self._now} s of simulated time")

    def step(self) -> None:
        """Let the next SimPy event happen, and before it all calls and ends of works that come first.

        Raises:
            Cancelled: the run is to stop.
            EmptySchedule: nothing is left.
        """
        queue, activities, left = self._queue, self._activities, self._left
        while True:
            left -= 1
            if left <= 0:
                self.poll()
                left = POLL
            horizon = queue[0][0] if queue else math.inf
            if horizon > self._now and (activities.next_end <= horizon or not activities.is_settled):
                time, ended = activities.advance(self._now, horizon)
                if ended:
                    self._now = time
                    for done in ended:
                        done()
                    continue
            if not queue:
                raise EmptySchedule
            if queue[0][1] != CALL:
                self._left = left
                super().step()
                return
            self._now, _, _, action = heappop(queue)
            action()  # type: ignore[operator]
