"""What chance made of the requests drawn so far, taken out of the gaps between their completions (control variates).

Which part of all requests of a run is of which kind is known, and so is their mean size; those simulated so far are not
quite so. Where a kind, or a byte, takes longer, the gaps are longer by what there was more of it. How much longer is
the slope of the gaps over kinds and sizes of batches, each longer than a request is under way; the batches overlap.

Source: Lavenberg and Welch, A perspective on the use of control variables to increase the efficiency of Monte Carlo
simulations, Management Science 27, 1981.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.requests import Kind
from simulator.requests.batches import Cleared, Luck, clear_gaps, multiply_luck

Series = NDArray[np.float64]

BATCHES = 21
"""Batches of a run, as if side by side. Assumption: three times as many as tell the interval, so that the slopes are
known, and still long against a request."""


TINY = 1e-10
"""Part of the largest eigenvalue of what controls have in common below which they are the same: sums of millions."""


def without_luck(gaps: Series, which: NDArray[np.integer[Any]], sizes: Series, kinds: Sequence[Kind]) -> Series:
    """Return the gaps (s) that requests would have if as many as expected were of each kind, and as large (B)."""
    length = len(gaps) // BATCHES
    if length == 0:
        return gaps
    weights = np.array([kind.weight for kind in kinds]) / sum(kind.weight for kind in kinds)
    mean = float(weights @ [kind.size.mean for kind in kinds])
    slopes, per_byte = _slopes(gaps, which, sizes, len(kinds), length)
    less, left = slopes - slopes @ weights - per_byte * mean, np.empty(len(gaps))
    clear_gaps(Cleared(gaps, which, sizes, less, left), per_byte)
    return left


def _slopes(
    gaps: Series, which: NDArray[np.integer[Any]], sizes: Series, kinds: int, length: int
) -> tuple[Series, float]:
    """Return by how much a request of each kind lengthens a gap, and by how much each byte does (s)."""
    shares = np.bincount(which, minlength=kinds) / len(which)
    means = np.array([*shares, sizes.mean(), gaps.mean()])
    luck = Luck(gaps, which, sizes, means, np.zeros(kinds + 2), np.zeros((kinds + 2, kinds + 2)))
    multiply_luck(luck, length)
    units = np.ones(kinds + 1)
    units[-1] = max(means[kinds], 1.0)
    common, own = luck.products[:-1, :-1] / np.outer(units, units), luck.products[-1, :-1] / units
    whole = common + np.tril(common, -1).T
    slopes = np.linalg.lstsq(whole, own, rcond=TINY)[0] / units
    return slopes[:-1], float(slopes[-1])
