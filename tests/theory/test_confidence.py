"""Confidence intervals hold what they promise: of 200 runs, the exact value lies in nine tenths to 98 % of them.

Exact values: the sojourn time of an M/M/1 queue is exponential; in a closed loop of one station, a request meets those
that are there with one client less (arrival theorem: Sevcik and Mitrani, J. ACM 28, 1981), and waits an Erlang time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import gammainc

from models.distributions import exponential
from models.requests import Closed, Kind, Open, RequestRun, Station, Visit
from simulator.requests.batches import Flow
from simulator.requests.estimates import BATCHES, PERCENTILES, STUDENT, Estimate, latency_of, rate_of
from simulator.requests.run import run_requests

SEEDS = 200
COUNT = 20_000
SERVICE = 0.01  # s
KIND = Kind("get", (Visit(Station("server"), exponential(SERVICE)),))


def queue(load: float) -> dict[str, float]:
    """Return mean, percentiles and rate of an M/M/1 queue."""
    mean = SERVICE / (1 - load)
    percentiles = {name: -mean * math.log(1 - p) for name, p in PERCENTILES.items()}
    return {**percentiles, "mean": mean, "rate": load / SERVICE}


def repairmen(clients: int, think: float) -> dict[str, float]:
    """Return the same of clients that think and send requests to one station."""
    ahead = waiting(clients - 1, think)
    mean = SERVICE * float((ahead * np.arange(1, clients + 1)).sum())

    def below(time: float) -> float:
        return float((ahead * gammainc(np.arange(1, clients + 1), time / SERVICE)).sum())

    percentiles = {name: brentq(lambda time, p=p: below(time) - p, 0, 100 * mean) for name, p in PERCENTILES.items()}
    return {**percentiles, "mean": mean, "rate": clients / (think + mean)}


def waiting(clients: int, think: float) -> NDArray[np.float64]:
    """Return the probabilities of 0 to all clients at the station: M/M/1//N."""
    weights = np.cumprod([1.0, *((clients - n) * SERVICE / think for n in range(clients))])
    return np.asarray(weights / weights.sum())


def coverage(run: Callable[[], RequestRun], exact: dict[str, float]) -> dict[str, tuple[int, float]]:
    """Return in how many runs each value has an interval, and in which share of these it holds the exact one."""
    known, held = Counter[str](), Counter[str]()
    for seed in range(SEEDS):
        result = run_requests(run(), seed=seed)
        estimates: dict[str, Estimate] = {
            **result.latency.percentiles,
            "mean": result.latency.mean,
            "rate": result.throughput,
        }
        for name, estimate in estimates.items():
            known[name] += estimate.is_known
            held[name] += estimate.is_known and estimate.low <= exact[name] <= estimate.high
    return {name: (known[name], held[name] / max(known[name], 1)) for name in exact}


def open_loop() -> RequestRun:
    return RequestRun("queue", (KIND,), Open(0.8 / SERVICE), COUNT, warm_up=0.1)


def busy_loop() -> RequestRun:
    return RequestRun("busy", (replace(KIND, think=exponential(0.5)),), Closed(40), COUNT, warm_up=0.1)


def quiet_loop() -> RequestRun:
    return RequestRun("quiet", (replace(KIND, think=exponential(0.2)),), Closed(8), COUNT, warm_up=0.1)


@pytest.mark.parametrize(
    ("run", "exact", "always", "never"),
    [
        (open_loop, queue(0.8), ("mean", "rate", "p50", "p90"), ("p99", "p99.9")),
        (busy_loop, repairmen(40, 0.5), ("mean", "rate", "p50", "p90"), ("p99.9",)),
        (quiet_loop, repairmen(8, 0.2), ("mean", "rate", "p50", "p90", "p99"), ()),
    ],
)
def test_intervals_hold_the_exact_value_as_often_as_they_say_and_are_left_out_where_they_could_not(
    run: Callable[[], RequestRun], exact: dict[str, float], always: tuple[str, ...], never: tuple[str, ...]
) -> None:
    covered = coverage(run, exact)
    assert all(covered[name][0] >= 0.9 * SEEDS for name in always), covered
    assert all(covered[name][0] <= 0.05 * SEEDS for name in never), covered
    shares = {name: share for name, (known, share) in covered.items() if known >= 0.1 * SEEDS}
    assert all(0.90 <= share <= 0.98 for share in shares.values()), covered


def test_the_99th_percentile_of_a_busy_queue_takes_a_long_run_and_then_its_interval_holds_it() -> None:
    run = RequestRun("long", (KIND,), Open(0.8 / SERVICE), 400_000, warm_up=0.1)
    estimates = [run_requests(run, seed=seed).latency.percentiles["p99"] for seed in range(5)]
    exact = queue(0.8)["p99"]
    assert sum(estimate.is_known for estimate in estimates) >= 4
    assert sum(estimate.low <= exact <= estimate.high for estimate in estimates) >= 4


def half_of_batches(error: NDArray[np.float64]) -> float:
    """Return half the width of the interval of a mean from all overlapping batches, each laid out."""
    length = len(error) // BATCHES
    means = np.lib.stride_tricks.sliding_window_view(error, length).mean(axis=1) - error.mean()
    return STUDENT * math.sqrt(length * float((means**2).sum()) / (len(means) * (len(error) - length)))


COUNTS = pytest.mark.parametrize("count", [100, 701, 8191, BATCHES * 8192 + 5])


@COUNTS
def test_the_interval_of_a_rate_comes_from_all_overlapping_batches_however_many_requests_there_are(count: int) -> None:
    random = np.random.default_rng(count)
    gaps, which = random.exponential(1.0, count), (random.random(count) < 0.5).astype(np.uint8)
    flow = Flow(gaps, which, random.random(count), np.array([0.0, 1.0]))
    for of_bytes, amounts in ((False, which == 1), (True, (which == 1) * flow.moved)):
        estimate = rate_of(flow, float(amounts.mean()), float(gaps.mean()), 1, of_bytes=of_bytes)
        assert estimate.value == pytest.approx(amounts.mean() / gaps.mean(), rel=1e-12)
        assert estimate.half_width == pytest.approx(
            half_of_batches(amounts / amounts.mean() - gaps / gaps.mean()), rel=1e-3
        )


@COUNTS
def test_the_interval_of_a_mean_latency_comes_from_all_overlapping_batches_on_a_scale_of_logarithms(count: int) -> None:
    times = np.random.default_rng(count).exponential(1.0, count)
    mean = latency_of(times).mean
    if mean.is_known:
        assert math.log(mean.high / mean.value) == pytest.approx(half_of_batches(times) / mean.value, rel=1e-3)
    assert mean.is_known or count < 1000


@COUNTS
def test_percentiles_are_the_values_of_their_ranks_and_their_intervals_lie_around_them(count: int) -> None:
    times = np.random.default_rng(count).choice([0.0, 1e-9, 0.01, 0.0100001, 0.02, 3.0, 1e4], count)
    ordered, latency = np.sort(times), latency_of(times)
    for name, p in PERCENTILES.items():
        estimate = latency.percentiles[name]
        assert estimate.value == ordered[math.ceil((count - 1) * p)]
        assert not estimate.is_known or estimate.low <= estimate.value <= estimate.high
