"""Scenarios side by side: the same chances for all, so that a difference is one of the scenarios and not of luck.

Replication i of every scenario draws from the streams of seed + i. The interval of a difference is that of the mean of
the paired differences (common random numbers), by Student's distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.scenario import Scenario
from simulator.studies.measures import Measure, measures
from simulator.studies.points import Answer

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Difference:
    """A scenario's mean duration less the baseline's: seconds, and the 95 % interval, None for a single replication."""

    seconds: float
    interval: tuple[float, float] | None
    baseline: float

    @property
    def change(self) -> float:
        """The difference as a fraction of the baseline, NaN where that takes no time: data that is only kept."""
        return self.seconds / self.baseline if self.baseline else math.nan

    @property
    def is_noise(self) -> bool:
        """Whether the replications do not tell the two apart."""
        return self.interval is not None and self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, slots=True)
class Compared:
    """One scenario of a comparison; `difference` is that to the first, None for the first itself."""

    name: str
    scenario: Scenario
    answer: Answer
    measures: dict[str, Measure]
    difference: Difference | None


def compare(names: Sequence[str], scenarios: Sequence[Scenario], answers: Sequence[Answer]) -> list[Compared]:
    """Return scenarios with their answers beside the first."""
    baseline = answers[0]
    return [
        Compared(
            name=name,
            scenario=scenario,
            answer=answer,
            measures=measures(scenario, answer),
            difference=None if i == 0 else difference(answer, baseline),
        )
        for i, (name, scenario, answer) in enumerate(zip(names, scenarios, answers, strict=True))
    ]


def difference(answer: Answer, baseline: Answer) -> Difference:
    """Return the difference of two answers that were made with the same seeds."""
    gaps = np.array(answer.durations) - np.array(baseline.durations)
    mean = float(gaps.mean())
    return Difference(mean, _interval(mean, gaps), baseline.duration)


def _interval(mean: float, gaps: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float] | None:
    if len(gaps) < 2:
        return None
    from scipy.special import stdtrit  # imported late: a single run needs no interval

    half = float(stdtrit(len(gaps) - 1, (1 + CONFIDENCE) / 2)) * float(np.std(gaps, ddof=1)) / math.sqrt(len(gaps))
    return mean - half, mean + half
