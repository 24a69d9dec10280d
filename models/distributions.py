"""Distributions of times and sizes as tables of values, finer where few requests lie: in the upper tail.

A table has a value for each part of the distribution, the mean of that part, so that means are exact. The lowest 31 of
32 requests lie in parts of a 2,048th, the others in parts of a 65,536th: 65 values are above the 99.9th percentile, and
six above the 99.99th.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from models.values import value

if TYPE_CHECKING:
    from numpy.typing import NDArray

BODY, TAIL = 31 * 64, 2048
"""Values of the body of a distribution and of its upper tail. Assumption: enough for the 99.99th percentile."""
BODY_BITS, TAIL_BITS = 11, 16
"""A part of the body is a 2^11th of all, one of the tail a 2^16th."""
TABLE = BODY + TAIL
PARTS = np.concatenate((np.full(BODY, 2.0**-BODY_BITS), np.full(TAIL, 2.0**-TAIL_BITS)))
"""How much of the distribution each value stands for, of shape (TABLE,)."""
EDGES = np.concatenate(([0.0], np.cumsum(PARTS)))
"""The quantiles between which the parts lie, of shape (TABLE + 1,)."""
KNOWN = 256
"""Shapes that are kept in mind. Assumption: 8 MB."""
LEAST = 1e-3
"""Sigma that counts as none beside a tail."""
REACH, STEPS = 9.0, 1 << 15
"""Standard deviations to either side, and steps, in which the normal distribution is tabled: to 1e-8."""


@value(eq=False)
class Distribution:
    """A distribution of times (s) or sizes (B): `values` of shape (TABLE,), the lowest first."""

    values: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean of the distribution."""
        return float(self.values @ PARTS)

    def scaled(self, factor: float) -> Distribution:
        """Return the distribution of `factor` times the value."""
        return Distribution(self.values * factor)

    def longest(self, count: int) -> float:
        """Return the mean of the largest of `count` values that know nothing of each other."""
        return float(self.values @ np.diff(EDGES**count))

    def percentile(self, part: float) -> float:
        """Return the value that `part` (fraction) of the values do not exceed."""
        return float(self.values[min(int(np.searchsorted(EDGES, part, side="right")) - 1, TABLE - 1)])


@value()
class Spread:
    """How values lie around their mean: log-normal by `sigma`, and `share` of them in a tail.

    The median of the tail is so many `times` that of the others; it is log-normal by `tail_sigma`.
    """

    sigma: float = 0.0
    share: float = 0.0
    times: float = 1.0
    tail_sigma: float = 0.0

    def around(self, mean: float) -> Distribution:
        """Return the distribution with that mean."""
        if self.share == 0:
            return lognormal(mean, self.sigma)
        parts = (1 - self.share, 1.0, max(self.sigma, LEAST)), (self.share, self.times, self.tail_sigma)
        shape = mixture(parts)
        return shape.scaled(mean / shape.mean)

    def longest(self, count: int) -> float:
        """Return how many times the mean the longest of `count` takes on average."""
        return self.around(1.0).longest(count) if count > 1 and self != EVEN else 1.0


EVEN = Spread()
"""All values are the mean."""


def fixed(value: float) -> Distribution:
    """Return the distribution that has one value."""
    return Distribution(np.full(TABLE, value))


def exponential(mean: float) -> Distribution:
    """Return an exponential distribution.

    The part of it whose upper tail goes from u to w adds u (1 - log u) - w (1 - log w) to the mean of 1.
    """
    tails = (1 - EDGES)[:-1]
    sums = np.append(tails * (1 - np.log(tails)), 0.0)
    return Distribution(-mean * np.diff(sums) / PARTS)


def lognormal(mean: float, sigma: float) -> Distribution:
    """Return a log-normal distribution; `sigma` is the standard deviation of the logarithm."""
    if sigma == 0:
        return fixed(mean)
    shape = mixture(((1.0, 1.0, sigma),))
    return shape.scaled(mean / shape.mean)


@lru_cache(KNOWN)
def mixture(parts: tuple[tuple[float, float, float], ...]) -> Distribution:
    """Return a mixture of log-normal distributions: a weight, a median and the sigma of the logarithm of each.

    Its mean is the sum of `weight * median * exp(sigma^2 / 2)`.

    Raises:
        ValueError: the weights are not positive or do not sum to 1, or a median or sigma is not above 0.
    """
    weights, medians, sigmas = (np.array(column) for column in zip(*parts, strict=True))
    if min(weights) <= 0 or abs(sum(weights) - 1) > 1e-9 or min(medians) <= 0 or min(sigmas) <= 0:
        raise ValueError(f"a mixture needs weights that sum to 1, medians and sigmas > 0 (got {parts})")
    logs = np.linspace(min(np.log(medians) - REACH * sigmas), max(np.log(medians) + REACH * sigmas), STEPS)
    scores = (logs[:, None] - np.log(medians)) / sigmas
    below = _normal(scores) @ weights
    sums = _normal(scores - sigmas) @ (weights * medians * np.exp(sigmas**2 / 2))
    edges = np.interp(EDGES, below, logs)
    return Distribution(np.diff(np.interp(edges, logs, sums)) / PARTS)


def log_uniform(low: float, high: float) -> Distribution:
    """Return the distribution of a value whose logarithm is uniform between two bounds."""
    if low == high:
        return fixed(low)
    edges = np.exp(math.log(low) + EDGES * math.log(high / low))
    return Distribution(np.diff(edges) / PARTS / math.log(high / low))


def empirical(samples: Sequence[float] | NDArray[np.float64]) -> Distribution:
    """Return the distribution of measured values: quantiles in the middle of each part, with the samples' mean."""
    values = np.quantile(np.asarray(samples, dtype=np.float64), (EDGES[1:] + EDGES[:-1]) / 2)
    return Distribution(values * (np.mean(samples) / (values @ PARTS)))


def _normal(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the parts of a normal distribution below scores."""
    at, below = _normal_table()
    return np.interp(scores, at, below)


@lru_cache(1)
def _normal_table() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    at = np.linspace(-REACH, REACH, STEPS)
    return at, np.array([math.erfc(-score / math.sqrt(2)) / 2 for score in at])


NOTHING = fixed(0.0)
