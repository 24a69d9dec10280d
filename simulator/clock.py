"""Simulated time: a SimPy environment whose clock is moved by the step loop.

SimPy's queue holds only its own events; delays, calls and the ends of works are in the tables of the loop. Of what
happens at one time, ends of works come first, then SimPy's events, then calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import simpy
from simpy.core import EmptySchedule

from models.work import Deferred, Failover, Repeat, Step
from simulator.fluid.activities import ConservationError
from simulator.steps.runner import Done, StepRunner
from simulator.steps.state import CALLBACK, EVENT, FAULT, GROW, LOOK, NOTHING, PLAN, RESCUE

Rescue = Callable[[Step | None, float, int], None]
"""Says how a work goes on that was to begin on a lost resource: its step, what is left of it, and for which frame."""


class Cancelled(Exception):  # noqa: N818 - says what happened
    """The run was stopped from outside before its end."""


class Clock(simpy.Environment):
    """SimPy's queue of events and the step loop, in one order of time."""

    def __init__(self, steps: StepRunner, should_stop: Callable[[], bool], rescue: Rescue) -> None:
        super().__init__(0.0)
        self._steps = steps
        self._should_stop = should_stop
        self._rescue = rescue

    def call_at(self, time: float, action: Done) -> None:
        """Call a function at a time (s), behind the SimPy events of that time.

        Raises:
            ValueError: the time is past, infinite or not a number.
        """
        if not self._now <= time < math.inf:
            raise ValueError(f"time must be >= {self._now} and finite (got {time})")
        self._steps.call_at(time, action)

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
            ConservationError: a work, a resource or a rate broke a law.
            EmptySchedule: nothing is left.
        """
        queue, go, take = self._queue, self._steps.go, self._steps.take_callback
        while True:
            why, self._now, callback = go(self._now, queue[0][0] if queue else math.inf)
            if why == CALLBACK:
                take(callback)()
            elif why == EVENT:
                super().step()
                return
            elif why == LOOK:
                self.poll()
            else:
                self._see_to(why)

    def _see_to(self, why: int) -> None:
        """Do what the step loop needs to go on."""
        steps = self._steps
        if why == GROW:
            steps.make_room()
        elif why == PLAN:
            step, frame = steps.asked()
            assert isinstance(step, (Deferred, Repeat))
            planned = step.plan()
            if planned is None:
                steps.end_repeat(frame)
            else:
                steps.begin(planned, frame)
        elif why == RESCUE:
            step, frame = steps.asked()
            self._rescue(step, step.amount if isinstance(step, Failover) else 0.0, frame)
        elif why == FAULT:
            raise ConservationError(steps.activities.fault(self._now))
        else:
            assert why == NOTHING
            raise EmptySchedule
