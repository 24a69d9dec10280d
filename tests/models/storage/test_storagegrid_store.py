"""StorageGRID as flows: where the bytes of a GET, a PUT and a COPY pass, and what limits one stream."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.outage import Outage
from models.storage.clients.mount import Local, MountPoint
from models.storage.clients.s3 import S3Client
from models.storage.described_store import ObjectOperations
from models.storage.flow import Flow
from models.storage.storagegrid.runtime import RUNTIME
from models.storage.storagegrid.system import StorageGrid
from models.storage.systems import mount
from models.work import Delay, Hold, Work
from tests.models.machines import GB, MB, card, hdd, layout, nvme, server
from tests.models.steps import all_of, cost_per_byte, owner, per_byte

CODED = {"protection": "erasure-coding", "data_fragments": 2, "parity_fragments": 1}
NAMES = range(60)


def machines(**changes: Any) -> Layout:
    """Return 3 storage nodes of 4 hard drives with an NVMe cache, 1 gateway of 10 GB/s, and 2 clients."""
    node = server(drives=4, drive=hdd())
    node = node.model_copy(update={"bays": {**node.bays, "cache": server(drives=1, drive=nvme()).bays["data"]}})
    gateway = server(bays={}, nic=card(bandwidth=10 * GB))
    return layout(storage=(3, node), gateways=(1, gateway), compute=(2, server(**changes)))


def spec(**changes: Any) -> StorageGrid:
    settings = {
        "servers": "storage",
        "gateways": "gateways",
        "lookup_cpu": 0.004,
        "list_cpu": 0.1,
        "gateway_cpu": 0.001,
    }
    return StorageGrid.model_validate({"system": "storagegrid"} | settings | changes)


def grid(made: Layout, **changes: Any) -> ObjectOperations:
    store = RUNTIME.store(spec(**changes), made, 1, Outage())
    assert isinstance(store, ObjectOperations)
    return store


def client(made: Layout) -> Node:
    return made.groups["compute"][0]


def test_an_sdk_asks_for_a_whole_object_once() -> None:
    made = machines()
    local = Local(lambda node: node.page_cache(0.0), 1, 1)
    files = mount(spec(), S3Client(connector="s3", connections=1, request_time=0.02), MountPoint(made, 1, local))
    read = files.read(0, 1, client(made), "direct")
    written = files.write(0, client(made), MB, Flow(), "direct", None)
    for asked, seek in ((read.move(MB), 1), (written, 2)):  # a copy of two, or both, on drives that seek in 10 ms
        delays = sum(delay.seconds for delay in all_of(asked, Delay))
        spent = sum(work.amount * use.cost for work in all_of(asked, Work) for use in work.demand.uses if not use.bytes)
        assert delays == pytest.approx(0.02)
        assert spent == pytest.approx(0.001 + 0.004 + seek * 0.010)


def test_byte_read_comes_from_one_drive_and_passes_the_gateway() -> None:
    made = machines()
    for name in NAMES:
        used = per_byte(grid(made).read(name, client(made)).uses)
        assert used["drive"] == pytest.approx(1.0)
        assert used["nic-in"] == used["nic-out"]
        assert used["nic-in"] in (pytest.approx(2.0), pytest.approx(3.0))  # once more from a node without a copy


def test_most_nodes_that_are_asked_have_one_of_two_copies_themselves() -> None:
    made = machines()
    hops = [per_byte(grid(made).read(name, client(made)).uses)["nic-in"] - 2 for name in range(3000)]
    assert sum(hops) / len(hops) == pytest.approx(1 / 3, abs=0.03)


def test_objects_and_the_ranges_of_one_object_lie_on_all_drives() -> None:
    made = machines()
    for flows in (
        [grid(made).read(name, client(made)) for name in NAMES],
        [grid(made).read(7, client(made), stream=stream) for stream in NAMES],
    ):
        assert len({use.resource.name for flow in flows for use in flow.uses if use.resource.kind == "drive"}) == 12


@pytest.mark.parametrize(
    ("changes", "drives"), [({"copies": 1}, 1), ({"copies": 2}, 2), ({"copies": 3}, 3), (CODED, 1.5)]
)
def test_byte_written_reaches_all_copies_or_fragments_each_on_a_node_of_its_own(
    changes: dict[str, Any], drives: float
) -> None:
    made = machines()
    for name in NAMES:
        uses = grid(made, **changes).write(name, client(made)).uses
        assert per_byte(uses)["drive"] == pytest.approx(drives)
        nodes = [owner(use.resource) for use in uses if use.resource.kind == "drive"]
        assert len(nodes) == len(set(nodes))


def test_second_copy_crosses_the_network_once_more() -> None:
    made = machines()
    one, two = (per_byte(grid(made, copies=copies).write(5, client(made)).uses)["nic-in"] for copies in (1, 2))
    assert (one, two) == (2.0, 3.0)


def test_erasure_coded_byte_is_read_as_halves_from_two_nodes() -> None:
    made = machines()
    uses = grid(made, **CODED).read(3, client(made)).uses
    assert [use.bytes for use in uses if use.resource.kind == "drive"] == [0.5, 0.5]
    assert grid(made, **CODED).read(3, client(made)).max_rate == 400 * MB  # two drives of 200 MB/s


def test_copy_is_read_and_written_inside_the_store() -> None:
    made = machines()
    flow = grid(made).copy(4, client(made))
    assert per_byte(flow.uses)["drive"] == pytest.approx(3.0)
    assert {owner(use.resource) for use in flow.uses} <= {"storage-1", "storage-2", "storage-3"}


def test_cached_part_of_the_reads_comes_from_the_read_cache() -> None:
    made = machines()
    uses = grid(made, cached_reads=0.25, cache_bay="cache").read(3, client(made)).uses
    drives = {use.resource.group: use.bytes for use in uses if use.resource.kind == "drive"}
    assert drives == {"storage/data drives": 0.75, "storage/cache drives": 0.25}


def test_one_stream_goes_as_fast_as_a_drive_or_a_connection() -> None:
    assert grid(machines()).read(1, client(machines())).max_rate == 200 * MB
    slow = machines(nic=card(bandwidth=1 * GB, flow_bandwidth=50 * MB))
    assert grid(slow).write(1, client(slow)).max_rate == 50 * MB


def test_requests_take_the_time_of_gateway_index_and_seek() -> None:
    made = machines()
    store = grid(made)
    assert store.request_time == pytest.approx(0.005)
    assert store.listing_time == pytest.approx(0.101)
    (held, *_) = all_of(store.read(1, client(made)).move(0.0), Hold)
    once = [work for work in all_of(held, Work) if not any(use.bytes for use in work.demand.uses)]
    assert sum(work.amount / work.demand.max_rate for work in once) == pytest.approx(0.005 + 0.010)
    assert [use.resource.group for work in once for use in work.demand.uses] == [
        "gateways/cpu",
        "storage/metadata index",
        "storage/data drives",
    ]
    assert store.completion_time(40) == pytest.approx(0.005 + 40 * 0.004)


@pytest.mark.parametrize(("ahead", "times"), [(0.0, 1), (1.0, 2), (7.0, 8)])
def test_range_of_a_compressed_object_is_read_and_decompressed_from_the_start_of_its_object(
    ahead: float, times: int
) -> None:
    made = machines()
    flow = grid(made, compression=True, compression_cpu=5e-9).read(3, client(made), ahead=ahead)
    assert per_byte(flow.uses)["drive"] == pytest.approx(times)
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(times * 5e-9)
    assert flow.max_rate == pytest.approx(200 * MB / times)  # of the drive, and of one core at 5 ns a byte


def test_compression_costs_a_write_a_core_a_stream() -> None:
    made = machines()
    flow = grid(made, compression=True, compression_cpu=20e-9).write(3, client(made))
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(20e-9)
    assert flow.max_rate == pytest.approx(50 * MB)


def test_range_of_an_object_that_is_not_compressed_is_found_at_once() -> None:
    made = machines()
    near, far = (grid(made).read(3, client(made), ahead=ahead) for ahead in (0.0, 7.0))
    assert (near.uses, near.max_rate) == (far.uses, far.max_rate)
