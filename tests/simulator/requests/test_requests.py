"""Requests by hand: order, counts, nested slots, limits, seeds, early stops, and the same bytes without a compiler."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from models.distributions import exponential, fixed, log_uniform, lognormal
from models.requests import (
    ENDLESS,
    Admission,
    Closed,
    FirstByte,
    Kind,
    Open,
    Patience,
    RequestRun,
    Station,
    Trace,
    Visit,
)
from simulator.clock import Cancelled
from simulator.compiled import entry
from simulator.requests.loop import advance
from simulator.requests.program import assembled
from simulator.requests.report import warnings_of
from simulator.requests.run import of_all, run_requests
from simulator.requests.start import loop_state

SERVER = Station("server")


def busy_run(count: int = 2000) -> RequestRun:
    """Return a run that uses all there is: nested slots, copies, sizes, a limit, think time and two kinds."""
    drive = Station("drive", copies=4)
    node = Station("node", slots=3, copies=2)
    read = Visit(node, lognormal(0.002, 0.5), inside=(Visit(drive, exponential(0.004), per_byte=1e-8), FirstByte()))
    decode = Visit(Station("cpu", slots=8, paces=(1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.5)), fixed(0.001))
    limit = Admission("prefix", rate=400.0, burst=5.0, prefixes=2, back_off=0.01, attempts=6)
    kinds = (
        Kind(
            "get",
            (limit, read),
            weight=3.0,
            size=lognormal(1e5, 1.0),
            after=(decode,),
            think=exponential(0.001),
        ),
        Kind("head", (Visit(node, fixed(0.001)),), weight=1.0, think=exponential(0.001)),
    )
    return RequestRun("busy", kinds, Closed(16), count)


def digest(run: RequestRun, seed: int) -> str:
    """Return a hash of all latencies of a run, and of its end."""
    loop = loop_state(run, assembled(run), seed)
    advance(loop, run.count)
    clock = loop.clock[0]
    done = int(clock["done"])
    return hashlib.sha256(loop.latency[:done].tobytes() + loop.which[:done].tobytes() + clock.tobytes()).hexdigest()


def test_clients_of_one_slot_are_served_in_the_order_in_which_they_ask() -> None:
    sizes = np.array([3.0, 1.0, 1.0, 2.0])
    run = RequestRun(
        "order",
        (Kind("get", (Visit(SERVER, per_byte=1.0),)),),
        Closed(4),
        4,
        trace=Trace(np.zeros(4, np.uint8), sizes),
    )
    loop = loop_state(run, assembled(run), 0)
    assert advance(loop, 4)
    assert loop.latency.tolist() == [3.0, 4.0, 5.0, 7.0]


def test_each_client_sends_its_own_requests_of_a_trace() -> None:
    sizes = np.array([5.0, 1.0, 5.0, 1.0])
    station = Station("wide", slots=2)
    kinds = (Kind("get", (Visit(station, per_byte=1.0),)),)
    run = RequestRun("shares", kinds, Closed(2), 4, trace=Trace(np.zeros(4, np.uint8), sizes))
    assert run_requests(run).simulated == 10.0


def test_a_slot_stays_taken_while_its_visitor_is_elsewhere() -> None:
    outer, inner = Station("outer"), Station("inner", slots=2)
    kind = Kind("get", (Visit(outer, fixed(1.0), inside=(Visit(inner, fixed(2.0)),)),))
    result = run_requests(RequestRun("nested", (kind,), Closed(2), 2))
    assert result.simulated == 6.0
    assert [use.utilization for use in result.stations] == pytest.approx([1.0, 4 / 12])
    assert [use.served for use in result.stations] == [2.0, 4.0]
    assert [use.waited for use in result.stations] == [3.0, 0.0]


def test_the_first_byte_comes_before_the_last() -> None:
    kind = Kind("get", (Visit(SERVER, fixed(1.0)), FirstByte(), Visit(Station("link"), fixed(3.0))))
    result = run_requests(RequestRun("bytes", (kind,), Closed(1), 40))
    assert result.first_byte.mean.value == 1.0
    assert result.latency.mean.value == 4.0


def test_work_of_the_client_after_a_request_is_no_part_of_its_latency() -> None:
    kind = Kind("get", (Visit(SERVER, fixed(1.0)),), after=(Visit(Station("cpu"), fixed(4.0)),))
    result = run_requests(RequestRun("after", (kind,), Closed(1), 100))
    assert result.latency.mean.value == 1.0
    assert result.simulated == pytest.approx(99 * 5.0 + 1.0)


def test_every_request_ends_is_refused_for_good_or_is_under_way() -> None:
    run = busy_run()
    loop = loop_state(run, assembled(run), 5)
    for target in range(100, 2100, 100):
        advance(loop, target)
        clock = loop.clock[0]
        assert clock["started"] == clock["done"] + clock["failed"] + clock["under_way"]
    assert clock["done"] + clock["failed"] == run.count
    advance(loop, run.count + 1)  # clients finish their work after the last request
    assert not loop.tokens["is_under_way"].any()
    assert (loop.stations["free"] == loop.stations["slots"]).all()


def test_a_limit_lets_no_more_requests_through_than_its_rate() -> None:
    limit = Admission("prefix", rate=100.0, burst=10.0, back_off=0.05, attempts=20)
    kind = Kind("get", (limit, Visit(Station("server", slots=50), fixed(0.01))))
    result = run_requests(RequestRun("limited", (kind,), Closed(50), 5000))
    assert result.refused > 0
    assert result.failed == 0
    assert result.throughput.value <= 5000 / (4990 / 100.0) * 1.001


def test_a_load_that_goes_on_has_nothing_saved_of_what_may_come_at_once() -> None:
    """A second's worth might come at once, and would carry all of a load of ten seconds that is 6 % above the rate."""
    limit = Admission("prefix", rate=100.0, burst=100.0, back_off=0.05, attempts=4)
    kind = Kind("get", (limit, Visit(Station("server", slots=50), fixed(0.01))))
    result = run_requests(RequestRun("short", (kind,), Open(106.0), 1000, goes_on=True))
    assert result.throughput.value == pytest.approx(100.0, rel=0.01)


