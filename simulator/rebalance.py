"""A rebalance on its way: servers that have just come take data in, beside all else that goes on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from models.rebalance import Intake
from models.work import Metrics, Repeat, Step
from simulator.engine import Engine

TIME, PACE = "rebalance time", "rebalance rate"
MEASURED = {TIME: "s", PACE: "B/s"}
"""What is measured of it: until when all has moved, and the bytes that move a second."""


class Rebalancing:
    """What some servers take in, at most so many steps of each way where a sample is asked for."""

    def __init__(self, engine: Engine, intakes: Sequence[Intake], most: int | None = None) -> None:
        self._engine, self._intakes, self._most = engine, intakes, most
        self._ends: list[list[float]] = [[] for _ in intakes]

    def start(self) -> None:
        """Let all of it begin."""
        for intake, ends in zip(self._intakes, self._ends, strict=True):
            for way in intake.ways:
                steps = islice(way, self._most)
                self._engine.execute(Repeat(partial(_next, steps)), partial(self._end, ends))

    @property
    def sampled(self) -> float:
        """Seconds in which all is there, by the rates of the sample: the slowest server decides."""
        return max(map(self._alone, self._intakes, self._ends), default=0.0)

    def metrics(self) -> Metrics:
        """Return what is measured up to now: seconds until all is there at the rate so far, and that rate (B/s)."""
        moved, now = self._engine.close().bytes, self._engine.now
        came = [sum(float(moved[throttle.index]) for throttle in intake.throttles) for intake in self._intakes]
        times = max(map(self._time, self._intakes, self._ends, came), default=0.0)
        ended = max(map(max, self._ends)) if self._is_over else now
        return {TIME: (times, "s"), PACE: (sum(came) / ended if ended else 0.0, "B/s")}

    @property
    def _is_over(self) -> bool:
        return all(len(ends) == len(intake.ways) for intake, ends in zip(self._intakes, self._ends, strict=True))

    def _end(self, ends: list[float]) -> None:
        ends.append(self._engine.now)

    def _alone(self, intake: Intake, ends: Sequence[float]) -> float:
        part = min(self._most or intake.steps, intake.steps) / intake.steps / len(intake.ways)
        return 1 / sum(part / end for end in ends)

    def _time(self, intake: Intake, ends: Sequence[float], came: float) -> float:
        """Return when a server has all its bytes (s), at the rate so far unless it has them."""
        if len(ends) == len(intake.ways):
            return max(ends)
        return intake.bytes * self._engine.now / came if came else math.inf


def _next(steps: Iterator[Step]) -> Step | None:
    return next(steps, None)
