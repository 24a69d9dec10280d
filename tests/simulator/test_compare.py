"""Differences of scenarios that met the same chances."""

from __future__ import annotations

import math

import pytest

from simulator.result import Bottleneck
from simulator.studies.compare import difference
from simulator.studies.points import Answer


def answered(*durations: float) -> Answer:
    return Answer(
        duration=sum(durations) / len(durations),
        durations=durations,
        interval=None,
        bottleneck=Bottleneck("drives", 1.0),
        next_bottleneck=None,
        metrics={},
        stages=(),
        groups=(),
        capacity={},
        warnings=(),
    )


def test_a_difference_is_that_of_the_means_as_a_part_of_the_baseline() -> None:
    found = difference(answered(90.0, 92.0), answered(100.0, 104.0))
    assert found.seconds == -11.0
    assert found.change == pytest.approx(-11 / 102)


def test_the_interval_is_students_of_the_paired_differences() -> None:
    """Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), and Student's 97.5 % quantile at two degrees is 4.3027."""
    found = difference(answered(11.0, 22.0, 33.0), answered(10.0, 20.0, 30.0))
    half = 4.302652729911275 / math.sqrt(3)
    assert found.interval == pytest.approx((2 - half, 2 + half))


def test_common_chances_show_a_difference_far_below_the_spread_of_each() -> None:
    found = difference(answered(101.0, 201.0, 301.1), answered(100.0, 200.0, 300.0))
    assert not found.is_noise


def test_what_the_replications_do_not_tell_apart_is_noise() -> None:
    assert difference(answered(100.0, 99.0), answered(99.0, 100.0)).is_noise


def test_a_single_replication_says_nothing_about_noise() -> None:
    found = difference(answered(100.0), answered(90.0))
    assert found.interval is None
    assert not found.is_noise
