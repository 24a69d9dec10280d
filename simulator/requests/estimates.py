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

import numpy as np
from numpy.typing import NDArray

from models.values import value
from simulator.requests.batches import (
    Flow,
    Shares,
    Times,
    Words,
    count_words,
    find_words,
    square_rates,
    square_shares,
    square_times,
)
from simulator.requests.quantiles import NORMAL, OF_BATCHES, beta_quantile

Series = NDArray[np.float64]

BATCHES = 7
"""Batches of a run, as if side by side. Chosen (range 5 to 20): of fewer, the variance is known less well; shorter
ones miss the memory of the queues, and cover less."""
STUDENT = 2.262
"""97.5 % quantile of Student's t with 9 degrees of freedom. Source: any table of the t distribution."""
LEAST = 100
"""Requests below which nothing is said. Assumption: some ten a batch."""
FEW = 25.0
"""Independent requests beyond a percentile below which nothing is said of it. Chosen (range 10 to 50) so that 95 %
intervals cover at least 90 % in M/M/1 queues of load 0.5 to 0.9 and in closed loops, of 20,000 requests and of 60,000.
"""
LEADING = 16
"""Leading bits by which times are told apart before any are sorted. Assumption: of millions, a few hundred share them;
what is counted by them stays in a near cache."""
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


