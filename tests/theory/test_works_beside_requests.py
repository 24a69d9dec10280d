"""A work beside an open load of requests: what is left of the resource, in closed form and by brute force."""

from __future__ import annotations

import numpy as np
import pytest

from models.work import Resource, Resources, Use, Work, demand
from simulator.engine import Engine

SERVICE = 0.005
AMOUNT = 60.0
"""Seconds that the work takes alone."""


def disk(capacity: float | tuple[float, ...] = 1.0) -> tuple[Engine, Resource]:
    resources = Resources()
    resource = resources.add("disk", kind="drive", group="disk", unit="s", capacity=capacity)
    return Engine(resources), resource


def beside(load: float, capacity: float | tuple[float, ...] = 1.0) -> float:
    """Return how long a work takes of whose resource a load has a part."""
    engine, resource = disk(capacity)
    engine.reserve(np.array([load]))
    return lasted(engine, resource)


def lasted(engine: Engine, resource: Resource) -> float:
    ends = list[float]()
    engine.execute(Work(AMOUNT, demand([Use(resource, 1.0)])), lambda: ends.append(engine.now))
    while not ends:
        engine.run(engine.now + 1.0)
    return ends[0]


def by_brute_force(load: float) -> float:
    """Return how long it takes beside requests that are small works, which come at random."""
    engine, resource = disk()
    rng, uses = np.random.default_rng(7), demand([Use(resource, 1.0)], max_rate=1.0)

    def come() -> None:
        engine.execute(Work(SERVICE, uses), lambda: None)
        engine.call_after(float(rng.exponential(SERVICE / load)), come)

    come()
    return lasted(engine, resource)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.9])
def test_a_work_has_what_an_open_load_leaves(load: float) -> None:
    assert beside(load) == pytest.approx(AMOUNT / (1 - load), rel=1e-6)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.9])
def test_so_it_has_where_requests_are_small_works(load: float) -> None:
    assert by_brute_force(load) == pytest.approx(beside(load), rel=0.05)


def test_a_load_that_changes_leaves_more_or_less_from_then_on() -> None:
    engine, resource = disk()
    engine.reserve(np.array([0.5]))
    engine.call_at(100.0, lambda: engine.reserve(np.array([0.75])))
    engine.call_at(300.0, lambda: engine.reserve(np.array([0.0])))
    assert lasted(engine, resource) == pytest.approx(100.0 + (AMOUNT - 50.0) / 0.25)


def test_a_drive_whose_rate_falls_with_the_streams_loses_the_same_part_of_all_of_them() -> None:
    assert beside(0.5, (1.5, 1.0)) == pytest.approx(AMOUNT / 0.75)


def test_the_books_say_what_works_and_requests_used_together() -> None:
    engine, resource = disk()
    engine.reserve(np.array([0.4]))
    lasted(engine, resource)
    works = engine.close()
    bins = works.utilization.shape[1]
    whole = works.beside(np.full((1, bins), 0.4), np.ones(1))
    assert whole.used[0] == pytest.approx(AMOUNT + 0.4 * works.time)
    full = int(AMOUNT / 0.6 / works.bin_width) - 1
    assert whole.utilization[0, :full] == pytest.approx(np.ones(full))
