"""Differences of scenarios that met the same chances."""

from __future__ import annotations

import math

import pytest

from simulator.result import Bottleneck
from simulator.studies.compare import difference, values_of
from simulator.studies.measures import leading
from simulator.studies.points import Answer


def answered(leading: dict[str, tuple[float, ...]], *durations: float) -> Answer:
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
        leading=leading,
    )


def test_a_difference_is_that_of_the_means_as_a_part_of_the_baseline() -> None:
    gap = difference([90.0, 92.0], [100.0, 104.0])
    assert gap.value == -11.0
    assert gap.change == pytest.approx(-11 / 102)


def test_the_interval_is_students_of_the_paired_differences() -> None:
    """Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), and Student's 97.5 % quantile at two degrees is 4.3027."""
    gap = difference([11.0, 22.0, 33.0], [10.0, 20.0, 30.0])
    half = 4.302652729911275 / math.sqrt(3)
    assert gap.interval == pytest.approx((2 - half, 2 + half))


def test_common_chances_show_a_difference_far_below_the_spread_of_each() -> None:
    gap = difference([101.0, 201.0, 301.1], [100.0, 200.0, 300.0])
    assert not gap.is_noise


def test_what_the_replications_do_not_tell_apart_is_noise() -> None:
    assert difference([100.0, 99.0], [99.0, 100.0]).is_noise


def test_a_single_replication_says_nothing_about_noise() -> None:
    gap = difference([100.0], [90.0])
    assert gap.interval is None
    assert not gap.is_noise


def test_loads_are_ranked_by_their_request_rate_and_told_by_all_that_leads_in_each() -> None:
    one = answered({"request rate": (50.0,), "throughput": (5e6,), "GET latency p99": (0.1,)}, 7.0)
    other = answered({"request rate": (60.0,), "throughput": (6e6,)}, 7.0)
    assert leading([one, other]) == ["request rate", "throughput"]
    assert values_of(other, "request rate") == (60.0,)


def test_a_load_beside_a_job_is_ranked_by_the_duration_which_both_have() -> None:
    load, job = answered({"request rate": (50.0,)}, 7.0), answered({"duration": (3.0,)}, 3.0)
    assert leading([load, job]) == leading([job]) == leading([]) == ["duration"]
    assert values_of(load, "duration") == (7.0,)
