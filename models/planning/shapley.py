"""What each of several changes contributes to what all of them make together: Shapley values.

A change counts by what it adds to those made before it, as a mean over the orders in which they can be made. So the
parts add up to the whole exactly (efficiency), changes that do alike count alike (symmetry), and one that never
matters counts nothing (null player).

Sources: L. S. Shapley, A value for n-person games, Contributions to the Theory of Games 2, 1953; with orders drawn:
J. Castro, D. Gómez and J. Tejada, Polynomial calculation of the Shapley value based on sampling, Computers &
Operations Research 36, 2009; with each order its reverse: R. Mitchell et al., Sampling Permutations for Shapley
Value Estimation, Journal of Machine Learning Research 23, 2022.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

import numpy as np

EXACT = 6
"""Changes up to which all orders are taken: 64 coalitions. Assumption: more would take too many runs."""
DRAWN = 8
"""Orders that are drawn of more changes, each with its reverse. Assumption: 16 orders tell the large parts apart."""

Coalition = frozenset[int]
"""Numbers of changes that have been made."""
Order = tuple[int, ...]


def orders(changes: int) -> list[Order]:
    """Return the orders in which changes are made: all of a few, of many some drawn, always the same."""
    if changes <= EXACT:
        return list(permutations(range(changes)))
    random = np.random.default_rng(changes)
    drawn = [tuple(int(i) for i in random.permutation(changes)) for _ in range(DRAWN)]
    return [order for permutation in drawn for order in (permutation, permutation[::-1])]


def coalitions(changes: int) -> list[Coalition]:
    """Return what has been made at any step of these orders, each once: nothing first."""
    return sorted(
        {made for order in orders(changes) for made in _steps(order)},
        key=lambda coalition: (len(coalition), *coalition),
    )


def shapley(changes: int, value: Mapping[Coalition, float]) -> list[float]:
    """Return what each change contributes; `value` is that of every one of `coalitions`."""
    added: list[list[float]] = [[] for _ in range(changes)]
    for order in orders(changes):
        for change, (before, after) in zip(order, pairwise(_steps(order)), strict=True):
            added[change].append(value[after] - value[before])
    return [math.fsum(values) / len(values) for values in added]


def _steps(order: Order) -> Sequence[Coalition]:
    return [frozenset(order[:made]) for made in range(len(order) + 1)]
