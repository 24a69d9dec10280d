"""StorageGRID: what protection costs, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Cluster
from models.hardware.server import Bay, Controller, Cpu
from models.storage.storagegrid.system import StorageGrid
from tests.models.machines import GB, cluster, hdd, nvme, server

NODE = server(
    cpu=Cpu(cores=4, threads=8, speed=0.5, smt_yield=1.0),
    controller=Controller(read_bandwidth=2 * GB),
    bays={"data": Bay(drive=hdd(), count=2), "cache": Bay(drive=nvme(), count=1)},
)
GROUPS = {"storage": (3, NODE), "gateways": (1, server()), "workers": (4, server())}


def grid(**changes: Any) -> StorageGrid:
    """Return a grid that needs 2 ms to look an object up and 100 ms to list a page, both at half speed."""
    settings = {
        "system": "storagegrid",
        "servers": "storage",
        "gateways": "gateways",
        "lookup_cpu": 0.001,
        "list_cpu": 0.05,
        "index_spread": 0.0,
        "gateway_cpu": 0.0,
    }
    return StorageGrid.model_validate(settings | changes)


@pytest.mark.parametrize(("changes", "factor"), [({}, 2.0), ({"protection": "erasure-coding"}, 1.5)])
def test_protection_says_how_many_raw_bytes_a_byte_takes(changes: dict[str, Any], factor: float) -> None:
    machines: Cluster = cluster(GROUPS)
    assert grid(**changes).raw_per_byte(machines) == factor
    assert grid(**changes).raw_capacity(machines) == 6 * 1000 * GB


def test_a_cache_without_drives_is_refused() -> None:
    with pytest.raises(ValueError, match=r"storage\.cached_reads: name the drives of the cache in storage\.cache_bay"):
        grid(cached_reads=0.5)


@pytest.mark.parametrize("changes", [{"copies": 4}, {"protection": "erasure-coding", "data_fragments": 3}])
def test_more_copies_or_fragments_than_nodes_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"storage\.protection: 4 storage nodes are needed, storage\.servers has 3"):
        grid(**changes).fits(cluster(GROUPS))
