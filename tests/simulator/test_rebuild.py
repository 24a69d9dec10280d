"""Repairs on an idle cluster take what the throttles and the slowest link of their way allow."""

from __future__ import annotations

from collections import Counter

import pytest

from models.hardware.cluster import Layout
from models.scenario import Scenario
from models.storage.ceph.groups import PlacementGroups
from models.storage.ceph.recovery import Recovery
from models.storage.ceph_rbd.system import CephRbd
from models.storage.hdfs.system import Hdfs
from models.storage.minio.heal import Heal
from models.storage.minio.system import Minio
from models.storage.parallel_fs.system import Target
from simulator.studies.measures import durable
from simulator.studies.rebuild import known_repair_time, repair_time
from tests.models.machines import cluster, nvme, parallel_fs, server
from tests.models.planning.test_durability import HOUR, TB, grid, hdfs, machines, minio


def test_the_namenode_paces_the_repair_of_a_drive() -> None:
    # 2 * 12 blocks of 134,217,728 B every 3 s, for the 2 TB of a drive; noticed by the next heartbeat
    assert repair_time(hdfs()).drive == pytest.approx(3 + 2 * TB / (24 * 134217728 / 3), rel=0.03)


def test_a_dead_server_takes_eight_times_as_long_with_one_server_less() -> None:
    assert repair_time(hdfs()).server == pytest.approx(630 + 16 * TB / (22 * 134217728 / 3), rel=0.03)


def test_more_work_a_round_repairs_faster_until_streams_limit_it() -> None:
    times = []
    for work in (1, 2, 1000):
        storage = Hdfs(system="hdfs", servers="storage", replication=3, replication_work=work)
        times.append(repair_time(hdfs().model_copy(update={"storage": storage})).drive)
    assert times[0] == pytest.approx(2 * times[1], rel=0.04)
    # 11 servers send two streams each, of at most 200 MB/s a drive
    assert times[2] >= 2 * TB / (11 * 2 * 200e6)


def test_minio_waits_for_the_replacement_and_rebuilds_object_by_object() -> None:
    soon, late = repair_time(minio()), repair_time(minio(replacement_time=24 * HOUR))
    assert late.drive - soon.drive == pytest.approx(24 * HOUR)
    # one object at a time: k reads at 200 MB/s each, the network card of 1 GB/s and the write of a shard, in turn
    stream = 1 / (1 / (12 * 200e6) + 1 / 1e9 + 1 / (12 * 200e6))
    assert soon.drive == pytest.approx(2 * TB * 12 / stream, rel=0.02)


def test_objects_rebuilt_side_by_side_are_rebuilt_faster() -> None:
    storage = Minio(system="minio", servers="storage", parity=4, release="2019-07-24", heal=Heal(drive_workers=4))
    four = repair_time(minio().model_copy(update={"storage": storage})).drive
    assert four < repair_time(minio()).drive / 1.2


def test_a_set_is_repaired_among_tens_of_thousands_of_servers_as_among_few() -> None:
    """Sets of 16 drives are repaired by themselves: how many others there are changes nothing but the sample."""
    few, all_of_many, part_of_more = (repair_time(minio(machines(servers=many))) for many in (32, 512, 32_000))
    for larger in (all_of_many, part_of_more):
        assert (larger.drive, larger.server) == pytest.approx((few.drive, few.server), rel=0.02)


def test_half_full_drives_take_half_as_long() -> None:
    assert repair_time(minio(fill=0.5)).drive == pytest.approx(repair_time(minio()).drive / 2, rel=0.01)


def test_equal_clusters_are_simulated_once() -> None:
    assert known_repair_time(minio()) is known_repair_time(minio())


def test_durability_is_a_measure_where_rates_are_stated() -> None:
    assert durable(minio())["durability"].value > 10
    assert durable(minio().model_copy(update={"failures": None})) == {}


def test_a_node_of_a_grid_is_restored_object_by_object() -> None:
    one, eight = repair_time(grid(rebuilt_objects=1)), repair_time(grid())
    # 32 MiB at a time from a drive to another at 200 MB/s each, or at what seeks leave: 4 ms of index, a seek on each
    assert one.server == pytest.approx(16 * TB / (33554432 / (33554432 / 200e6 + 0.024)))
    assert one.drive == 24 * HOUR
    assert one.server / 8 < eight.server < one.server / 1.5  # several streams on a drive make it seek


