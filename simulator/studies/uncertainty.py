"""Answers under uncertain inputs: bands, what moves them most, and the choice one would regret least.

Samples are a Latin hypercube: each input is cut into as many equally likely parts as there are samples, and each part
met once. Everything that a study does is decided before its runs, so the same seed gives the same answer anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.planning.grid import Values
from models.planning.uncertain import Input
from models.problem import refusal
from simulator.studies.saltelli import design, indices

BAND = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles that are told."""


@dataclass(frozen=True, slots=True)
class Band:
    """Quantiles of a measure over the samples, its mean, and how many samples had an answer."""

    quantiles: dict[float, float]
    mean: float
    count: int


@dataclass(frozen=True, slots=True)
class Swing:
    """What one input does alone: the measure with the input at its low and its high end, all else in the middle."""

    key: str
    ends: tuple[str, str]
    low: float
    high: float

    @property
    def width(self) -> float:
        """How far apart the two are."""
        return abs(self.high - self.low)


@dataclass(frozen=True, slots=True)
class Influence:
    """Sobol indices of one input: its part of the variance alone, and with all that it does together with others.

    `*_margin` is half the width of the 95 % interval.
    """

    key: str
    first: float
    first_margin: float
    total: float
    total_margin: float


@dataclass(frozen=True, slots=True)
class Regret:
    """One choice over all samples: how much worse than the best choice of each sample, as a fraction of that."""

    choice: str
    mean: float
    worst: float
    best_in: float


def samples(inputs: Sequence[Input], count: int, seed: int) -> list[Values]:
    """Return `count` points, each with a value for every input."""
    from scipy.stats import qmc  # imported late: over a second

    shares = qmc.LatinHypercube(len(inputs), rng=np.random.default_rng(seed)).random(count)
    return [_values(inputs, row) for row in shares]


def swings_points(inputs: Sequence[Input]) -> list[Values]:
    """Return the point in the middle, and for each input those at its ends with all others in the middle."""
    middle = {number.key: number.typical for number in inputs}
    points = [tuple(middle.items())]
    for number in inputs:
        points += [tuple((middle | {number.key: end}).items()) for end in number.ends]
    return points


def swings(inputs: Sequence[Input], measured: Sequence[float]) -> list[Swing]:
    """Return what each input does alone, the widest first; `measured` are the measures at `swings_points`."""
    rows = [
        Swing(number.key, number.ends, measured[1 + 2 * i], measured[2 + 2 * i])
        for i, number in enumerate(inputs)
        if np.isfinite(measured[1 + 2 * i : 3 + 2 * i]).all()
    ]
    return sorted(rows, key=lambda swing: -swing.width)


def band(measured: Sequence[float]) -> Band:
    """Return the quantiles of measures; those of samples that could not be run are NaN and left out.

    Raises:
        RefusalError: none could be run.
    """
    values = np.array([value for value in measured if np.isfinite(value)])
    if not len(values):
        raise refusal("inputs", "no sample could be run")
    quantiles = np.quantile(values, BAND)
    return Band(dict(zip(BAND, map(float, quantiles), strict=True)), float(values.mean()), len(values))


def sobol_points(inputs: Sequence[Input], base: int, seed: int) -> list[Values]:
    """Return the points of a Saltelli design with `base` rows: base x (inputs + 2)."""
    return [_values(inputs, row) for row in design(len(inputs), base, seed)]


def influences(inputs: Sequence[Input], measured: Sequence[float], seed: int) -> list[Influence]:
    """Return the Sobol indices of the inputs, the strongest first; `measured` are the measures at `sobol_points`.

    Raises:
        RefusalError: a point could not be run, so the design has a hole.
    """
    values = np.array(measured)
    if not np.isfinite(values).all():
        raise refusal("inputs", "a point of the design could not be run", "narrow them")
    if np.ptp(values) == 0:
        return [Influence(number.key, 0.0, 0.0, 0.0, 0.0) for number in inputs]
    rows = zip(inputs, indices(values, len(inputs), seed + 1), strict=True)
    return sorted((Influence(number.key, *row) for number, row in rows), key=lambda influence: -influence.total)


def regrets(choices: Sequence[str], values: NDArray[np.float64]) -> list[Regret]:
    """Return the regret of each choice, the least worst first; `found[i, j]` is the measure of choice i in sample j.

    Less is better. A choice that cannot be run in a sample has infinite regret there.
    """
    known = np.where(np.isnan(values), np.inf, values)
    best = known.min(axis=0)
    held = np.isfinite(best)  # samples in which no choice can be run tell nothing
    excess = known[:, held] / best[held] - 1
    rows = [
        Regret(choice, float(row.mean()), float(row.max()), float((row == 0).mean()))
        for choice, row in zip(choices, excess, strict=True)
    ]
    return sorted(rows, key=lambda regret: (regret.worst, regret.mean))


def _values(inputs: Sequence[Input], shares: NDArray[np.float64]) -> Values:
    inside = np.clip(shares, 1e-9, 1 - 1e-9)  # a normal distribution has no ends
    return tuple((number.key, number.quantile(float(share))) for number, share in zip(inputs, inside, strict=True))
