"""Loads of which some requests last much longer than others: they are measured once those have come round, too."""

from __future__ import annotations

import math

import pytest

from models.distributions import fixed
from models.requests import Closed, Kind, Open, Patience, RequestRun, Station, Visit
from simulator.requests.report import requests_of, warnings_of
from simulator.requests.run import run_requests

SERVER = Station("server", slots=10_000)  # nobody waits for one
QUICK = Kind("get", (Visit(SERVER, fixed(0.001)),), weight=99)
SLOW = Kind("put", (Visit(SERVER, fixed(10.0)),), weight=1)
MEAN = 0.99 * 0.001 + 0.01 * 10  # seconds of a request of either


@pytest.mark.parametrize(("count", "within"), [(2_000, 0.25), (20_000, 0.1), (200_000, 0.05)])
def test_a_closed_load_is_measured_once_its_slow_requests_take_their_part_of_the_clients(
    count: int, within: float
) -> None:
    """100 clients that are seldom slow have a hundredth of the rate at which they begin."""
    run = RequestRun("mixed", (QUICK, SLOW), Closed(100), count, precision=0.02, goes_on=True)
    result = run_requests(run)
    assert result.throughput.value == pytest.approx(100 / MEAN, rel=within)
    assert result.rates["put"].value == pytest.approx(0.01 * 100 / MEAN, rel=0.2)


def test_an_open_load_is_measured_once_its_slow_requests_have_ended_as_often_as_they_come() -> None:
    run = RequestRun("mixed", (QUICK, SLOW), Open(1_000.0), 2_000, precision=0.02, goes_on=True)
    assert run_requests(run).rates["put"].value == pytest.approx(10.0, rel=0.2)


@pytest.mark.parametrize(("loop", "patience"), [(Closed(100), 0.5), (Open(1_000.0), 0.5)])
def test_requests_that_never_succeed_are_not_waited_for(loop: Closed | Open, patience: float) -> None:
    run = RequestRun("mixed", (QUICK, SLOW), loop, 5_000, goes_on=True, patience=Patience(patience))
    result = run_requests(run)
    assert result.failed
    assert result.done < 100_000
    assert any(
        "no request of put ended, so what is said is of the others alone" in line for line in warnings_of(run, result)
    )


def test_requests_that_outlast_any_run_are_told_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.requests.run.LONGEST", 10_000)
    endless = Kind("put", (Visit(SERVER, fixed(1e9)),), weight=1)
    run = RequestRun("mixed", (QUICK, endless), Open(1_000.0), 2_000, goes_on=True, duration=math.inf)
    result = run_requests(run)
    assert [request.name for request in requests_of(result)] == ["get"]
    assert (
        "mixed: no request of put ended, so what is said is of the others alone; raise workload.count"
        in warnings_of(run, result)
    )
