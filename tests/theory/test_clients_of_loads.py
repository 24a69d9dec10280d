"""What clients of a load spend on requests and bytes, against closed forms."""

from __future__ import annotations

import pytest

from models.distributions import fixed
from models.jobs.object_load_client import ClientWork
from models.requests import Closed, FirstByte, Kind, Pipeline, Repeat, RequestRun, Route, Section, Station, Visit
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.requests.run import run_requests
from simulator.run import simulate

SIZE, TURN = 8e6, 1e6
LINK = Visit(Station("link"), per_byte=1e-9)
CPU = Station("client")
IN_TURNS: Route = (Repeat((LINK,), TURN),)
ONE_CLIENT = "published-s3-c5n-xlarge"
"""A client of two reference cores with four threads, 25 Gbit/s, and a store that is faster."""


def seconds(route: Route) -> float:
    """Return the mean latency (s) of a lone client that sends requests of 8 MB."""
    kind = Kind("get", (*route, FirstByte()), size=fixed(SIZE))
    return run_requests(RequestRun("one", (kind,), Closed(1), 40)).latency.mean.value


def test_a_client_that_makes_its_data_first_sends_none_of_it_before() -> None:
    work = ClientWork(bytes=(Visit(CPU, per_byte=0.5e-9),), prepared=(Visit(CPU, per_byte=3e-9),))
    assert seconds(work.sends(IN_TURNS)) == pytest.approx(3e-9 * SIZE + 1e-9 * SIZE + 0.5e-9 * TURN)
    assert seconds(work.takes(IN_TURNS)) == pytest.approx(1e-9 * SIZE + 0.5e-9 * TURN)


@pytest.mark.parametrize(
    "route", [(Repeat((LINK,), TURN),), (Visit(Station("slot"), inside=(Repeat((LINK,), TURN),)),)]
)
@pytest.mark.parametrize("is_sent", [False, True])
def test_a_client_works_on_a_turn_while_the_next_is_on_its_way(route: Route, is_sent: bool) -> None:
    for per_byte in (0.5e-9, 3e-9):
        work = ClientWork(bytes=(Visit(CPU, per_byte=per_byte),))
        worked = work.sends(route) if is_sent else work.takes(route)
        slower, faster = max(per_byte, 1e-9), min(per_byte, 1e-9)
        assert seconds(worked) == pytest.approx(slower * SIZE + faster * TURN)


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_client_works_on_the_turns_of_a_pipeline_within_the_section_at_its_end(is_sent: bool) -> None:
    finer = Section((Pipeline((Section((LINK,), ahead=2), Section((Visit(Station("card"), fixed(0.0)),))), TURN),))
    store = Section((Visit(Station("store"), per_byte=0.1e-9),), ahead=2)
    route = (Pipeline((finer, store) if is_sent else (store, finer), SIZE),)
    work = ClientWork(bytes=(Visit(CPU, per_byte=0.5e-9),))
    worked = work.sends(route) if is_sent else work.takes(route)
    assert seconds(worked) == pytest.approx(1e-9 * SIZE + 0.5e-9 * TURN + 0.1e-9 * SIZE)


def test_a_request_is_made_before_it_is_sent() -> None:
    work = ClientWork(once=(Visit(CPU, fixed(0.25)),))
    assert seconds(work.asks((Visit(Station("server"), fixed(1.0)),))) == pytest.approx(1.25)


def test_bytes_that_no_step_moves_in_turns_are_worked_on_at_the_end() -> None:
    work = ClientWork(bytes=(Visit(CPU, per_byte=1e-9),))
    assert work.takes((LINK,)) == (LINK, *work.bytes)
    assert work.sends((LINK,)) == (*work.bytes, LINK)


@pytest.mark.parametrize("is_sent", [False, True])
def test_what_is_held_while_no_bytes_pass_is_not_held_for_them(is_sent: bool) -> None:
    work = ClientWork(bytes=(Visit(CPU, per_byte=1e-9),))
    note = Visit(Station("lock"), inside=(Visit(Station("noted"), fixed(0.1)),))
    route = (note, *IN_TURNS, note)
    worked = work.sends(route) if is_sent else work.takes(route)
    assert (worked[0], worked[-1]) == (note, note)
    assert isinstance(worked[1], Pipeline)


def test_a_pipeline_stays_one() -> None:
    work = ClientWork(bytes=(Visit(CPU, per_byte=1e-9),))
    (step,) = work.takes(work.takes(IN_TURNS))
    assert isinstance(step, Pipeline)
    assert len(step.sections) == 3


@pytest.mark.parametrize(("byte", "once"), [(2.0, 0.0), (0.95, 10.0)])
def test_a_client_takes_in_what_its_cores_let_it(byte: float, once: float) -> None:
    settings = {"workload.byte_cpu": f"{byte} ns/B", "workload.request_cpu": f"{once} ms"}
    scenario = load(ONE_CLIENT, Scenario, overrides=settings).scenario
    size, cores = 32 * 2.0**20, scenario.cluster.groups["clients"].server.cpu.capacity()[-1]
    rate = simulate(scenario, profile=ONE_CLIENT).metrics["throughput"][0]
    assert rate == pytest.approx(cores * size / (once * 1e-3 + size * (byte + 0.25) * 1e-9), rel=0.02)


def test_a_client_of_a_file_system_spends_what_that_says_of_it() -> None:
    name, settings = "published-ceph-1tib-read-4kb-30", {"workload.byte_cpu": "100 ns/B", "workload.request_cpu": "1 s"}
    as_shipped, dearer = (
        simulate(load(name, Scenario, overrides=overrides).scenario, profile=name).metrics["throughput"]
        for overrides in ({}, settings)
    )
    assert as_shipped == dearer