def test_requests_that_are_refused_too_often_fail_and_free_what_they_hold() -> None:
    limit = Admission("prefix", rate=1.0, back_off=0.001, attempts=2)
    kind = Kind("get", (Visit(Station("pool", slots=4), inside=(limit, Visit(SERVER, fixed(0.01)))),))
    result = run_requests(RequestRun("failing", (kind,), Closed(8), 1000))
    assert result.done + result.failed == 1000
    assert result.failed > 900


def test_an_open_loop_that_its_stations_cannot_keep_up_with_says_what_they_carry() -> None:
    kind = Kind("get", (Visit(SERVER, fixed(0.01)),), size=fixed(1e6))
    result = run_requests(RequestRun("flood", (kind,), Open(200.0, in_flight=500), 100_000, goes_on=True))
    assert result.is_overloaded
    assert result.throughput.value == pytest.approx(100.0, rel=1e-6)
    assert result.bandwidths["get"].value == pytest.approx(100e6, rel=1e-6)
    assert result.latency.percentiles["p50"].value == float("inf")


@pytest.mark.parametrize("load", [1.05, 1.5])
def test_a_short_load_above_capacity_goes_on_until_it_is_known_to_be_overloaded(load: float) -> None:
    run = RequestRun("above", (Kind("get", (Visit(SERVER, fixed(0.01)),)),), Open(100 * load, 2000), 500, goes_on=True)
    assert run_requests(run).is_overloaded


@pytest.mark.parametrize("burst", [20.0, 1e5])
def test_a_load_beyond_a_limit_is_overloaded_whatever_that_has_saved_up(burst: float) -> None:
    """100,000 requests saved up would let 20,000 pass, at 110 a second against 100 for ever."""
    limit = Admission("prefix", rate=50.0, burst=burst, prefixes=2)
    run = RequestRun("saved up", (Kind("get", (limit, Visit(SERVER, fixed(1e-4)))),), Open(110.0), 20_000, goes_on=True)
    result = run_requests(run)
    assert result.is_overloaded
    assert result.throughput.value == pytest.approx(100, rel=0.02)
    assert any("all need 3 prefixes" in warning for warning in warnings_of(run, result))
    within = replace(run, loop=Open(95.0))
    assert not run_requests(within).is_overloaded


