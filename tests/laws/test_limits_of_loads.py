"""What a load is limited by is true of it: twice as many of that carry most more, of all that its requests visit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from models.distributions import exponential
from models.requests import Closed, Kind, RequestRun, Route, Station, Visit
from simulator.limits import queued_at, worst
from simulator.requests.limits import held_up
from simulator.requests.run import run_requests

COUNT = 8_000
CORES, YIELD = 8, 0.25
FELT = 0.05
"""Part of the rate that twice as many gain by more than chance, in so few requests."""
ALIKE = 0.8
"""Part of the most that anything gains from which others gain as much."""


@cache
def processor() -> Station:
    """Return a processor with two threads a core, of which the second does a quarter of the first."""
    done = [min(n, CORES) + YIELD * max(n - CORES, 0) for n in range(1, 2 * CORES + 1)]
    return Station(
        "cpu", 2 * CORES, 1, "cpu", tuple(total / n / (done[-1] / len(done)) for n, total in enumerate(done, 1))
    )


def compute(seconds: float) -> Visit:
    return Visit(processor(), exponential(seconds))


def access(seconds: float) -> Visit:
    return Visit(Station("drives", 1, 4, "drive"), exponential(seconds))


def wait(seconds: float) -> Visit:
    return Visit(Station("commit", 1 << 20, 1, "delay"), exponential(seconds))


def hold(slots: int, *inside: Visit, name: str = "threads") -> Visit:
    return Visit(Station(name, slots, 1, "workers"), inside=inside)


def load(*route: Visit, clients: int) -> RequestRun:
    return RequestRun("requests", (Kind("get", route),), Closed(clients), COUNT, 0.1)


def twice(route: Route, name: str) -> Route:
    """Return a route with twice the slots of a station; of a processor twice the cores."""
    return tuple(_twice(visit, name) for visit in route if isinstance(visit, Visit))


def _twice(visit: Visit, name: str) -> Visit:
    visit = replace(visit, inside=twice(visit.inside, name))
    station = visit.station
    if station.name != name:
        return visit
    paces = tuple(pace for pace in station.paces for _ in range(2))
    return replace(visit, station=replace(station, slots=2 * station.slots, paces=paces))


def told_and_true(run: RequestRun) -> tuple[str, dict[str, float]]:
    """Return what a load is told to be limited by, and what twice as many of each group gain."""
    result = run_requests(run)
    limit = worst(held_up(run, result))
    assert limit is not None
    [kind] = run.kinds
    gained = {}
    for name in dict.fromkeys(use.station.name for use in result.stations if use.station.kind != "delay"):
        more = run_requests(replace(run, kinds=(replace(kind, route=twice(kind.route, name)),)))
        gained[name] = more.throughput.value / result.throughput.value - 1
    return queued_at(limit.resource), gained


def is_true(told: str, gained: dict[str, float]) -> bool:
    """Tell whether a limit gains as much as what gains most, or by chance a bit less."""
    return gained.get(told, 0.0) >= ALIKE * max(gained.values()) - FELT / 2


def test_processors_come_before_threads_that_compute_though_these_are_busier() -> None:
    told, gained = told_and_true(load(hold(14, compute(1e-3)), wait(1e-3), clients=60))
    assert told == "cpu"
    assert is_true(told, gained)
    assert gained["threads"] > FELT  # which come next


def test_slots_that_are_held_while_others_wait_are_the_limit_beside_processors_that_are_busy() -> None:
    told, gained = told_and_true(load(hold(12, compute(1e-3), wait(1e-3)), compute(2e-4), clients=60))
    assert told == "threads"
    assert is_true(told, gained)


def test_slots_that_are_held_while_drives_are_asked_are_not_the_limit_but_these() -> None:
    told, gained = told_and_true(load(hold(40, access(1e-3), compute(1e-4)), clients=80))
    assert told == "drives"
    assert is_true(told, gained)


def test_slots_that_everybody_has_are_no_limit_though_all_of_them_are_held() -> None:
    run = load(hold(16, wait(1e-2), compute(1e-4)), clients=16)
    limit = worst(held_up(run, run_requests(run)))
    assert limit is not None
    assert limit.resource == "commit"


def drawn(number: int) -> RequestRun:
    """Return the load of a number: clients enough that something is full, be it threads, or what these ask."""
    draw = Random(f"load {number}")
    makes = (compute, access, wait)
    visits = [draw.choice(makes)(draw.choice((1e-4, 3e-4, 1e-3, 3e-3))) for _ in range(draw.choice((2, 3, 4)))]
    cut = draw.randrange(len(visits))
    inner = (hold(draw.choice((2, 4, 8, 16, 32)), *visits[cut:]),)
    outer = (
        (*visits[:cut], *inner)
        if draw.random() < 0.7
        else (hold(draw.choice((8, 32)), *visits[:cut], *inner, name="doors"),)
    )
    return load(*outer, clients=draw.choice((64, 128)))


@pytest.mark.parametrize("number", range(60))
def test_twice_as_many_of_what_limits_a_load_gain_most(number: int) -> None:
    told, gained = told_and_true(drawn(number))
    assert is_true(told, gained), (told, gained)
