"""The memory bus of a server against closed forms: what is left of cards and drives where each byte crosses it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from models.hardware.cluster import Cluster, Group, Layout
from models.hardware.memory_bus import MemoryBus
from models.hardware.server import Bay, Cpu, Server
from models.scenario import Scenario
from models.storage.minio.system import Minio
from models.work import Parallel, Resource, Step, Work, demand
from simulator.engine import Engine
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, card, nvme, server
from tests.models.test_scenario import scenario

AMOUNT = 100 * GB
MISSES = 0.5
END = 1 + 3 * MISSES
"""Crossings of a byte at an end of a TCP connection: the card's, and a copy that half misses caches."""
HUGE = 1000 * GB


def wide(bandwidth: float | None = 10 * GB, touched: float = 3.0, **changes: Any) -> Server:
    """Return a server of which everything is wide but memory."""
    settings: dict[str, Any] = {
        "nic": card(bandwidth=HUGE, touched=touched),
        "memory_bus": MemoryBus(bandwidth=bandwidth, misses=MISSES),
        "cpu": Cpu(cores=64, threads=64, speed=1.0),
        "volumes": {},
        "bays": {"data": Bay(drive=nvme(read_bandwidth=HUGE, write_bandwidth=HUGE), count=2)},
    }
    return server(**settings | changes)


def laid_out(machine: Server, count: int = 2) -> Layout:
    return Layout(Cluster(groups={"servers": Group(server=machine, count=count)}))


def seconds(made: Layout, *steps: Step) -> float:
    """Return how long steps take that begin together."""
    engine = Engine(made.resources)
    engine.execute(Parallel(steps), lambda: None)
    engine.run()
    return engine.now


def moved(made: Layout, source: int, target: int) -> Work:
    nodes = made.groups["servers"]
    return Work(AMOUNT, demand(made.transfer(nodes[source], nodes[target])))


def test_a_transfer_is_as_fast_as_memory_over_its_crossings_and_both_directions_share_it() -> None:
    made = laid_out(wide())
    one_way = AMOUNT * END / (10 * GB)
    assert seconds(made, moved(made, 0, 1)) == pytest.approx(one_way)
    assert seconds(made, moved(made, 0, 1), moved(made, 1, 0)) == pytest.approx(2 * one_way)


def test_verbs_and_pages_that_are_sent_as_they_are_cross_memory_once() -> None:
    made = laid_out(wide(touched=0.0))
    assert seconds(made, moved(made, 0, 1)) == pytest.approx(AMOUNT / (10 * GB))
    fast, slow = wide(bandwidth=HUGE * 100), wide()
    mixed = Layout(Cluster(groups={"a": Group(server=slow, count=1), "b": Group(server=fast, count=1)}))
    (source,), (target,) = mixed.groups.values()
    sent = Work(AMOUNT, demand(mixed.transfer(source, target, touched=0.0)))
    assert seconds(mixed, sent) == pytest.approx(AMOUNT / (10 * GB))


def test_drives_share_memory_and_what_each_reads_or_writes_crosses_it_once() -> None:
    made = laid_out(wide(), count=1)
    one, other = made.groups["servers"][0].bays["data"]
    assert seconds(made, Work(AMOUNT, demand(one.read())), Work(AMOUNT, demand(other.write()))) == pytest.approx(
        2 * AMOUNT / (10 * GB)
    )


def stored(bandwidth: float, action: str, servers: int = 4) -> Scenario:
    """Return a load of 16 MiB on MinIO, EC:2 of four drives on as many servers, of which memory alone is narrow."""
    bays = {"data": Bay(drive=nvme(read_bandwidth=HUGE, write_bandwidth=HUGE), count=1)}
    groups = {
        "storage": Group(server=wide(bandwidth, bays=bays), count=servers),
        "clients": Group(server=wide(None), count=1),
    }
    store = {"system": "minio", "servers": "storage", "parity": 2, "set_size": 4, "metadata_seeks": 0.0}
    free = dict.fromkeys(("request_cpu", "call_cpu", "drive_cpu", "open_cpu", "note_cpu"), 0.0)
    load = {"kind": "requests", "clients": "clients", "threads": 64, "count": 4000}
    mix = {"mix": {"object": {"action": action, "size": 16 * 2.0**20}}}
    return scenario(
        cluster=Cluster(groups=groups),
        storage=Minio.model_validate(store | free | {"metadata_writes": 0.0}),
        client=None,
        workload=load | mix,
    )


def rate_of(answer: Result) -> float:
    """Return bytes a second of all requests."""
    return answer.metrics["throughput"][0]


@pytest.mark.parametrize(
    ("action", "crossings"),
    [
        # received, coded (read 1, parity 2 times 2/2, four shards over two hashed), three of four shards sent and
        # received, all written
        ("put", END + (1 + 2 + 2) * MISSES + 2 * (3 / 4) * 2 * END + 2),
        # read, three of four shards sent and received, hashed, sent to the client
        ("get", 1 + 2 * (3 / 4) * END + MISSES + END),
    ],
)
def test_a_load_is_as_fast_as_memory_over_the_crossings_of_its_stages(action: str, crossings: float) -> None:
    answer = simulate(stored(2 * GB, action))
    assert answer.bottleneck.resource == "storage/memory bandwidth"
    busy = answer.bottleneck.share  # chance leaves servers idle now and then
    assert busy > 0.95
    assert rate_of(answer) == pytest.approx(busy * 4 * 2 * GB / crossings, rel=0.01)


@pytest.mark.parametrize("action", ["put", "get"])
def test_more_memory_bandwidth_never_slows_a_load(action: str) -> None:
    rates = [rate_of(simulate(stored(bandwidth * GB, action))) for bandwidth in (1, 2, 5, 20, 100, 1e3, 1e5, 1e6)]
    assert all(faster >= 0.99 * slower for slower, faster in pairwise(rates))
    assert rates[-1] > 10 * rates[0]


def memory_of(machine: Server) -> Resource | None:
    return laid_out(machine).nodes[0].memory


def test_memory_is_no_resource_where_nobody_knows_it_or_nothing_fills_it() -> None:
    assert memory_of(wide(None)) is None
    assert memory_of(wide(HUGE * 100)) is None
    assert memory_of(wide()) is not None
    assert not wide(HUGE * 100).acts("memory_bus")
    assert wide().acts("memory_bus")
    assert not wide().memory_bus.acts("efficiency")


@pytest.mark.parametrize(("cores", "sockets"), [(16, 1), (32, 1), (33, 2), (64, 2)])
def test_sockets_bring_their_channels_also_where_not_all_of_their_cores_are_there(cores: int, sockets: int) -> None:
    cpu = Cpu(cores=cores, threads=cores, socket_cores=32, memory_bandwidth=200 * GB)
    machine = wide(None, cpu=cpu, memory_bus=MemoryBus(efficiency=0.75))
    assert machine.memory_bandwidth == pytest.approx(sockets * 150 * GB)
    assert machine.memory_limit == machine.memory_bandwidth
