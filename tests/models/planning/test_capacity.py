"""From raw to effective bytes, by hand: reserves, headroom, room to rebuild, small objects, servers needed."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from models.hardware.cluster import Batch, Cluster, Group
from models.hardware.memory_bus import MemoryBus
from models.hardware.network import Network
from models.jobs.storing import Storing
from models.planning.capacity import Planning, capacity, ceilings, servers_needed, storing_metrics
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid
from tests.models.machines import GB, MB, card, cluster, hdd, nvme, parallel_fs, server

TB = 1e12
HDFS = Hdfs(system="hdfs", servers="workers", replication=3)
MINIO = Minio(system="minio", servers="workers", parity=4, release="2019-07-24")


def machines(servers: int = 10, drives: int = 4, racks: int = 1, **changes: Any) -> Cluster:
    """Return servers of four drives of 1 TB each."""
    return cluster(workers=(servers, server(drives=drives, **changes)), racks=racks)


def scenario(storage: Any = HDFS, on: Cluster | None = None, data: float = 1 * TB, **planning: Any) -> Scenario:
    return Scenario(
        profile=ProfileInfo(title="kept"),
        cluster=on or machines(),
        storage=storage,
        workload=Storing(kind="storing", data=data),
        planning=Planning(**planning) if planning else None,
    )


def left(planned: Scenario) -> dict[str, float]:
    """Return what each step leaves, in TB."""
    return {step.name: step.left / TB for step in capacity(planned).steps}


def test_without_rules_only_copies_stand_between_raw_and_effective() -> None:
    assert left(scenario()) == pytest.approx(
        {"raw": 40, "formatted": 40, "fillable": 40, "usable": 40 / 3, "effective": 40 / 3}
    )


def test_each_rule_takes_its_part_in_turn() -> None:
    """A drive keeps 950 GB of 1000, then 900; a server 3.6 TB, then 3.5; ten of them 35 TB; 80 % of it 28 TB."""
    planned = scenario(
        filesystem_overhead=0.05,
        reserved_per_drive=50 * GB,
        reserved_per_server=100 * GB,
        fill_limit=0.8,
        pending_uploads=1 * TB,
        compression_ratio=2.0,
    )
    assert left(planned) == pytest.approx(
        {"raw": 40, "formatted": 35, "fillable": 28, "less pending uploads": 25, "usable": 25 / 3, "effective": 50 / 3}
    )


def test_a_server_holds_at_most_its_limit() -> None:
    assert left(scenario(server_limit=3 * TB))["formatted"] == 30


@pytest.mark.parametrize(
    ("failures", "survivors"),
    [
        ({"rebuild_servers": 1}, 36),
        ({"rebuild_drives": 2}, 38),
        ({"rebuild_servers": 1, "rebuild_drives": 1}, 35),
        ({"rebuild_racks": 1}, 20),
        ({"rebuild_racks": 1, "rebuild_servers": 1}, 16),
    ],
)
def test_hdfs_keeps_room_for_what_must_be_replicated_again(failures: dict[str, int], survivors: float) -> None:
    """Ten servers of 4 TB in two racks: what is stored must fit onto those that are left."""
    planned = scenario(on=machines(racks=2), **failures)
    assert left(planned)["with room to rebuild"] == pytest.approx(survivors)
    assert capacity(planned).usable == pytest.approx(survivors * TB / 3)


def test_headroom_serves_rebuilding_too_and_the_stricter_rule_is_the_limit() -> None:
    """80 % of 40 TB is 32; after a server 36 are left, all of which may then be full, or 85 % of them, 30.6."""
    enough = capacity(scenario(fill_limit=0.8, rebuild_servers=1))
    assert enough.fillable / TB == pytest.approx(32)
    assert enough.limit == "fill limit 80 %"
    tight = capacity(scenario(fill_limit=0.8, rebuild_servers=1, rebuilt_fill=0.85))
    assert tight.fillable / TB == pytest.approx(30.6)
    assert tight.limit == "room to rebuild 1 server"


def test_the_largest_of_unequal_servers_are_those_that_fail() -> None:
    """Six servers of 4 TB and four of 8: without one of 8 there are 48 TB."""
    group = Group(server=server(drives=4), count=10, later=(Batch(server=server(drives=8), count=4),))
    planned = scenario(on=Cluster(groups={"workers": group}), rebuild_servers=1)
    assert left(planned)["raw"] == 56
    assert left(planned)["with room to rebuild"] == pytest.approx(48)


@pytest.mark.parametrize(
    "storage",
    [MINIO, parallel_fs(servers="workers")],
    ids=["minio", "parallel-fs"],
)
def test_what_rebuilds_onto_a_replacement_keeps_no_room_for_it(storage: Any) -> None:
    on = machines(servers=8)
    assert capacity(scenario(storage, on, rebuild_servers=1)).usable == capacity(scenario(storage, on)).usable


def test_minio_has_the_data_shards_of_each_pool() -> None:
    """Eight servers of 4 drives form sets of 16 with 12 of data; two of 6 drives of 2 TB one of 12 with 8 of data."""
    later = Batch(server=server(drives=6, drive=nvme(capacity=2 * TB)), count=2)
    on = Cluster(groups={"workers": Group(server=server(drives=4), count=10, later=(later,))})
    plan = capacity(scenario(MINIO, on))
    assert plan.raw == 56 * TB
    assert plan.usable == pytest.approx(32 * TB * 12 / 16 + 24 * TB * 8 / 12)


def test_storagegrid_keeps_copies_or_fragments_on_nodes_that_differ() -> None:
    settings = {
        "system": "storagegrid",
        "servers": "workers",
        "gateways": "workers",
        "lookup_cpu": 0.0,
        "list_cpu": 0.0,
    }
    copies, coded = (
        StorageGrid.model_validate({**settings, "copies": 2}),
        StorageGrid.model_validate({**settings, "protection": "erasure-coding"}),
    )
    assert capacity(scenario(copies)).usable == pytest.approx(20 * TB)
    assert capacity(scenario(coded)).usable == pytest.approx(40 * TB * 2 / 3)


def test_amazon_s3_holds_any_amount() -> None:
    s3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
    planned = scenario(s3, fill_limit=0.8, rebuild_servers=1)
    plan = capacity(planned)
    assert (plan.raw, plan.effective, plan.limit) == (math.inf, math.inf, "the service has no limit")
    assert plan.is_enough
    assert (servers_needed(planned), ceilings(planned)) == (None, (math.inf, math.inf))
    assert "servers_needed" not in storing_metrics(planned)


def test_files_of_hdfs_take_their_checksums_and_whole_blocks_of_a_drive() -> None:
    """100 kB: 25 blocks of 4 KiB, and 7 + 4 x 196 bytes of checksums in one more, three times."""
    assert HDFS.object_bytes(machines(), 100e3) == 3 * 26 * 4096
    whole = 134217728 + 1052672  # 128 MiB, and 7 + 4 x 262144 bytes in 257 blocks
    assert HDFS.object_bytes(machines(), 2 * 134217728.0) == 3 * 2 * whole


def test_small_objects_of_minio_take_a_block_and_a_metadata_block_on_each_drive() -> None:
    """10 kB in 12 shards of 834 bytes and a hash of 32: 16 drives give 4 KiB for it and 4 KiB for its metadata."""
    plan = capacity(scenario(MINIO, machines(servers=8), object_size=10e3))
    assert plan.usable == pytest.approx(32 * TB / (16 * 8192 / 10e3))


def test_large_objects_cost_minio_little_more_than_its_code() -> None:
    stripes = 100  # of 10 MiB: shards of 873,814 bytes and 32 of hash each
    plan = capacity(scenario(MINIO, machines(servers=8), object_size=stripes * 10485760.0))
    taken = 16 * ((873814 + 32) * stripes // 4096 * 4096 + 4096 + 4096)
    assert plan.usable == pytest.approx(32 * TB * stripes * 10485760 / taken)


def test_data_that_is_kept_is_compressed_and_what_a_job_reads_lies_there_as_it_is() -> None:
    assert capacity(scenario(data=10 * TB, compression_ratio=2.5)).needed == pytest.approx(12 * TB)


def test_what_is_kept_may_be_more_than_there_is() -> None:
    plan = capacity(scenario(data=100 * TB))
    assert not plan.is_enough
    assert plan.needed == pytest.approx(300 * TB)


@pytest.mark.parametrize(
    ("planning", "servers"),
    [
        ({}, 75),
        ({"server_limit": 3 * TB}, 100),
        ({"fill_limit": 0.8}, 94),  # 93.75
        ({"rebuild_servers": 1}, 76),
        ({"rebuild_servers": 1, "fill_limit": 0.8}, 94),
        ({"rebuild_racks": 1}, 150),
    ],
)
def test_the_fewest_servers_whose_room_is_enough_are_needed(planning: dict[str, Any], servers: int) -> None:
    """100 TB in three copies on servers of 4 TB."""
    assert servers_needed(scenario(on=machines(servers=8, racks=2), data=100 * TB, **planning)) == servers


def test_minio_needs_the_fewest_servers_whose_drives_form_sets_with_enough_data_shards() -> None:
    sets = {n: next(size for size in (16, 14, 12, 10, 8, 6, 4) if 4 * n % size == 0) for n in range(1, 80)}
    enough = [n for n, size in sets.items() if size >= 8 and 4 * n * (size - 4) / size >= 100]
    assert servers_needed(scenario(MINIO, machines(servers=8), data=100 * TB)) == enough[0]


def test_ceilings_are_those_of_the_slowest_part_of_each_server() -> None:
    """Two drives at 1/(1/200 + 0.01) = 66.7 MB/s read and write; with eight the network of 0.4 GB/s is less."""
    slow = scenario(on=machines(servers=3, drives=2, drive=hdd()))
    assert ceilings(slow) == pytest.approx((3 * 2 * MB / 0.015, 2 * MB / 0.015))
    nic = server().nic.model_copy(update={"bandwidth": 0.4 * GB})
    fast = scenario(on=machines(servers=3, drives=8, drive=hdd(), nic=nic))
    assert ceilings(fast)[0] == pytest.approx(1.2 * GB)


def test_drives_with_a_write_cache_are_written_to_for_ever_at_what_they_sustain() -> None:
    drive = nvme(write_bandwidth=1 * GB, sustained_write=0.06 * GB, write_cache=75 * GB)
    assert ceilings(scenario(on=machines(servers=3, drives=2, drive=drive)))[1] == pytest.approx(3 * 2 * 0.06 * GB / 3)


def test_memory_that_cards_and_drives_could_fill_bounds_both_ceilings() -> None:
    """Of 6 GB/s a byte that is read takes 2, from a drive and to a card; one that is written 1 + 3 x 0.75 and 3."""
    memory = MemoryBus(bandwidth=6 * GB)
    wide = machines(servers=10, drives=8, drive=nvme(), nic=card(bandwidth=40 * GB), memory_bus=memory)
    assert ceilings(scenario(on=wide)) == pytest.approx((10 * 6 * GB / 2, 10 * 6 * GB / (1 + 3 * 0.75 + 3)))


def test_a_rule_that_leaves_too_few_servers_to_rebuild_onto_leaves_no_room() -> None:
    plan = capacity(scenario(rebuild_servers=8))
    assert (plan.usable, plan.limit) == (0.0, "after the loss of 8 servers too few servers are left to rebuild onto")


def test_with_no_server_to_spare_what_is_lost_may_wait_and_no_room_is_kept() -> None:
    three = machines(servers=3)
    held, strict = ({"rebuild_servers": 1, "fill_limit": 0.8, "rebuild_waits": waits} for waits in (True, False))
    assert capacity(scenario(on=three, **strict)).usable == 0
    plan = capacity(scenario(on=three, **held))
    assert plan.usable == capacity(scenario(on=three, fill_limit=0.8)).usable > 0
    assert plan.notes == (
        "no room is kept to rebuild 1 server: too few servers would be left, so what is lost waits for the replacement",
    )


def test_where_a_server_can_be_rebuilt_its_room_is_kept_whether_what_is_lost_may_wait_or_not() -> None:
    held: dict[str, Any] = {"rebuild_servers": 1, "fill_limit": 0.9, "rebuilt_fill": 0.9}
    assert left(scenario(**held)) == left(scenario(**held, rebuild_waits=True))
    assert "with room to rebuild" in left(scenario(**held))


def test_all_racks_lost_leave_nothing_to_rebuild_onto() -> None:
    plan = capacity(scenario(on=machines(racks=2), rebuild_racks=2))
    assert (plan.usable, plan.limit) == (0.0, "after the loss of 2 racks too few servers are left to rebuild onto")


def test_a_rebuilt_cluster_may_be_as_full_as_one_in_operation() -> None:
    with pytest.raises(ValidationError, match=r"rebuilt_fill = 0.7: .* cannot be below fill_limit = 0.8"):
        Planning(fill_limit=0.8, rebuilt_fill=0.7)


def test_a_job_must_fit_as_before() -> None:
    assert scenario().capacity() == pytest.approx({"raw": 40 * TB, "usable": 40 * TB / 3, "needed": 3 * TB})


def test_racks_are_dealt_in_turn_over_all_batches() -> None:
    """Server i stands in rack i modulo 2: six of 4 TB, then one of 8; the rack with the large one is lost."""
    later = (Batch(server=server(drives=8), count=1),)
    on = Cluster(groups={"workers": Group(server=server(drives=4), count=7, later=later)}, network=Network(racks=2))
    two = HDFS.model_copy(update={"replication": 2})
    assert left(scenario(two, on, rebuild_racks=1))["with room to rebuild"] == pytest.approx(12)
