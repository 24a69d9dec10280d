"""Stations whose slots slow each other down, as threads of a core do, against birth and death in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.distributions import Distribution, exponential, fixed
from models.hardware.server import Cpu
from models.requests import (
    Closed,
    Fan,
    Flows,
    Kind,
    Open,
    Patience,
    RequestRun,
    Station,
    Visit,
)
from simulator.requests.run import RequestResult, run_requests

SERVICE = 0.01  # s
CPU = Cpu(cores=4, threads=8, speed=1.0, smt_yield=1.25)
SLOTS = CPU.threads
CORES = Station("cpu", SLOTS, kind="cpu", paces=CPU.paces())


def by_clients(clients: int, service: Distribution) -> RequestResult:
    run = RequestRun("load", (Kind("get", (Visit(CORES, service),)),), Closed(clients), 20_000, warm_up=0.05)
    return run_requests(run)


def work_rate(busy: int) -> float:
    """Return the seconds of service that all slots give a second while some are busy."""
    return CPU.capacity()[min(busy, SLOTS) - 1] * SLOTS / CPU.capacity()[-1]


def test_a_lone_thread_has_a_core_to_itself() -> None:
    assert CPU.paces()[0] == pytest.approx(2 / 1.25)
    assert CPU.paces()[CPU.cores - 1] == pytest.approx(2 / 1.25)
    assert CPU.paces()[-1] == pytest.approx(1.0)
    assert Cpu(cores=4, threads=4, speed=0.9).paces() == ()


@pytest.mark.parametrize("clients", [1, 3, 4, 6, 8, 20])
@pytest.mark.parametrize("service", [exponential(SERVICE), fixed(SERVICE)], ids=["exponential", "fixed"])
def test_clients_in_a_loop_have_what_so_many_threads_give(clients: int, service: Distribution) -> None:
    result = by_clients(clients, service)
    assert result.throughput.value == pytest.approx(work_rate(clients) / SERVICE, rel=0.02)
    assert result.stations[0].utilization == pytest.approx(work_rate(clients) / SLOTS, rel=0.02)


@pytest.mark.parametrize("load", [0.2, 0.6, 0.9])
def test_requests_by_chance_fare_as_births_and_deaths_say(load: float) -> None:
    rate = load * SLOTS / SERVICE
    run = RequestRun("load", (Kind("get", (Visit(CORES, exponential(SERVICE)),)),), Open(rate), 200_000, warm_up=0.05)
    result = run_requests(run)
    ratios = [rate * SERVICE / work_rate(n) for n in range(1, 500)]
    chances = np.cumprod([1.0, *ratios])
    present = float((chances * np.arange(len(chances))).sum() / chances.sum())
    assert result.latency.mean.value == pytest.approx(present / rate, rel=0.03)


def test_lanes_that_begin_together_speed_up_as_others_end() -> None:
    lanes = 8
    kind = Kind("put", (Fan((Visit(CORES, exponential(SERVICE)),), lanes),))
    result = run_requests(RequestRun("load", (kind,), Closed(1), 20_000))
    expected = sum(SERVICE / work_rate(n) for n in range(1, lanes + 1))
    assert result.latency.mean.value == pytest.approx(expected, rel=0.02)


def test_flows_beside_slow_a_request_down_by_the_threads_they_occupy() -> None:
    kind = Kind("get", (Visit(CORES, fixed(SERVICE)),))
    for streams, most, pace in ((3.0, 1.0, 1.6), (7.0, 1.0, 1.0), (7.0, 0.25, 1.6)):
        flows = (Flows("cpu", np.array([streams]), np.array([most])),)
        result = run_requests(RequestRun("load", (kind,), Closed(1), 1_000, flows=flows))
        assert result.latency.mean.value == pytest.approx(SERVICE / pace)


def test_requests_that_are_given_up_leave_their_threads() -> None:
    kind = Kind("get", (Visit(CORES, fixed(SERVICE)),))
    run = RequestRun("load", (kind,), Closed(8), 4_000, patience=Patience(timeout=SERVICE / 2))
    result = run_requests(run)
    assert result.failed == 4_000
    assert math.isclose(result.stations[0].utilization * result.duration * SLOTS, 4_000 * SERVICE / 2, rel_tol=0.01)
