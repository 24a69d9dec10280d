"""Latencies with tails against closed forms: mixtures, queues with a second moment, and the slowest of several."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from models.distributions import EDGES, PARTS, Distribution, Spread, exponential, fixed, lognormal, mixture
from models.hardware.drive import Drive
from models.hardware.drive_times import commits, delays, device_times
from models.requests import Closed, Fan, Kind, Open, RequestRun, Station, Visit
from models.storage.amazon_s3.system import AmazonS3
from models.storage.stations import UNBOUNDED
from simulator.requests.run import RequestResult, run_requests
from tests.models.machines import hdd, nvme

BODY, TAIL = (0.98, 0.015, 0.4), (0.02, 0.120, 0.7)
"""First bytes of Amazon S3: weights, medians (s), sigmas."""
S3 = AmazonS3(system="amazon-s3", first_byte=0.019, connection_bandwidth=1e8, get_rate=5500.0)


def below(value: float) -> float:
    """Return the part of that mixture below a value."""
    return sum(weight * NormalDist().cdf(math.log(value / median) / sigma) for weight, median, sigma in (BODY, TAIL))


def run(service: Distribution, count: int, rate: float | None = None, lanes: int = 1) -> RequestResult:
    """Return requests of so many lanes each: to a slot at a rate, or by a client where nobody waits."""
    visit = Visit(Station("server", 1 if rate else UNBOUNDED), service)
    kind = Kind("get", (Fan((visit,), lanes),) if lanes > 1 else (visit,))
    loop = Open(rate) if rate else Closed(8)
    return run_requests(RequestRun("tail", (kind,), loop, count, warm_up=0.02), seed=3)


@pytest.mark.parametrize("part", [0.5, 0.9, 0.99, 0.999, 0.9999])
def test_a_table_has_the_percentiles_of_its_mixture(part: float) -> None:
    assert below(mixture((BODY, TAIL)).percentile(part)) == pytest.approx(part, abs=0.06 * (1 - part))


def test_tables_have_the_means_of_their_distributions() -> None:
    means = sum(weight * median * math.exp(sigma**2 / 2) for weight, median, sigma in (BODY, TAIL))
    assert mixture((BODY, TAIL)).mean == pytest.approx(means, rel=1e-6)
    assert Spread(0.4, 0.02, 8.0, 0.7).around(0.013).mean == pytest.approx(0.013)
    assert exponential(2.0).mean == pytest.approx(2.0)
    assert lognormal(3.0, 1.5).mean == pytest.approx(3.0)
    assert fixed(4.0).mean == 4.0
    assert PARTS.sum() == EDGES[-1] == 1.0


def test_the_loop_draws_the_percentiles_of_a_table_to_one_in_a_thousand() -> None:
    estimates = run(mixture((BODY, TAIL)), 400_000).latency.percentiles
    for name, part in {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}.items():
        assert below(estimates[name].value) == pytest.approx(part, abs=0.1 * (1 - part)), name


def test_who_queues_behind_a_tail_waits_for_its_second_moment() -> None:
    service = mixture((BODY, TAIL))
    second = float(service.values**2 @ PARTS)
    load = 0.5
    rate = load / service.mean
    estimate = run(service, 600_000, rate).latency.mean
    expected = service.mean + rate * second / 2 / (1 - load)
    assert estimate.low * 0.98 <= expected <= estimate.high * 1.02


@pytest.mark.parametrize("lanes", [4, 16])
def test_the_median_of_the_slowest_of_several_is_a_high_percentile_of_one(lanes: int) -> None:
    median = run(mixture((BODY, TAIL)), 60_000, lanes=lanes).latency.percentiles["p50"].value
    assert below(median) == pytest.approx(0.5 ** (1 / lanes), abs=0.02 / lanes)


def test_the_mean_of_the_slowest_of_several_is_known_in_closed_form() -> None:
    assert exponential(1.0).longest(10) == pytest.approx(sum(1 / k for k in range(1, 11)), rel=1e-4)
    assert Spread().longest(10) == 1.0
    spread = Spread(0.4, 0.02, 8.0, 0.7)
    slowest = run(spread.around(1.0), 60_000, lanes=8).latency.mean.value
    assert spread.longest(8) == pytest.approx(slowest, rel=0.03)


def test_a_first_byte_of_amazon_s3_has_the_percentiles_of_its_priors() -> None:
    first = S3.spread.around(S3.first_byte)
    for part, low, high in ((0.5, 10, 35), (0.9, 18, 60), (0.99, 40, 300), (0.999, 200, 2000)):
        assert low <= 1e3 * first.percentile(part) <= high
    assert first.mean == pytest.approx(0.019)


@pytest.mark.parametrize("stroke", [1.0, 0.25])
def test_seeks_and_turns_of_a_hard_drive_differ_around_their_mean(stroke: float) -> None:
    drive = hdd(seek_time=0.0085, rpm=7200, stroke=stroke)
    times = device_times(drive, "read")
    assert times.mean == pytest.approx(drive.access_time())
    rng = np.random.default_rng(1)
    way = np.abs(np.subtract(*rng.random((2, 200_000))))
    seeks = 0.0015 + (drive.random_seek - 0.0015) * 15 / 8 * np.sqrt(way)
    drawn = seeks + rng.random(200_000) / 120
    for part in (0.01, 0.5, 0.99):
        assert times.percentile(part) == pytest.approx(float(np.quantile(drawn, part)), rel=0.02)


def test_the_99th_percentile_of_a_lone_read_of_a_hard_drive_is_22_ms() -> None:
    assert device_times(hdd(seek_time=0.0085, rpm=7200), "read").percentile(0.99) == pytest.approx(0.022, rel=0.1)


def test_commits_of_a_hard_drive_differ_as_two_accesses_do() -> None:
    drive, rng = hdd(seek_time=0.0085, rpm=7200), np.random.default_rng(1)
    two = np.add(*rng.choice(device_times(drive, "write").values, (2, 200_000), p=PARTS))
    committed = commits(drive).around(float(two.mean()))
    assert committed.mean == pytest.approx(float(two.mean()))
    for part in (0.25, 0.5, 0.9):
        assert committed.percentile(part) == pytest.approx(float(np.quantile(two, part)), rel=0.05)
    highest = float(np.quantile(two, 0.99))  # turns end where tails go on
    assert committed.percentile(0.99) == pytest.approx(highest, rel=0.1)


def test_commits_of_flash_differ_as_accesses_of_a_drive_that_nobody_writes() -> None:
    committed = commits(flash()).around(1e-4)
    assert committed.mean == pytest.approx(1e-4)
    assert committed.percentile(0.99) / committed.percentile(0.5) == pytest.approx(1.3, rel=0.05)


def flash(**changes: float) -> Drive:
    return nvme(read_latency=100e-6, read_iops=500e3, write_latency=20e-6, write_iops=100e3, **changes)


def test_flash_answers_nearly_alike_until_it_is_written() -> None:
    idle, written = (delays(flash(), "read", is_written=way) for way in (False, True))
    assert idle.mean == pytest.approx(98e-6)
    assert idle.percentile(0.99) / idle.percentile(0.5) == pytest.approx(1.3, rel=0.05)
    assert idle.percentile(0.999) / idle.percentile(0.5) == pytest.approx(2.0, rel=0.1)
    assert written.percentile(0.5) == pytest.approx(idle.percentile(0.5), rel=0.05)
    assert written.percentile(0.99) == pytest.approx(1.5e-3, rel=0.1)
    assert written.percentile(0.999) == pytest.approx(6e-3, rel=0.1)
    assert delays(hdd(), "write", is_written=True).mean == 0.0
