"""Sobol indices: which part of the variance of an answer comes from which input, alone and together with others.

Source of design and estimators: Saltelli et al., Variance based sensitivity analysis of model output, Computer Physics
Communications 181 (2010), 259-270. The library SALib computes the same, to the last byte, but brings pandas along, an
eighth of the packaged program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESAMPLES = 100
"""Draws of all rows from which the widths of intervals come (bootstrap). Source: as many as SALib draws."""
SURE = 0.95
"""Probability of an interval."""
SAME = float(np.finfo(float).eps)
"""Variance, of measures with variance 1, at which they count as equal."""


def design(inputs: int, base: int, seed: int) -> Floats:
    """Return the points of a design with `base` rows, each with a share (0 to 1) of each input: base x (inputs + 2).

    Of each row they are one point, the same with one input after the other of a second point, and that second point.
    """
    from scipy.stats import qmc  # imported late: half a second

    rows = qmc.Sobol(2 * inputs, seed=seed).random(base)
    first, second = rows[:, :inputs], rows[:, inputs:]
    points = np.repeat(first[:, np.newaxis], inputs + 2, axis=1)
    column = np.arange(inputs)
    points[:, 1 + column, column] = second
    points[:, -1] = second
    drawn: Floats = points.reshape(-1, inputs)
    return drawn


def indices(measures: Floats, inputs: int, seed: int) -> list[tuple[float, float, float, float]]:
    """Return of each input its first-order index, half the width of its interval, and both of the total index.

    `measures` are those at the points of `design`, of which some differ.
    """
    from scipy.special import ndtri

    rows = ((measures - measures.mean()) / measures.std()).reshape(-1, inputs + 2)
    drawn = np.random.default_rng(seed).integers(len(rows), size=(len(rows), RESAMPLES))
    width = ndtri(0.5 + SURE / 2)
    first, second = rows[:, 0], rows[:, -1]
    table = []
    for changed in rows[:, 1:-1].T:
        whole = _alone(first, changed, second), _total(first, changed, second)
        again = first[drawn], changed[drawn], second[drawn]
        alone, total = (width * part.std(ddof=1) for part in (_alone(*again), _total(*again)))
        table.append((float(whole[0]), float(alone), float(whole[1]), float(total)))
    return table


def _alone(first: Any, changed: Any, second: Any) -> Any:
    return _over_variance(np.mean(second * (changed - first), axis=0), first, second)


def _total(first: Any, changed: Any, second: Any) -> Any:
    return _over_variance(0.5 * np.mean((first - changed) ** 2, axis=0), first, second)


def _over_variance(part: Any, first: Any, second: Any) -> Any:
    """Return a part of the variance of both points; 0 of none."""
    variance = np.var(np.concatenate([first, second]), axis=0)
    return np.divide(part, variance, out=np.zeros_like(variance), where=variance > SAME)
