"""Requests beside flows that go on all the time: M/G/1 with processor sharing, in closed form and by brute force.

By brute force each request is a small work of the fluid engine, beside works that never end.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from models.distributions import PARTS, Distribution, exponential, fixed
from models.requests import Flows, Kind, Open, RequestRun, Station, Visit
from models.work import Resources, Use, Work, demand
from simulator.engine import Engine
from simulator.requests.run import RequestResult, run_requests
from tests.extent import IS_WHOLE

LOADS = (0.3, 0.6, 0.9) if IS_WHOLE else (0.3, 0.6)
"""What requests bring, with `make laws` near saturation, too, which takes many of them."""
DISK = Station("disk")
SERVICE = 0.01
REQUESTS = 200_000


def enough(load: float) -> int:
    """Return how many requests tell their 99th percentile: near saturation fewer say too little."""
    return REQUESTS if load < 0.8 else 6 * REQUESTS


def beside(
    streams: float, load: float, service: Distribution, most: float = 1.0, many: int = REQUESTS
) -> RequestResult:
    """Return how requests fare that bring a load to a station, beside flows that take at most a part of it."""
    kinds = (Kind("get", (Visit(DISK, service),)),)
    flows = (Flows("disk", np.array([streams]), np.array([most])),) if streams else ()
    return run_requests(RequestRun("load", kinds, Open(load / service.mean), many, warm_up=0.1, flows=flows))


def by_brute_force(streams: int, load: float, service: Distribution, most: float = 1.0) -> np.ndarray:
    """Return the latencies of requests that are works of the fluid engine."""
    resources = Resources()
    disk = resources.add("disk", kind="drive", group="disk", unit="s", capacity=1.0)
    engine = Engine(resources)
    for i in range(streams):
        engine.execute(Work(1e12, demand([Use(disk, 1.0)], max_rate=most / streams, cap=f"flow {i}")), lambda: None)
    rng = np.random.default_rng(5)
    many = 40_000
    arrivals = np.cumsum(rng.exponential(service.mean / load, many))
    sizes = rng.choice(service.values, many, p=PARTS)
    uses, latencies = demand([Use(disk, 1.0)], max_rate=1.0), list[float]()

    def come(i: int) -> None:
        began = engine.now
        engine.execute(Work(float(sizes[i]), uses), lambda: latencies.append(engine.now - began))
        if i + 1 < many:
            engine.call_at(float(arrivals[i + 1]), lambda: come(i + 1))

    engine.call_at(float(arrivals[0]), lambda: come(0))
    engine.run(float(arrivals[-1]))
    return np.array(latencies[many // 10 :])


@pytest.mark.parametrize("load", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("streams", [1, 3])
@pytest.mark.parametrize("service", [exponential(SERVICE), fixed(SERVICE)], ids=["exponential", "fixed"])
def test_flows_multiply_the_mean_by_one_more_than_their_number(
    streams: int, load: float, service: Distribution
) -> None:
    result = beside(streams, load, service)
    assert result.latency.mean.value == pytest.approx((streams + 1) * SERVICE / (1 - load), rel=0.05)


@pytest.mark.parametrize("load", LOADS)
def test_percentiles_beside_a_flow_are_those_of_small_works(load: float) -> None:
    service = exponential(SERVICE)
    many = enough(load)
    result, (times,) = beside(1, load, service, many=many), one_by_one([service], load / SERVICE, many)
    assert result.latency.percentiles["p50"].value == pytest.approx(np.quantile(times, 0.5), rel=0.05)
    assert result.latency.percentiles["p99"].value == pytest.approx(np.quantile(times, 0.99), rel=0.05)


def test_a_flow_that_cannot_use_its_share_leaves_it_to_the_requests() -> None:
    result = beside(1, 0.3, exponential(SERVICE), most=0.4)
    times = by_brute_force(1, 0.3, exponential(SERVICE), most=0.4)
    assert result.latency.mean.value == pytest.approx(times.mean(), rel=0.05)
    assert result.latency.percentiles["p50"].value == pytest.approx(np.quantile(times, 0.5), rel=0.05)
    assert result.latency.percentiles["p99"].value == pytest.approx(np.quantile(times, 0.99), rel=0.08)  # of 36,000


@pytest.mark.parametrize("load", LOADS)
def test_two_classes_in_one_station_fare_as_small_works_in_proportion_to_their_size(load: float) -> None:
    classes = {"small": exponential(SERVICE), "large": fixed(4 * SERVICE)}
    kinds = tuple(Kind(name, (Visit(DISK, service),), 1.0) for name, service in classes.items())
    flows = (Flows("disk", np.array([1.0]), np.array([1.0])),)
    rate = load / (2.5 * SERVICE)
    run = RequestRun("load", kinds, Open(rate), enough(load), warm_up=0.1, flows=flows)
    result, times = run_requests(run), one_by_one(list(classes.values()), rate, enough(load))
    for (name, service), own in zip(classes.items(), times, strict=True):
        latency = result.latencies[name]
        assert latency.mean.value == pytest.approx(2 * service.mean / (1 - load), rel=0.05)
        for percentile, part in (("p50", 0.5), ("p99", 0.99)):
            assert latency.percentiles[percentile].value == pytest.approx(np.quantile(own, part), rel=0.05)


def one_by_one(classes: list[Distribution], rate: float, many: int) -> list[NDArray[np.float64]]:
    """Return the latencies by class of works, of each as many, that share a station with one that never ends.

    All that are there have the same part at any time, so that each leaves when that part, summed up since it came, is
    its size.
    """
    rng = np.random.default_rng(11)
    arrivals = np.cumsum(rng.exponential(1 / rate, many)).tolist()
    kinds = rng.integers(len(classes), size=many)
    sizes = np.choose(kinds, [rng.choice(service.values, many, p=PARTS) for service in classes]).tolist()
    there: list[tuple[float, int]] = []
    times, now, part = np.zeros(many), 0.0, 0.0
    for i, arrival in enumerate(arrivals):
        while there and now + (there[0][0] - part) * (len(there) + 1) <= arrival:
            end, number = there[0]
            now, part = now + (end - part) * (len(there) + 1), end
            heapq.heappop(there)
            times[number] = now - arrivals[number]
        part += (arrival - now) / (len(there) + 1)
        now = arrival
        heapq.heappush(there, (part + sizes[i], i))
    began, last = many // 10, many - many // 100  # what came last may not have left
    return [times[began:last][kinds[began:last] == k] for k in range(len(classes))]


def test_a_request_alone_beside_flows_has_its_fair_share() -> None:
    result = beside(3, 0.001, fixed(SERVICE))
    assert result.latency.percentiles["p50"].value == pytest.approx(4 * SERVICE)


def test_a_shared_station_is_as_busy_with_requests_as_they_ask() -> None:
    result = beside(2, 0.6, exponential(SERVICE))
    assert result.stations[0].utilization == pytest.approx(0.6, rel=0.02)
    assert result.stations[0].waited / result.stations[0].visits == pytest.approx((3 / 0.4 - 1) * SERVICE, rel=0.05)


def test_requests_that_flows_slow_down_beyond_patience_leave_the_station() -> None:
    from models.requests import Patience

    kinds = (Kind("get", (Visit(DISK, fixed(SERVICE)),)),)
    flows = (Flows("disk", np.array([9.0]), np.array([1.0])),)
    run = RequestRun("load", kinds, Open(10.0), 20_000, flows=flows, patience=Patience(timeout=5 * SERVICE))
    result = run_requests(run)
    assert result.failed == pytest.approx(20_000, rel=0.01)
    assert math.isclose(result.stations[0].utilization, 10.0 * 5 * SERVICE / 10, rel_tol=0.1)
