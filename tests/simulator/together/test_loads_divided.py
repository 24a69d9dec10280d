"""Loads of requests beside jobs on many servers that are alike: a part of the servers against all of them."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

import models.symmetry
from models.failures import Failures, Fault
from models.jobs.object_load import Operation
from models.scenario import Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.stages import Limit
from models.symmetry import WHOLE, Detail, layout_of
from simulator.asked import Asked
from simulator.result import RATE, Result
from simulator.run import simulate
from simulator.together.result import beside
from tests.extent import IS_WHOLE
from tests.models.machines import GB, MB, cluster, hdd, server
from tests.simulator.together.test_loads_together import batch, found, many, tenant

SERVERS, PART = 16, 8
TIMES = SERVERS // PART
SHARED = Detail(PART, has_images=False)
"""So few servers as hold eight sets of four drives, so that all of them can be simulated beside a part."""
SEEDS = 6 if IS_WHOLE else 3
"""The 99th percentile of one run is 8 % off at random."""


def on(count: int, *entries: Any, failures: Failures | None = None) -> Scenario:
    """Return workloads on so many servers that store, in sets of four drives, and as many that compute."""
    small = many(*entries)
    storage = small.storage.model_copy(update={"set_size": 4, "parity": 2})
    machines = cluster(storage=(count, server(4, hdd())), compute=(count, server()))
    return small.model_copy(update={"cluster": machines, "storage": storage, "failures": failures})


def shared(failures: Failures | None = None, **changes: Any) -> Scenario:
    """Return a job and a load, each with so much for each server as on four."""
    night = batch(**{"input": SERVERS / 4 * 10 * GB} | changes)
    return on(SERVERS, night, tenant(rate=SERVERS / 4 * 40.0), failures=failures)


@pytest.fixture(scope="module")
def whole() -> list[Result]:
    return [simulate(shared(), seed=seed, tolerance=0.0, is_compared=False) for seed in range(SEEDS)]


@pytest.fixture(scope="module")
def part() -> list[Result]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.symmetry, "SHARED", SHARED)
        return [simulate(shared(), seed=seed, is_compared=False) for seed in range(SEEDS)]


def mean(results: list[Result], metric: str) -> float:
    """Return the mean of a metric over the seeds."""
    return fmean(result.metrics[metric][0] for result in results)


def test_a_job_beside_requests_takes_as_long_on_a_part_of_the_servers_as_on_all(
    whole: list[Result], part: list[Result]
) -> None:
    assert mean(part, "night.duration") == pytest.approx(mean(whole, "night.duration"), rel=0.03)


@pytest.mark.parametrize(("percentile", "within"), [("p50", 0.02), ("p90", 0.1), ("p99", 0.1)])
def test_requests_wait_as_long_on_a_part_of_the_servers_as_on_all(
    whole: list[Result], part: list[Result], percentile: str, within: float
) -> None:
    """The busiest of eight sets is less busy than that of sixteen: the higher percentiles are some 5 % lower."""
    name = f"tenant.latency {percentile}"
    assert mean(part, name) == pytest.approx(mean(whole, name), rel=within)


def test_rates_and_bytes_are_those_of_all_servers(whole: list[Result], part: list[Result]) -> None:
    for name in ("request rate", "offered rate", "throughput"):
        assert mean(part, f"tenant.{name}") == pytest.approx(mean(whole, f"tenant.{name}"), rel=0.02)
    one, other = whole[0], part[0]
    assert found(other, "tenant").series[RATE].mean() == pytest.approx(
        found(one, "tenant").series[RATE].mean(), rel=0.02
    )
    moved = [{group.group: group.bytes for group in result.groups} for result in (one, other)]
    assert moved[1]["storage/data drives"] == pytest.approx(moved[0]["storage/data drives"], rel=0.02)


def test_the_answer_says_that_a_part_was_simulated(whole: list[Result], part: list[Result]) -> None:
    assert not whole[0].warnings
    assert any(f"{2 * PART} of {2 * SERVERS} servers were simulated" in warning for warning in part[0].warnings)


def test_a_failure_strikes_one_part_of_the_requests() -> None:
    fails = Failures(faults=(Fault(at=10.0, component="storage-1/data-1"),), replacement_time=50.0)
    asked = Asked(0, lambda event: None, None, 0.0, SHARED)
    _, _, loads = beside(shared(fails, input=2 * GB), asked)
    windows, alone = loads["tenant"]
    assert {window.part for window in windows} == {1.0, 1 / TIMES}
    struck = sum(window.seconds.sum() for window in windows if window.part < 1)
    assert 50.0 < struck < 120.0
    for stretches in (windows, alone):
        assert sum(window.seconds.sum() for window in stretches) == pytest.approx(120.0)


def test_the_answer_says_whom_a_failure_strikes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.symmetry, "SHARED", SHARED)
    fails = Failures(faults=(Fault(at=10.0, component="storage-1/data-1"),))
    result = simulate(shared(fails, input=2 * GB), is_compared=False)
    assert any(f"met by one of {TIMES} such parts" in warning for warning in result.warnings)


def test_workloads_that_meet_are_divided_where_many_servers_are_alike() -> None:
    night = batch()
    assert layout_of(on(SERVERS, night, tenant()), SHARED).alike == TIMES
    assert layout_of(on(SERVERS, night, tenant()), WHOLE).alike == 1
    assert layout_of(on(SERVERS, night, tenant()), Detail(PART, many=SERVERS + 1)).alike == 1
    assert layout_of(on(SERVERS, night, tenant()).alone("tenant"), SHARED).alike == 1


def test_a_part_holds_all_pieces_of_an_object_on_servers_that_differ() -> None:
    assert layout_of(on(SERVERS, batch(), tenant()), Detail(2, has_images=False)).alike == SERVERS // 4


def test_what_fails_must_be_one_server_that_the_part_has() -> None:
    def alike(component: str, **changes: Any) -> float:
        failures = Failures(faults=(Fault(at=1.0, component=component),), **changes)
        return layout_of(on(SERVERS, batch(), tenant(), failures=failures), SHARED).alike

    assert alike(f"storage-{PART}/data-1") == TIMES
    assert alike(f"storage-{PART + 1}/data-1") < TIMES
    assert alike("rack-1") == 1
    assert alike("storage-1", acceleration=1.0, drive_failures_per_year="1 %/y") == 1


def test_how_much_is_simulated_follows_from_the_tolerance() -> None:
    jobs, loads = on(4, batch(), batch("other")), on(4, batch(), tenant())
    for scenario in (jobs, loads):
        assert Detail.of(None, scenario) is models.symmetry.SHARED
        assert Detail.of(0.0, scenario) is WHOLE
    assert Detail.of(0.001, jobs) is models.symmetry.ROUGH
    assert not Detail.of(0.001, loads).has_images
    assert Detail.of(0.001, loads).grain == models.symmetry.ROUGH.grain
    assert Detail.of(None, jobs.alone("night")) is models.symmetry.USUAL


@pytest.mark.parametrize("prefixes", [6, 5])
def test_a_rented_store_refuses_as_many_requests_on_a_part_as_on_all(
    prefixes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its limits are shared by all: of six prefixes a part of four has a half with half the rate, of five a fourth."""
    mix, rate = {"GET": Operation(action="get", size=1000.0)}, 60.0 * prefixes
    store: dict[str, Any] = {"first_byte": 0.02, "connection_bandwidth": 100 * MB, "prefixes": prefixes}
    tenants = [tenant(name, rate=rate, duration=20.0, mix=mix) for name in ("one", "other")]
    rented = AmazonS3(system="amazon-s3", get_rate=100.0, **store)
    scenario = on(SERVERS, *tenants).model_copy(update={"storage": rented})
    monkeypatch.setattr(models.symmetry, "SHARED", Detail(SERVERS // 4, has_images=False))
    found_all, found_part = (simulate(scenario, tolerance=tolerance, is_compared=False) for tolerance in (0.0, None))
    assert any("servers were simulated" in warning for warning in found_part.warnings)
    for name, within in {"request rate": 0.02, "refused": 0.1, "failed": 0.2}.items():
        assert found_all.metrics[f"one.{name}"][0] > 0
        assert found_part.metrics[f"one.{name}"][0] == pytest.approx(found_all.metrics[f"one.{name}"][0], rel=within)


@pytest.mark.parametrize(("prefixes", "alike"), [(6, 3), (5, 4), (4, 6), (1, 1)])
def test_the_limits_of_all_parts_of_the_requests_are_the_limit_of_all(prefixes: int, alike: int) -> None:
    limit = Limit("gets", "reads of a prefix", 90.0, prefixes, 90.0)
    part = limit.of_a_part(alike)
    assert alike * part.prefixes * part.rate == pytest.approx(prefixes * limit.rate)
    assert part.burst / part.rate == pytest.approx(limit.burst / limit.rate)
    assert limit.of_a_part(1) == limit
