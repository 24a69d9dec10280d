"""What holds for the capacity of every shipped profile, whatever its storage system."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest

from models.planning.capacity import Planning, capacity, servers_needed, with_count
from models.scenario import Scenario
from profiles.loading import catalog
from profiles.loading.loader import load

NAMES = tuple(entry.name for entry in catalog.SHIPPED.describe(("benchmarks", "studies")))
RULES = Planning(fill_limit=0.8, reserved_per_server=1e9, object_size=1e6)
ROUNDING = 1e-9


@cache
def loaded(name: str) -> Scenario:
    return load(name, Scenario).scenario


def planned(name: str, **changes: Any) -> Scenario:
    return loaded(name).model_copy(update={"planning": RULES.model_copy(update=changes)})


@pytest.mark.parametrize("name", NAMES)
def test_each_step_leaves_at_most_what_the_one_before_it_left(name: str) -> None:
    left = [step.left for step in capacity(planned(name)).steps]
    assert left == sorted(left, reverse=True)
    assert left[-1] > 0


@pytest.mark.parametrize("name", NAMES)
def test_stricter_rules_never_leave_more(name: str) -> None:
    most = capacity(planned(name)).usable
    stricter = ({"fill_limit": 0.7}, {"rebuild_drives": 1}, {"pending_uploads": 1e9}, {"object_size": 1e5})
    assert all(capacity(planned(name, **rule)).usable <= most * (1 + ROUNDING) for rule in stricter)


@pytest.mark.parametrize("name", NAMES)
def test_twice_the_servers_hold_at_least_twice_the_data(name: str) -> None:
    """More, where a server's failure is planned for; sets of MinIO keep their size."""
    scenario = planned(name)
    if not scenario.storage.batches(scenario.cluster):
        assert capacity(scenario).usable == math.inf
        return
    group = scenario.growing_group()
    double = with_count(scenario.cluster, group, 2 * scenario.cluster.groups[group].count)
    twice = scenario.model_copy(update={"cluster": double})
    assert capacity(twice).usable >= 2 * capacity(scenario).usable * (1 - ROUNDING)


@pytest.mark.parametrize("name", NAMES)
def test_the_servers_needed_hold_the_data_and_one_less_does_not_hold_it_or_is_no_cluster(name: str) -> None:
    scenario = planned(name)
    needed = servers_needed(scenario)
    if needed is None:
        return
    group = scenario.growing_group()

    def is_enough(count: int) -> bool:
        cluster = with_count(scenario.cluster, group, count)
        try:
            scenario.storage.fits(cluster)
        except ValueError:
            return False
        return capacity(scenario.model_copy(update={"cluster": cluster})).is_enough

    assert is_enough(needed)
    assert needed == 1 or not is_enough(needed - 1)
