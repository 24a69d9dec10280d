"""An engine on which resources go down: what uses them ends early, goes on by another way, or fails.

A `Failover` goes on as it says itself. Other work of a task's attempt makes the attempt fail; work behind its back (a
page cache that drains, a repair) is given up. Works that begin on a lost resource end likewise at once.
"""

from __future__ import annotations

from collections.abc import Callable

from models.work import Failover, Resources, Step
from simulator.engine import Engine
from simulator.step_runner import Done


class FailingEngine(Engine):
    """Executes steps on resources that may go down."""

    def __init__(
        self, resources: Resources, *, should_stop: Callable[[], bool] | None = None, tolerance: float = 0.0
    ) -> None:
        super().__init__(resources, should_stop=should_stop, tolerance=tolerance)
        self._attempts: list[Attempt] = []

    def lose(self, resources: set[int]) -> None:
        """Let resources go down."""
        self.steps.lose(resources)
        for step, left, frame in [self.steps.withdraw(member, self.now) for member in self.activities.using(resources)]:
            self._rescue(step, left, frame)

    def restore(self, resources: set[int]) -> None:
        """Let resources come up again."""
        self.steps.restore(resources)

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


class Attempt:
    """One try at a task, which may fail or be ended from outside; then nothing of it goes on.

    What it writes behind drains all the same: that is in the hands of the page cache.
    """

    def __init__(self, engine: FailingEngine, on_failure: Callable[[Attempt], None]) -> None:
        self._engine, self._on_failure = engine, on_failure
        self.is_alive = True
        self.number = engine.join(self)

    def execute(self, step: Step, done: Done, tag: int) -> None:
        """Let a step begin at this instant; `done` is called when it has ended, unless the attempt ends before."""
        self._engine.steps.execute(step, done, tag, self.number)

    def fail(self) -> None:
        """End, and tell who is to try again."""
        if self.is_alive:
            self._engine.end(self)
            self._on_failure(self)
