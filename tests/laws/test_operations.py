"""An operation is described once: a job's flow and a load's route take the same bytes and seconds of every resource."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from models.hardware.cluster import Layout
from models.hardware.server import Bay, Controller, Nic
from models.requests import Fan, Repeat, Route, Visit
from models.storage.object_routes import ends
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.store import StorageGridStore
from models.storage.storagegrid.system import StorageGrid
from models.work import Work
from tests.models.machines import GB, hdd, layout, nvme, server
from tests.models.steps import all_of

SIZE = 8 * 2**20
NAMES = range(3000)
NODES = 4
CODED = {"protection": "erasure-coding", "data_fragments": 2, "parity_fragments": 1}
CHANGES: list[dict[str, Any]] = [
    {},
    {"copies": 1},
    {"copies": 3},
    CODED,
    {"cached_reads": 0.25, "cache_bay": "cache"},
    {"compression": True},
    CODED | {"compression": True, "cached_reads": 0.5, "cache_bay": "cache"},
]
Taken = dict[str, float]
"""Seconds of all servers or drives of a group, and bytes under "bytes of" a group."""


def machines() -> Layout:
    node = server(drives=3, drive=hdd(), controller=Controller(read_bandwidth=2 * GB, write_bandwidth=1 * GB))
    node = node.model_copy(update={"bays": {**node.bays, "cache": Bay(drive=nvme(), count=2)}})
    slow = server(nic=Nic(bandwidth=1 * GB, flow_bandwidth=0.5 * GB))
    return layout(storage=(NODES, node), gateways=(2, server()), clients=(2, slow))


def grid(**changes: Any) -> StorageGrid:
    settings = {"servers": "storage", "gateways": "gateways", "lookup_cpu": 0.004, "list_cpu": 0.1}
    return StorageGrid(**{"system": "storagegrid"} | settings | changes)


def by_flow(spec: StorageGrid, operation: str) -> Taken:
    """Return what a request takes on average over many objects and both clients."""
    made = machines()
    store, total = StorageGridStore(spec, made, salt=1), defaultdict[str, float](float)
    clients = made.groups["clients"]
    for name in NAMES:
        act: Callable[..., Any] = store.read if operation == "get" else store.write
        for work in all_of(act(name, clients[name % 2]).move(SIZE), Work):
            for use in work.demand.uses:
                group = use.resource.group
                slots = use.resource.capacity[-1]
                total[group] += work.amount * use.cost / slots / len(NAMES)
                total[f"bytes of {group}"] += work.amount * use.bytes / len(NAMES)
    return {name: value for name, value in total.items() if value}


def visits(route: Route, size: float, times: float = 1.0) -> Iterator[tuple[Visit, float, float]]:
    for step in route:
        if isinstance(step, Visit):
            yield step, size, times
            yield from visits(step.inside, size, times)
        elif isinstance(step, Repeat):
            turns = max(-(-size // step.chunk), 1)
            yield from visits(step.route, size / turns, times * turns)
        elif isinstance(step, Fan):
            yield from visits(step.route, size * step.share, times * step.lanes)


def by_route(spec: StorageGrid, operation: str) -> Taken:
    """Return what a request takes on average over its variants."""
    made, total = machines(), defaultdict[str, float](float)
    store = StorageGridRoutes(spec, made, ends(made, "clients", own_server=False, in_turn=True))
    ways = [(1.0, store.put(SIZE))]
    if operation == "get":
        ways = [(way.share, way.route) for way in store.get(SIZE, SIZE)]
    for share, route in ways:
        for visit, size, times in visits(route, SIZE):
            station = visit.station
            if station.kind in ("delay", "workers"):
                continue
            seconds = visit.service.mean + visit.per_byte * visit.share * size
            total[station.name] += share * times * seconds / station.slots
            if visit.per_byte and station.kind != "cpu":
                total[f"bytes of {station.name}"] += share * times * visit.share * size
    return {name: value for name, value in total.items() if value}


@pytest.mark.parametrize("operation", ["get", "put"])
@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: "-".join(changes) or "two-copies")
def test_flow_and_route_take_the_same_bytes_and_seconds_of_every_resource(
    changes: dict[str, Any], operation: str
) -> None:
    spec = grid(**changes)
    flow, route = by_flow(spec, operation), by_route(spec, operation)
    assert flow == pytest.approx(route, rel=0.05)  # the names of 3,000 objects are not quite even
    assert route["gateways/cpu"] > 0
    assert math.isclose(route["bytes of clients/network " + ("in" if operation == "get" else "out")], SIZE)


def test_a_get_costs_one_seek_and_its_bytes_wherever_it_is_asked() -> None:
    spec = grid()
    seconds = hdd().seek_time + SIZE * hdd().read_cost()
    assert by_flow(spec, "get")["storage/data drives"] == pytest.approx(seconds)
    assert by_route(spec, "get")["storage/data drives"] == pytest.approx(seconds)
