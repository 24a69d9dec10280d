"""Ceph: hops, bytes, capacity and backfill of replicated and coded pools, counted by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.hardware.server import Bay
from models.outage import Outage
from models.problem import RefusalError
from models.storage.ceph.gateway import RgwOperations
from models.storage.ceph.groups import PlacementGroups
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.rebuild import Backfill
from models.storage.ceph.recovery import Recovery
from models.storage.ceph.runtime import RUNTIME
from models.storage.ceph.system import Ceph
from models.storage.ceph_rbd.runtime import RUNTIME as RBD
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described import ByteRange
from models.storage.described_cast import Cast
from models.storage.described_store import ObjectOperations
from models.storage.flow import Flow
from models.storage.redundancy import ErasureCode, Replicas
from models.storage.room import Room
from models.storage.stages import Wait
from models.work import Deferred, Hold, Sequence, Work
from profiles.loading.loader import load
from tests.models.machines import GB, MB, cluster, hdd, layout, nvme, server
from tests.models.steps import all_of, moved, name, owner, spent

MIB = 2.0**20
CODE = ErasureProfile(k=4, m=2)
SIZE = 64 * MIB


def ceph(**changes: Any) -> Ceph:
    """Return an object store whose database takes no bytes."""
    settings: dict[str, Any] = {"system": "ceph", "servers": "storage", "gateways": "gateways", "noted_size": 0.0}
    return Ceph(**settings | changes)


def rbd(**changes: Any) -> CephRbd:
    """Return block devices of a pool whose database takes no bytes."""
    settings: dict[str, Any] = {"system": "ceph-rbd", "servers": "storage", "noted_size": 0.0}
    return CephRbd(**settings | changes)


def machines(hosts: int = 8, **changes: Any) -> Layout:
    return layout(storage=(hosts, server(drives=3, **changes)), gateways=(1, server()), clients=(1, server()))


def store(made: Layout, outage: Outage | None = None, **changes: Any) -> ObjectOperations:
    operations = RUNTIME.store(ceph(**changes), made, 1, outage or Outage())
    assert isinstance(operations, ObjectOperations)
    return operations


def client(made: Layout) -> Node:
    return made.groups["clients"][0]


def card(total: dict[str, float], way: str, host: str) -> float:
    """Return the bytes that the cards of some servers sent ("out") or received ("in")."""
    return sum(value for key, value in total.items() if key.startswith(host) and key.endswith(f"nic-{way}"))


# the way of a request


def test_a_get_goes_from_the_primaries_over_the_gateway_to_the_client() -> None:
    made = machines()
    total = moved(store(made).read(7, client(made), size=SIZE).move(SIZE), name)
    assert sum(value for key, value in total.items() if "/data-" in key) == pytest.approx(SIZE)
    assert card(total, "out", "storage") == pytest.approx(SIZE)
    assert (card(total, "in", "gateways"), card(total, "out", "gateways")) == pytest.approx((SIZE, SIZE))
    assert card(total, "in", "clients") == pytest.approx(SIZE)


def test_a_put_goes_over_the_primaries_to_two_more_osds_each() -> None:
    made = machines()
    total = moved(store(made).write(7, client(made), size=SIZE).move(SIZE), name)
    assert sum(value for key, value in total.items() if "/data-" in key) == pytest.approx(3 * SIZE)
    assert card(total, "in", "storage") == pytest.approx(3 * SIZE)  # to the primary once, from it twice
    assert card(total, "out", "storage") == pytest.approx(2 * SIZE)
    assert card(total, "out", "gateways") == pytest.approx(SIZE)


def test_a_coded_pool_collects_three_of_four_shards_and_sends_five_of_six() -> None:
    made = machines()
    coded = store(made, erasure_code=CODE)
    read = moved(coded.read(7, client(made), size=SIZE).move(SIZE), name)
    assert sum(value for key, value in read.items() if "/data-" in key) == pytest.approx(SIZE)
    assert card(read, "in", "storage") == pytest.approx(0.75 * SIZE)
    assert card(read, "out", "storage") == pytest.approx(1.75 * SIZE)
    written = moved(coded.write(7, client(made), size=SIZE).move(SIZE), name)
    assert sum(value for key, value in written.items() if "/data-" in key) == pytest.approx(1.5 * SIZE)
    assert card(written, "in", "storage") == pytest.approx(2.25 * SIZE)
    assert card(written, "out", "storage") == pytest.approx(1.25 * SIZE)


@pytest.mark.parametrize(("size", "objects"), [(65536.0, 1), (4 * MIB, 1), (10 * MIB, 3), (SIZE, 4)])
def test_a_window_of_objects_is_under_way_each_at_a_primary_of_its_own(size: float, objects: int) -> None:
    made = machines(hosts=40)
    what = RgwOperations(ceph(), made)
    assert what.objects(size) == objects
    total = moved(store(made).read(7, client(made), size=size).move(size), owner)
    assert sum(host.startswith("storage") for host in total) == objects


def test_get_and_put_and_tls_cost_the_gateway_apart() -> None:
    made = machines()
    costs: dict[str, Any] = {
        "request_cpu": 1e-3,
        "put_request_cpu": 4e-3,
        "client_op_cpu": 2e-3,
        "get_cpu": 1e-9,
        "put_cpu": 3e-9,
        "tls_cpu": 5e-10,
    }

    def gateway(way: str, **changes: Any) -> float:
        pool = store(made, **costs, **changes)
        act = pool.read if way == "get" else pool.write
        return spent(act(7, client(made), size=SIZE).move(SIZE), name)["gateways-1/cpu"]

    operations = SIZE / (4 * MIB)
    assert gateway("get") == pytest.approx(1e-3 + operations * 2e-3 + 1e-9 * SIZE)
    assert gateway("put") == pytest.approx(4e-3 + (operations + 2) * 2e-3 + 3e-9 * SIZE)  # and two notes in the index
    assert gateway("put", tls=True) - gateway("put") == pytest.approx(5e-10 * SIZE)


def test_a_job_holds_a_request_of_the_gateway_but_no_bytes_asked_of_osds() -> None:
    step = store(made := machines()).read(7, client(made), size=SIZE).move(SIZE)
    assert [hold.pool.name for hold in all_of(step, Hold)] == ["gateways-1/RGW requests"]


def test_each_osd_of_a_write_spends_an_operation_and_its_bytes_and_the_primary_what_it_sends() -> None:
    made = machines()
    settings: dict[str, Any] = {"osd_write_cpu": 1e-3, "osd_cpu": 2e-9, "osd_send_cpu": 1e-9, "encode_cpu": 0.0}
    total = spent(store(made, **settings).write(7, client(made), size=4 * MIB).move(4 * MIB), name)
    osds = sum(value for key, value in total.items() if key.startswith("storage") and key.endswith("cpu"))
    notes = 2 * 3 * 1e-3  # in the index, each thrice
    assert osds == pytest.approx(3 * (1e-3 + 2e-9 * 4 * MIB) + 2 * 1e-9 * 4 * MIB + notes)


@pytest.mark.parametrize(
    ("changes", "read", "written"),
    [
        ({}, 1, 5),  # in at the primary, out to two replicas, in there
        ({"replication": 1, "min_size": 1}, 1, 1),
        ({"erasure_code": CODE}, 1 + 2 * 3 / 4, 1 + 2 * 5 / 4),
    ],
)
def test_bytes_pass_a_messenger_wherever_an_osd_sends_or_receives_them(
    changes: dict[str, Any], read: float, written: float
) -> None:
    pool, who = store(made := machines(), **changes), client(made)
    for step, times in ((pool.read(7, who, size=SIZE), read), (pool.write(7, who, size=SIZE), written)):
        total = moved(step.move(SIZE), name)
        passed = sum(value for key, value in total.items() if key.endswith("OSD-messenger"))
        assert passed == pytest.approx(times * SIZE)


@pytest.mark.parametrize(("way", "spends"), [("get", 2.0 * 4 / 4 + 3.0), ("put", 2.0 * 6 / 4 + 5.0 + 1.0 * 5 / 4)])
def test_the_primary_of_a_coded_object_spends_on_its_bytes_beside_those_of_all_pieces(way: str, spends: float) -> None:
    made = machines()
    free: dict[str, Any] = dict.fromkeys(
        ("osd_read_cpu", "osd_write_cpu", "osd_read_time", "osd_write_time", "encode_cpu"), 0.0
    )
    costs: dict[str, Any] = {"osd_cpu": 2e-9, "join_cpu": 3e-9, "split_cpu": 5e-9, "osd_send_cpu": 1e-9}
    pool = store(made, erasure_code=CODE, **costs, **free)
    act = pool.read if way == "get" else pool.write
    total = spent(act(7, client(made), size=SIZE).move(SIZE), name)
    osds = sum(value for key, value in total.items() if key.startswith("storage") and key.endswith("cpu"))
    assert osds == pytest.approx(spends * 1e-9 * SIZE)


def test_small_pieces_on_hard_drives_pass_the_journal_on_flash_first() -> None:
    bays = {"data": Bay(drive=hdd(), count=3), "db": Bay(drive=nvme(), count=1)}
    made = machines(bays=bays)
    small = moved(store(made, db_bay="db").write(7, client(made), size=16384.0).move(16384.0), name)
    by_bay = {bay: sum(value for key, value in small.items() if f"/{bay}-" in key) for bay in ("data", "db")}
    assert by_bay == pytest.approx({"data": 3 * 16384.0, "db": 3 * 16384.0})
    large = moved(store(made, db_bay="db").write(7, client(made), size=SIZE).move(SIZE), name)
    assert not any("/db-" in key for key in large)


@pytest.mark.parametrize(
    ("size", "changes", "pieces"), [(4 * MIB, {}, 3), (4 * MIB, {"erasure_code": CODE}, 6), (1.0 * MIB, {}, 3)]
)
def test_a_large_write_seeks_once_for_each_piece_however_often_streams_of_files_seek(
    size: float, changes: dict[str, Any], pieces: int
) -> None:
    """What lies together is written at once; the seek to less than a whole object contains half a turn in part."""
    drive = hdd(write_chunk=0.1 * MB, read_chunk=8 * MB)
    made = machines(bays={"data": Bay(drive=drive, count=3), "db": Bay(drive=nvme(), count=1)})
    taken = spent(store(made, db_bay="db", **changes).write(7, client(made), size=size).move(size), name)
    drives = sum(value for key, value in taken.items() if "/data-" in key)
    written = pieces * size / (CODE.k if changes else 1)
    whole = min(size / (4 * MIB), 1.0)
    sought = drive.seek_time * whole + drive.access_time("write") * (1 - whole)
    assert drives == pytest.approx(written / drive.write_bandwidth + pieces * sought)


def test_a_block_device_has_no_gateway() -> None:
    made = machines()
    files = RBD.store(rbd(), made, 1, Outage())
    flow = files.read(7, 8, client(made), "direct")
    assert moved(flow.move(SIZE)) == pytest.approx({"drive": SIZE, "nic-out": SIZE, "nic-in": SIZE, "process": SIZE})
    asked = SIZE / (4 * MIB) * rbd().client_op_cpu
    assert spent(flow.move(SIZE), name)["clients-1/cpu"] == pytest.approx(rbd().client_cpu * SIZE + asked)
    step = files.write(7, client(made), SIZE, Flow(), "direct", lambda node: node.page_cache(0.0))
    assert moved(step) == pytest.approx(
        {"drive": 3 * SIZE, "nic-out": 3 * SIZE, "nic-in": 3 * SIZE, "process": 5 * SIZE}
    )


@pytest.mark.parametrize(("way", "takes"), [("get", "client_read_time"), ("put", "client_write_time")])
def test_operations_of_a_job_pass_the_processes_of_librbd_that_its_clients_have(way: str, takes: str) -> None:
    made = machines()
    files = RBD.store(rbd(client_processes=2, **{takes: 1e-3}), made, 1, Outage())
    what = files.what.get(ByteRange(4096.0)) if way == "get" else files.what.put(4096.0)
    total = spent(what.flow(Cast(files, 7, client(made))).move(4096.0), name)
    assert total["clients-1/librbd processes"] == pytest.approx(1e-3)


def test_what_an_osd_notes_is_written_beside_the_bytes() -> None:
    bays = {"data": Bay(drive=nvme(), count=3), "db": Bay(drive=nvme(), count=1)}
    for settings, by_bay in (
        ({}, {"data": 3 * (4096.0 + 8192.0), "db": 0.0}),
        ({"db_bay": "db"}, {"data": 3 * 4096.0, "db": 3 * 8192.0}),
    ):
        files = RBD.store(rbd(noted_size=8192.0, **settings), machines(bays=bays), 1, Outage())
        total = moved(files.what.put(4096.0).flow(Cast(files, 7, files.layout.nodes[-1])).move(4096.0), name)
        written = {bay: sum(value for key, value in total.items() if f"/{bay}-" in key) for bay in by_bay}
        assert written == pytest.approx(by_bay)


@pytest.mark.parametrize(("size", "stripes"), [(4096.0, 1), (16384.0, 0), (20000.0, 2), (4 * MIB, 0)])
def test_a_write_of_a_part_of_a_stripe_reads_the_stripe_from_its_data_shards_first(size: float, stripes: int) -> None:
    made = machines()
    free: dict[str, Any] = dict.fromkeys(("osd_cpu", "osd_send_cpu", "split_cpu", "osd_write_cpu", "encode_cpu"), 0.0)
    files = RBD.store(rbd(erasure_code=CODE, **free), made, 1, Outage())
    flow = files.what.put(size).flow(Cast(files, 7, client(made)))
    cost = spent(flow.move(size), name)
    osds = sum(value for key, value in cost.items() if key.startswith("storage") and key.endswith("cpu"))
    reads = 4 * rbd().shard_read + rbd().gathered_read - 1.0
    assert osds == pytest.approx(reads * rbd().osd_read_cpu if stripes else 0.0)
    total = moved(flow.move(size), name)
    drives = sum(value for key, value in total.items() if "/data-" in key)
    piece = math.ceil(size / 4 / 4096) * 4096
    assert drives == pytest.approx(6 * piece + stripes * 4 * 4096.0)


# space


@pytest.mark.parametrize(
    ("settings", "size", "raw"),
    [
        ({}, 1000.0, 3 * 4096),
        ({"min_alloc_size": 65536.0}, 1000.0, 3 * 65536),
        ({"erasure_code": CODE}, 1000.0, 6 * 4096),
        ({"erasure_code": CODE, "min_alloc_size": 65536.0}, 200000.0, 6 * 65536),
        ({"erasure_code": CODE}, 4 * MIB, 1.5 * 4 * MIB),
        ({"erasure_code": CODE}, 9 * MIB, 1.5 * 9 * MIB),
    ],
)
def test_pieces_are_padded_to_stripes_and_units_of_space(settings: dict[str, Any], size: float, raw: float) -> None:
    assert ceph(**settings).object_bytes(cluster(storage=(8, server())), size) == pytest.approx(raw)


def test_a_small_write_moves_what_it_allocates() -> None:
    made = machines()
    total = moved(store(made, erasure_code=CODE).write(7, client(made), size=1000.0).move(1000.0), name)
    assert sum(value for key, value in total.items() if "/data-" in key) == pytest.approx(6 * 4096)


def test_the_fullest_osd_limits_what_fits() -> None:
    eight = cluster(storage=(8, server(drives=3)))
    rooms = [Room(8, 3000 * GB)]
    groups = 1024  # 24 x 100 / 3 = 800, and the power of two next to it
    assert ceph().groups(eight) == groups
    uneven = 1 + 5 / (groups * 3 / 24)
    assert ceph().usable(eight, rooms) == pytest.approx(8 * 3000 * GB / 3 * 0.95 / uneven)
    assert ceph().usable(eight, [Room(8, 1500 * GB)]) == pytest.approx(8 * 1500 * GB / 3 / uneven)
    assert ceph(erasure_code=CODE).raw_per_byte(eight) == 1.5


@pytest.mark.parametrize(
    ("settings", "least", "code"),
    [
        ({}, 2, Replicas(3)),
        ({"replication": 2}, 1, Replicas(2)),
        ({"replication": 5}, 3, Replicas(5)),
        ({"erasure_code": CODE}, 5, ErasureCode(4, 2)),
        ({"erasure_code": ErasureProfile(k=2, m=1)}, 2, ErasureCode(2, 1)),
        ({"min_size": 1}, 1, Replicas(3)),
    ],
)
def test_min_size_follows_the_pool(settings: dict[str, Any], least: int, code: Any) -> None:
    pool = ceph(**settings)
    assert (pool.least, pool.code) == (least, code)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"erasure_code": ErasureProfile(k=8, m=3)}, "EC 8.3 needs 11 hosts, group 'storage' has 8"),
        ({"failure_domain": "rack"}, "needs 3 racks, group 'storage' has 2"),
        ({"min_size": 4}, "expected 1 to 3"),
        ({"db_bay": "flash"}, "no such bay"),
    ],
)
def test_pools_that_the_cluster_cannot_hold_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusalError, match=message):
        ceph(**settings).fits(cluster(racks=2, storage=(8, server()), gateways=(2, server())))


# failures


def lose(made: Layout, outage: Outage, *nodes: Node) -> set[int]:
    names = tuple(f"{node.name}/" for node in nodes)
    gone = {i for i in range(len(made.resources)) if made.resources[i].name.startswith(names)}
    outage.nodes |= {node.index for node in nodes}
    outage.lost |= gone
    outage.epoch += 1
    return gone


def test_a_group_below_min_size_serves_nobody() -> None:
    made, outage = machines(hosts=3), Outage(may_fail=True)
    pool = store(made, outage)
    lose(made, outage, made.nodes[0])
    assert moved(pool.read(7, client(made), size=SIZE).move(SIZE))["drive"] == pytest.approx(SIZE)
    assert moved(pool.write(7, client(made), size=SIZE).move(SIZE))["drive"] == pytest.approx(2 * SIZE)
    lose(made, outage, made.nodes[1])
    assert pool.read(7, client(made), size=SIZE).uses == ()
    assert pool.write(7, client(made), size=SIZE).uses == ()
    assert outage.refused == 1


@pytest.mark.parametrize(
    ("settings", "spins", "rate"),
    [
        ({}, True, 0.9 * 150 * MB),
        ({"profile": "high_recovery_ops"}, False, 1200 * MB),
        ({"profile": "high_client_ops"}, True, 0.7 * 150 * MB),
        ({"scheduler": "wpq"}, True, 3 * 4 * MIB / (0.02 + 3 * 0.1)),
        ({"scheduler": "wpq", "sleep": 0.0}, True, 3 * 4 * MIB / 0.02),
        ({"max_active": 1, "scheduler": "wpq", "sleep": 0.0}, True, 4 * MIB / 0.02),
    ],
)
def test_a_backfill_goes_at_the_rate_of_its_throttles(settings: dict[str, Any], spins: bool, rate: float) -> None:
    measured = Recovery(**settings).rate(4 * MIB, 0.02, spins=spins, flash_db=False)
    assert measured == pytest.approx(rate)


@pytest.mark.parametrize("recovery", [{}, {"profile": "high_client_ops"}, {"scheduler": "wpq", "sleep": 0.1}])
@pytest.mark.parametrize("settings", [{}, {"erasure_code": CODE}])
def test_a_backfill_beside_a_load_goes_at_that_rate_as_well(settings: dict[str, Any], recovery: dict[str, Any]) -> None:
    made, limits = machines(), Recovery(max_active=100, **recovery)
    what = RgwOperations(ceph(recovery=limits, **settings), made)
    osd = made.nodes[0].bays["data"][0]
    alone, rate = what.backfill(4 * MIB, osd, osd)
    throttled = what.rebuild(32 * MIB).stages[-1]
    assert isinstance(throttled, Wait)
    assert 100 * 32 * MIB / what.pieces[1] / (8 * alone + throttled.seconds) == pytest.approx(rate)


@pytest.mark.parametrize(("settings", "data", "pieces"), [({}, 1, 3), ({"erasure_code": CODE}, 4, 6)])
def test_a_lost_piece_is_read_k_times_and_written_on_a_host_without_another(
    settings: dict[str, Any], data: int, pieces: int
) -> None:
    made, outage = machines(), Outage(may_fail=True)
    pool = store(made, outage, **settings)
    rebuilds = Backfill(pool)
    rebuilds.hold(1, 1000 * GB)
    groups = ceph(**settings).groups(made.cluster)
    gone = lose(made, outage, made.nodes[0])
    repair = rebuilds.repair(gone, is_server=True)
    assert repair.delay == 620.0
    parts = list(repair.pieces())
    held = 1000 * GB / groups / data
    assert len(parts) == pytest.approx(groups * pieces / 8, rel=0.1)  # as many groups as have a piece on the host
    for part in parts:
        assert part.bytes == pytest.approx(held)
        assert moved(part.step)["drive"] == pytest.approx((data + 1) * held)
        sends, takes = all_of(part.step, Hold)
        assert (sends.pool.capacity, takes.pool.capacity) == (1.0, 1.0)
        (work,) = all_of(part.step, Work)
        assert work.demand.weight == 10.0  # objects under way on flash
        assert isinstance(takes.step, Sequence)
        done = takes.step.steps[-1]
        assert isinstance(done, Deferred)
        done.plan()
    assert isinstance(pool.placement, PlacementGroups)
    hosts = [{node.index for node, _ in group} for group in pool.placement.groups]
    assert all(len(held) == pieces and made.nodes[0].index not in held for held in hosts)


def test_a_placement_group_is_the_same_when_it_is_asked_for_alone_and_with_all_others() -> None:
    nodes = machines().groups["storage"]
    alone, all_together = (PlacementGroups(nodes, "data", (64, 3), 1) for _ in range(2))
    names = range(1000)
    asked = [list(alone.order(name)) for name in names]
    groups = all_together.groups
    assert asked == [list(all_together.order(name)) for name in names]
    assert alone.groups == groups
    moved_to = groups[0][0] = (nodes[0], nodes[0].bays["data"][0])
    assert all_together.groups[0][0] == moved_to  # and its objects lie there
    assert moved_to in [next(all_together.order(name)) for name in names]


def test_data_is_lost_with_the_third_host_of_three_replicas_only() -> None:
    made, outage = machines(hosts=3), Outage(may_fail=True)
    rebuilds = Backfill(store(made, outage))
    rebuilds.hold(1, 300 * GB)
    lose(made, outage, made.nodes[0], made.nodes[1])
    assert rebuilds.lost() == 0.0
    lose(made, outage, made.nodes[2])
    assert rebuilds.lost() == pytest.approx(300 * GB)


def test_with_as_many_hosts_as_pieces_a_lost_host_waits_for_its_replacement() -> None:
    made, outage = machines(hosts=3), Outage(may_fail=True)
    rebuilds = Backfill(store(made, outage))
    assert not rebuilds.repair({made.nodes[0].bays["data"][0].resource.index}, is_server=False).needs_replacement
    assert rebuilds.repair(lose(made, outage, made.nodes[0]), is_server=True).needs_replacement


def test_with_fewer_hosts_left_than_pieces_lost_ones_wait_for_their_replacements() -> None:
    made, outage = machines(hosts=5), Outage(may_fail=True)
    rebuilds = Backfill(store(made, outage))
    assert not rebuilds.repair(lose(made, outage, *made.nodes[:2]), is_server=True).needs_replacement
    assert rebuilds.repair(lose(made, outage, made.nodes[2]), is_server=True).needs_replacement


def test_a_write_is_refused_where_a_part_of_it_has_no_host_that_is_up() -> None:
    made, outage = machines(hosts=5), Outage(may_fail=True)
    pool = store(made, outage)
    lose(made, outage, *made.nodes[:3])
    written = [pool.write(key, client(made), size=100 * SIZE).uses for key in range(40)]
    assert outage.refused == written.count(()) > 0


def test_a_get_of_a_damaged_group_decodes_at_the_primary() -> None:
    made, outage = machines(hosts=6), Outage(may_fail=True)
    pool = store(made, outage, erasure_code=CODE, encode_cpu=1e-9, osd_cpu=0.0, join_cpu=0.0, osd_read_cpu=0.0)
    lose(made, outage, made.nodes[0])
    totals = [spent(pool.read(key, client(made), size=SIZE).move(SIZE), name) for key in range(40)]
    decoded = [sum(v for k, v in total.items() if k.startswith("storage") and k.endswith("cpu")) for total in totals]
    assert {round(seconds / SIZE * 1e9, 3) for seconds in decoded} == {0.0, 0.25}  # a data shard of four may be gone


@pytest.mark.parametrize("part", ["ceph", "ceph-4-2"])
def test_shipped_pools_load_with_their_sources(part: str) -> None:
    assert load(part, Ceph, folders=["storage"]).unsourced == ()


LONE_PACE, CROWDED = 1.05 / 1.02, 36_934 / 28_309
"""What a lone core of a Xeon 8276M does over one of the reference, and what a full server costs a request over a lone
core: sc-inspector-data, geekbench and static_web (docs/storage.md, Core-seconds)."""


@pytest.mark.parametrize(
    ("key", "measured"),
    [("osd_read_time", 1 / 133_500), ("osd_write_time", 1 / 104_000), ("client_op_cpu", 45e-6 / LONE_PACE)],
)
def test_what_was_measured_of_a_lone_process_counts_as_beside_busy_cores(key: str, measured: float) -> None:
    assert getattr(ceph(), key) == pytest.approx(measured * LONE_PACE * CROWDED, rel=0.03)


@pytest.mark.parametrize(
    ("hosts", "changes", "words"),
    [
        (8, {}, "1,024: 128 pieces on each of 24 OSDs"),  # 24 * 100 / 3 = 800, of which 512 is 36 % less
        (8, {"osds_per_drive": 2}, "2,048: 128 pieces on each of 48 OSDs"),
        (8, {"replication": 2}, "1,024: 85 pieces on each of 24 OSDs"),  # 1200, of which 1024 is 15 % less
        (8, {"pg_num": 64}, "64: 8 pieces on each of 24 OSDs"),
    ],
)
def test_who_sets_a_pool_up_is_told_its_placement_groups(hosts: int, changes: dict[str, int], words: str) -> None:
    told = dict(ceph(**changes).set_up(machines(hosts).cluster))
    assert told == {"Placement groups (pg_num)": words}


def test_more_placement_groups_than_the_monitors_take_are_warned_of() -> None:
    made = machines(8).cluster
    rules = [advice.rule for advice in ceph(pg_num=4096).advice(made)]
    assert "too-many-groups" in rules  # 512 pieces an OSD
    assert "too-many-groups" not in [advice.rule for advice in ceph().advice(made)]
