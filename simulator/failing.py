"""An engine on which resources go down: what uses them ends early, goes on by another way, or fails.

A `Failover` goes on as it says itself. Other work of a task's attempt makes the attempt fail; work behind its back (a
page cache that drains, a repair) is given up. Works that begin on a lost resource end likewise at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.work import Await, Deferred, Delay, Failover, Resources, Step, Work, WriteBehind
from simulator.activities import Done
from simulator.engine import Engine
from simulator.steps import Begin, Interpreter


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """The callback of a work: asks nobody who has ended. `attempt` is None for work behind the back of a task."""

    work: Work
    done: Done
    tag: int
    attempt: Attempt | None

    def __call__(self) -> None:
        """Tell that the work is done."""
        if self.attempt is None or self.attempt.is_alive:
            self.done()


class FailingEngine(Engine):
    """Executes steps on resources that may go down; `lost` are their indices."""

    def __init__(
        self, resources: Resources, *, should_stop: Callable[[], bool] | None = None, tolerance: float = 0.0
    ) -> None:
        self.lost: set[int] = set()
        super().__init__(resources, should_stop=should_stop, tolerance=tolerance)

    def lose(self, resources: set[int]) -> None:
        """Let resources go down."""
        self.lost |= resources
        ended = [self.activities.withdraw(member, self.now) for member in self.activities.using(resources, self.now)]
        for guard, left in ended:
            assert isinstance(guard, Guard)
            if self.rescue(guard.work, left, guard.done, guard.tag, guard.attempt):
                guard()

    def restore(self, resources: set[int]) -> None:
        """Let resources come up again."""
        self.lost -= resources

    def start(self, work: Work, done: Done, tag: int, attempt: Attempt | None) -> bool:
        """Let a work start at this instant; return True if it was done at once."""
        if self.lost and any(use.resource.index in self.lost for use in work.demand.uses):
            return self.rescue(work, work.amount, done, tag, attempt)
        return self.activities.begin(work, Guard(work, done, tag, attempt), tag)

    def rescue(self, work: Work, left: float, done: Done, tag: int, attempt: Attempt | None) -> bool:
        """Let what is left of a work on a lost resource go on elsewhere; return True if that was done at once."""
        if attempt is not None and not attempt.is_alive:
            return False
        if isinstance(work, Failover):
            return (attempt or self).begin(work.again(left), done, tag)
        if attempt is None:
            return True
        attempt.fail()
        return False

    def end(self, attempt: Attempt) -> None:
        """Take the works of an attempt away."""
        attempt.is_alive = False
        for member in self.activities.waiting(lambda done: getattr(done, "attempt", None) is attempt, self.now):
            self.activities.withdraw(member, self.now)

    def _beginnings(self) -> dict[type, Begin]:
        def start(work: Work, done: Done, tag: int) -> bool:
            return self.start(work, done, tag, None)

        return {**super()._beginnings(), Work: start, Failover: start, Deferred: self._begin_deferred}


class Attempt(Interpreter):
    """One try at a task, which may fail or be ended from outside; then nothing of it goes on.

    What it writes behind drains all the same: that is in the hands of the page cache.
    """

    def __init__(self, engine: FailingEngine, on_failure: Callable[[Attempt], None]) -> None:
        self._engine, self._on_failure = engine, on_failure
        self.is_alive = True
        super().__init__(engine.activities, engine.env)
        self.waited, self._rooms = engine.waited, engine._rooms
        self._reached, self._awaiting = engine._reached, engine._awaiting

    def fail(self) -> None:
        """End, and tell who is to try again."""
        if self.is_alive:
            self._engine.end(self)
            self._on_failure(self)

    def _beginnings(self) -> dict[type, Begin]:
        def start(work: Work, done: Done, tag: int) -> bool:
            return self._engine.start(work, done, tag, self)

        return {
            **super()._beginnings(),
            Work: start,
            Failover: start,
            Deferred: self._begin_deferred,
            Delay: self._guarded(self.env.begin),
            Await: self._guarded(self._begin_await),
            WriteBehind: self._guarded(self._engine.begin),
        }

    def _guarded(self, begin: Callable[..., bool]) -> Begin:
        """Return what begins a step whose end is told only while the attempt lives."""

        def guarded(step: Step, done: Done, tag: int) -> bool:
            return begin(step, lambda: self.is_alive and done(), tag)

        return guarded