@pytest.mark.parametrize("count", [1, 2, 10, 100, 1600])
@pytest.mark.parametrize("clients", [1, 40, 640])
def test_a_load_too_short_to_be_steady_goes_on_until_it_is(clients: int, count: int) -> None:
    """Clients that begin in step: a slot each for a second or two, then a link that carries 100 a second."""
    route = (Visit(Station("wide", slots=1000), fixed(1.0)), Visit(Station("link"), fixed(0.01)))
    run = RequestRun("short", (Kind("get", route, size=fixed(1e6)),), Closed(clients), count, goes_on=True)
    result = run_requests(run)
    assert result.done >= max(1000, 5 * clients)
    assert result.throughput.value == pytest.approx(min(clients / 1.01, 100.0), rel=0.01)
    assert result.bandwidths["get"].value * result.duration == pytest.approx(result.done * 1e6, rel=0.1)


def test_a_load_that_is_long_enough_has_the_length_that_was_asked_for() -> None:
    kind = Kind("get", (Visit(SERVER, fixed(0.01)),))
    result = run_requests(RequestRun("long", (kind,), Closed(4), ENDLESS, duration=60.0, goes_on=True))
    assert result.duration == 60.0


def test_a_load_of_which_no_request_succeeds_ends() -> None:
    run = RequestRun(
        "hopeless",
        (Kind("get", (Visit(SERVER, fixed(1.0)),)),),
        Closed(4),
        10,
        patience=Patience(timeout=0.5),
        goes_on=True,
    )
    result = run_requests(run)
    assert result.done == 0
    assert result.failed >= 1000


def test_gaps_of_an_open_loop_have_nothing_to_do_with_what_comes_after_them() -> None:
    """The one kind is answered at once, the other is not: where long gaps drew the same kind, it would wait less."""
    station = Station("server")
    kinds = (Kind("a", (Visit(station, fixed(0.8)),)), Kind("b", (Visit(station, fixed(0.8)),)))
    result = run_requests(RequestRun("mix", kinds, Open(1.0), ENDLESS, duration=100_000.0))
    a, b = (result.latencies[name].mean.value for name in "ab")
    assert a == pytest.approx(b, rel=0.05)


def test_a_seed_decides_all_chance() -> None:
    assert digest(busy_run(), 1) == digest(busy_run(), 1)
    assert digest(busy_run(), 1) != digest(busy_run(), 2)


def test_compiled_and_plain_code_give_the_same_bytes() -> None:
    script = "from tests.simulator.requests.test_requests import busy_run, digest; print(digest(busy_run(), 7))"
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest(busy_run(), 7)


def test_a_run_stops_early_once_its_interval_is_tight_and_says_so() -> None:
    kind = Kind("get", (Visit(Station("server", slots=8), exponential(0.01)),))
    whole = run_requests(RequestRun("whole", (kind,), Closed(8), 2_000_000))
    early = run_requests(RequestRun("early", (kind,), Closed(8), 2_000_000, precision=0.005))
    assert early.stopped_early
    assert not whole.stopped_early
    assert early.done < 1_000_000
    assert early.duration == pytest.approx(whole.duration, rel=0.005)


@pytest.mark.parametrize(("count", "duration"), [(20_000, math.inf), (1_000_000, 2.0)])
def test_a_run_that_had_to_last_longer_than_asked_says_so_though_it_ends_once_its_rate_is_known(
    count: int, duration: float
) -> None:
    kind = Kind("get", (Visit(Station("server", slots=8), exponential(0.001)),))
    run = RequestRun("short", (kind,), Closed(10_000), count, precision=0.02, goes_on=True, duration=duration)
    result = run_requests(run)
    assert result.stopped_early
    asked, took = (f"count = {count:,}", f"{result.done:,} requests")
    if not math.isinf(duration):
        asked, took = f"duration = {duration:g} s", f"{result.simulated:.3g} s"
    told = f"workload.{asked} is too short to reach a steady rate, so {took} were simulated"
    warnings = warnings_of(run, result)
    assert any(told in warning for warning in warnings)
    assert not any("requests simulated, their rate" in warning for warning in warnings)


