"""How sure an answer is: an interval from what is assumed, from errors found in validation, and from seeds.

All is said of the logarithm of a measure, since errors of times and rates are factors. An assumed number lies between
two ends for 90 % of the world and its likely value is the median: log-normal on either side of it (normal where an end
is 0). A few runs with all such numbers drawn together tell how far they move an answer, a regression which of them do.
What was validated tells how far answers of its kind were off. Independent parts add up as variances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from models.planning.calibration import LEVEL, reaching
from models.values import value

END = NormalDist().inv_cdf(0.95)
"""Standard deviations from the likely value to either end of a range, which holds 90 %."""
TOLD = 2 / 3
"""Knobs for one run at most of which each is told apart. Assumption: of more some are alike by chance."""
UNTOLD = 0.02
"""Part of the variance that is left to whatever else acts. Assumption: answers are told to the hundredth."""
Array = NDArray[np.float64]


@value()
class Assumed:
    """One number that is not sure: its key, its range, and how a profile states it."""

    key: str
    low: float
    likely: float
    high: float
    unit: str | None
    is_whole: bool

    def at(self, deviations: float) -> float:
        """Return its value so many standard deviations above the likely one."""
        end = self.high if deviations > 0 else self.low
        part = abs(deviations) / END
        if min(self.low, self.likely) <= 0:
            return self.likely + part * (end - self.likely)
        return float(self.likely * (end / self.likely) ** part)

    def text(self, deviations: float) -> str:
        """Return that value as a profile states it."""
        value = self.at(deviations)
        number = f"{round(value)}" if self.is_whole else f"{value:.9g}"
        return number if self.unit in {None, "1"} else f"{number} {self.unit}"


@value()
class Knob:
    """Numbers that are off together, since one statement stands for them all; `name` is that of the statement."""

    name: str
    numbers: tuple[Assumed, ...]
    kind: str
    source: str

    def move(self, deviations: float) -> float:
        """Return how far it is moved by so many standard deviations: as a logarithm, or over its range."""
        first = self.numbers[0]
        value = float(round(first.at(deviations))) if first.is_whole else first.at(deviations)
        if min(first.low, first.likely, value) <= 0:
            return (value - first.likely) / (first.high - first.low)
        return math.log(value / first.likely)


@value()
class Spread:
    """What assumed numbers do to an answer: the mean change of its logarithm, its variance, and each knob's part.

    `runs` is of how many runs that is known; there are no `shares` where these are too few to tell.
    """

    shift: float
    variance: float
    shares: tuple[float, ...]
    runs: int


def design(runs: int, knobs: Sequence[Knob]) -> Array:
    """Return standard deviations for each run and knob: a Latin hypercube.

    Each knob is drawn by its name alone. So scenarios are compared under the same assumptions, and a knob that does not
    matter changes nothing of an answer.
    """
    strata = np.array([NormalDist().inv_cdf((i + 0.5) / runs) for i in range(runs)])
    strata *= math.sqrt(runs / float(strata @ strata))
    drawn = [np.random.default_rng([runs, *knob.name.encode()]).permutation(strata) for knob in knobs]
    return np.column_stack(drawn) if drawn else np.empty((runs, 0))


def spread(knobs: Sequence[Knob], deviations: Array, changes: Sequence[float]) -> Spread:
    """Return what knobs do, from the change of the answer's logarithm in each run of a design.

    Few numbers move an answer: those whose moves are most like what is left to explain are taken one after the other
    (orthogonal matching pursuit), at most one for two runs. Where there are too many knobs for the runs nothing is said
    of single ones. Variance that few runs tell is taken for larger, by Student's quantile.
    """
    sample = np.array(changes)
    runs = len(sample)
    mean, variance = float(sample.mean()), float(sample.var(ddof=1))
    moves = np.array([[knob.move(deviation) for knob, deviation in zip(knobs, row, strict=True)] for row in deviations])
    moves -= moves.mean(axis=0)
    lengths = np.sqrt((moves**2).sum(axis=0))
    chosen: list[int] = []
    effects = np.zeros(len(knobs))
    rest = sample - mean
    while len(chosen) < min(runs // 2, len(knobs)) and float(rest @ rest) > UNTOLD * variance * (runs - 1):
        likeness = np.divide(np.abs(moves.T @ rest), lengths, out=np.zeros(len(knobs)), where=lengths > 0)
        likeness[chosen] = 0.0
        if not likeness.any():
            break
        chosen.append(int(likeness.argmax()))
        fitted, *_ = np.linalg.lstsq(moves[:, chosen], sample - mean, rcond=None)
        rest = sample - mean - moves[:, chosen] @ fitted
        effects[:] = 0.0
        effects[chosen] = fitted * lengths[chosen]
    total = float((effects**2).sum())
    is_told = len(knobs) <= TOLD * runs
    shares = tuple(float(effect**2 / total) if total else 0.0 for effect in effects) if is_told else ()
    return Spread(mean, inflated(changes), shares, runs)


def inflated(changes: Sequence[float]) -> float:
    """Return the variance of changes, taken for larger where it is known from few: by Student's quantile."""
    freedom = len(changes) - 1
    return float(np.var(changes, ddof=1)) * (student(LEVEL, freedom) / student(LEVEL, math.inf)) ** 2


def student(level: float, freedom: float) -> float:
    """Return how many standard deviations to either side hold a part of all where these are known from few values.

    Source: Abramowitz and Stegun, 26.7.5, to its second term.
    """
    normal = NormalDist().inv_cdf(0.5 + level / 2)
    terms = (normal**3 + normal) / 4, (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    return normal + terms[0] / freedom + terms[1] / freedom**2 if freedom < math.inf else normal


def ends(value: float, shift: float, variance: float, level: float = LEVEL) -> tuple[float, float]:
    """Return low and high of an answer, which itself lies between them, wherever what is assumed may move it."""
    half = student(level, math.inf) * math.sqrt(variance)
    low, high = reaching(shift, half)
    return value * math.exp(low), value * math.exp(high)


def chance_below(limit: float, value: float, shift: float, variance: float) -> float:
    """Return the chance that what was answered with a value comes out at a limit at most."""
    if variance <= 0:
        return float(value <= limit)
    return NormalDist(math.log(value) + shift, math.sqrt(variance)).cdf(math.log(limit))
