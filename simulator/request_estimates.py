"""Rates, means and percentiles of requests with 95 % confidence intervals, from one run whose requests are correlated.

Requests that meet the same queue fare alike, so n of them say less than n. How much less is measured: the variance of a
mean comes from overlapping batches, each a seventh of the run, with 1.5 times the degrees of freedom of as many batches
side by side (Meketon and Schmeiser, Overlapping batch means: something for nothing?, Winter Simulation Conference
1984). The interval of a percentile lies between two order statistics (Woodruff, J. Am. Stat. Assoc. 47, 1952): those
whose ranks bound the share of requests below it, of as many independent requests as the variance of that share is
worth, by Clopper and Pearson, corrected for the degrees of freedom (Korn and Graubard, Survey Methodology 24, 1998).

Beyond a high percentile requests come in bunches, and a sample that has missed a bunch does not know it. So a
percentile has an interval only where the middle of the distribution and all lower percentiles are known well enough:
`FEW` independent requests must lie beyond it. To decide by the percentile itself would keep the lucky samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.request_batches import Deviations, square_batches

Series = NDArray[np.floating[Any]]
Amounts = NDArray[np.floating[Any] | np.bool_]

BATCHES = 7
"""Batches of a run, as if side by side. Chosen (range 5 to 20): of fewer, the variance is known less well; shorter
ones miss the memory of the queues, and cover less."""
STUDENT = 2.262
"""97.5 % quantile of Student's t with 9 degrees of freedom. Source: any table of the t distribution."""
NORMAL = 1.960
"""97.5 % quantile of the normal distribution. Source: any table of it."""
LEAST = 100
"""Requests below which nothing is said. Assumption: some ten a batch."""
FEW = 25.0
"""Independent requests beyond a percentile below which nothing is said of it. Chosen (range 10 to 50) so that 95 %
intervals cover at least 90 % in M/M/1 queues of load 0.5 to 0.9 and in closed loops, of 20,000 requests and of 60,000.
"""
BLOCK = 1 << 13
"""Numbers that are worked on at a time. Assumption: few enough to stay in the nearest cache between two steps, and so
many that Python's part does not count."""
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % confidence interval, from minus to plus infinity where the sample cannot say."""

    value: float
    low: float = -math.inf
    high: float = math.inf

    @property
    def is_known(self) -> bool:
        """Whether the sample could say how sure the value is."""
        return math.isfinite(self.high - self.low)

    @property
    def half_width(self) -> float:
        """Half the width of the interval over the value."""
        return (self.high - self.low) / 2 / self.value


@dataclass(frozen=True, slots=True)
class Latency:
    """Latencies (s) of `count` requests: their mean, and percentiles by name ("p99.9").

    Of `needed` requests, at the same correlation, the first percentile that has no interval would have one.
    """

    count: int
    mean: Estimate
    percentiles: dict[str, Estimate]
    needed: int

    @property
    def unknown(self) -> list[str]:
        """Names of the percentiles of which the sample cannot say how sure they are."""
        return [name for name, estimate in self.percentiles.items() if not estimate.is_known]


def room_for(count: int) -> Series:
    """Return memory in which estimates of up to so many requests are made, one after the other.

    Of millions of requests it is some tens of MB, which the system would have to clear anew for each.
    """
    return np.empty(count + 1)


def _half_width(series: Series, batches: int, room: Series) -> float:
    """Return half the width of the interval of the mean of a correlated series."""
    from scipy.special import stdtrit  # imported late: only loads of requests need it

    return float(stdtrit(1.5 * (batches - 1), 0.975)) * math.sqrt(_variance_of_mean(series, batches, room))


def _variance_of_mean(series: Amounts, batches: int, room: Series) -> float:
    """Return the variance of the mean of a correlated series, by overlapping batch means.

    The series may lie in the room, from its second place on.
    """
    n = len(series)
    m = n // batches
    np.subtract(series, series.mean(), out=room[1 : n + 1])
    square_batches(Deviations(room), n, m)
    squares = room[: n - m + 1]
    return float(m * squares.sum() / ((n - m + 1) * (n - m)))


def latency_of(times: Series, room: Series) -> Latency:
    """Return mean and percentiles of latencies in the order of completion."""
    n = len(times)
    if n == 0:
        return Latency(0, Estimate(math.nan), {name: Estimate(math.nan) for name in PERCENTILES}, 0)
    ordered, percentiles = np.sort(times), {}
    values = ordered[np.ceil((n - 1) * np.array(list(PERCENTILES.values()))).astype(np.intp)]
    worth, needed = math.inf, 0.0
    for (name, p), value in zip(PERCENTILES.items(), values, strict=True):
        own = _worth(times <= value, room)
        worth = own if math.isinf(worth) else worth  # of the middle, none is below it
        enough = max(LEAST, n * FEW / (worth * (1 - p)))
        percentiles[name] = _between(ordered, p, own, float(value)) if n >= enough else Estimate(float(value))
        needed = needed if percentiles[name].is_known or needed else max(enough, n + 1.0)
        worth = min(worth, own)
    mean = Estimate(float(times.mean()))
    if percentiles["p50"].is_known:
        # times are skewed, their logarithm is less so
        factor = math.exp(_half_width(times, BATCHES, room) / mean.value)
        mean = Estimate(mean.value, mean.value / factor, mean.value * factor)
    return Latency(n, mean, percentiles, math.ceil(needed))


def _worth(is_below: NDArray[np.bool_], room: Series) -> float:
    """Return of how many independent requests the share of those below a value is as sure."""
    n, share = len(is_below), float(is_below.mean())
    variance = _variance_of_mean(is_below, BATCHES, room) if n >= LEAST else 0.0
    return min(share * (1 - share) / variance, float(n)) if variance > 0 and share < 1 else float(n)


def _between(ordered: Series, p: float, worth: float, value: float) -> Estimate:
    """Return a percentile between the order statistics to which its share leads, known from `worth` requests."""
    n, shares = len(ordered), _shares(p, worth)
    low, high = math.floor(n * shares[0]) - 1, math.ceil(n * shares[1])
    return Estimate(value, float(ordered[low]), float(ordered[high])) if low >= 0 and high < n else Estimate(value)


def _shares(p: float, worth: float) -> tuple[float, float]:
    """Return the interval of the share of requests below a percentile, of which `worth` are independent."""
    from scipy.special import betaincinv  # imported late: only loads of requests need it

    known = worth * (NORMAL / STUDENT) ** 2
    below, above = known * p, known * (1 - p)
    return float(betaincinv(below, above + 1, 0.025)), float(betaincinv(below + 1, above, 0.975))


def merged_percentiles(samples: Sequence[tuple[Series, float]]) -> dict[str, Estimate]:
    """Return percentiles by name of several independent samples, each standing for so many requests; none without any.

    The share of all below a percentile is the weighted mean of those of the samples, and so known from as many
    independent requests as its variance is worth. The rules are those of a single sample.
    """
    filled = [(times, came) for times, came in samples if len(times) and came > 0]
    if not filled:
        return {}
    total = sum(came for _, came in filled)
    values = np.concatenate([times for times, _ in filled])
    weights = np.concatenate([np.full(len(times), came / total / len(times)) for times, came in filled])
    order = np.argsort(values, kind="stable")
    ordered, reached = values[order], np.cumsum(weights[order])

    def at(share: float) -> float:
        return float(ordered[min(int(np.searchsorted(reached, share * reached[-1])), len(ordered) - 1)])

    estimates, worth = {}, math.inf
    for name, p in PERCENTILES.items():
        value = at(p)
        own = _worth_of_all([(times <= value, came / total) for times, came in filled])
        worth = own if math.isinf(worth) else worth  # of the middle, none is below it
        is_known = len(values) >= LEAST and worth * (1 - p) >= FEW
        low, high = map(at, _shares(p, own)) if is_known else (-math.inf, math.inf)
        estimates[name] = Estimate(value, low, high)
        worth = min(worth, own)
    return estimates


def _worth_of_all(samples: Sequence[tuple[NDArray[np.bool_], float]]) -> float:
    """Return of how many independent requests a weighted mean of shares of samples is as sure."""
    share = variance = 0.0
    room = room_for(max(len(is_below) for is_below, _ in samples))
    for is_below, weight in samples:
        part = float(is_below.mean())
        share += weight * part
        variance += weight**2 * part * (1 - part) / _worth(is_below, room)
    count = sum(len(is_below) for is_below, _ in samples)
    return min(share * (1 - share) / variance, float(count)) if variance > 0 else float(count)


def sum_of(parts: Sequence[tuple[Estimate, float]]) -> Estimate:
    """Return the weighted sum of independent estimates, unknown where one of them is."""
    value = sum(weight * estimate.value for estimate, weight in parts)
    half = math.hypot(*(weight * (estimate.high - estimate.low) / 2 for estimate, weight in parts))
    return Estimate(value, value - half, value + half)


def rate_of(amounts: Amounts | float, gaps: Series, batch: int, room: Series) -> Estimate:
    """Return the amounts (1, or bytes) of requests a second, in the order of completion.

    `gaps` are the seconds between completions. Clients that began in step end in bunches, a `batch` of so many requests
    a round, and no batch is shorter. The variance is that of the linear part of the error (delta method). The amounts
    may lie in the room, from its second place on.
    """
    n = len(gaps)
    amount = float(np.mean(amounts)) if n else 0.0
    gap = float(gaps.mean()) if n else 0.0
    if gap <= 0:
        return Estimate(math.nan)
    value = amount / gap
    batches = min(BATCHES, n // max(batch, 1))
    if n < LEAST or batches < 2 or value <= 0:
        return Estimate(value)
    error = room[1 : n + 1]
    np.divide(amounts, amount, out=error)
    for at in range(0, n, BLOCK):
        error[at : at + BLOCK] -= gaps[at : at + BLOCK] / gap
    half = value * _half_width(error, batches, room)
    return Estimate(value, value - half, value + half) if half < value else Estimate(value)
