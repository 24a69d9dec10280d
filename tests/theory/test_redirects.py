"""Requests that a proxy sends on to the server that has the object, against closed forms."""

from __future__ import annotations

import pytest

from models.hardware.server import Cpu
from models.requests import Closed, Kind, RequestRun
from models.storage.described_routes import routes_of
from models.storage.object_routes import ends
from models.storage.object_store.operations import DirectOperations
from models.storage.object_store.system import DirectStore
from simulator.requests.run import run_requests
from tests.models.machines import layout, nvme, server

TRIP, SERVED, SENT_ON = 0.2e-3, 100e-6, 40e-6
FAST = nvme(read_iops=1e8, write_iops=1e8, read_latency=1e-9, write_latency=1e-9)


def rate(clients: int, *, redirects: bool) -> float:
    """Return the requests for metadata a second of so many clients of three servers with two cores each."""
    machine = server(4, FAST, cpu=Cpu(cores=2, threads=2, speed=1.0))
    made = layout(storage=(3, machine), clients=(1, machine))
    spec = DirectStore(
        system="object-store", servers="storage", redirects=redirects, redirect_cpu=SENT_ON, request_cpu=SERVED
    )
    routes = routes_of(DirectOperations(spec, made), made, ends(made, "clients", own_server=False, in_turn=True))
    run = RequestRun("head", (Kind("head", routes.head(exists=True)),), Closed(clients), 3_000, warm_up=0.1)
    return run_requests(run, seed=1).throughput.value


@pytest.mark.parametrize(("redirects", "seconds"), [(True, 2 * TRIP + SENT_ON + SERVED), (False, TRIP + SERVED)])
def test_a_lone_client_goes_to_a_proxy_and_back_before_it_asks_the_target(redirects: bool, seconds: float) -> None:
    assert 1 / rate(1, redirects=redirects) == pytest.approx(seconds, rel=0.02)


@pytest.mark.parametrize(("redirects", "cost"), [(True, SENT_ON + SERVED), (False, SERVED)])
def test_proxies_take_their_part_of_the_processors(redirects: bool, cost: float) -> None:
    assert rate(120, redirects=redirects) == pytest.approx(3 * 2 / cost, rel=0.06)
