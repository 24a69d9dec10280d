"""Requests in parallel: shards of a stripe, parts of an upload, copies that a request holds to, and what they leave."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from models.distributions import exponential, fixed, lognormal
from models.problem import RefusalError
from models.requests import (
    Admission,
    Closed,
    Draw,
    Fan,
    FirstByte,
    Kind,
    Open,
    Patience,
    Pick,
    Places,
    Repeat,
    RequestRun,
    Station,
    Step,
    Visit,
)
from simulator.requests import start
from simulator.requests.loop import advance
from simulator.requests.program import assembled
from simulator.requests.run import RequestResult, run_requests
from simulator.requests.start import loop_state
from tests.simulator.requests.test_requests import digest

SHARD = Pick(Draw("set", 2), 8, Draw("first", 8))
DRIVES = Station("drives", copies=16, kind="drive")


def alone(route: tuple[Step, ...], size: float, count: int = 100, clients: int = 1) -> RequestResult:
    return run_requests(RequestRun("alone", (Kind("get", route, size=fixed(size)),), Closed(clients), count))


def stormy_run(timeout: float = 0.05, count: int = 100) -> RequestRun:
    """Return a run of fans in repeats in a fan, under time-outs."""
    shards = Fan((Visit(DRIVES, exponential(0.002), per_byte=1e-3, pick=SHARD),), 4, share=0.25)
    stripe = (Visit(Station("worker", slots=6), inside=(shards,)), FirstByte(), Visit(Station("card"), per_byte=1e-4))
    get = Kind("get", (Repeat(stripe, 4.0),), size=lognormal(8.0, 0.5))
    limit = Admission("prefix", rate=300.0, burst=5.0, back_off=0.01, attempts=3)
    part = (limit, Repeat(stripe, 2.0))
    put = Kind("put", (Fan((Repeat(part, 5.0),), 3, chunk=5.0),), size=lognormal(12.0, 0.5))
    return RequestRun("storm", (get, put), Closed(12), count, patience=Patience(timeout, attempts=3, back_off=0.01))


def test_more_clients_with_their_lanes_than_events_can_name_are_refused() -> None:
    shards = Fan((Visit(DRIVES, per_byte=1.0, pick=SHARD),), 4, share=0.25)
    with pytest.raises(RefusalError, match=r"workload: alone may have .* under way, at most 8,388,607 .*; lower"):
        alone((shards,), 16.0, clients=10_000_000)


def test_shards_of_a_stripe_are_read_in_parallel_and_stripes_one_after_the_other() -> None:
    shards = Fan((Visit(DRIVES, per_byte=1.0, pick=SHARD),), 4, share=0.25)
    result = alone((Repeat((shards, Visit(Station("card"), per_byte=0.1)), 4.0),), 16.0)
    assert result.latency.mean.value == pytest.approx(4 * (1.0 + 0.4))


def test_lanes_of_a_fan_visit_different_copies_of_the_same_run() -> None:
    result = alone((Fan((Visit(DRIVES, fixed(1.0), pick=SHARD),), 8),), 0.0, count=50)
    assert result.latency.mean.value == 1.0  # no two met
    one, two = (sum(use.visits for use in result.stations[at : at + 8]) for at in (0, 8))
    assert one + two == 400
    assert one % 8 == two % 8 == 0


def test_failed_copies_at_the_end_of_a_run_are_not_visited() -> None:
    pick = Pick(Draw("set", 2), 6, Draw("first", 6), stride=8)
    result = alone((Fan((Visit(DRIVES, fixed(1.0), pick=pick),), 6),), 0.0)
    idle = [use.copy for use in result.stations if use.visits == 0]
    assert idle == [6, 7, 14, 15]


def test_more_lanes_than_a_run_has_copies_go_on_in_the_next_run() -> None:
    result = alone((Fan((Visit(DRIVES, fixed(1.0), pick=SHARD),), lanes=12),), size=1e6, count=1)
    assert sorted(use.visits for use in result.stations) == [0] * 4 + [1] * 12
    assert result.duration == pytest.approx(1.0)


def test_lanes_within_lanes_count_on_where_they_are_told_to() -> None:
    inner = Fan((Visit(DRIVES, fixed(1.0), pick=SHARD),), lanes=2, counts_on=True)
    assert alone((Fan((inner,), lanes=4),), size=1e6, count=1).duration == pytest.approx(1.0)
    apart = Fan((Visit(DRIVES, fixed(1.0), pick=SHARD),), lanes=2)
    assert alone((Fan((apart,), lanes=4),), size=1e6, count=1).duration == pytest.approx(4.0)


def test_parts_of_a_group_lie_where_its_places_are_and_further_lanes_take_the_next_group() -> None:
    places = Places(np.array([[0, 5], [1, 6], [2, 7]]))
    pick = Pick(Draw("group", 3), 2, stride=1, places=places)
    result = alone((Fan((Visit(DRIVES, fixed(1.0), pick=pick),), lanes=6),), size=1e6, count=1)
    assert result.duration == pytest.approx(1.0)
    assert [use.copy for use in result.stations if use.visits] == [0, 1, 2, 5, 6, 7]
    firsts = replace(pick, span=1, stride=0)
    result = alone((Fan((Visit(DRIVES, fixed(1.0), pick=firsts),), lanes=3),), size=1e6, count=1)
    assert [use.copy for use in result.stations if use.visits] == [0, 1, 2]


def test_a_closed_loop_goes_at_the_pace_of_the_copy_to_which_most_groups_belong() -> None:
    places = Places(np.array([[0], [0], [0], [1], [2], [3], [3], [1]]))  # three of eight at the first copy
    disk = Visit(Station("disk", copies=4), exponential(0.01), pick=Pick(Draw("group", 8), stride=1, places=places))
    run = RequestRun("uneven", (Kind("get", (disk,), size=fixed(1.0)),), Closed(200), 60_000, warm_up=0.2)
    assert run_requests(run).throughput.value == pytest.approx(100 / (3 / 8), rel=0.02)


def test_clients_have_their_own_copies_in_turn() -> None:
    card = Visit(Station("card", copies=4), fixed(1.0), pick=Pick(Draw("client", 4, by_client=True)))
    result = alone((card,), 0.0, count=80, clients=8)
    assert [use.visits for use in result.stations] == [20, 20, 20, 20]
    assert result.simulated == 20.0


@pytest.mark.parametrize(("at_once", "seconds"), [(1, 35.0), (3, 15.0), (7, 5.0), (20, 5.0)])
def test_parts_of_an_upload_go_at_the_same_time_as_far_as_they_may(at_once: int, seconds: float) -> None:
    part = Repeat((Visit(Station("link", slots=50), per_byte=1.0),), 5.0)
    assert alone((Fan((part,), at_once, chunk=5.0),), 35.0).latency.mean.value == seconds


@pytest.mark.parametrize(("size", "seconds"), [(5.0, 5.0), (5.1, 5.0), (12.0, 5.0), (15.0, 5.0), (17.0, 7.0)])
def test_parts_are_full_and_the_last_is_what_is_left(size: float, seconds: float) -> None:
    part = Visit(Station("link", slots=50), per_byte=1.0)
    assert alone((Fan((part,), 3, chunk=5.0),), size).latency.mean.value == pytest.approx(seconds)


def test_stations_count_the_bytes_that_pass() -> None:
    shards = Fan((Visit(DRIVES, per_byte=1.0, pick=SHARD),), 4, share=0.25)
    card = Visit(Station("card"), per_byte=0.1, share=0.75)
    result = alone((Repeat((shards, card), 4.0),), 16.0, count=10)
    assert sum(use.bytes for use in result.stations if use.station is DRIVES) == 160.0
    assert result.stations[-1].bytes == pytest.approx(120.0)


def test_throughput_counts_bytes_and_requests_of_each_kind() -> None:
    link = Visit(Station("link", slots=8), per_byte=0.01)
    kinds = (Kind("small", (link,), size=fixed(1.0)), Kind("large", (link,), weight=3.0, size=fixed(100.0)))
    result = run_requests(RequestRun("mix", kinds, Closed(8), 20_000))
    total = result.rates["small"].value + result.rates["large"].value
    assert total == pytest.approx(result.throughput.value, rel=0.01)
    assert result.bandwidths["large"].value == pytest.approx(100 * result.rates["large"].value)
    assert result.rates["large"].value == pytest.approx(3 * result.rates["small"].value, rel=0.05)


def test_a_run_of_given_duration_ends_on_time() -> None:
    kind = Kind("get", (Visit(Station("server", slots=4), exponential(0.01)),))
    result = run_requests(RequestRun("minute", (kind,), Closed(4), 10**9, duration=60.0))
    assert result.duration == result.simulated == 60.0
    assert result.throughput.value == pytest.approx(400, rel=0.03)
    assert result.throughput.low < 400 < result.throughput.high


@pytest.mark.parametrize("timeout", [0.01, 0.05, 0.2])
def test_what_is_given_up_leaves_nothing_behind(timeout: float) -> None:
    run = stormy_run(timeout, 2000)
    loop = loop_state(run, assembled(run), 4)
    advance(loop, run.count)
    clock = loop.clock[0]
    assert clock["timed_out"] > 0
    assert clock["done"] + clock["failed"] == run.count
    assert clock["started"] == clock["done"] + clock["failed"] + clock["under_way"]
    advance(loop, run.count + 100)  # the rest ends, and nothing new begins
    assert (loop.stations["free"] == loop.stations["slots"]).all()
    assert (loop.tokens["root"][: clock["fresh"]] == -1).all()
    assert not loop.tokens["is_queued"].any()
    assert clock["queued"] == 0


def listing_run(lanes: int, clients: Closed | Open, count: int) -> RequestRun:
    """Return a run of pages that ask so many shards of an index side by side."""
    shards = Fan((Visit(Station("index", slots=4, copies=8), exponential(0.001)),), lanes)
    return RequestRun("pages", (Kind("list", (shards,)),), clients, count)


def test_memory_of_lanes_that_no_request_opens_is_not_touched() -> None:
    run = listing_run(200, Open(5.0, in_flight=4096), 200)
    loop = loop_state(run, assembled(run), 1)
    advance(loop, run.count)
    used = int(loop.clock[0]["fresh"])
    assert 4097 + 200 <= used < 4097 + 200 * 50  # few pages at a time, of the 4,096 that there may be
    assert not loop.tokens[used:].view(np.uint8).any()
    assert not loop.services[used:].view(np.uint8).any()


def test_an_open_loop_of_many_lanes_has_only_as_many_requests_under_way_as_memory_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = listing_run(2000, Open(1.0, in_flight=8192), 20)
    tokens = len(loop_state(run, assembled(run), 1).tokens)
    assert start.MOST_TOKENS - 2001 < tokens <= start.MOST_TOKENS + 2001
    result = run_requests(run)
    assert not result.is_overloaded
    assert result.done == 20
    monkeypatch.setattr(start, "MOST_TOKENS", 10_000)
    flood = run_requests(listing_run(200, Open(1e4, in_flight=8192), 20_000))
    assert flood.is_overloaded
    assert flood.throughput.value == pytest.approx(32 / 0.001 / 200, rel=0.1)


def test_compiled_and_plain_code_give_the_same_bytes_under_time_outs() -> None:
    script = "from tests.simulator.requests.test_request_fans import stormy_run, digest; print(digest(stormy_run(), 7))"
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest(stormy_run(), 7)


def test_repeats_nested_too_deeply_are_refused() -> None:
    route: tuple[Step, ...] = (Visit(DRIVES, fixed(1.0)),)
    for _ in range(4):
        route = (Repeat(route, 1.0),)
    with pytest.raises(ValueError, match="repeats are nested more than 3 deep"):
        alone(route, 1.0)
