"""How far fits that are as good lie apart: walks along what errors leave open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from simulator.studies.reach import Floats, Measure, furthest

WIDE = (np.full(2, -5.0), np.full(2, 5.0))
START = np.zeros(2)


def linear(slopes: Floats, rise: Floats) -> Measure:
    return lambda points: (np.array([slopes @ p for p in points]), np.array([rise @ p for p in points]))


def reach(measure: Measure, allowed: float, bounds: tuple[Floats, Floats] = WIDE) -> tuple[float, float]:
    low, high = (furthest(measure, START, *bounds, allowed, way) for way in (-1, 1))
    return low, high


@pytest.mark.parametrize("rise", [[1.0, 0.0], [0.3, 0.7], [1.0, -1.0]])
def test_linear_predictions_differ_by_the_root_of_their_leverage_times_the_allowed_error(rise: list[float]) -> None:
    slopes, told = np.array([[1.0, 0.2], [0.1, 1.0], [0.6, 0.6]]), np.array(rise)
    leverage = told @ np.linalg.inv(slopes.T @ slopes) @ told
    widest = 0.05 * np.sqrt(leverage)
    assert reach(linear(slopes, told), 0.05**2) == pytest.approx((-widest, widest), abs=0.004)


def test_what_no_error_feels_goes_to_the_bounds() -> None:
    measure = linear(np.array([[1.0, 0.0]]), np.array([0.0, 1.0]))
    assert reach(measure, 0.05**2) == pytest.approx((-5.0, 5.0), abs=1e-6)


def test_where_there_are_no_errors_at_all_the_bounds_alone_hold() -> None:
    measure = linear(np.empty((0, 2)), np.array([1.0, -1.0]))
    assert reach(measure, 0.05**2) == pytest.approx((-10.0, 10.0), abs=1e-6)


def test_a_valley_is_walked_to_its_end_though_it_bends() -> None:
    """A time that is the sum of two parts, of which only the sum was documented, and one is asked for."""

    def measure(points: Sequence[Floats]) -> tuple[Floats, Floats]:
        parts = np.exp(np.array(points))
        return (parts.sum(axis=1, keepdims=True) - 2.0) / 2.0, np.log(parts[:, 0])

    low, high = reach(measure, 0.01**2)
    assert low == pytest.approx(-5.0, abs=0.01)
    assert high == pytest.approx(np.log(2.02), abs=0.02)


def test_what_jumps_where_errors_grow_is_not_walked_past() -> None:
    """A price below a limit, above which the error is large."""

    def measure(points: Sequence[Floats]) -> tuple[Floats, Floats]:
        first = np.array(points)[:, 0]
        return np.where(first > 0.7, 1.0, 0.0)[:, None], first

    low, high = reach(measure, 0.05**2)
    assert low == pytest.approx(-5.0, abs=1e-6)
    assert 0.6 < high <= 0.7
