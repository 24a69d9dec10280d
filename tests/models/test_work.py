from __future__ import annotations

import math

import pytest

from models.work import Demand, Resource, Resources, Use, demand


def link(resources: Resources, name: str, capacity: float = 1.0) -> Resource:
    return resources.add(name, kind="link", group="links", unit="B", capacity=capacity)


def test_resources_are_numbered_in_the_order_in_which_they_were_added() -> None:
    resources = Resources()
    added = [link(resources, name) for name in "ab"]
    assert [r.index for r in added] == [0, 1]
    assert [resource.name for resource in resources] == ["a", "b"]


def test_a_capacity_may_be_a_table_by_number_of_streams() -> None:
    drive = Resources().add("d", kind="drive", group="drives", unit="B", capacity=(100, 60))
    assert drive.capacity == (100.0, 60.0)


def test_a_name_cannot_be_given_twice() -> None:
    resources = Resources()
    link(resources, "a")
    with pytest.raises(ValueError, match="resource 'a' exists already"):
        link(resources, "a")


@pytest.mark.parametrize("capacity", [0.0, -1.0, math.nan, (), (1.0, 0.0)])
def test_a_capacity_that_is_not_positive_is_refused(capacity: float) -> None:
    with pytest.raises(ValueError, match="resource 'a': capacity must be > 0"):
        link(Resources(), "a", capacity)


def test_uses_of_one_resource_are_added_up_and_those_without_cost_left_out() -> None:
    resources = Resources()
    a, b, c = (link(resources, name) for name in "abc")
    wanted = demand([Use(b, 2.0, 1.0), Use(a, 1.0), Use(c, 0.0, 9.0), Use(b, 3.0, 1.0)])
    assert wanted.uses == (Use(a, 1.0, 0.0), Use(b, 5.0, 2.0))


def test_a_demand_has_its_uses_in_one_order_whatever_that_in_which_they_come() -> None:
    resources = Resources()
    a, b = (link(resources, name) for name in "ab")
    one, other = (demand(uses) for uses in ([Use(a, 1.0), Use(b, 2.0)], [Use(b, 2.0), Use(a, 1.0)]))
    assert one.uses == other.uses == (Use(a, 1.0), Use(b, 2.0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cost": 0.0}, "cost on a must be > 0 and finite"),
        ({"cost": math.inf}, "cost on a must be > 0 and finite"),
        ({"max_rate": 0.0}, "max_rate and weight must be > 0"),
        ({"weight": -1.0}, "max_rate and weight must be > 0"),
        ({"weight": math.nan}, "max_rate and weight must be > 0"),
    ],
)
def test_a_demand_that_cannot_be_served_is_refused(wrong: dict[str, float], message: str) -> None:
    values = {"cost": 1.0, "max_rate": math.inf, "weight": 1.0} | wrong
    use = Use(link(Resources(), "a"), values["cost"])
    with pytest.raises(ValueError, match=message):
        Demand((use,), values["max_rate"], values["weight"])


def test_a_demand_without_resource_needs_a_rate() -> None:
    with pytest.raises(ValueError, match="a demand needs a resource or a max_rate"):
        demand([])
