"""What chance made of kinds and sizes is taken out of gaps as least squares over batches would have it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from models.distributions import fixed, log_uniform
from models.requests import Kind
from simulator.requests.controls import BATCHES, without_luck

Series = NDArray[np.float64]

KINDS = {
    "one kind of one size": (Kind("get", (), size=fixed(1e6)),),
    "one kind of many sizes": (Kind("get", (), size=log_uniform(1e4, 1e7)),),
    "two kinds whose sizes say which they are": (Kind("get", (), 1.0, fixed(1e6)), Kind("head", (), 2.0)),
    "three kinds": (Kind("get", (), 1.0, log_uniform(1e4, 1e7)), Kind("put", (), 1.0, fixed(1e5)), Kind("head", ())),
    "kinds without bytes": (Kind("head", (), 3.0), Kind("list", (), 1.0)),
}
REQUESTS = 20_000


def by_least_squares(gaps: Series, which: NDArray[np.uint8], sizes: Series, kinds: tuple[Kind, ...]) -> Series:
    """Return the same from columns of all that is more than expected, and the slopes that fit sums of batches best."""
    length, weights = len(gaps) // BATCHES, np.array([kind.weight for kind in kinds])
    weights = weights / weights.sum()
    mean = float(weights @ [kind.size.mean for kind in kinds])
    columns = np.array([*((which == k) - weight for k, weight in enumerate(weights)), (sizes - mean) / max(mean, 1.0)])

    def sums(rows: Series) -> Series:
        reached = np.cumsum(rows - rows.mean(axis=-1, keepdims=True), axis=-1)
        return np.asarray(reached[..., length:] - reached[..., :-length])

    slopes = np.linalg.lstsq(sums(columns).T, sums(gaps), rcond=1e-9)[0]
    return np.asarray(gaps - slopes @ columns)


@pytest.mark.parametrize("name", KINDS)
def test_gaps_are_cleared_as_by_least_squares_over_columns(name: str) -> None:
    kinds, rng = KINDS[name], np.random.Generator(np.random.PCG64(7))
    weights = np.array([kind.weight for kind in kinds])
    which = rng.choice(len(kinds), REQUESTS, p=weights / weights.sum()).astype(np.uint8)
    sizes = np.array([kind.size.values[0] for kind in kinds])[which]
    if name in ("one kind of many sizes", "three kinds"):
        sizes = np.where(which == 0, np.exp(rng.uniform(np.log(1e4), np.log(1e7), REQUESTS)), sizes)
    gaps = rng.exponential(1e-5 * (1 + which) + 1e-12 * sizes)
    cleared = without_luck(gaps, which, sizes, kinds)
    assert cleared == pytest.approx(by_least_squares(gaps, which, sizes, kinds), rel=1e-8, abs=1e-13)


def test_kinds_that_came_more_often_than_expected_lengthen_gaps_no_more() -> None:
    """Of requests of 1 and of 3 s in turn by chance, the mean gap is 2 s, however many of each there were."""
    kinds, rng = (Kind("short", ()), Kind("long", ())), np.random.Generator(np.random.PCG64(11))
    which = (rng.random(REQUESTS) < 0.6).astype(np.uint8)
    gaps = np.where(which == 1, 3.0, 1.0)
    assert gaps.mean() > 2.1
    assert without_luck(gaps, which, np.zeros(REQUESTS), kinds).mean() == pytest.approx(2.0, rel=1e-9)
