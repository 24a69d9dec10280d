"""Batches of a series that overlap: the kernel that goes over millions of requests once, in the memory they lie in."""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.compiled import called


class Deviations(NamedTuple):
    """What each request of a series is above its mean, behind a place that is free."""

    sums: Any


@called
def square_batches(d: Deviations, count: int, length: int) -> None:
    """Put the square of the mean of each batch of `length` of `count` requests where the batch begins."""
    sums = d.sums
    sums[0] = 0.0
    for end in range(1, count + 1):
        sums[end] += sums[end - 1]
        begin = end - length
        if begin >= 0:
            mean = (sums[end] - sums[begin]) / length
            sums[begin] = mean * mean
