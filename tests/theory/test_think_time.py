"""Closed loops of clients that do something between their requests, against the laws of operational analysis.

Interactive response time law: R = N / X - Z. M/M/1//N, the machine repairman: a station that N clients ask, each after
an exponential pause, is idle with the chance 1 / sum over n of N! / (N - n)! (s / Z)^n, whatever the pauses' spread.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from models.distributions import Distribution, exponential, fixed, lognormal
from models.requests import Closed, Kind, RequestRun, Station, Visit
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.limits import THINKING
from simulator.requests.run import RequestResult, run_requests
from simulator.result import Result
from simulator.run import simulate

SERVICE, THINK = 0.01, 0.5
SERVER = Visit(Station("server"), exponential(SERVICE))
ONE_CLIENT = "published-s3-c5n-xlarge"
"""A client of two reference cores with four threads, 25 Gbit/s, and a store that is faster."""


def answered(clients: int, think: Distribution) -> RequestResult:
    """Return how clients fare that think and ask one server."""
    kind = Kind("get", (SERVER,), think=think)
    return run_requests(RequestRun("load", (kind,), Closed(clients), 100_000, warm_up=0.05), seed=3)


def repaired(clients: int) -> float:
    """Return the requests a second of M/M/1//N."""
    weights = [math.perm(clients, n) * (SERVICE / THINK) ** n for n in range(clients + 1)]
    return (1 - 1 / sum(weights)) / SERVICE


def asked(**settings: str) -> Result:
    """Return how a load of small objects goes."""
    overrides = {f"workload.{key.replace('__', '.')}": value for key, value in settings.items()}
    return simulate(load(ONE_CLIENT, Scenario, overrides=overrides).scenario, profile=ONE_CLIENT)


@pytest.mark.parametrize("clients", [5, 50, 100])
@pytest.mark.parametrize("think", [exponential(THINK), fixed(THINK), lognormal(THINK, 1.0)])
def test_clients_that_think_send_as_many_requests_as_the_machine_repairman_says(
    clients: int, think: Distribution
) -> None:
    result = answered(clients, think)
    assert result.throughput.value == pytest.approx(repaired(clients), rel=0.015)
    assert result.latency.mean.value == pytest.approx(clients / repaired(clients) - THINK, rel=0.1)


@pytest.mark.parametrize("clients", [20, 2000])
def test_clients_that_think_equally_long_do_not_send_in_step(clients: int) -> None:
    think = clients * SERVICE / 0.5
    kind = Kind("get", (Visit(Station("server"), fixed(SERVICE)),), think=fixed(think - SERVICE))
    result = run_requests(RequestRun("load", (kind,), Closed(clients), 10 * clients, goes_on=True))
    assert result.latency.percentiles["p99"].value == pytest.approx(SERVICE)
    assert result.throughput.value == pytest.approx(0.5 / SERVICE, rel=0.01)
    assert result.stations[0].utilization == pytest.approx(0.5, rel=0.02)


def test_ten_thousand_users_are_answered_as_the_interactive_response_time_law_says() -> None:
    for spread in ("0", "1"):
        users = {"threads": "10000", "think": "5 s", "think_spread": spread, "count": "100000", "precision": "0"}
        result = asked(**users, mix__GET__size="64 KiB")
        rate, under_way = result.metrics["request rate"][0], 1 - result.metrics[THINKING][0]
        assert rate == pytest.approx(10_000 / (5.0 + 10_000 * under_way / rate), rel=0.01)
        assert 0.008 < result.requests[0].latency["p50"].value < 0.03
        assert result.bottleneck.resource == THINKING


def test_more_users_than_a_client_can_serve_wait_as_the_interactive_response_time_law_says() -> None:
    cores = load(ONE_CLIENT, Scenario).scenario.cluster.groups["clients"].server.cpu.capacity()[-1]
    users = {"threads": "1000", "think": "1 s", "think_spread": "1", "count": "20000", "precision": "0"}
    result = asked(**users, mix__GET__size="1 MiB", request_cpu="5 ms")
    rate = cores / (5e-3 + 1.2e-9 * 2.0**20)
    measured = result.metrics["request rate"][0]
    assert measured == pytest.approx(rate, rel=0.05)
    assert result.metrics[THINKING][0] * 1000 / measured == pytest.approx(1.0, rel=0.03)
    assert result.bottleneck.resource == "clients/cpu"


def test_without_a_store_in_the_way_a_client_is_as_fast_as_its_work_between_requests_lets_it() -> None:
    cores = load(ONE_CLIENT, Scenario).scenario.cluster.groups["clients"].server.cpu.capacity()[-1]
    size = 2.0**20
    result = asked(
        threads="64", mix__GET__size="1 MiB", mix__GET__between_cpu="10 ms", mix__GET__between_byte_cpu="20 ns/B"
    )
    spent = 10e-3 + 0.18e-3 + (20 + 0.95 + 0.25) * 1e-9 * size
    assert result.metrics["request rate"][0] == pytest.approx(cores / spent, rel=0.02)
    assert result.bottleneck.resource == "clients/cpu"
    assert 0.1 < result.metrics[THINKING][0] < 0.9


def test_work_between_requests_is_on_nobodys_clock() -> None:
    usual = asked(threads="1", mix__GET__size="1 MiB").requests[0].latency["p50"].value
    beside = asked(threads="1", mix__GET__size="1 MiB", mix__GET__between_cpu="1 s").requests[0].latency["p50"].value
    assert beside == pytest.approx(usual, rel=0.02)


def test_a_load_without_pauses_says_nothing_of_them() -> None:
    assert THINKING not in asked().metrics


def test_clients_whose_requests_fail_think_before_the_next_as_well() -> None:
    result = asked(
        threads="50", think="2 s", timeout="1 us", attempts="1", count="5000", precision="0", mix__GET__size="1 MiB"
    )
    assert result.metrics["failed"][0] / result.duration == pytest.approx(25, rel=0.1)


@pytest.mark.parametrize("key", ["think", "mix.GET.between_cpu", "mix.GET.between_byte_cpu"])
def test_clients_of_an_open_loop_wait_for_no_result_after_which_they_could_pause(key: str) -> None:
    workload = load(ONE_CLIENT, Scenario).scenario.workload
    paused = workload.model_dump(exclude_unset=True) | {"threads": None, "rate": 10.0}
    *above, last = key.split(".")
    place: Any = paused
    for name in above:
        place = place[name]
    place[last] = 1e-6
    with pytest.raises(ValidationError, match="an open loop sends"):
        type(workload).model_validate(paused)
