"""Routes of GET, PUT and metadata requests on three stores: bytes and seconds at each station, for a lone request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from models.hardware.server import Bay, Controller, Nic
from models.requests import Admission, Fan, Pipeline, Repeat, Route, Visit
from models.storage.amazon_s3.system import AmazonS3
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.object_routes import Ends, ObjectRoutes, ends
from models.storage.storagegrid.system import StorageGrid
from models.storage.systems import routes
from tests.models.machines import GB, MB, card, hdd, layout, nvme, server

DISKS = server(drives=4, drive=hdd(), controller=Controller(read_bandwidth=2 * GB, write_bandwidth=1 * GB))
MACHINES = {"storage": (4, DISKS), "gateways": (1, server()), "clients": (2, server())}


def clients(group: str = "clients", **changes: Any) -> Ends:
    return ends(layout(MACHINES), group, **{"own_server": False, "in_turn": True, **changes})


def minio(at: Ends | None = None, **changes: Any) -> ObjectRoutes:
    """Return MinIO with sets of 16 drives on four servers, 12 + 4."""
    settings = {
        "system": "minio",
        "servers": "storage",
        "parity": 4,
        "release": "2019-07-24",
        "request_cpu": 0.0,
        "call_cpu": 0.0,
        "drive_cpu": 0.0,
        "open_cpu": 0.0,
        "note_cpu": 0.0,
        **changes,
    }
    return routes(Minio(**settings), layout(MACHINES), at or clients())


def grid(**changes: Any) -> ObjectRoutes:
    settings = {
        "system": "storagegrid",
        "servers": "storage",
        "gateways": "gateways",
        "lookup_cpu": 0.002,
        "list_cpu": 0.05,
        "index_spread": 0.0,
        "gateway_cpu": 0.0,
        **changes,
    }
    return routes(StorageGrid(**settings), layout(MACHINES), clients())


def s3(**changes: Any) -> ObjectRoutes:
    settings = {"system": "amazon-s3", "first_byte": 0.02, "connection_bandwidth": 100 * MB, "get_rate": 5500.0}
    return routes(
        AmazonS3.model_validate(settings | changes), layout(MACHINES), replace(clients(), back_off=0.1, attempts=5)
    )


def visits(route: Route, size: float, times: float = 1.0) -> Iterator[tuple[Visit, float, float]]:
    """Yield each visit of a request with the bytes that pass and the number of times it is made."""
    for step in route:
        if isinstance(step, Visit):
            yield step, size, times
            yield from visits(step.inside, size, times)
        elif isinstance(step, Repeat):
            turns = max(-(-size // step.chunk), 1)
            yield from visits(step.route, size / turns, times * turns)
        elif isinstance(step, Fan):
            share = step.share if step.chunk is None else 1 / step.lanes
            yield from visits(step.route, size * share, times * step.lanes)
        elif isinstance(step, Pipeline):
            turns = max(-(-size // step.chunk), 1)
            for section in step.sections:
                yield from visits(section.route, size * section.share / turns, times * turns * section.lanes)


def moved(route: Route, size: float) -> dict[str, float]:
    """Return the bytes that a request moves through stations, by name."""
    total: dict[str, float] = defaultdict(float)
    for visit, amount, times in visits(route, size):
        if visit.per_byte > 0:
            total[visit.station.name] += amount * visit.share * times
    return dict(total)


def seconds(route: Route, size: float) -> dict[str, float]:
    """Return the seconds of all stations that a request asks for, by name."""
    total: dict[str, float] = defaultdict(float)
    for visit, amount, times in visits(route, size):
        total[visit.station.name] += (visit.service.mean + visit.per_byte * visit.share * amount) * times
    return dict(total)


def get(store: ObjectRoutes, size: float, object_size: float | None = None) -> Route:
    return store.get(size, object_size or size)[0].route


def test_a_get_from_minio_reads_the_data_shards_and_crosses_the_network_twice_but_for_the_local_share() -> None:
    assert moved(get(minio(), 120 * MB), 120 * MB) == pytest.approx(
        {
            "storage/data drives": 120 * MB,
            "storage/controller reads": 120 * MB,
            "storage/network out": 90 * MB + 120 * MB,
            "storage/network in": 90 * MB,
            "clients/network in": 120 * MB,
        }
    )


def test_a_put_to_minio_writes_all_shards() -> None:
    assert moved(minio().put(120 * MB), 120 * MB) == pytest.approx(
        {
            "clients/network out": 120 * MB,
            "storage/network in": 120 * MB + 120 * MB,
            "storage/network out": 120 * MB,
            "storage/controller writes": 160 * MB,
            "storage/data drives": 160 * MB,
        }
    )


@pytest.mark.parametrize(("parity", "written"), [(2, 16 / 14), (4, 16 / 12), (8, 2.0)])
def test_parity_decides_what_a_put_writes(parity: int, written: float) -> None:
    assert moved(minio(parity=parity).put(1e8), 1e8)["storage/data drives"] == pytest.approx(written * 1e8)


def test_clients_on_the_servers_spare_the_network_their_share_and_all_of_it_with_the_server_of_their_own() -> None:
    any_server = moved(get(minio(clients("storage")), 1e8), 1e8)
    own_server = moved(get(minio(clients("storage", own_server=True)), 1e8), 1e8)
    assert any_server["storage/network out"] == pytest.approx(1.5e8)
    assert own_server["storage/network out"] == pytest.approx(0.75e8)


def test_a_small_get_from_minio_seeks_on_every_drive_of_the_set_and_again_for_its_data() -> None:
    spent = seconds(get(minio(), 4096.0), 4096.0)["storage/data drives"]
    assert spent == pytest.approx((16 + 12) * 0.010, rel=0.01)


def test_objects_in_their_metadata_cost_no_seek_of_their_own() -> None:
    spent = seconds(get(minio(inline_size=131072.0), 4096.0), 4096.0)["storage/data drives"]
    assert spent == pytest.approx(16 * 0.010, rel=0.01)


def test_long_shards_cost_what_interleaved_streams_cost() -> None:
    size = 12 * 64 * MB
    spent = seconds(get(minio(metadata_seeks=0.0), size), size)["storage/data drives"]
    assert spent == pytest.approx(size * hdd().read_cost())


def test_a_range_reads_whole_stripes() -> None:
    store = minio(stripe=1 * MB)
    assert moved(get(store, 10_000.0, 10 * MB), 10_000.0)["storage/data drives"] == pytest.approx(1 * MB)
    assert moved(get(store, 10_000.0, 20_000.0), 10_000.0)["storage/data drives"] == pytest.approx(20_000.0)


def test_failed_drives_are_read_around_and_not_written() -> None:
    store = minio(failed_drives=2, encode_cpu=1e-9)
    assert moved(get(store, 1e8), 1e8)["storage/data drives"] == pytest.approx(1e8)
    assert moved(store.put(1e8), 1e8)["storage/data drives"] == pytest.approx(14 / 12 * 1e8)
    assert seconds(get(store, 1e8), 1e8)["storage/cpu"] > 0


def test_metadata_requests_ask_every_drive_of_a_set() -> None:
    for route in (minio().head(exists=True), minio().head(exists=False), minio().note()):
        assert seconds(route, 0.0) == pytest.approx({"storage/data drives": 0.160})
    assert seconds(minio().delete(), 0.0) == pytest.approx({"storage/data drives": 0.160})


def test_minio_that_syncs_writes_the_metadata_and_then_the_journal() -> None:
    for route in (minio(release="2025-10-15").delete(), minio(release="2025-10-15").note()):
        assert seconds(route, 0.0) == pytest.approx({"storage/data drives": 2 * 0.160})
    assert seconds(minio(metadata_writes=3.0).delete(), 0.0) == pytest.approx({"storage/data drives": 3 * 0.160})


def test_pages_of_a_listing_ask_one_drive_of_every_set() -> None:
    assert seconds(minio(list_cpu=0.0).list_page(), 0.0) == pytest.approx({"storage/data drives": 0.010})


def test_a_get_from_storagegrid_passes_gateway_and_both_cards() -> None:
    passed = moved(get(grid(), 1e8), 1e8)
    assert passed["storage/data drives"] == pytest.approx(1e8)
    assert passed["gateways/network in"] == passed["gateways/network out"] == pytest.approx(1e8)
    assert passed["storage/network out"] == pytest.approx(1e8 + 0.5e8)  # two of four nodes have a copy


def test_a_get_from_storagegrid_seeks_once_and_in_each_fragment_that_it_spans() -> None:
    assert seconds(get(grid(), 1 * MB), 1 * MB)["storage/data drives"] == pytest.approx(0.010 + hdd().read_cost() * MB)
    coded = grid(protection="erasure-coding", fragment_stripe=1 * MB)
    assert seconds(get(coded, 1 * MB), 1 * MB)["storage/data drives"] == pytest.approx(0.010 + hdd().read_cost() * MB)
    assert seconds(get(coded, 8 * MB), 8 * MB)["storage/data drives"] == pytest.approx(
        2 * 0.010 + hdd().read_cost() * 8 * MB
    )


def test_a_range_of_a_compressed_object_is_read_from_the_start_of_the_object_on_average_from_its_middle() -> None:
    store = grid(compression=True, compression_cpu=0.0)
    whole = seconds(get(store, 32 * MB), 32 * MB)["storage/data drives"]
    assert whole == pytest.approx(0.010 + 32 * MB * hdd().read_cost())
    part = seconds(get(store, 1 * MB, 32 * MB), 1 * MB)["storage/data drives"]
    assert part == pytest.approx(0.010 + (15.5 + 1) * MB * hdd().read_cost())


def test_storagegrid_writes_every_copy_or_every_fragment() -> None:
    assert moved(grid().put(1e8), 1e8)["storage/data drives"] == pytest.approx(2e8)
    coded = grid(protection="erasure-coding")
    assert moved(coded.put(1e8), 1e8)["storage/data drives"] == pytest.approx(1.5e8)


def test_the_index_of_storagegrid_answers_head_and_list_without_a_drive() -> None:
    assert seconds(grid().head(exists=False), 0.0) == pytest.approx(
        {"storage/request workers": 0.0, "storage/metadata index": 0.002}
    )
    assert seconds(grid().list_page(), 0.0)["storage/metadata index"] == pytest.approx(0.050)
    assert seconds(grid().delete(), 0.0)["storage/metadata index"] == pytest.approx(0.004)


def test_storagegrid_serves_cached_reads_from_its_ssd() -> None:
    machines = {
        **MACHINES,
        "storage": (4, server(bays={"data": Bay(drive=hdd(), count=4), "ssd": Bay(drive=nvme(), count=2)})),
    }
    spec = StorageGrid(
        system="storagegrid",
        servers="storage",
        gateways="gateways",
        lookup_cpu=0.0,
        list_cpu=0.0,
        cached_reads=0.3,
        cache_bay="ssd",
    )
    ways = routes(spec, layout(machines), clients()).get(1e6, 1e6)
    assert [(way.share, way.note) for way in ways] == [(0.7, ""), (0.3, "cached")]
    assert "storage/ssd drives" in moved(ways[1].route, 1e6)


def test_amazon_s3_waits_for_the_first_byte_and_streams_at_the_pace_of_a_connection() -> None:
    assert sum(seconds(get(s3(), 1e8), 1e8).values()) == pytest.approx(0.02 + 1.0)


def test_amazon_s3_takes_in_a_put_at_a_pace_of_its_own_and_commits_it() -> None:
    store = s3(put_bandwidth=50 * MB, put_time=0.1)
    assert sum(seconds(store.put(1e8), 1e8).values()) == pytest.approx(2.0 + 0.1)
    assert sum(seconds(store.note(), 0.0).values()) == pytest.approx(0.1)
    assert sum(seconds(store.delete(), 0.0).values()) == pytest.approx(0.1)


def test_a_fast_connection_to_amazon_s3_goes_at_the_pace_of_the_card() -> None:
    machines = {**MACHINES, "clients": (1, server(nic=card(bandwidth=50 * MB)))}
    at = ends(layout(machines), "clients", own_server=False, in_turn=True)
    spec = AmazonS3(system="amazon-s3", first_byte=0.02, connection_bandwidth=100 * MB, get_rate=5500.0)
    route = get(routes(spec, layout(machines), at), 1e8)
    assert sum(seconds(route, 1e8).values()) == pytest.approx(0.02 + 2.0)


def test_a_jumbo_card_carries_to_and_from_amazon_s3_what_packets_of_1500_bytes_leave() -> None:
    jumbo = layout({**MACHINES, "clients": (1, server(nic=Nic(bandwidth=1 * GB, mtu=9001.0)))})
    spec = AmazonS3(system="amazon-s3", first_byte=0.02, connection_bandwidth=100 * MB, get_rate=5500.0)
    made = routes(spec, jumbo, ends(jumbo, "clients", own_server=False, in_turn=True))
    for route, kind in ((made.get(1 * MB, 1 * MB)[0].route, "nic-in"), (made.put(1 * MB), "nic-out")):
        [card] = [visit for visit, _, _ in visits(route, 1 * MB) if visit.station.kind == kind]
        assert 1 / card.per_byte == pytest.approx(1448 / 1538 * GB)


def test_a_page_of_a_listing_takes_more_for_each_name() -> None:
    """28 ms for one name and 100 for 1,000, after a first byte."""
    one, half, full = (sum(seconds(s3().list_page(names), 0.0).values()) for names in (0.0, 500.0, 1000.0))
    assert full - one == pytest.approx(0.072)
    assert full - half == pytest.approx(0.036)


def test_reads_and_writes_have_limits_of_their_own_in_each_prefix_of_amazon_s3() -> None:
    store = s3(prefixes=3)
    reads = [
        step for step in (*get(store, 1.0), *store.head(exists=True), *store.list_page()) if isinstance(step, Admission)
    ]
    writes = [step for step in (*store.put(1.0), *store.delete()) if isinstance(step, Admission)]
    assert {(limit.rate, limit.prefixes) for limit in reads} == {(5500.0, 3)}
    assert {(limit.rate, limit.prefixes) for limit in writes} == {(3500.0, 3)}


def test_a_range_of_a_file_that_is_open_asks_no_namenode() -> None:
    """A file is looked up once; of four ranges of it, each is a quarter of a lookup in the mean."""
    store = routes(Hdfs(system="hdfs", servers="storage"), layout(MACHINES), clients())
    names = ("hdfs/namenode", "hdfs/call")
    whole, quarter, none = (seconds(store.get(1 * MB, 4 * MB, opens)[0].route, 1 * MB) for opens in (1.0, 0.25, 0.0))
    assert all(whole[name] > 0 for name in names)
    assert [quarter[name] for name in names] == pytest.approx([whole[name] / 4 for name in names])
    assert [none.get(name, 0.0) for name in names] == [0.0, 0.0]
    others = whole.keys() - set(names)
    assert {name: none[name] for name in others} == pytest.approx({name: whole[name] for name in others})
