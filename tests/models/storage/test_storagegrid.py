"""StorageGRID: what requests pass, what protection and cache do to them, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Cluster
from models.hardware.server import Bay, Controller, Cpu
from models.jobs.requests import Route, Visit
from models.storage.storagegrid import GridRoutes, StorageGrid
from tests.models.machines import GB, MB, cluster, hdd, layout, nvme, server

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
    return StorageGrid(**settings | changes)


def routes(**changes: Any) -> GridRoutes:
    return GridRoutes(grid(**changes), layout(**GROUPS), "workers")


def times(route: Route, size: float) -> dict[str, float]:
    """Return the seconds that a lone request of a size spends at each station."""
    found: dict[str, float] = {}
    for step in route:
        if isinstance(step, Visit):
            own = step.service.mean + step.per_byte * step.share * size
            found[step.station.name] = found.get(step.station.name, 0.0) + own
            for name, seconds in times(step.inside, size).items():
                found[name] = found.get(name, 0.0) + seconds
    return {name: seconds for name, seconds in found.items() if seconds > 0}


def test_a_get_asks_the_index_seeks_once_and_passes_every_card() -> None:
    assert times(routes().get(1 * MB, 32 * MB), 1 * MB) == pytest.approx(
        {
            "storage/metadata index": 0.002,
            "storage/data drives": 0.010 + 0.005,
            "storage/controller reads": 0.0005,
            "storage/network out": 0.001,
            "gateways/network in": 0.001,
            "gateways/network out": 0.001,
            "workers/network in": 0.001,
        }
    )


def test_head_and_list_touch_the_index_only() -> None:
    assert times(routes().head(), 0.0) == pytest.approx({"storage/metadata index": 0.002})
    assert times(routes().list_page(), 0.0) == pytest.approx({"storage/metadata index": 0.1})


def test_a_cached_get_reads_from_the_cache_without_a_seek() -> None:
    found = times(routes(cached_reads=0.5, cache_bay="cache").get(1 * MB, 32 * MB, is_cached=True), 1 * MB)
    assert found["storage/cache drives"] == pytest.approx(1 * MB / (2 * GB))
    assert "storage/data drives" not in found


def test_a_range_that_spans_fragments_seeks_in_each() -> None:
    coded = routes(protection="erasure-coding", fragment_stripe=1 * MB)
    assert times(coded.get(1 * MB, 32 * MB), 1 * MB)["storage/data drives"] == pytest.approx(0.015)
    assert times(coded.get(8 * MB, 32 * MB), 8 * MB)["storage/data drives"] == pytest.approx(2 * 0.010 + 0.040)


def test_a_range_of_a_compressed_object_is_read_from_the_start_of_the_object() -> None:
    found = times(routes(compression=True).get(1 * MB, 32 * MB), 1 * MB)
    assert found["storage/data drives"] == pytest.approx(0.010 + (16 + 1) * MB / (200 * MB))


@pytest.mark.parametrize(("changes", "factor"), [({}, 2.0), ({"protection": "erasure-coding"}, 1.5)])
def test_protection_says_how_many_raw_bytes_a_byte_takes(changes: dict[str, Any], factor: float) -> None:
    machines: Cluster = cluster(**GROUPS)
    assert grid(**changes).raw_per_byte(machines) == factor
    assert grid(**changes).raw_capacity(machines) == 6 * 1000 * GB


def test_a_cache_without_drives_is_refused() -> None:
    with pytest.raises(ValueError, match=r"storage\.cached_reads: name the drives of the cache in storage\.cache_bay"):
        grid(cached_reads=0.5)


@pytest.mark.parametrize("changes", [{"copies": 4}, {"protection": "erasure-coding", "data_fragments": 3}])
def test_more_copies_or_fragments_than_nodes_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"storage\.protection: 4 storage nodes are needed, storage\.servers has 3"):
        grid(**changes).fits(cluster(**GROUPS))
