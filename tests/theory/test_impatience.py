"""Requests that clients give up, against closed forms: a service cut at a deadline, and M/M/1 with patience D.

For one exponential slot and patience D from arrival to end of service (impatient in queue and in service), the virtual
waiting time v has the density of Gnedenko and Kovalenko, Introduction to Queueing Theory, 1989, 1.6: p0 at 0, and
p0 * rate * exp(-(mu - rate) v) below D; who finds a wait v is served in time with probability 1 - exp(-mu (D - v)).
"""

from __future__ import annotations

import math

import pytest

from models.distributions import exponential, fixed
from models.requests import Closed, Kind, Open, Patience, RequestRun, Station, Visit
from simulator.requests.run import RequestResult, run_requests

COUNT = 400_000


def failed(result: RequestResult) -> float:
    return result.failed / (result.done + result.failed)


def test_a_service_that_takes_too_long_is_given_up_as_often_as_its_distribution_says() -> None:
    kind = Kind("get", (Visit(Station("server", slots=100_000), exponential(1.0)),))
    result = run_requests(RequestRun("tail", (kind,), Open(100.0), COUNT, patience=Patience(2.0)), seed=1)
    assert failed(result) == pytest.approx(math.exp(-2), rel=0.01)
    assert result.retries == 0
    assert result.timed_out == result.failed


def test_attempts_are_independent_and_counted() -> None:
    kind = Kind("get", (Visit(Station("server", slots=100_000), exponential(1.0)),))
    patience = Patience(1.0, attempts=3, back_off=0.5)
    result = run_requests(RequestRun("thrice", (kind,), Open(100.0), COUNT, patience=patience), seed=1)
    late = math.exp(-1)
    assert failed(result) == pytest.approx(late**3, rel=0.02)
    assert result.timed_out / COUNT == pytest.approx(late + late**2 + late**3, rel=0.01)
    assert result.retries / COUNT == pytest.approx(late + late**2, rel=0.01)


@pytest.mark.parametrize("load", [0.7, 1.3])
def test_one_slot_with_impatient_clients_loses_what_gnedenko_and_kovalenko_say(load: float) -> None:
    mean, deadline = 0.01, 0.05
    mu, rate = 1 / mean, load / mean
    kind = Kind("get", (Visit(Station("server"), exponential(mean)),))
    result = run_requests(RequestRun("queue", (kind,), Open(rate), COUNT, patience=Patience(deadline)), seed=2)
    # work of a customer ends at his deadline: the level process goes down at 1, jumps by min(exp(mu), deadline - v)
    steps = 20_000
    width = deadline / steps
    density = [math.exp((rate - mu) * (i + 0.5) * width) for i in range(steps)]
    idle = 1 / (1 + rate * sum(density) * width)
    late = idle * math.exp(-mu * deadline)
    late += sum(
        idle * rate * value * width * math.exp(-mu * (deadline - (i + 0.5) * width)) for i, value in enumerate(density)
    )
    assert failed(result) == pytest.approx(late, rel=0.03)
    assert result.stations[0].utilization == pytest.approx(1 - idle, rel=0.01)


def test_a_closed_loop_with_time_outs_keeps_littles_law() -> None:
    kind = Kind("get", (Visit(Station("server", slots=4), exponential(0.01)),))
    patience = Patience(0.03, attempts=4, back_off=0.01)
    result = run_requests(RequestRun("closed", (kind,), Closed(10), 50_000, patience=patience), seed=3)
    assert result.timed_out > 1000
    assert result.retries == result.timed_out - result.failed
    assert result.little[0] == pytest.approx(result.little[1], rel=1e-9)
    assert result.little[0] == pytest.approx(10, rel=0.01)


def test_clients_that_time_out_in_the_queue_leave_it_to_those_behind_them() -> None:
    kind = Kind("get", (Visit(Station("server"), fixed(1.0)),))
    result = run_requests(RequestRun("line", (kind,), Open(1e6), 5, patience=Patience(2.5)), seed=0)
    assert (result.done, result.failed) == (2, 3)
    assert result.simulated == pytest.approx(2.5, abs=1e-4)
