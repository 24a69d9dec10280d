"""Which attempts at the tasks of a stage are slow, so that a copy of them starts elsewhere."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable

from models.speculation import Speculation
from simulator.engine import Attempt


class Watch:
    """The attempts at the tasks of one stage that have no copy, and how long those took that have ended.

    A task gets one copy, and another one only if it is redone. `next` is when the next look is due (s).
    """

    def __init__(self, rule: Speculation, tasks: int) -> None:
        self._rule, self._tasks = rule, tasks
        self._enough = max(math.floor(rule.quantile * tasks + 1e-9), 1)
        self._times: list[float] = []  # the shortest first
        self._alone: dict[Attempt, float] = {}  # since when they run, the oldest first
        self._rests_until = 0.0
        self._pairs = 0  # tasks at which two attempts run
        self._looked = 0  # copies that the present look has started
        self.next = math.inf
        self.started = self.won = 0

    def begin(self, attempt: Attempt, now: float) -> None:
        """Watch an attempt that begins."""
        self._alone[attempt] = now

    def leave(self, attempt: Attempt, *, had_twin: bool) -> None:
        """Watch an attempt no more, which has ended or was stopped."""
        self._alone.pop(attempt, None)
        self._pairs -= had_twin

    def end(self, seconds: float, *, is_copy: bool) -> None:
        """Keep how long an attempt took that has ended its task."""
        insort(self._times, seconds)
        self.won += is_copy

    def due(self, ended: int) -> float:
        """Return from when on the oldest attempt is slow (s), or a look may follow the last one; infinity for never."""
        if ended < self._enough or not self._alone:
            return math.inf
        return max(next(iter(self._alone.values())) + self._most, self._rests_until)

    def slow(self, now: float) -> list[Attempt]:
        """Return the attempts that are slow, the oldest first."""
        most = self._most
        return [attempt for attempt, began in self._alone.items() if now >= began + most]

    def has_room(self, running: int) -> bool:
        """Tell whether the present look may start another copy, while so many tasks run."""
        return self._looked < self._rule.at_once and self._pairs < self._rule.most(self._tasks, running)

    def copy(self, attempt: Attempt) -> None:
        """Take notice that an attempt has a copy."""
        del self._alone[attempt]
        self._pairs += 1
        self._looked += 1
        self.started += 1

    def rest(self, now: float) -> None:
        """Let the next look come after the pause that follows the present one."""
        self.next = math.inf
        self._rests_until = now + (self._rule.pause if self._looked else self._rule.interval)
        self._looked = 0

    @property
    def _most(self) -> float:
        """Seconds after which an attempt is slow."""
        middle = len(self._times) // 2
        return self._rule.multiplier * (self._times[middle] + self._times[~middle]) / 2


def copies(watches: Iterable[Watch | None]) -> tuple[str, ...]:
    """Return in words how many copies of slow tasks were started and how many ended first; nothing where none was."""
    known = [watch for watch in watches if watch is not None]
    started, won = sum(watch.started for watch in known), sum(watch.won for watch in known)
    return (f"copies of slow tasks: {started:,} started, {won:,} of them ended first",) if started else ()
