"""What cards and drives move never fills memory that carries all of which a server is told to need at most.

Where memory carries more than that it is no resource. So this must hold for whatever stores do to bytes in memory, or
a server would be told to be faster than it is.
"""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

SERVER = "cluster.groups.storage.server"
STORES = ("minio-nvme", "ceph", "ceph-4-2", "ceph-rbd", "object-store", "hdfs", "hdfs-rs-6-3", "lustre", "beegfs")
WIDE = {
    "cluster.groups.storage.count": "12",
    f"{SERVER}.bays.data.count": "10",
    "cluster.groups.clients.count": "24",
    f"{SERVER}.cpu.speed": "10000",
    f"{SERVER}.nic.flow_bandwidth": "100 Gbit/s",
    "cluster.groups.clients.server.cpu.speed": "10000",
    "workload.threads": "16",
    "workload.count": "3000",
    "workload.mix.GET.size": "8 MiB",
}
"""Processors that never limit, so that cards or drives do."""


@pytest.mark.parametrize("card", ["100 Gbit/s", "400 Gbit/s"])
@pytest.mark.parametrize("action", ["get", "put"])
@pytest.mark.parametrize("store", STORES)
def test_memory_that_carries_what_a_server_needs_at_most_is_never_full(store: str, action: str, card: str) -> None:
    settings = WIDE | {"storage": store, "workload.mix.GET.action": action, f"{SERVER}.nic.bandwidth": card}
    most = load("get-minio-nvme", Scenario, settings).scenario.cluster.groups["storage"].server.most_crossing
    narrow = settings | {f"{SERVER}.memory_bus.bandwidth": f"{0.999 * most / 1e9} GB/s"}
    answer = simulate(load("get-minio-nvme", Scenario, narrow).scenario)
    (memory,) = [group for group in answer.groups if group.group == "storage/memory bandwidth"]
    assert memory.utilization_mean < 0.9
