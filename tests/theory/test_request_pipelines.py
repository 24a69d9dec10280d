"""Pipelines of requests: closed forms of constant stages, and a brute force over turns where chance decides."""

from __future__ import annotations

import numpy as np
import pytest

from models.distributions import exponential, fixed
from models.requests import (
    Closed,
    FirstByte,
    Kind,
    Patience,
    Pipeline,
    RequestRun,
    Section,
    Station,
    Visit,
)
from simulator.requests.run import RequestResult, run_requests

READ, CODE, WRITE = 0.002, 0.005, 0.003  # s a turn
STAGES = (READ, CODE, WRITE)
TURNS = 64


def stage(name: str, seconds: float, slots: int = 1) -> Visit:
    return Visit(Station(name, slots), fixed(seconds))


def run(pipeline: Pipeline, clients: int, count: int = 400) -> RequestResult:
    return run_requests(RequestRun("load", (Kind("put", (pipeline,), size=fixed(TURNS)),), Closed(clients), count))


def turns_a_second(ahead: int, clients: int, slots: int = 1) -> float:
    """Return the turns of all clients a second, of stages that each have a station with some slots."""
    sections = tuple(
        Section((stage(name, seconds, slots),), ahead=ahead)
        for name, seconds in zip(("read", "code", "write"), STAGES, strict=True)
    )
    return TURNS * run(Pipeline(sections, 1.0), clients).throughput.value


@pytest.mark.parametrize("clients", [1, 2, 5])
def test_stages_in_turn_carry_the_least_of_clients_over_their_sum_and_one_over_the_slowest(clients: int) -> None:
    whole = Section(tuple(stage(name, seconds) for name, seconds in zip("rcw", STAGES, strict=True)))
    rate = TURNS * run(Pipeline((whole,), 1.0), clients).throughput.value
    assert rate == pytest.approx(min(clients / sum(STAGES), 1 / max(STAGES)), rel=0.02)


@pytest.mark.parametrize("clients", [1, 2, 5])
@pytest.mark.parametrize("slots", [1, 4])
def test_a_pipeline_is_as_fast_as_its_slowest_stage_once_it_is_full(clients: int, slots: int) -> None:
    rate = turns_a_second(2, clients, slots)
    filling = 1 + (sum(STAGES) - max(STAGES)) / max(STAGES) / TURNS
    assert min(clients, slots) / max(STAGES) / filling * 0.99 <= rate <= min(clients, slots) / max(STAGES) * 1.001


def test_stages_that_may_not_be_ahead_take_turns_with_their_neighbours() -> None:
    neighbours = max(READ + CODE, CODE + WRITE)
    assert turns_a_second(1, 1) == pytest.approx(1 / neighbours, rel=0.02)


def test_halving_the_clients_of_a_saturated_pipeline_costs_less_than_a_fiftieth() -> None:
    assert turns_a_second(2, 4) > 0.98 * turns_a_second(2, 8)


def test_the_first_byte_comes_when_the_first_turn_has_passed() -> None:
    sections = (Section((stage("read", READ),), ahead=2), Section((stage("code", CODE), FirstByte())))
    assert run(Pipeline(sections, 1.0), 1).first_byte.mean.value == pytest.approx(READ + CODE)


@pytest.mark.parametrize(("size", "seconds"), [(1.0, 2.0), (1.5, 2.5), (2.0, 3.0), (2.5, 3.5), (64.0, 65.0)])
def test_turns_are_full_and_the_last_is_what_is_left(size: float, seconds: float) -> None:
    stages = (Visit(Station(name), per_byte=1.0) for name in ("read", "write"))
    pipeline = Pipeline(tuple(Section((visit,), ahead=2) for visit in stages), 1.0)
    load = RequestRun("load", (Kind("get", (pipeline,), size=fixed(size)),), Closed(1), 20)
    assert run_requests(load).latency.mean.value == pytest.approx(seconds)


def test_a_pipeline_within_a_section_goes_on_in_finer_turns() -> None:
    read, write = (Visit(Station(name), per_byte=1.0) for name in ("read", "write"))
    finer = Pipeline((Section((write,), ahead=2), Section((stage("send", 0.0),))), 1.0)
    route = (Pipeline((Section((read,), ahead=2), Section((finer,))), 16.0),)
    load = RequestRun("load", (Kind("get", route, size=fixed(40.0)),), Closed(1), 20)
    assert run_requests(load).latency.mean.value == pytest.approx(16.0 + 40.0)  # windows of 16, 16 and 8


def by_brute_force(ahead: int, lanes: int, requests: int = 4_000) -> float:
    """Return the mean seconds of a lone request whose turns are coded and then written by all drives, turn for turn."""
    rng = np.random.default_rng(3)
    coded, written = np.zeros((requests, TURNS + 1)), np.zeros((requests, lanes, TURNS + 1))
    for turn in range(1, TURNS + 1):
        room = written[:, :, max(turn - ahead, 0)].max(axis=1)
        coded[:, turn] = np.maximum(coded[:, turn - 1], room) + CODE
        begins = np.maximum(written[:, :, turn - 1], coded[:, None, turn])
        written[:, :, turn] = begins + rng.exponential(WRITE, (requests, lanes))
    return float(written[:, :, -1].max(axis=1).mean())


@pytest.mark.parametrize("ahead", [1, 2, 5, 48])
def test_a_bounded_ring_before_each_drive_of_a_stripe_evens_out_what_chance_does_to_them(ahead: int) -> None:
    lanes, drive = 4, exponential(WRITE)
    drives = Section((Visit(Station("drives", slots=lanes), drive),), lanes)
    pipeline = Pipeline((Section((stage("code", CODE),), ahead=ahead), drives), 1.0)
    latency = run(pipeline, 1, 4_000).latency.mean.value
    assert latency == pytest.approx(by_brute_force(ahead, lanes), rel=0.01)


def test_a_pipeline_that_is_given_up_leaves_all_that_it_holds() -> None:
    sections = (Section((stage("code", CODE),), ahead=2), Section((stage("write", WRITE, 4),), lanes=4))
    kind = Kind("put", (Pipeline(sections, 1.0),), size=fixed(TURNS))
    patience = Patience(timeout=10.5 * CODE, attempts=2, back_off=1e-6)
    result = run_requests(RequestRun("load", (kind,), Closed(1), 200, patience=patience))
    assert result.failed == 200
    assert result.stations[0].utilization == pytest.approx(1.0, rel=0.01)
