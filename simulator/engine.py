"""The engine: executes the steps that the models answer with, on a SimPy clock."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import simpy

from models.work import Resources, Step
from simulator.activities import Activities, ConservationError
from simulator.clock import Cancelled, Clock
from simulator.recorder import Books
from simulator.step_runner import Done, StepRunner
from simulator.step_state import BEHIND

__all__ = ["BEHIND", "Books", "Cancelled", "ConservationError", "Engine", "StuckError"]


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

    @property
    def now(self) -> float:
        """The present simulated time (s)."""
        return self.env.now

    @property
    def waited(self) -> dict[int, float]:
        """Seconds that write-behinds with a tag waited for room, summed over them."""
        return self.steps.waited

    def execute(self, step: Step, done: Done, tag: int = 0) -> None:
        """Let a step begin at this instant; `done` is called when it has ended. `tag` says to whom it belongs.

        Raises:
            ValueError: the step cannot be carried out.
        """
        self.steps.execute(step, done, tag)

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
        """Say how a work on a lost resource goes on; here none is lost."""
        raise AssertionError("no resource is lost")

    def _waits(self) -> str:
        """Return in words what waits for a milestone or for room in a pool."""
        lines = "; ".join(self.steps.waits())
        return f"nothing can happen any more, but {lines}" if lines else ""


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
