"""Four OSDs of one server beside four servers of one: what passes cards, what a write takes, what is survived."""

from __future__ import annotations

import pytest

from models.planning.survival import survives
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Result
from simulator.run import simulate

WRITES = """
[profile]
title = "Writes on a test bench"
[cluster.groups.storage]
count = 4
[cluster.groups.storage.server]
memory = { size = "64 GiB" }
nic = { bandwidth = "25 Gbit/s" }
cpu = { use = "xeon-e5-2650-v3", cores = 5, threads = 10 }
bays = { data = { drive = "nvme", count = 1 } }
[cluster.groups.clients]
server = "nvme-100gbe"
count = 1
[storage]
use = "ceph-rbd"
servers = "storage"
failure_domain = "osd"
pg_num = 128
[workload]
kind = "requests"
clients = "clients"
threads = 16
count = 4000
mix.object = { action = "put", size = "64 KiB" }
"""
BENCH = {
    "cluster.groups.storage.count": "1",
    "cluster.groups.storage.server.bays.data.count": "4",
    "cluster.groups.storage.server.cpu.cores": "20",
    "cluster.groups.storage.server.cpu.threads": "40",
}
LONE = {"workload.threads": "1", "workload.count": "1000", "workload.mix.object.size": "4 KiB"}


def run(changes: dict[str, str]) -> tuple[Scenario, Result]:
    scenario = load_text(WRITES, Scenario, changes).scenario
    return scenario, simulate(scenario, seed=0)


def carried(result: Result, name: str) -> float:
    """Return the bytes that all resources of a name carried."""
    return sum(use.bytes for use in result.resources if name in use.name)


def test_copies_on_one_server_pass_no_card_and_are_lost_with_it() -> None:
    (four, apart), (one, together) = run({}), run(BENCH)
    written = carried(together, "storage/network in")
    assert carried(together, "storage/network out") == 0.0
    assert carried(apart, "storage/network in") / written == pytest.approx(3.0, rel=0.01)
    assert carried(apart, "storage/network out") / written == pytest.approx(2.0, rel=0.01)
    assert carried(together, "drives") == pytest.approx(carried(apart, "drives"), rel=0.01)
    assert (survives(four).servers.reading, survives(four).servers.writing) == (2, 1)
    assert (survives(one).servers.reading, survives(one).servers.writing) == (0, 0)
    assert survives(one).drives == survives(four).drives


def test_a_lone_write_on_one_server_saves_the_way_to_its_copies_and_back() -> None:
    (four, apart), (_, together) = run(LONE), run(BENCH | LONE)
    saved = apart.metrics["object latency p50"][0] - together.metrics["object latency p50"][0]
    assert saved == pytest.approx(four.cluster.network.round_trip, rel=0.05)  # and 4 KiB of cards
