"""Requests that go to all placement groups alike, against those drawn one by one and against the loop of requests."""

from __future__ import annotations

import math
from itertools import count

import pytest

from models.hardware.server import Cpu
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.outage import Outage
from models.scenario import ProfileInfo, Scenario
from models.storage.ceph.system import Ceph
from models.storage.clients.s3a import S3aClient
from models.storage.described_store import ObjectOperations
from models.storage.systems import runtime_of
from models.symmetry import WHOLE, Detail, layout_of
from simulator.engine import Engine
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, hdd, nvme, server
from tests.simulator.small import framework

SIZE = 64 * MB
DRIVES, EACH = 32, 8  # PUTs under way for each drive
GROUPS = 1 << 12  # no drive has many more than another, in whatever order they are drawn
TASKS = 60
THREADS = DRIVES * EACH // 2  # of each of two clients
ROUNDS = 5
CEPH = {"system": "ceph", "servers": "storage", "gateways": "storage"}


def test_a_sort_that_processors_limit_takes_as_long_with_groups_drawn_for_each_request() -> None:
    """`--tolerance 0` draws them."""
    job = {"kind": "mapreduce", "framework": framework(containers=TASKS), "cpu": 50e-9, "input": 10 * GB}
    scenario = Scenario(
        profile=ProfileInfo(title="sort"),
        cluster=cluster(storage=(6, server(4, nvme())), workers=(2, server())),
        storage=Ceph.model_validate(CEPH),
        client=S3aClient(connector="s3a"),
        workload=MapReduce.model_validate(job | {"map_share": 0.6}),
    )
    even, drawn = simulate(scenario), simulate(scenario, tolerance=0.0)
    assert even.duration == pytest.approx(drawn.duration, rel=0.005)
    assert even.duration != drawn.duration
    bytes = [{group.group: group.bytes for group in result.groups} for result in (even, drawn)]
    for group, moved in bytes[1].items():
        assert bytes[0][group] == pytest.approx(moved, rel=0.005), group


@pytest.mark.slow
def test_writes_of_many_clients_are_nearer_to_the_loop_of_requests_than_where_each_is_drawn() -> None:
    """In the loop each drive has a queue, and only what an empty one loses is slower."""
    loop, _ = simulate(puts()).metrics["throughput"]
    store = store_of(Detail(fewest=1))
    client = store.layout.groups["clients"][0]
    for name in range(math.ceil(GROUPS * store.what.object_size / SIZE) + 1):
        flow = store.write(name, client, size=SIZE)
    drives = (use for use in flow.uses if use.resource.kind == "drive")
    even = 1 / max(use.cost / use.resource.capacity[-1] for use in drives)
    assert not flow.opening
    assert loop < even
    assert even - loop < (loop - drawn()) / 2


def puts() -> Scenario:
    """Return a closed loop of PUTs in so many threads for each drive."""
    machine = server(4, hdd(), cpu=Cpu(cores=64, threads=64, speed=1.0))
    load = {"kind": "requests", "clients": "clients", "threads": THREADS, "duration": 400.0}
    return Scenario(
        profile=ProfileInfo(title="PUTs"),
        cluster=cluster(storage=(8, machine), clients=(2, machine)),
        storage=Ceph.model_validate(CEPH | {"buckets": 100, "daemons": 40, "pg_num": GROUPS}),
        workload=ObjectLoad.model_validate(load | {"mix": {"PUT": {"action": "put", "size": SIZE}}}),
    )


def store_of(detail: Detail) -> ObjectOperations:
    """Return the store of the loop for jobs with as many tasks as it needs to be asked evenly."""
    scenario = puts()
    layout = layout_of(scenario, detail)
    layout.hold(lambda node: 0.0, THREADS)
    store = runtime_of(scenario.storage).store(scenario.storage, layout, 1, Outage())
    assert isinstance(store, ObjectOperations)
    return store


def drawn() -> float:
    """Return the bytes a second of the same loop by flows whose groups are drawn, in the middle of it."""
    store = store_of(WHOLE)
    clients, engine = store.layout.groups["clients"], Engine(store.layout.resources)
    names, ends, many = count(), list[float](), ROUNDS * 2 * THREADS

    def begin() -> None:
        name = next(names)
        if name < many:
            engine.execute(store.write(name, clients[name % 2], size=SIZE).move(SIZE), end)

    def end() -> None:
        ends.append(engine.now)
        begin()

    for _ in range(2 * THREADS):
        begin()
    engine.run()
    first, last = len(ends) // 4, 3 * len(ends) // 4
    return (last - first) * SIZE / (ends[last] - ends[first])
