"""A load of requests: what a profile may state, the runs it comes to, and what a user is told of them."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from pydantic import ValidationError

from models.build import build
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.object_load_plan import ObjectLoadPlan
from models.problem import RefusalError
from models.requests import Closed, Fan, Open, RequestRun, Visit
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

GET = {"action": "get", "size": 1e6}


def job(**changes: Any) -> ObjectLoad:
    settings = {"kind": "requests", "clients": "workers", "threads": 4, "count": 1000, "mix": {"GET": GET}}
    return ObjectLoad.model_validate(
        {key: value for key, value in {**settings, **changes}.items() if value is not None}
    )


def run_of(**changes: Any) -> RequestRun:
    """Return the run of a load on the shipped StorageGRID with its four workers."""
    scenario = load("small-ranges-storagegrid", Scenario).scenario
    plan = build(scenario.model_copy(update={"workload": job(**changes)}), 0)
    assert isinstance(plan, ObjectLoadPlan)
    return plan.runs()[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 5.0}, "state either threads .* or rate"),
        ({"threads": None}, "state either threads .* or rate"),
        ({"duration": 5.0}, "state either duration or count"),
        ({"mix": {}}, "at least one kind of requests"),
        (
            {"count": 200_001, "mix": {"GET": {**GET, "part_size": 200.0}}},
            r"comes to 1e\+09 requests with all parts, at most 1,000,000,000 are simulated; lower it",
        ),
        ({"count": None, "duration": 9.0, "mix": {"GET": {**GET, "part_size": 0.1}}}, r"comes to 1e\+10 requests"),
    ],
)
def test_a_load_is_one_loop_of_one_length(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        job(**changes)


def test_a_load_that_grows_has_more_requests_and_one_of_threads_is_refused() -> None:
    grown = job(threads=None, rate=5.0, data=1e9).grown(2)
    assert (grown.rate, grown.data, grown.count) == (10.0, 2e9, job().count)
    with pytest.raises(RefusalError, match="has no rate that could grow; state rate in place of threads"):
        job().grown(2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"action": "get"}, "a get moves bytes; state the size"),
        ({**GET, "range": 2e6}, "no longer than the object"),
        ({**GET, "largest_size": 1e3}, "must not be below size"),
        ({**GET, "size": 1e9, "part_size": 1.0}, r"makes 1e\+09 pieces, at most 10,000,000 are simulated"),
        (
            {"action": "put", "size": 1e6, "part_size": 99.0},
            "1 MB have 10,102 parts, an upload has at most 10,000; raise",
        ),
        ({**GET, "range": 1e3, "part_size": 1e3}, "only a put, or a get of all of an object, has parts"),
        ({"action": "head", "part_size": 1e3}, "only a put, or a get of all of an object, has parts"),
        ({"action": "head", "range": 1e3}, "only a get asks for a range"),
    ],
)
def test_operations_that_mean_nothing_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Operation.model_validate(settings)


def test_threads_are_those_of_each_client_and_a_rate_that_of_all() -> None:
    assert run_of().loop == Closed(16)
    loop = run_of(threads=None, rate=100.0).loop
    assert isinstance(loop, Open)
    assert loop.rate == 100.0


def test_an_upload_in_parts_begins_sends_parts_side_by_side_and_completes() -> None:
    mix = {"PUT": {"action": "put", "size": 64e6, "part_size": 8e6, "parts_at_once": 5}}
    route = run_of(mix=mix).kinds[0].route
    fans = [step for step in route if isinstance(step, Fan)]
    assert [(fan.lanes, fan.chunk) for fan in fans] == [(5, 8e6)]
    assert isinstance(route[0], Visit)
    assert isinstance(route[-1], Visit)


@pytest.mark.parametrize("action", ["get", "put"])
def test_a_small_object_is_moved_in_one_request_whatever_the_part_size(action: str) -> None:
    whole, parts = ({"moved": {"action": action, "size": 1e6, **more}} for more in ({}, {"part_size": 8e6}))
    names = [
        [step.station.name for step in run_of(mix=mix).kinds[0].route if isinstance(step, Visit)]
        for mix in (whole, parts)
    ]
    assert names[0] == names[1]


def test_a_download_in_parts_asks_for_the_first_alone_and_for_the_others_side_by_side() -> None:
    mix = {"GET": {"action": "get", "size": 64e6, "part_size": 8e6, "parts_at_once": 5}}
    first, others = run_of(mix=mix).kinds[0].route
    assert isinstance(first, Fan)
    assert isinstance(others, Fan)
    assert (first.lanes, first.share) == (1, 0.125)
    assert (others.lanes, others.share) == (1, 0.875)
    (spread,) = others.route
    assert isinstance(spread, Fan)
    assert (spread.lanes, spread.chunk) == (5, 8e6)
    assert Operation.model_validate(mix["GET"]).verbs() == {"GET": 8.0}


def test_sizes_that_are_spread_have_the_parts_of_their_mean() -> None:
    spread = Operation.model_validate({"action": "put", "size": 1e6, "largest_size": 1e9, "part_size": 16e6})
    assert spread.part == 16e6
    assert spread.verbs() == {"PUT": math.ceil(999e6 / math.log(1000) / 16e6), "POST": 2.0}


def test_a_pool_of_connections_bounds_what_a_client_has_under_way() -> None:
    scenario = load("small-ranges-storagegrid", Scenario, overrides={"workload.duration": "5 s"}).scenario
    narrow = scenario.model_copy(update={"workload": scenario.workload.model_copy(update={"connections": 2})})
    rates = [simulate(tried).metrics["request rate"][0] for tried in (scenario, narrow)]
    assert rates[1] < rates[0] / 5


def test_result_has_rates_and_latencies_of_each_kind_with_intervals() -> None:
    result = simulate(load("spark-mix-s3", Scenario, overrides={"workload.duration": "20 s"}).scenario)
    assert [request.name for request in result.requests] == ["footer", "column", "open", "probe", "list", "output"]
    column = result.requests[1]
    assert list(column.latency) == list(column.first_byte) == ["p50", "p90", "p99", "p99.9"]
    assert column.latency["p50"].low < column.latency["p50"].value < column.latency["p50"].high
    assert column.throughput.value == pytest.approx(column.rate.value * 1e6)
    assert result.requests[2].first_byte == {}
    total = sum(request.throughput.value for request in result.requests)
    rate, unit = result.metrics["throughput"]
    assert rate == pytest.approx(total)
    assert unit == "B/s"


def test_time_outs_are_counted_and_told() -> None:
    settings = {"workload.timeout": "20 ms", "workload.attempts": "2", "workload.duration": "5 s"}
    result = simulate(load("small-ranges-storagegrid", Scenario, overrides=settings).scenario)
    assert result.metrics["timed out"][0] > result.metrics["retries"][0] > result.metrics["failed"][0] > 0
    assert any("attempts timed out" in warning for warning in result.warnings)


def test_a_rate_above_what_the_store_serves_is_answered_with_what_it_carries() -> None:
    scenario = load("small-ranges-storagegrid", Scenario).scenario
    crowd = scenario.workload.model_copy(update={"threads": 1024})
    most = simulate(scenario.model_copy(update={"workload": crowd})).metrics["request rate"][0]
    flood = scenario.workload.model_copy(update={"threads": None, "rate": 1e5, "timeout": float("inf")})
    result = simulate(scenario.model_copy(update={"workload": flood}))
    assert result.metrics["request rate"][0] == pytest.approx(most, rel=0.05)
    assert result.metrics["offered rate"] == (1e5, "1/s")
    needs = r"overloaded: of the 100,000 requests a second .* all need [\d,]+ of [\w /-]+, there are [\d,]+; lower"
    assert any(re.search(needs, warning) for warning in result.warnings)
    assert all(math.isinf(span.value) for request in result.requests for span in request.latency.values())


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"workload.threads": "128", "workload.count": "1000"}, "workload.count = 1,000 is too short"),
        ({"workload.threads": "1", "workload.count": "1"}, "workload.count = 1 is too short"),
    ],
)
def test_bytes_over_duration_are_the_rate_however_short_the_load(changes: dict[str, str], text: str) -> None:
    eight = {f"cluster.groups.{name}.count": "8" for name in ("storage", "clients")}
    result = simulate(load("get-minio-nvme", Scenario, overrides=eight | changes).scenario)
    moved = next(group.bytes for group in result.groups if group.group == "clients/network in")
    assert moved / result.duration == pytest.approx(result.metrics["throughput"][0], rel=0.05)
    assert any(text in warning and "were simulated; state at least as much" in warning for warning in result.warnings)