@value()
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

    def times(self, factor: float) -> Estimate:
        """Return the value of so many times as much, as sure as before."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


@value()
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


class Ranked:
    """A series of numbers that are not negative, of which some are asked for by their rank; it is not copied."""

    def __init__(self, times: Series) -> None:
        bits = times.view(np.int64)
        self._least = int(bits.min())
        extent = int(bits.max()) - self._least
        self._shift = max(extent.bit_length() - LEADING, 0)
        many = (extent >> self._shift) + 1
        self._words = Words(bits, np.zeros(many, np.int64), np.zeros(many, np.uint8), np.zeros(0, np.int64))
        count_words(self._words, self._least, self._shift)
        self._until = np.cumsum(self._words.counts)

    def at(self, ranks: Sequence[int]) -> list[tuple[float, int]]:
        """Return the numbers of some ranks, from 0 for the least, each with how many are no larger."""
        leading = np.searchsorted(self._until, ranks, side="right")
        wanted, places = np.unique(leading, return_inverse=True)
        counts = self._words.counts[wanted]
        self._words.is_wanted[:] = 0
        self._words.is_wanted[wanted] = 1
        words = self._words._replace(found=np.empty(int(counts.sum()), np.int64))
        find_words(words, self._least, self._shift)
        words.found.sort()
        left_out = (self._until[wanted] - np.cumsum(counts))[places]
        own = words.found[np.asarray(ranks) - left_out]
        until = left_out + np.searchsorted(words.found, own, side="right")
        return list(zip(own.view(np.float64).tolist(), until.tolist(), strict=True))


def _variance(squares: float, count: int, length: int) -> float:
    """Return the variance of the mean of a correlated series, by the squares of the deviations of its batches."""
    return length * squares / ((count - length + 1) * (count - length))


def latency_of(times: Series) -> Latency:
    """Return mean and percentiles of latencies (s, not negative) in the order of completion."""
    n = len(times)
    if n == 0:
        return Latency(0, Estimate(math.nan), {name: Estimate(math.nan) for name in PERCENTILES}, 0)
    ranked, shares = Ranked(times), np.array(list(PERCENTILES.values()))
    values = ranked.at(np.ceil((n - 1) * shares).astype(np.int64).tolist())
    worths, needed = _worths(times, values), 0.0
    between = dict[str, tuple[int, int]]()
    for (name, p), own, lower in zip(PERCENTILES.items(), worths, _least_below(worths), strict=True):
        enough = max(LEAST, n * FEW / (lower * (1 - p)))
        low, high = _ranks(n, _shares(p, own)) if n >= enough else (-1, n)
        if low >= 0 and high < n:
            between[name] = low, high
        needed = needed if name in between or needed else max(enough, n + 1.0)
    ends = iter(ranked.at([rank for ranks in between.values() for rank in ranks]) if between else [])
    percentiles = {
        name: Estimate(value, next(ends)[0], next(ends)[0]) if name in between else Estimate(value)
        for name, (value, _) in zip(PERCENTILES, values, strict=True)
    }
    mean = Estimate(float(times.mean()))
    if percentiles["p50"].is_known:
        # times are skewed, their logarithm is less so
        length = n // BATCHES
        variance = _variance(square_times(Times(times), length, mean.value), n, length)
        factor = math.exp(OF_BATCHES[BATCHES] * math.sqrt(variance) / mean.value)
        mean = Estimate(mean.value, mean.value / factor, mean.value * factor)
    return Latency(n, mean, percentiles, math.ceil(needed))


def _least_below(worths: Sequence[float]) -> list[float]:
    """Return for each percentile the least worth of all lower ones; of the middle, none is below it."""
    return [min(worths[: max(at, 1)]) for at in range(len(worths))]


def _worths(times: Series, values: Sequence[tuple[float, int]]) -> list[float]:
    """Return of how many independent requests the share of those of at most a value is as sure, for each value.

    With each comes how many requests are of at most that.
    """
    n = len(times)
    if n < LEAST:
        return [float(n)] * len(values)
    length, (bounds, untils) = n // BATCHES, zip(*values, strict=True)
    shares, inside = [until / n for until in untils], np.zeros(len(values), np.int64)
    asked = Shares(times, np.array(bounds), np.array(shares), inside, np.zeros(len(values)))
    square_shares(asked, length)
    variances = [_variance(squares, n, length) for squares in asked.squares.tolist()]
    return [
        min(share * (1 - share) / variance, float(n)) if variance > 0 else float(n)
        for share, variance in zip(shares, variances, strict=True)
    ]


def _ranks(n: int, shares: tuple[float, float]) -> tuple[int, int]:
    """Return the ranks, from 0 on, of the times between which the interval of a percentile lies."""
    return math.floor(n * shares[0]) - 1, math.ceil(n * shares[1])


def _shares(p: float, worth: float) -> tuple[float, float]:
    """Return the interval of the share of requests below a percentile, of which `worth` are independent."""
    known = worth * (NORMAL / STUDENT) ** 2
    below, above = known * p, known * (1 - p)
    return beta_quantile(below, above + 1, 0.025), beta_quantile(below + 1, above, 0.975)


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
        own = _worth_of_all([(times, came / total) for times, came in filled], value)
        worth = own if math.isinf(worth) else worth  # of the middle, none is below it
        is_known = len(values) >= LEAST and worth * (1 - p) >= FEW
        low, high = map(at, _shares(p, own)) if is_known else (-math.inf, math.inf)
        estimates[name] = Estimate(value, low, high)
        worth = min(worth, own)
    return estimates


def _worth_of_all(samples: Sequence[tuple[Series, float]], value: float) -> float:
    """Return of how many independent requests a weighted mean of shares of samples is as sure."""
    share = variance = 0.0
    for times, weight in samples:
        until = int(np.count_nonzero(times <= value))
        part = until / len(times)
        share += weight * part
        variance += weight**2 * part * (1 - part) / _worths(times, [(value, until)])[0]
    count = sum(len(times) for times, _ in samples)
    return min(share * (1 - share) / variance, float(count)) if variance > 0 else float(count)


def sum_of(parts: Sequence[tuple[Estimate, float]]) -> Estimate:
    """Return the weighted sum of independent estimates, unknown where one of them is."""
    value = sum(weight * estimate.value for estimate, weight in parts)
    half = math.hypot(*(weight * (estimate.high - estimate.low) / 2 for estimate, weight in parts))
    return Estimate(value, value - half, value + half)


def rate_of(flow: Flow, amount: float, gap: float, batch: int, *, of_bytes: bool = False) -> Estimate:
    """Return what counts of requests a second, in the order of completion: themselves, or their bytes.

    `amount` is the mean of that, and `gap` that of the gaps. Clients that began in step end in bunches, a `batch` of so
    many requests a round, and no batch is shorter. The variance is that of the linear part of the error (delta method).
    """
    n = len(flow.gaps)
    if gap <= 0:
        return Estimate(math.nan)
    value = amount / gap
    batches = min(BATCHES, n // max(batch, 1))
    if n < LEAST or batches < 2 or value <= 0:
        return Estimate(value)
    length = n // batches
    variance = _variance(square_rates(flow, length, amount, gap, int(of_bytes)), n, length)
    half = value * OF_BATCHES[batches] * math.sqrt(variance)
    return Estimate(value, value - half, value + half) if half < value else Estimate(value)
