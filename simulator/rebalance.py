"""A rebalance on its way: servers that have just come take data in, beside all else that goes on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from models.rebalance import Intake
from models.work import Delay, Metrics, Repeat, Sequence, Step
from simulator.engine import Engine

TIME, PACE = "rebalance time", "rebalance rate"
MEASURED = {TIME: "s", PACE: "B/s"}
"""What is measured of it: until when all has moved, and the bytes that move a second."""


class Rebalancing:
    """What some servers take in, at most so many steps of each way where a sample is asked for."""

    def __init__(self, engine: Engine, intakes: Series[Intake], most: int | None = None) -> None:
        self._engine, self._most = engine, most
        self._progress = [Progress(intake) for intake in intakes]

    def start(self) -> None:
        """Let all of it begin."""
        for progress in self._progress:
            for way in progress.intake.ways:
                steps = islice(way, self._most)
                self._engine.execute(Repeat(partial(progress.next, steps)), partial(self._end, progress))

    @property
    def sampled(self) -> float:
        """Seconds in which all is there, by the rates of the sample: the slowest server decides."""
        return max((progress.as_in_sample(self._most) for progress in self._progress), default=0.0)

    def metrics(self) -> Metrics:
        """Return what is measured up to now: seconds until all is there, at the pace so far, and the mean rate."""
        moved, now = self._engine.close().bytes, self._engine.now
        time = max((progress.time(moved, now) for progress in self._progress), default=0.0)
        total = sum(progress.intake.bytes for progress in self._progress)
        return {TIME: (time, "s"), PACE: (total / time if time else 0.0, "B/s")}

    def _end(self, progress: Progress) -> None:
        progress.ends.append(self._engine.now)


@dataclass(slots=True, eq=False)
class Progress:
    """How far a server is: when its ways have ended (s), and the steps that have begun."""

    intake: Intake
    ends: list[float] = field(default_factory=list)
    begun: int = 0

    def next(self, steps: Iterator[Step]) -> Step | None:
        """Return the next step of a way, and the pause after it."""
        step = next(steps, None)
        if step is None or not self.intake.pause:
            return step
        self.begun += 1
        return Sequence((step, Delay(self.intake.pause)))

    def as_in_sample(self, most: int | None) -> float:
        """Return the seconds in which all is there, at the rates of ways that have done so many steps at most."""
        steps, ways = self.intake.steps, len(self.intake.ways)
        part = min(most or steps, steps) / steps / ways
        return 1 / sum(part / end for end in self.ends)

    def time(self, moved: NDArray[np.float64], now: float) -> float:
        """Return when all is there (s), by the bytes that have moved over each resource until now.

        Pauses come after each step, as many as there will be: a time before the first has none yet.
        """
        intake = self.intake
        if len(self.ends) == len(intake.ways):
            return max(self.ends)
        came = sum(float(moved[throttle.index]) for throttle in intake.throttles)
        stood = max(self.begun / len(intake.ways) - 1, 0.0) * intake.pause
        return (now - stood) * intake.bytes / came + intake.steps * intake.pause if came else math.inf