@pytest.mark.parametrize("count", [80_000, 4_000_000])
def test_requests_on_a_part_are_counted_as_all_that_they_stand_for_which_is_said(count: int) -> None:
    kind = Kind("get", (Visit(Station("server", slots=8), exponential(0.001)),))
    run = RequestRun("part", (kind,), Closed(10_000), count // 4, precision=0.02, goes_on=True)
    one = run_requests(run)
    told = warnings_of(replace(run, count=count), of_all(one, 4), 4)
    assert any(f"{4 * one.done:,} " in line and f", as {one.done:,} that each stand for 4" in line for line in told)
    assert any(f"{count:,}" in line for line in told)


@pytest.mark.parametrize(("count", "takes"), [(1_000_000, "workload.precision = 0"), (2_000, "workload.count = ")])
def test_a_percentile_that_a_run_cannot_tell_takes_more_requests_or_all_that_were_asked_for(
    count: int, takes: str
) -> None:
    kind = Kind("get", (Visit(Station("server", slots=8), exponential(0.01)),))
    run = RequestRun("early", (kind,), Closed(64), count, precision=0.02, goes_on=True)
    *_, text = warnings_of(run, run_requests(run))
    assert "too few requests to state" in text
    assert f" of get takes {takes}" in text


def test_the_luck_of_kinds_and_sizes_does_not_hide_a_rate() -> None:
    """Of a lone client the rate is one over the mean time: of large requests 2 s, of small ones 1 ms, one in four."""
    size = log_uniform(1.0, 1e4)
    large = Kind("large", (Visit(SERVER, per_byte=2.0 / size.mean),), 1.0, size)
    small = Kind("small", (Visit(SERVER, fixed(0.001)),), 3.0)
    result = run_requests(RequestRun("mixed", (large, small), Closed(1), 2_000_000, precision=0.005))
    assert result.done < 10_000  # without it (2.26 / 0.005)^2 x 17 = 3.5 million
    assert result.throughput.value == pytest.approx(4 / 2.003, rel=0.005)


def test_a_request_of_many_parts_can_be_cancelled_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.requests.run.EVENTS", 50)
    kind = Kind("get", (Visit(SERVER, fixed(1.0)),) * 200)
    looks: list[None] = []

    def stops() -> bool:
        looks.append(None)
        return len(looks) == 3

    with pytest.raises(Cancelled, match=r"cancelled at 1\d\d.0 s"):
        run_requests(RequestRun("long", (kind,), Closed(1), 1), should_stop=stops)


def test_a_run_can_be_cancelled() -> None:
    kind = Kind("get", (Visit(SERVER, fixed(1.0)),))
    with pytest.raises(Cancelled):
        run_requests(RequestRun("cancelled", (kind,), Closed(1), 10_000), should_stop=lambda: True)


def test_routes_that_could_wait_for_each_other_forever_are_refused() -> None:
    one, two = Station("one"), Station("two")
    there, back = Visit(one, inside=(Visit(two),)), Visit(two, inside=(Visit(one),))
    with pytest.raises(ValueError, match="stations 'one' and 'two': each is asked for while the other is held"):
        RequestRun("deadlock", (Kind("there", (there,)), Kind("back", (back,))), Closed(2), 10)


def test_a_load_keeps_its_way_into_the_kernel_however_often_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[object] = []

    def counted(kernel: Callable[..., bool]) -> Callable[..., bool]:
        ways.append(kernel)
        return entry(kernel)

    monkeypatch.setattr("simulator.requests.run.entry", counted)
    run_requests(busy_run(10_000))
    assert ways == [advance]
