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

Series = NDArray[np.float64]

BATCHES = 21
"""Batches of a run, as if side by side. Assumption: three times as many as tell the interval, so that the slopes are
known, and still long against a request."""


def without_luck(gaps: Series, which: NDArray[np.integer[Any]], sizes: Series, kinds: Sequence[Kind]) -> Series:
    """Return the gaps (s) that requests would have if as many as expected were of each kind, and as large (B)."""
    length = len(gaps) // BATCHES
    if length == 0:
        return gaps
    weights = np.array([kind.weight for kind in kinds]) / sum(kind.weight for kind in kinds)
    mean = float(weights @ [kind.size.mean for kind in kinds])
    excess = [(which == k) - weight for k, weight in enumerate(weights[1:], 1)]
    if mean > 0:
        excess.append(sizes / mean - 1)
    if not excess:
        return gaps
    columns = np.array(excess)
    slopes = np.linalg.lstsq(_sums(columns, length).T, _sums(gaps[np.newaxis], length)[0], rcond=None)[0]
    return np.asarray(gaps - slopes @ columns)


def _sums(columns: Series, length: int) -> Series:
    """Return the sums over batches that overlap, less their mean."""
    sums = np.cumsum(columns - columns.mean(axis=1, keepdims=True), axis=1)
    return np.asarray(sums[:, length:] - sums[:, :-length])
