"""How long a stage lasts whose tasks take unequal times: it ends with its slowest, and the next one waits for it.

Times are log-normal around their mean. Where each task has a slot, the stage lasts as long as the longest of n times,

    E[max] = integral of 1 - F(x)^n.

Where there are more tasks than slots, free slots take the next until none is left; from then on a slot is busy for the
rest of a time in which it is met at random, of which the mean is m / 2 for a second moment m (of mean 1) and the
distribution F*(x) = integral of 1 - F from 0 to x. So n tasks on s slots last, in mean times of a task,

    n / s - m / 2 + E[max of s of F*],

but no less than the longest of them, and no more than the same work takes as one task a slot. Assumption: after the
first wave slots come free evenly, not in step.
Source: W. Feller, An Introduction to Probability Theory and Its Applications, volume 2, XI.4 (residual waiting times).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np

STEPS, REACH = 800, 8.0
"""Points of an integral, and the standard deviations of the logarithm that it reaches. Assumption: the rest is less
than one part in a thousand."""


def lengthened(tasks: float, slots: float, spread: float) -> float:
    """Return how many times as long as with equal tasks and no waves a stage of `tasks` on `slots` lasts.

    `spread` is the standard deviation of the logarithm of the times; 0: none is waited for.
    """
    if spread == 0 or tasks <= 1:
        return 1.0
    longest = _longest(round(tasks), spread)
    if tasks <= slots:
        return longest
    last = _last_of(round(slots), spread) - math.exp(spread**2) / 2
    return min(max(tasks / slots + last, longest) * slots / tasks, _longest(round(slots), spread))


@cache
def _longest(count: int, spread: float) -> float:
    """Return the longest of so many times, over their mean."""
    return _mean_of_longest(NormalDist().cdf, count, spread)


@cache
def _last_of(count: int, spread: float) -> float:
    """Return the longest of so many rests of times, over the mean of the times."""
    normal = NormalDist()

    def rests(z: float) -> float:
        return min(_time(z, spread) * normal.cdf(-z) + normal.cdf(z - spread), 1.0)

    return _mean_of_longest(rests, count, spread)


def _mean_of_longest(distribution: Callable[[float], float], count: int, spread: float) -> float:
    """Return the mean of the longest of so many; the distribution is by standard deviations of the logarithm."""
    points = np.linspace(-REACH, REACH, STEPS + 1)
    times = [_time(point, spread) for point in points]
    beyond = [1 - distribution(point) ** count for point in points]
    return times[0] + float(np.trapezoid(beyond, times))


def _time(deviations: float, spread: float) -> float:
    """Return the time so many standard deviations of its logarithm from the median, over the mean."""
    return math.exp(spread * deviations - spread**2 / 2)
