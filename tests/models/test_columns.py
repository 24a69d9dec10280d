"""Columns of uses say what uses one by one say."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from models.columns import Columns, columns
from models.storage.flow import Flow
from models.work import Demand, Resources, Use, demand


def resources(many: int) -> Resources:
    made = Resources()
    for number in range(many):
        made.add(f"r{number}", kind="drive", group="drives", unit="s", capacity=1.0)
    return made


def drawn(made: Resources, many: int, seed: int) -> tuple[Use, ...]:
    """Return uses of resources in any order, some of which come again or cost nothing."""
    chance = random.Random(seed)
    return tuple(
        Use(made[chance.randrange(len(made))], chance.choice((0.0, chance.random())), 0.5) for _ in range(many)
    )


def assert_equal(one: Demand, other: Demand) -> None:
    assert [use.resource for use in one.uses] == [use.resource for use in other.uses]
    for mine, its in zip(one.uses, other.uses, strict=True):
        assert mine.cost == pytest.approx(its.cost, rel=1e-14)
        assert mine.bytes == pytest.approx(its.bytes, rel=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_a_flow_of_columns_demands_what_one_of_uses_demands_alone_joined_and_scaled(seed: int) -> None:
    made = resources(30)
    many, few = drawn(made, 80, seed), drawn(made, 3, seed + 100)
    wide, plain, other = Flow(columns(many, made), 2.0), Flow(many, 2.0), Flow(few, 5.0)
    assert_equal(wide.demand, plain.demand)
    assert_equal(wide.joined(other).demand, plain.joined(other).demand)
    assert_equal(other.joined(wide).demand, other.joined(plain).demand)
    assert_equal(wide.scaled(0.25).demand, plain.scaled(0.25).demand)


def test_columns_of_each_resource_once_are_the_same_to_the_last_digit() -> None:
    made = resources(20)
    once = tuple(Use(resource, 1 / (1 + resource.index), resource.index / 7) for resource in made)
    assert tuple(columns(once[::-1], made)) == once == demand(once).uses


@pytest.mark.parametrize("cost", [math.inf, math.nan])
def test_columns_refuse_a_cost_that_is_no_finite_number(cost: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        demand(Columns(resources(1), np.array([[0.0], [cost], [1.0]])))


def test_columns_of_nothing_take_nothing() -> None:
    made = resources(3)
    nothing = columns([Use(made[1], 0.0)], made)
    assert len(nothing) == nothing.end == 0
    one = Flow((Use(made[2], 1.0),))
    assert list(Flow(nothing, 1.0).joined(one).uses) == list(one.uses)
    with pytest.raises(ValueError, match="needs a resource"):
        demand(nothing)
