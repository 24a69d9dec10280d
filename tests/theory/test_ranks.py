"""Values by their rank are those of the sorted series, whatever their magnitudes, and so is how many are no larger."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from simulator.requests.estimates import Ranked

times = st.one_of(
    st.floats(0, 1e300, allow_nan=False), st.sampled_from([0.0, 5e-324, 0.01, 0.01 + 2**-60, np.inf]), st.integers(0, 9)
)


def told(ordered: NDArray[np.float64], ranks: list[int]) -> list[tuple[float, int]]:
    """Return the numbers of some ranks, and how many are no larger."""
    return [(float(number), int(np.count_nonzero(ordered <= number))) for number in ordered[ranks]]


@given(st.lists(times, min_size=1, max_size=60), st.data())
def test_any_ranks_of_any_series_are_those_of_the_sorted_one(series: list[float], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, len(series) - 1), min_size=1, max_size=8))
    ordered = np.sort(np.array(series, float))
    assert Ranked(np.array(series, float)).at(ranks) == told(ordered, ranks)


@pytest.mark.parametrize("spread", [0.0, 1e-9, 0.5, 20.0])
def test_the_ranks_of_many_times_are_those_of_the_sorted_ones(spread: float) -> None:
    series = np.random.default_rng(1).lognormal(0.0, spread, 30_000)
    ranked, ordered = Ranked(series), np.sort(series)
    for ranks in ([0], [29_999, 0], list(range(0, 30_000, 997))):
        assert ranked.at(ranks) == told(ordered, ranks)
