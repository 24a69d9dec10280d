"""The engine: executes the steps that the models answer with, on a SimPy clock.

Resources may go down: what uses them ends early, goes on by another way, or fails. A `Failover` goes on as it says
itself. Other work of a task's attempt makes the attempt fail; work behind its back (a page cache that drains, a
rebuild) is given up. Works that begin on a lost resource end likewise at once.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import simpy
from numpy.typing import NDArray

from models.work import Failover, Resources, Step
from simulator.clock import Cancelled, Clock
from simulator.fluid.activities import Activities, ConservationError
from simulator.fluid.recorder import Behind, Books, HeldUp
from simulator.fluid.state import NONE
from simulator.steps.loop import LOOKS
from simulator.steps.runner import Done, StepRunner
from simulator.steps.state import CACHED, SENT, SIDES

__all__ = ["SIDES", "Attempt", "Books", "Cancelled", "ConservationError", "Engine", "StuckError"]


class StuckError(RuntimeError):
    """Nothing can happen any more, and yet something waits."""


class Engine:
    """Executes steps on shared resources; times are simulated seconds.

    `should_stop` is asked now and then during a run; its yes ends the run with `Cancelled`. With a `tolerance` above 0
    a work of which no more than that part is left ends when another one ends.
    """

    def __init__(
        self, resources: Resources, *, should_stop: Callable[[], bool] | None = None, tolerance: float = 0.0
    ) -> None:
        self._should_stop = should_stop
        self._is_cancelled = False
        self.activities = Activities(resources, tolerance)
        self.steps = StepRunner(self.activities)
        self.env = Clock(self.steps, self._is_to_stop, self._rescue)
        self._kept: dict[int, dict[str, float]] = {}
        self._attempts: list[Attempt] = []
        self._executed = 0

    @property
    def now(self) -> float:
        """The present simulated time (s)."""
        return self.env.now

    @property
    def waited(self) -> dict[int, float]:
        """Seconds that steps with a tag waited for room in pools, summed over them."""
        return self.steps.waited

    def held_up(self, tag: int) -> HeldUp:
        """Return what held the works of a tag up so far."""
        works = self.activities.blamed(tag, self.now) | self._kept.get(tag, {})
        return HeldUp(works, self._behind(tag + CACHED), self._behind(tag + SENT))

    def _behind(self, side: int) -> Behind:
        return Behind(self.activities.blamed(side, self.now), self.steps.waited_for(side))

    def keep(self, tag: int, limit: str, seconds: float) -> None:
        """Note for so many seconds, summed over what could have begun, that a limit kept works of a tag from it."""
        kept = self._kept.setdefault(tag, {})
        kept[limit] = kept.get(limit, 0.0) + seconds

    def execute(self, step: Step, done: Done, tag: int = 0, attempt: int = NONE) -> None:
        """Let a step begin at this instant; `done` is called when it has ended. `tag` says to whom it belongs.

        It may be that of an `attempt`, told by its number. Of many that begin at once some ask whether to stop.

        Raises:
            Cancelled: the run is to stop.
            ValueError: the step cannot be carried out.
        """
        self.steps.execute(step, done, tag, attempt)
        self._executed += 1
        if self._executed % LOOKS == 0:
            self.env.poll()

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
        self.steps.reach(name)

    def lose(self, resources: set[int]) -> None:
        """Let resources go down."""
        self.steps.lose(resources)
        for step, left, frame in [self.steps.withdraw(member, self.now) for member in self.activities.using(resources)]:
            self._rescue(step, left, frame)

    def restore(self, resources: set[int]) -> None:
        """Let resources come up again."""
        self.steps.restore(resources)

    def reserve(self, parts: NDArray[np.float64]) -> None:
        """Leave to works what others do not have of each resource from now on, of which they have some part."""
        self.activities.reserve(parts, self.now)

    def join(self, attempt: Attempt) -> int:
        """Return the number of a new attempt."""
        self._attempts.append(attempt)
        number = len(self._attempts) - 1
        self.steps.begin_attempt(number)
        return number

    def end(self, attempt: Attempt) -> None:
        """Take the works of an attempt away."""
        attempt.is_alive = False
        self.steps.end_attempt(attempt.number, self.now)

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

    def _rescue(self, step: Step | None, left: float, frame: int) -> None:
        """Let what is left of a work on a lost resource go on elsewhere, or its attempt fail."""
        number = self.steps.attempt_of(frame)
        attempt = None if number < 0 else self._attempts[number]
        if attempt is not None and not attempt.is_alive:
            return
        if isinstance(step, Failover):
            self.steps.begin(step.again(left), frame)
        elif attempt is None:
            self.steps.finish(frame)
        else:
            attempt.fail()

    def _waits(self) -> str:
        """Return in words what waits for a milestone or for room in a pool."""
        lines = "; ".join(self.steps.waits())
        return f"nothing can happen any more, but {lines}" if lines else ""


class Attempt:
    """One try at a task, which may fail or be ended from outside; then nothing of it goes on.

    What it writes behind drains all the same: that is in the hands of the page cache.
    """

    def __init__(self, engine: Engine, on_failure: Callable[[Attempt], None]) -> None:
        self._engine, self._on_failure = engine, on_failure
        self.is_alive = True
        self.number = engine.join(self)

    def execute(self, step: Step, done: Done, tag: int) -> None:
        """Let a step begin at this instant; `done` is called when it has ended, unless the attempt ends before."""
        self._engine.execute(step, done, tag, self.number)

    def fail(self) -> None:
        """End, and tell who is to try again."""
        if self.is_alive:
            self._engine.end(self)
            self._on_failure(self)


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
