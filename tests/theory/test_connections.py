"""Connections that clients open and keep, against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.build import build
from models.distributions import NOTHING, Distribution, exponential, fixed
from models.jobs.object_load_plan import ObjectLoadPlan
from models.problem import RefusalError
from models.requests import Closed, Connected, Draw, Fan, Kind, Pick, RequestRun, Route, Station, Visit, check_order
from models.scenario import Scenario
from models.storage.connection import ACCEPT_CPU, CONNECT_CPU, Window
from models.storage.tls import ANSWER_CPU, HANDSHAKE_CPU
from profiles.loading.loader import load
from simulator.requests.run import RequestResult, run_requests
from tests.models.jobs.test_object_load import job, run_of

OPEN = Station("open", 1 << 20, kind="delay")
SERVER = Station("server", 1 << 20, kind="delay")
ALL = Pick(Draw("pool", 1))
SECOND = fixed(1.0)


def over(inside: Route, kept: int, opening: Distribution = SECOND, warming: Route = ()) -> Route:
    """Return a route over connections of one pool, or as told."""
    return (Connected("pool", 1, kept, ALL, inside, (Visit(OPEN, opening),), warming),)


def answered(route: Route, clients: int, count: int, think: Distribution = NOTHING) -> RequestResult:
    """Return how the requests of a closed loop fared."""
    kind = Kind("get", route, size=fixed(1.0), think=think)
    return run_requests(RequestRun("load", (kind,), Closed(clients), count), seed=1)


def opened(result: RequestResult) -> float:
    """Return the part of the requests that opened a connection."""
    return next(use.visits for use in result.stations if use.station == OPEN) / result.done


@pytest.mark.parametrize(("kept", "mean"), [(0, 1.0 + 2.0 + 0.5), (1, 2.0 + 1.5 / 49)])
def test_a_lone_client_opens_one_connection_or_one_a_request(kept: int, mean: float) -> None:
    late = (Visit(Station("late", kind="delay"), fixed(0.5)),)
    route = over((Visit(SERVER, fixed(2.0)),), kept, warming=late)
    assert answered(route, 1, 50).latency.mean.value == pytest.approx(mean)


def test_clients_that_never_pause_open_one_connection_each_however_few_are_kept() -> None:
    assert opened(answered(over((Visit(SERVER, exponential(1.0)),), 1), 20, 2000)) == 20 / 2000


def test_handshakes_bound_the_rate_by_what_they_take_of_a_processor() -> None:
    processor = Station("processor")
    shaken = (Visit(processor, fixed(3e-3)),)
    work = (Visit(processor, fixed(1e-3)),)
    for kept, seconds in ((0, 4e-3), (64, 1e-3)):
        route = (Connected("pool", 1, kept, ALL, work, shaken),)
        assert answered(route, 32, 4000).throughput.value == pytest.approx(1 / seconds, rel=0.05)


def share_opened(clients: int, kept: int, think: float, serve: float) -> float:
    """Return the part of requests that open a connection, by the Markov chain of (thinking, idle)."""
    states = [(thinking, idle) for thinking in range(clients + 1) for idle in range(min(kept, thinking) + 1)]
    number = {state: at for at, state in enumerate(states)}
    rates = np.zeros((len(states), len(states)))
    for (thinking, idle), at in number.items():
        if thinking:
            rates[at, number[thinking - 1, max(idle - 1, 0)]] += thinking / think
        if thinking < clients:
            rates[at, number[thinking + 1, min(idle + 1, kept)]] += (clients - thinking) / serve
    rates -= np.diag(rates.sum(axis=1))
    chance = np.linalg.lstsq(
        np.vstack([rates.T, np.ones(len(states))]), np.append(np.zeros(len(states)), 1.0), rcond=None
    )[0]
    flow = {state: chance[at] * state[0] / think for state, at in number.items()}
    return float(sum(rate for (_, idle), rate in flow.items() if idle == 0) / sum(flow.values()))


@pytest.mark.parametrize(("clients", "kept", "think"), [(8, 2, 0.4), (12, 2, 0.1), (10, 5, 1.0)])
def test_clients_that_pause_open_connections_as_the_chain_of_idle_ones_says(
    clients: int, kept: int, think: float
) -> None:
    route = over((Visit(SERVER, exponential(1.0)),), kept, opening=fixed(1e-6))
    share = opened(answered(route, clients, 20_000, exponential(think)))
    assert share == pytest.approx(share_opened(clients, kept, think, 1.0), rel=0.06)


def test_a_new_connection_waits_a_round_trip_for_each_window_until_it_has_grown() -> None:
    window = Window(segment=1448.0, round_trip=1e-3, rate=1e8)  # 100 kB a round trip
    assert window.extra(14480.0) == 0.0
    assert window.extra(14481.0) == pytest.approx(1e-3 - 14480 / 1e8)
    grown = sum(1e-3 - 14480 * 2**turn / 1e8 for turn in range(3))  # 14.5, 29, 58 kB; the fourth carries it all
    assert window.extra(1e9) == pytest.approx(grown)
    assert replace(window, round_trip=1e-4).extra(1e9) == 0.0


def test_parts_of_an_object_have_connections_of_their_own() -> None:
    route = over((Visit(SERVER, fixed(1.0)),), 2)
    spread = answered((Fan(route, 4, 0.25),), 1, 100)
    assert opened(spread) == pytest.approx(4 / 100 + 2 * 99 / 100)  # four are open at once, two of them are kept


def test_stations_that_are_held_while_a_connection_is_opened_are_in_order_with_those_inside() -> None:
    one, two = Station("one"), Station("two")
    turned = (Connected("pool", 1, 0, ALL, (Visit(two, inside=(Visit(one),)),)),)
    with pytest.raises(ValueError, match="each is asked for while the other is held"):
        check_order([(Visit(one, inside=turned),), turned])


EVEN = {"storage.first_byte_spread": "0", "storage.first_byte_tail": "0", "workload.mix.GET.size": "4 KiB"}


def lone(name: str, kept: int, overrides: dict[str, str]) -> tuple[float, Scenario]:
    """Return the mean latency of a lone client of a shipped load, and what was run."""
    scenario = load(name, Scenario, overrides=overrides | {"workload.idle_connections": str(kept)}).scenario
    plan = build(scenario, 0)
    assert isinstance(plan, ObjectLoadPlan)
    run = replace(plan.runs()[0], loop=Closed(1), precision=0.0, warm_up=0.0, goes_on=False, count=2000)
    return run_requests(run, seed=1).latency.mean.value, scenario


@pytest.mark.parametrize(
    ("name", "trips", "client", "server", "overrides"),
    [
        ("published-s3-c5-large", 2, CONNECT_CPU + HANDSHAKE_CPU, 0.0, EVEN),
        ("published-ceph-r760-get-64kib", 1, CONNECT_CPU, ACCEPT_CPU, {}),
    ],
)
def test_a_request_on_a_new_connection_takes_round_trips_and_time_of_both_ends_more(
    name: str, trips: int, client: float, server: float, overrides: dict[str, str]
) -> None:
    kept, scenario = lone(name, 1, overrides)
    groups, round_trip = scenario.cluster.groups, scenario.cluster.network.round_trip
    sender, nic = groups["clients"].server.cpu, groups["clients"].server.nic
    expected = trips * round_trip + client / sender.capacity()[0]
    if server:
        expected += server / groups["storage"].server.cpu.capacity()[0]
        rate = min(groups["clients"].server.connection_rate(round_trip), nic.rate)
        expected += Window(nic.mtu - 52, round_trip, rate).extra(65536.0)
    else:
        expected += ACCEPT_CPU + ANSWER_CPU
    assert lone(name, 0, overrides)[0] - kept == pytest.approx(expected, rel=0.1)


def test_clients_of_file_systems_have_no_connections_to_keep() -> None:
    scenario = load("published-beegfs-me4084-read", Scenario).scenario
    asked = job(clients="clients", idle_connections=2)
    with pytest.raises(RefusalError, match="clients of a file system keep their connections"):
        build(scenario.model_copy(update={"workload": asked}), 0)


def test_a_load_that_says_nothing_of_idle_connections_has_the_routes_it_had() -> None:
    assert not any(isinstance(step, Connected) for kind in run_of().kinds for step in kind.route)
    kept = run_of(idle_connections=2, processes=3).kinds[0].route
    (connected,) = (step for step in kept if isinstance(step, Connected))
    assert (connected.kept, connected.pools) == (2, 3 * 4)
