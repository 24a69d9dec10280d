"""Errors found in validation, and intervals that hold what they promise."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from models.outcome import LeftOut
from models.planning.calibration import (
    LEVELS,
    Calibration,
    Kinds,
    Measured,
    Off,
    Told,
    calibrations,
    differences,
    kinds,
    pair,
    way,
)

SCAN, SORT = kinds("scan on hdfs", "workers/cpu"), kinds("sort on hdfs", "workers/drives")
FITTED = {"mapreduce": 6, "published": 0}


def errors(deviation: float, count: int, kinds: Kinds, seed: int = 1, mean: float = 0.0, way: int = 0) -> list[Off]:
    """Return errors of answers of some kinds that are told too fast by a mean."""
    samples = NormalDist(mean, deviation).samples(count, seed=seed)
    return [Off(error * way if way else error, kinds, way) for error in samples]


def test_an_answer_is_of_its_question_and_of_what_holds_it_up() -> None:
    assert SCAN == ("scan on hdfs", "scan on hdfs, held up by cpu")


def test_so_many_errors_lie_inside_as_the_level_says_whatever_their_kind() -> None:
    pool = Calibration(errors(0.02, 80, SCAN) + errors(0.5, 80, SORT, seed=2))
    scores = pool.told()
    for level in LEVELS:
        inside = [told.is_inside(level) for told in scores]
        assert sum(inside) / 160 == pytest.approx(level, abs=0.03)
        assert sum(inside[:80]) / 80 == pytest.approx(level, abs=0.08)


def test_what_is_known_well_is_told_well_beside_what_is_not() -> None:
    pool = Calibration(errors(0.02, 40, SCAN) + errors(0.5, 40, SORT, seed=2))
    assert pool.half(SCAN) < 0.1
    assert pool.half(SORT) > 0.5


def test_one_outlier_does_not_rule_the_intervals() -> None:
    usual = errors(0.1, 40, SCAN)
    assert Calibration([*usual, Off(5.0, SORT)]).half(SCAN) < 1.5 * Calibration(usual).half(SCAN)


def test_a_kind_of_which_nothing_is_known_is_off_as_all_are() -> None:
    pool = Calibration(errors(0.1, 60, SCAN))
    assert pool.half(SORT) == pytest.approx(0.128, rel=0.2)


def test_of_few_errors_the_largest_do_not_end_the_widest_interval() -> None:
    pool = Calibration([Off(0.1, SCAN)] * 10)
    assert pool.half(SCAN, 0.8) == pytest.approx(0.1)
    assert pool.half(SCAN, 0.95) > 0.1


def test_numbers_fitted_to_outcomes_make_their_errors_count_for_more() -> None:
    tested = [Measured(f"mapreduce/{i}", "mapreduce", 0.1, SORT) for i in range(8)]
    seen, unseen = calibrations(tested, FITTED, None)
    assert [off.error for off in seen.errors] == pytest.approx([2 * math.log(1.1)] * 8)
    assert unseen.errors == ()


def test_an_outcome_that_was_left_out_of_the_fit_counts_as_it_came_out() -> None:
    tested = [Measured(f"mapreduce/{i}", "mapreduce", 0.1, SORT) for i in range(8)]
    alone = LeftOut("1", {"mapreduce/0": 0.2, "mapreduce/1": None}, {})
    seen, _ = calibrations(tested, FITTED, alone)
    assert [off.error for off in seen.errors] == pytest.approx([math.log(1.2)] + [2 * math.log(1.1)] * 7)


def test_a_family_with_as_many_fitted_numbers_as_outcomes_tells_nothing() -> None:
    tested = [Measured(f"mapreduce/{i}", "mapreduce", 0.1, SORT) for i in range(6)]
    assert calibrations(tested, FITTED, None)[0].errors == ()


def test_clusters_to_which_nothing_was_fitted_are_apart_and_nothing_simulated_is_an_error() -> None:
    tested = [Measured(f"published/{i}", "published", -1.0, SCAN) for i in range(8)]
    seen, unseen = calibrations(tested, FITTED, None)
    assert seen.errors == ()
    assert len(unseen.errors) == 8
    assert all(math.isfinite(off.error) for off in unseen.errors)


def test_an_interval_of_a_tenth_to_either_side_is_a_fifth_wide() -> None:
    told = Told(0.0, 0.0, {0.8: math.log(1.1)})
    assert told.width(0.8) == pytest.approx(1.1 - 1 / 1.1)


def test_a_rate_and_a_time_lean_opposite_ways_and_a_ratio_neither() -> None:
    assert [way(unit) for unit in ("GB/s", "1/s", "s", "ms", "1")] == [1, 1, -1, -1, 0]


def test_answers_that_are_all_told_too_fast_have_narrower_intervals_to_one_side() -> None:
    """Rates and times of one kind are told twice too fast, give or take a tenth."""
    offs = errors(0.1, 40, SCAN, mean=math.log(2), way=1) + errors(0.1, 40, SCAN, seed=2, mean=math.log(2), way=-1)
    known, blind = Calibration(offs, is_biased=True), Calibration(offs)
    assert known.bias(SCAN, way=1) == pytest.approx(math.log(2), rel=0.1)
    assert known.bias(SCAN, way=-1) == -known.bias(SCAN, way=1)
    assert known.half(SCAN) < 0.2
    assert blind.half(SCAN) > math.log(2)
    assert blind.bias(SCAN, way=1) == 0
    for level in LEVELS:
        assert sum(told.is_inside(level) for told in known.told()) / 80 > level - 0.06


def test_a_kind_of_which_little_is_known_leans_as_wider_ones_do_and_all_of_nothing_not_at_all() -> None:
    offs = errors(0.1, 40, SCAN, mean=math.log(2), way=1)
    assert Calibration(offs, is_biased=True).bias(SORT, way=1) == pytest.approx(math.log(2), rel=0.15)
    assert Calibration([], is_biased=True).bias(SCAN, way=1) == 0


def test_many_outcomes_of_one_source_tell_no_more_of_another_cluster_than_one_does() -> None:
    usual = [Off(0.05 * sign, SCAN, 1, f"source {i}") for i, sign in enumerate((-1, 1) * 6)]
    one, fifty = ([*usual, *[Off(0.7, SCAN, 1, "a lab")] * count] for count in (1, 50))
    for kind in (SCAN, SORT):
        once, often = (Calibration(offs, is_biased=True) for offs in (one, fifty))
        assert often.bias(kind) == pytest.approx(once.bias(kind))
        assert often.half(kind) == pytest.approx(once.half(kind))


def test_so_many_outcomes_of_new_sources_lie_inside_as_the_level_says_though_each_source_is_off_as_one() -> None:
    """Forty sources are off by factors of their own, their ten outcomes all nearly alike."""
    shifts = NormalDist(0, 0.3).samples(40, seed=3)
    offs = [
        Off(error, SCAN, 1, f"source {number}")
        for number, shift in enumerate(shifts)
        for error in NormalDist(shift, 0.02).samples(10, seed=number)
    ]
    told = Calibration(offs, is_biased=True).told()
    for level in LEVELS:
        assert sum(one.is_inside(level) for one in told) / 400 == pytest.approx(level, abs=0.06)


def test_an_interval_reaches_to_the_answer_itself_however_far_answers_lean() -> None:
    told = Told(error=0.0, bias=1.0, halves={0.8: 0.1})
    assert told.is_inside(0.8)
    assert told.width(0.8) == pytest.approx(1 - math.exp(-1.1))


def test_only_where_nothing_was_fitted_a_bias_is_looked_for() -> None:
    known = [Measured(f"mapreduce/{i}", "mapreduce", 0.1, SORT, unit="s") for i in range(8)]
    new = [Measured(f"published/{i}", "published", 0.1, SORT, unit="s") for i in range(8)]
    seen, unseen = calibrations(known + new, FITTED, None)
    assert seen.bias(SORT, way=-1) == 0
    assert unseen.bias(SORT, way=-1) > 0.05


def test_what_two_outcomes_of_one_source_are_off_by_alike_is_not_in_their_ratio() -> None:
    """Each of eight sources is off by its own factor, and its two outcomes by 2 % more or less."""
    tested = [
        Measured(f"published/{i}-{sign}", "published", math.exp(0.3 * (i - 4) + 0.02 * sign) - 1, SORT, f"source {i}")
        for i in range(8)
        for sign in (-1, 1)
    ]
    _, single = calibrations(tested, FITTED, None)
    _, ratios = differences(tested, FITTED, None)
    assert len(ratios.errors) == 8
    assert ratios.half(pair(SORT, SORT)) == pytest.approx(0.04)
    assert single.half(SORT) > 0.5


def test_a_ratio_is_of_one_question_or_of_two() -> None:
    assert pair(SCAN, SCAN) != pair(SCAN, SORT)
