"""Intervals: what assumed numbers and errors found in validation say of an answer."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from models.planning.prediction import Assumed, Knob, design, ends, spread, student

SEEK = Assumed("drive.seek_time", 7e-3, 8.5e-3, 12.7e-3, "s", False)


def knobs(count: int) -> list[Knob]:
    return [Knob(f"{i}", (SEEK,), "prior", "data sheets") for i in range(count)]


def test_a_range_holds_nine_of_ten_and_its_likely_value_is_the_median() -> None:
    end = NormalDist().inv_cdf(0.95)
    assert [SEEK.at(deviation) for deviation in (-end, 0.0, end)] == pytest.approx([7e-3, 8.5e-3, 12.7e-3])


def test_a_number_that_may_be_nothing_is_drawn_on_a_straight_line() -> None:
    spare = Assumed("storage.spares", 0, 2, 4, None, True)
    assert spare.at(-NormalDist().inv_cdf(0.95)) == pytest.approx(0.0)
    assert spare.text(0.5) == "3"


def test_text_of_a_number_has_its_unit() -> None:
    assert SEEK.text(0.0) == "0.0085 s"
    assert Assumed("cpu.speed", 0.5, 1.0, 2.0, "1", False).text(0.0) == "1"


@pytest.mark.parametrize("count", [1, 5, 20])
def test_a_design_meets_each_part_of_each_range_once_and_is_always_the_same(count: int) -> None:
    drawn = design(8, knobs(count))
    assert np.allclose(drawn.mean(axis=0), 0.0)
    assert np.allclose(drawn.var(axis=0), 1.0)
    assert np.array_equal(drawn, design(8, knobs(count)))


def test_a_knob_more_leaves_the_draws_of_all_others_as_they_are() -> None:
    first, second, third = knobs(3)
    assert np.array_equal(design(8, [first, third]), design(8, [first, second, third])[:, [0, 2]])
    assert np.array_equal(design(8, [third, first]), design(8, [first, third])[:, [1, 0]])


def test_knobs_are_drawn_apart() -> None:
    drawn = design(48, knobs(60))
    correlations = (drawn.T @ drawn)[np.triu_indices(60, 1)] / 48
    assert correlations.mean() == pytest.approx(0.0, abs=3 / math.sqrt(47 * len(correlations)))
    assert correlations.std() == pytest.approx(1 / math.sqrt(47), rel=0.05)


def test_without_knobs_there_are_draws_of_nothing() -> None:
    assert design(8, []).shape == (8, 0)


@pytest.mark.parametrize(("count", "runs"), [(3, 8), (12, 48), (30, 48)])
def test_the_number_that_moves_an_answer_is_found(count: int, runs: int) -> None:
    assumed = knobs(count)
    drawn = design(runs, assumed)
    changes = [0.3 * assumed[2].move(deviation) for deviation in drawn[:, 2]]
    answer = spread(assumed, drawn, changes)
    assert answer.shares[2] == pytest.approx(1.0)
    assert answer.variance == pytest.approx(
        np.var(changes, ddof=1) * (student(0.8, runs - 1) / student(0.8, math.inf)) ** 2
    )


def test_of_many_numbers_and_few_runs_nothing_is_said_of_single_ones() -> None:
    assert spread(knobs(12), design(8, knobs(12)), list(design(8, knobs(12))[:, 2])).shares == ()


def test_numbers_that_do_not_act_leave_an_answer_alone() -> None:
    answer = spread(knobs(4), design(8, knobs(4)), [0.0] * 8)
    assert (answer.shift, answer.variance, answer.shares) == (0.0, 0.0, (0.0,) * 4)


def test_student_follows_the_tables() -> None:
    tables = {(0.8, 7): 1.415, (0.95, 10): 2.228, (0.5, 5): 0.727, (0.8, math.inf): 1.2816}
    assert {key: student(*key) for key in tables} == pytest.approx(tables, rel=0.01)


def test_an_answer_lies_in_its_own_interval() -> None:
    assert ends(100.0, 0.0, 0.0) == (100.0, 100.0)
    low, high = ends(100.0, 0.5, 0.01)
    assert low == 100.0
    assert high == pytest.approx(100 * math.exp(0.5 + 0.12816), rel=1e-3)
