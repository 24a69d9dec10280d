"""Bands, swings, Sobol indices and regret, by hand and against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.planning.uncertain import uncertain
from simulator.studies.uncertainty import band, influences, regrets, samples, sobol_points, swings, swings_points

INPUTS = [uncertain("a", "0..1.0"), uncertain("b", "0..1.0")]


def test_each_twentieth_of_an_input_is_met_once_by_twenty_samples() -> None:
    points = samples(INPUTS, 20, seed=1)
    for key in ("a", "b"):
        cells = sorted(math.floor(20 * float(dict(point)[key])) for point in points)
        assert cells == list(range(20))


def test_the_same_seed_draws_the_same_samples() -> None:
    assert samples(INPUTS, 16, seed=3) == samples(INPUTS, 16, seed=3)
    assert samples(INPUTS, 16, seed=3) != samples(INPUTS, 16, seed=4)


def test_swings_move_one_input_at_a_time_and_come_widest_first() -> None:
    points = [dict(point) for point in swings_points(INPUTS)]
    assert points[0] == {"a": "0.5", "b": "0.5"}
    assert points[1] == {"a": "0.05", "b": "0.5"}
    by_width = swings(INPUTS, [float(point["a"]) + 3 * float(point["b"]) for point in points])
    assert [swing.key for swing in by_width] == ["b", "a"]
    assert by_width[0].width == pytest.approx(2.7)


def test_a_swing_whose_end_cannot_be_run_is_left_out() -> None:
    assert [swing.key for swing in swings(INPUTS, [1.0, math.nan, 1.0, 1.0, 2.0])] == ["b"]


def test_sobol_indices_of_a_sum_are_the_parts_of_its_variance() -> None:
    """Of 2a + b with a and b alike, a has 4/5 of the variance, b 1/5, and they do nothing together."""
    points = [dict(point) for point in sobol_points(INPUTS, 512, seed=0)]
    by_key = {
        influence.key: influence
        for influence in influences(INPUTS, [2 * float(p["a"]) + float(p["b"]) for p in points], seed=0)
    }
    assert by_key["a"].first == pytest.approx(0.8, abs=0.02)
    assert by_key["b"].total == pytest.approx(0.2, abs=0.02)
    assert abs(by_key["a"].first - 0.8) <= by_key["a"].first_margin


def test_sobol_indices_of_a_product_show_what_inputs_do_together() -> None:
    """Of (a - 1/2)(b - 1/2) neither does anything alone, and each everything with the other."""
    points = [dict(point) for point in sobol_points(INPUTS, 512, seed=0)]
    product = [(float(p["a"]) - 0.5) * (float(p["b"]) - 0.5) for p in points]
    for influence in influences(INPUTS, product, seed=0):
        assert influence.first == pytest.approx(0.0, abs=0.05)
        assert influence.total == pytest.approx(1.0, abs=0.1)


def test_the_same_seed_gives_the_same_intervals_of_influences() -> None:
    points = [dict(point) for point in sobol_points(INPUTS, 8, seed=0)]
    values = [float(p["a"]) * float(p["b"]) for p in points]
    assert influences(INPUTS, values, seed=0) == influences(INPUTS, values, seed=0)
    assert influences(INPUTS, values, seed=0) != influences(INPUTS, values, seed=1)


def test_an_answer_that_nothing_moves_has_no_influences() -> None:
    count = len(sobol_points(INPUTS, 8, seed=0))
    assert {influence.total for influence in influences(INPUTS, [1.0] * count, seed=0)} == {0.0}


def test_a_band_counts_only_what_could_be_run() -> None:
    spread = band([1.0, 2.0, math.nan, 3.0])
    assert (spread.quantiles[0.5], spread.mean, spread.count) == (2.0, 2.0, 3)


def test_regret_is_against_the_best_choice_of_each_sample() -> None:
    ranked = regrets(["small", "large"], np.array([[100.0, 300.0], [110.0, 150.0]]))
    assert [regret.choice for regret in ranked] == ["large", "small"]
    assert ranked[0].worst == pytest.approx(0.1)
    assert ranked[0].mean == pytest.approx(0.05)
    assert ranked[1].worst == pytest.approx(1.0)
    assert ranked[1].best_in == 0.5


def test_a_choice_that_cannot_be_run_is_regretted_without_end() -> None:
    by_choice = {regret.choice: regret for regret in regrets(["a", "b"], np.array([[1.0, math.nan], [1.0, 1.0]]))}
    assert by_choice["a"].worst == math.inf
    assert by_choice["b"].worst == 0