def test_erasure_coding_restores_a_fragment_from_two_others() -> None:
    coded = repair_time(grid(protection="erasure-coding", rebuilt_objects=1))
    # the two seek side by side, and the later one is waited for. A seek takes 1.5 ms and a time that goes as the root u
    # of the way between two random places, 8.5 ms on average: P(root < u) = 2 u^2 - u^4, so u has a mean of 8/15, and
    # the larger of two 208/315, 26/21 as much. The table of ways that is drawn from has 4,032 values: hence 1e-5.
    seek = 0.0015 + 0.0085 * 26 / 21
    assert coded.server == pytest.approx(16 * TB / (16777216 / (16777216 / 200e6 + 0.014 + seek)), rel=1e-5)


def test_a_recovered_node_waits_for_its_replacement() -> None:
    late = repair_time(grid(failures={"replacement_time": 24 * HOUR}))
    assert late.server - repair_time(grid()).server == pytest.approx(24 * HOUR)


def large(servers: int, **settings: int) -> Scenario:
    """Return HDFS on servers of eight drives of 2 TB that never seek, and a network card of 1 GB/s each."""
    machines = cluster(storage=(servers, server(drives=8, drive=nvme(capacity=2 * TB))), compute=(2, server()))
    storage = Hdfs.model_validate({"system": "hdfs", "servers": "storage", "replication": 3, **settings})
    return hdfs(machines).model_copy(update={"storage": storage})


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"replication_work": 10**6}], ids=["throttled", "free"])
def test_more_pieces_in_the_sample_give_the_same_time(settings: dict[str, int]) -> None:
    few, many = (repair_time(large(200, **settings), most) for most in (4000, 16000))
    assert few.drive == pytest.approx(many.drive, rel=0.07)
    assert few.server == pytest.approx(many.server, rel=0.05)


@pytest.mark.parametrize("servers", [12, 200])
def test_with_streams_enough_the_network_cards_pace_a_repair(servers: int) -> None:
    time = repair_time(large(servers, replication_work=10**6, replication_streams=20))
    # each byte enters one server by its card
    assert 1 < (time.server - 630) / (16 * TB / ((servers - 1) * 1e9)) < 1.2
    assert 1 < (time.drive - 3) / (2 * TB / (servers * 1e9)) < 1.2


def test_the_namenode_paces_a_repair_on_thousands_of_servers_too() -> None:
    one, two = (repair_time(large(4000, replication_work=work)).server - 630 for work in (1, 2))
    assert one == pytest.approx(3 * 16 * TB / 134217728 / 3999, rel=0.15)
    assert one / two == pytest.approx(2, rel=0.15)


def test_ceph_backfills_no_faster_than_the_busiest_osd_takes_its_turns() -> None:
    # 4 hosts, 3 replicas: each lost piece has one host to go to, one backfill at a time in and out of each OSD
    slow = Recovery(scheduler="wpq", sleep=1.0, max_active=1)
    storage = CephRbd(system="ceph-rbd", servers="storage", pg_num=64, recovery=slow)
    machines = cluster(storage=(4, server(drives=1, drive=nvme())), compute=(1, server()))
    asked = hdfs().model_copy(update={"storage": storage, "cluster": machines})
    made = Layout(machines)
    groups = PlacementGroups(made.groups["storage"], "data", (64, 3), 0).groups
    hit = [[node.index for node, _ in group] for group in groups if any(node.index == 0 for node, _ in group)]
    sends = Counter(next(index for index in group if index != 0) for group in hit)
    takes = Counter(6 - sum(group) for group in hit)  # of the hosts 0 to 3 the one that is missing
    alone = 4 * 2**20 * (1 / 2e9 + 1 / 1e9) + 1e-4  # an object is read, written and committed, then a pause
    turn = 1e12 / len(hit) / (4 * 2**20 / (alone + 1.0))
    longest = max([*sends.values(), *takes.values()])
    assert 620 + longest * turn <= repair_time(asked).drive * (1 + 1e-9)
    assert repair_time(asked).drive <= 620 + 1.5 * longest * turn


def test_a_raid_group_rebuilds_a_drive_at_its_rate_whatever_lies_on_it() -> None:
    storage = parallel_fs(servers="storage", target=Target(data=4, parity=2))
    asked = hdfs().model_copy(update={"storage": storage})
    assert repair_time(asked).drive == pytest.approx(2 * TB / 1e8)
