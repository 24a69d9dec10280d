"""Scenarios side by side: the same chances for all, so that a difference is one of the scenarios and not of luck.

Replication i of every scenario draws from the streams of seed + i. The interval of a difference is that of the mean of
the paired differences (common random numbers), by Student's distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from models.scenario import Scenario
from simulator.run import interval_of_mean
from simulator.studies.measures import Measure, leading, measures
from simulator.studies.points import Answer


@dataclass(frozen=True, slots=True)
class Difference:
    """A scenario's mean less the baseline's, of one measure: in its unit, with the 95 % interval.

    The interval is None for a single replication.
    """

    value: float
    interval: tuple[float, float] | None
    baseline: float

    @property
    def change(self) -> float:
        """The difference as a fraction of the baseline, NaN where that is 0: data that is only kept takes no time."""
        return self.value / self.baseline if self.baseline else math.nan

    @property
    def is_noise(self) -> bool:
        """Whether the replications do not tell the two apart."""
        return self.interval is not None and self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, slots=True)
class Compared:
    """One scenario of a comparison; `leading` are the measures that all scenarios lead by, in their order.

    `difference` is that of the first of these to the first scenario, None for the first scenario itself.
    """

    name: str
    scenario: Scenario
    answer: Answer
    measures: dict[str, Measure]
    leading: tuple[str, ...]
    difference: Difference | None

    @property
    def values(self) -> tuple[float, ...]:
        """The values of the first leading measure, one by one over the replications."""
        return values_of(self.answer, self.leading[0])

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean of the first leading measure, None for a single replication."""
        return interval_of_mean(self.values)


def compare(
    names: Sequence[str],
    scenarios: Sequence[Scenario],
    answers: Sequence[Answer],
    years: Sequence[float | None] | None = None,
) -> list[Compared]:
    """Return scenarios with their answers beside the first; costs are over so many `years`, or those of its prices."""
    names_leading = tuple(leading(answers))
    values = [values_of(answer, names_leading[0]) for answer in answers]
    return [
        Compared(
            name=name,
            scenario=scenario,
            answer=answer,
            measures=measures(scenario, answer, years=years[i] if years else None),
            leading=names_leading,
            difference=None if i == 0 else difference(values[i], values[0]),
        )
        for i, (name, scenario, answer) in enumerate(zip(names, scenarios, answers, strict=True))
    ]


def values_of(answer: Answer, measure: str) -> tuple[float, ...]:
    """Return the values of the duration, or of a leading measure, one by one over the replications."""
    return answer.durations if measure == "duration" else answer.leading[measure]


def difference(values: Sequence[float], baseline: Sequence[float]) -> Difference:
    """Return the difference of two runs that were made with the same seeds, by their values of one measure."""
    gaps = [one - other for one, other in zip(values, baseline, strict=True)]
    return Difference(fmean(gaps), interval_of_mean(gaps), fmean(baseline))
