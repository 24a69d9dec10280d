"""Shapley values: efficiency, symmetry, null players and additivity, exactly for few changes and for drawn orders."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from models.planning.shapley import EXACT, Coalition, coalitions, orders, shapley

FEW, MANY = 4, EXACT + 2


def shared(changes: int, value: Callable[[Coalition], float]) -> list[float]:
    return shapley(changes, {made: value(made) for made in coalitions(changes)})


def tangled(made: Coalition) -> float:
    """Return a value in which changes help and hinder each other."""
    return math.prod(1 + 0.3 * (i + 1) * (-1.0) ** i for i in made) + 5.0 * (len(made) > 2)


@pytest.mark.parametrize("changes", [1, FEW, MANY])
def test_the_shares_add_up_to_the_whole(changes: int) -> None:
    whole = tangled(frozenset(range(changes))) - tangled(frozenset())
    assert math.fsum(shared(changes, tangled)) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("changes", [FEW, MANY])
def test_a_change_that_never_matters_contributes_nothing(changes: int) -> None:
    assert shared(changes, lambda made: tangled(made - {1}))[1] == 0


@pytest.mark.parametrize("changes", [FEW, MANY])
def test_each_change_contributes_its_own_where_they_only_add_up(changes: int) -> None:
    shares = shared(changes, lambda made: math.fsum(10.0**i for i in made))
    assert shares == pytest.approx([10.0**i for i in range(changes)])


def test_changes_that_do_alike_contribute_alike() -> None:
    """The glove game: one left and two right gloves make a pair; the left one is worth 2/3, each right one 1/6."""
    shares = shared(3, lambda made: float(0 in made and bool(made & {1, 2})))
    assert shares == pytest.approx([2 / 3, 1 / 6, 1 / 6])


def test_a_product_of_two_factors_is_shared_by_the_formula_of_two() -> None:
    """Of 6 x 8 in place of 2 x 3 the first contributes (6 - 2) (8 + 3) / 2, the second (8 - 3) (6 + 2) / 2."""
    shares = shared(2, lambda made: (6 if 0 in made else 2) * (8 if 1 in made else 3))
    assert shares == [22.0, 20.0]


def test_few_changes_are_made_in_all_orders_and_many_in_the_same_ones_each_time() -> None:
    assert len(orders(EXACT)) == math.factorial(EXACT)
    assert len(coalitions(EXACT)) == 2**EXACT
    assert orders(MANY) == orders(MANY)
    assert all(order[::-1] in orders(MANY) for order in orders(MANY))
