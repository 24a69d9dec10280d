"""Percentiles of requests from several windows: what stands for more requests counts more, and intervals hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.requests.estimates import Estimate, merged_percentiles, sum_of


def exponential(rng: np.random.Generator, mean: float, count: int) -> NDArray[np.float64]:
    return rng.exponential(mean, count)


def test_a_percentile_of_two_windows_is_that_of_their_mixture() -> None:
    rng = np.random.default_rng(0)
    samples = [(exponential(rng, 1.0, 40_000), 9.0), (exponential(rng, 10.0, 40_000), 1.0)]
    estimates = merged_percentiles(samples)
    for name, p in (("p50", 0.5), ("p99", 0.99)):
        value = estimates[name].value
        assert 0.9 * math.exp(-value) + 0.1 * math.exp(-value / 10) == pytest.approx(1 - p, rel=0.05)


def test_nineteen_of_twenty_intervals_hold_the_percentile_of_the_mixture() -> None:
    rng, held = np.random.default_rng(1), 0
    exact = 10 * math.log(0.2 / 0.01)  # there the first window has no requests
    for _ in range(200):
        samples = [(exponential(rng, 1.0, 3_000), 0.8), (exponential(rng, 10.0, 3_000), 0.2)]
        span = merged_percentiles(samples)["p99"]
        held += span.low <= exact <= span.high
    assert 0.92 <= held / 200 <= 1.0


def test_a_sample_that_stands_for_more_requests_has_a_wider_interval() -> None:
    rng = np.random.default_rng(2)
    many, few = exponential(rng, 1.0, 20_000), exponential(rng, 1.0, 3_000)
    widths = [
        span.high - span.low
        for weight in (0.1, 0.9)
        if (span := merged_percentiles([(many, 1 - weight), (few, weight)])["p99"])
    ]
    assert widths[0] < widths[1]


def test_too_few_requests_beyond_a_percentile_give_it_no_interval() -> None:
    rng = np.random.default_rng(3)
    estimates = merged_percentiles([(exponential(rng, 1.0, 20_000), 1.0)])
    assert estimates["p99"].is_known
    assert not estimates["p99.9"].is_known


def test_nobody_has_no_percentiles() -> None:
    assert merged_percentiles([(np.zeros(0), 1.0)]) == {}


def test_independent_rates_add_up_with_the_root_of_their_squares() -> None:
    total = sum_of([(Estimate(10.0, 7.0, 13.0), 1.0), (Estimate(20.0, 12.0, 28.0), 0.5)])
    assert (total.value, total.low, total.high) == (20.0, 15.0, 25.0)
