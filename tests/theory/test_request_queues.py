"""Requests against the closed forms of queueing theory: Erlang C, Pollaczek-Khinchine, M/G/inf, mean value analysis."""

from __future__ import annotations

import math

import pytest

from models.distributions import Distribution, exponential, fixed, lognormal
from models.requests import Closed, Kind, Open, RequestRun, Station, Visit
from simulator.requests.estimates import Estimate
from simulator.requests.run import RequestResult, run_requests

SERVICE = 0.02  # s
COUNT = 400_000


def one_station(slots: int, load: float, service: Distribution) -> RequestResult:
    """Return a run of Poisson requests to one station whose slots are busy for the fraction `load`."""
    station = Station("server", slots=slots)
    kind = Kind("get", (Visit(station, service),))
    return run_requests(RequestRun("queue", (kind,), Open(load * slots / service.mean), COUNT, warm_up=0.05), seed=1)


def erlang_c(slots: int, load: float) -> float:
    """Return the probability that a request waits."""
    offered = slots * load
    waiting = offered**slots / math.factorial(slots) / (1 - load)
    return waiting / (sum(offered**k / math.factorial(k) for k in range(slots)) + waiting)


def is_within(value: float, estimate: Estimate) -> bool:
    return estimate.low <= value <= estimate.high


@pytest.mark.parametrize(("slots", "load"), [(1, 0.5), (1, 0.8), (4, 0.7), (16, 0.9)])
def test_requests_to_several_exponential_slots_wait_as_erlang_c_says(slots: int, load: float) -> None:
    result = one_station(slots, load, exponential(SERVICE))
    expected = SERVICE + erlang_c(slots, load) * SERVICE / slots / (1 - load)
    assert is_within(expected, result.latency.mean)
    assert result.stations[0].utilization == pytest.approx(load, rel=0.01)


def test_latency_of_one_exponential_slot_is_exponential() -> None:
    result = one_station(1, 0.5, exponential(SERVICE))
    expected = {"p50": math.log(2), "p90": math.log(10), "p99": math.log(100), "p99.9": math.log(1000)}
    for name, multiple in expected.items():
        estimate = result.latency.percentiles[name]
        assert estimate.value == pytest.approx(multiple * SERVICE / 0.5, rel=0.05)
        assert estimate.low < estimate.value < estimate.high


@pytest.mark.parametrize(("service", "variation"), [(fixed(SERVICE), 0.0), (lognormal(SERVICE, 0.5), math.expm1(0.25))])
def test_requests_to_one_slot_wait_as_pollaczek_and_khinchine_say(service: Distribution, variation: float) -> None:
    result = one_station(1, 0.7, service)
    expected = SERVICE + 0.7 * SERVICE * (1 + variation) / 2 / (1 - 0.7)
    assert is_within(expected, result.latency.mean)


def test_a_station_that_nobody_waits_for_holds_rate_times_service_requests() -> None:
    station = Station("internet", slots=10_000)
    kind = Kind("get", (Visit(station, lognormal(SERVICE, 1.0)),))
    result = run_requests(RequestRun("delay", (kind,), Open(rate=500.0), COUNT), seed=1)
    assert result.stations[0].waited == 0.0
    assert result.little[0] == pytest.approx(500.0 * SERVICE, rel=0.01)
    assert is_within(SERVICE, result.latency.mean)


def mean_values(demands: list[float], think: float, clients: int) -> float:
    """Return the exact throughput of a closed network of single exponential slots: mean value analysis."""
    queues, rate = [0.0] * len(demands), 0.0
    for n in range(1, clients + 1):
        times = [demand * (1 + queue) for demand, queue in zip(demands, queues, strict=True)]
        rate = n / (think + sum(times))
        queues = [rate * time for time in times]
    return rate


@pytest.mark.parametrize("clients", [1, 4, 20])
def test_a_closed_network_goes_as_fast_as_mean_value_analysis_says(clients: int) -> None:
    demands = [0.010, 0.025, 0.005]
    route = tuple(Visit(Station(f"server-{i}"), exponential(demand)) for i, demand in enumerate(demands))
    kind = Kind("get", route, think=exponential(0.1))
    run = RequestRun("closed", (kind,), Closed(clients), COUNT, warm_up=0.05)
    result = run_requests(run, seed=2)
    expected = mean_values(demands, 0.1, clients)
    assert is_within(expected, result.throughput)
    assert result.throughput.value == pytest.approx(expected, rel=0.01)


def test_copies_of_a_station_share_the_visitors_evenly() -> None:
    station = Station("drive", copies=10)
    run = RequestRun("drives", (Kind("get", (Visit(station, exponential(0.01)),)),), Open(rate=500.0), COUNT)
    result = run_requests(run, seed=1)
    assert [use.visits for use in result.stations] == pytest.approx([COUNT / 10] * 10, rel=0.03)
    assert is_within(0.01 / (1 - 0.5), result.latency.mean)


@pytest.mark.parametrize("clients", [3, 64])
def test_clients_of_a_load_that_goes_on_are_spread_over_a_round_so_that_their_answers_come_evenly(clients: int) -> None:
    """Each request takes a second and nobody waits: clients that began in step would end in step for ever."""
    route = (Visit(Station("pace", slots=1000, kind="delay"), per_byte=1e-6),)
    kind = Kind("get", route, size=fixed(1e6))
    result = run_requests(RequestRun("load", (kind,), Closed(clients), 2000, warm_up=0.1, goes_on=True))
    assert result.throughput.value == pytest.approx(clients)
    assert result.throughput.half_width < 1e-6
    assert result.latency.mean.value == pytest.approx(1.0)
