"""The search of fits: where errors are least inside bounds, from points spread over them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from simulator.studies.search import GAIN, Errors, Floats, search

SHEARED = np.array([[1.0, 0.9], [0.9, 1.0], [0.0, 0.1]])


def test_a_descent_that_meets_a_bound_goes_on_along_it() -> None:
    least = np.array([3.0, -1.0])  # its first number lies beyond the bounds
    best, *_ = search(_linear(SHEARED, least), np.array([-2.0, -2.0]), np.array([2.0, 2.0]))
    along = SHEARED[:, 1]
    second = least[1] + along @ SHEARED[:, 0] * (least[0] - 2.0) / (along @ along)
    assert best.logs == pytest.approx([2.0, second], abs=0.02)


def test_descents_in_a_bent_valley_end_at_its_bottom_each() -> None:
    """A time of a request and a cost of a byte, of which the longer counts whole and the shorter in part."""
    requests, sizes = np.array([40.0, 60, 110, 150]), np.array([1.0, 1.6, 1.2, 3.0])
    documented = np.array([10.8, 14.7, 19.2, 24.6])

    def errors(points: Sequence[Floats]) -> Floats:
        request, byte, fixed = np.exp(np.array(points)).T[:, :, None]
        waits, works = request * requests, byte * sizes
        times = fixed + np.maximum(waits, works) + 0.3 * np.minimum(waits, works)
        return np.asarray((times - documented) / documented)

    first, second, *_ = search(errors, np.log([0.005, 0.5, 0.2]), np.log([1.0, 30.0, 20.0]))
    assert first.rms < 0.034
    assert second.rms < first.rms + 10 * GAIN


def _linear(slopes: Floats, least: Floats) -> Errors:
    return lambda points: np.array([slopes @ (point - least) for point in points])
