"""What-ifs on the documented cluster of HDFS: each moves the answer the right way, by what arithmetic says.

The arithmetic is that of a fluid without chance. A run is never faster, and slower by the chances it names: replicas
fall on servers, and the fullest of them ends last.
"""

from __future__ import annotations

import math

import pytest

from models.jobs.mapreduce import MapReduce
from models.storage.hdfs.system import Hdfs
from tests.extent import IS_WHOLE
from tests.laws.documented_clusters import (
    CONTAINER_START,
    JOB_START,
    START,
    TB,
    WRITE_BEHIND,
    group,
    run,
    scenario,
    seconds,
)
from tests.narrow import as_a, some

COUNTS = [6, 12, 24, 48] if IS_WHOLE else [6, 24]
REPLICAS, DRIVES, CONTAINERS = ([1, 2, 3], [8, 16, 24], [16, 32]) if IS_WHOLE else ([1, 3], [8, 24], [32])
DRIVE_COUNT = "cluster.groups.workers.server.bays.data.count"


# Data generation


def behind(replicas: int, count: int = 12, drives: int = 8) -> float:
    """Return the seconds in which drives write 1 TB of blocks, but for what page caches may still hold at the end."""
    memory = scenario("hdfs-teragen").cluster.groups["workers"].server.memory
    credit = count * memory.dirty_share * memory.page_cache(204000 * 2**20)
    return (replicas * TB - credit) * WRITE_BEHIND / (count * drives)


@pytest.mark.parametrize("replicas", REPLICAS)
def test_generation_on_hdfs_takes_as_long_as_the_drives_need_for_all_replicas(replicas: int) -> None:
    """1 TB, 2 TB and 3 TB at 107 MB/s a drive, less 12 GB a server that may stay dirty: 83 s, 180 s and 277 s."""
    result = run("hdfs-teragen", {"storage.replication": str(replicas), "storage.replication_min": str(replicas)})
    assert START + behind(replicas) <= result.duration <= 1.12 * (START + behind(replicas))
    assert group(result, "workers/network out").bytes == pytest.approx((replicas - 1) * TB, rel=1e-6)


@pytest.mark.parametrize("drives", DRIVES)
def test_more_drives_shorten_generation_on_hdfs_in_proportion(drives: int) -> None:
    least = START + behind(3, drives=drives)
    assert least <= seconds("hdfs-teragen", {DRIVE_COUNT: str(drives)}) <= 1.2 * least


@pytest.mark.parametrize(("count", "longer"), [(6, 1.1), (24, 1.2), (48, 1.3)][: len(COUNTS)])
def test_generation_on_hdfs_scales_with_its_servers_but_for_the_luck_of_fewer_blocks_on_each(
    count: int, longer: float
) -> None:
    least = START + behind(3, count=count)
    assert least <= seconds("hdfs-teragen", {"cluster.groups.workers.count": str(count)}) <= longer * least


def test_generation_on_hdfs_notices_only_a_network_slower_than_its_drives() -> None:
    """Two of three replicas cross it: 2 TB / 12 / 2.5 Gbit/s is 533 s, above the drives' 277 s; at 10 Gbit/s 133 s."""
    key = "cluster.groups.workers.server.nic.bandwidth"
    slow, middle, fast = (run("hdfs-teragen", {key: f"{rate} Gbit/s"}) for rate in (2.5, 10, 100))
    least = START + 2 * TB / 12 / (2.5e9 / 8)
    assert least <= slow.duration <= 1.1 * least
    assert slow.bottleneck.resource in {"workers/network in", "workers/network out"}
    assert fast.duration <= middle.duration <= 1.05 * fast.duration


# Jobs that read


def sort_seconds(name: str, overrides: dict[str, str]) -> tuple[float, float]:
    """Return the drive-seconds that a sort takes on HDFS, and those of them that may stay undone in page caches.

    A byte is read (its map), written (spill), read in segments as long as what a map holds for a reduce
    (shuffle, unless cached), written and read back (merge, unless cached), and written as often
    as the output has replicas. All of it seeks each `mixed_chunk`. The page cache keeps the latest of what went through
    it: input and map output, and then what the reduces of a server write.
    """
    profile = scenario(name, overrides)
    workers, job = profile.cluster.groups["workers"], as_a(MapReduce, profile.workload)
    store = as_a(Hdfs, profile.storage)
    drive = workers.server.bays["data"].drive
    split = job.input / math.ceil(job.input / store.block_size)
    segment = split / (job.framework.containers * workers.count)
    read = 1 / drive.read_bandwidth + drive.seek_time / drive.mixed_chunk
    write = 1 / drive.write_bandwidth + drive.seek_time / drive.mixed_chunk
    fetch = 1 / drive.read_bandwidth + drive.seek_time / min(segment, drive.mixed_chunk)
    cache_size = workers.server.memory.page_cache(job.framework.heap)
    cached = min(cache_size * workers.count / (2 * job.input), 1.0)
    replicas = job.output_replication or store.replication
    merged = job.input / (job.framework.containers * workers.count)  # a reduce, one a container
    missing = 1 - min(cache_size / (merged * job.framework.containers), 1.0)
    per_byte = read + write + fetch * (1 - cached) + write + read * missing + replicas * write
    return job.input * per_byte, workers.count * workers.server.memory.dirty_share * cache_size * write


def drive_seconds(name: str, overrides: dict[str, str]) -> float:
    """Return the drive-seconds that a run took: `bound` is over what lone streams would get, who do not seek."""
    drives = group(run(name, overrides), "workers/data drives")
    drive = scenario(name, overrides).cluster.groups["workers"].server.bays["data"].drive
    return drives.bound * drives.count * drive.stream_capacity()[0]


def fullest_drive(overrides: dict[str, str]) -> float:
    """Return the seconds that the fullest drive of a sort on HDFS works, and hold them to the luck of draws.

    Each reduce draws the drive on which it merges: the fullest of them gets three deviations of a random count more
    than its share of what is written there and read back.
    """
    result, profile = run("hdfs-sort", overrides), scenario("hdfs-sort", overrides)
    workers = profile.cluster.groups["workers"]
    bay = workers.server.bays["data"]
    drives = [resource for resource in result.resources if resource.group == "workers/data drives"]
    busy = max(sum(drive.utilization) for drive in drives) * result.bin_width
    seek = bay.drive.seek_time / bay.drive.mixed_chunk
    job = as_a(MapReduce, profile.workload)
    merged = job.input * (1 / bay.drive.write_bandwidth + 1 / bay.drive.read_bandwidth + 2 * seek)
    luck = 3 / math.sqrt(job.framework.containers / bay.count)
    assert busy <= (sort_seconds("hdfs-sort", overrides)[0] + merged * luck) / len(drives)
    return busy


@pytest.mark.parametrize("count", COUNTS)
def test_sort_on_hdfs_scales_more_than_in_proportion_because_page_caches_grow_with_the_servers(count: int) -> None:
    """61 GB a server cache 17, 33, 66 and 100 % of what 6, 12, 24 and 48 servers shuffle in segments of 44 to 350 KB.

    A byte takes some 118, 129, 128 and 94 ns of drive time: from 12 to 48 servers the sort is 5.3 times as fast, not 4.
    From 6 to 12 the segments become half as long, which costs more than the cache gives.
    """
    change = {"cluster.groups.workers.count": str(count)}
    total, undone = sort_seconds("hdfs-sort", change)
    assert total - undone <= drive_seconds("hdfs-sort", change) <= total * (1 + 1e-6)
    assert START + (total - undone) / (8 * count) <= seconds("hdfs-sort", change)
    assert seconds("hdfs-sort", change) <= 1.1 * (START + fullest_drive(change))


def test_three_times_the_drives_make_a_sort_on_hdfs_less_than_three_times_as_fast() -> None:
    """Each reduce merges on a drive that it draws: of 64 on 24 drives, some have three times as many as others.

    The drive that is fullest with merges has no more of the maps and the output, so for a fifth of the time or so it
    waits for others, which are fullest with those.
    """
    total, undone = sort_seconds("hdfs-sort", {DRIVE_COUNT: "24"})
    assert total == pytest.approx(sort_seconds("hdfs-sort", {})[0])
    assert START + (total - undone) / (12 * 24) <= seconds("hdfs-sort", {DRIVE_COUNT: "24"})
    assert seconds("hdfs-sort", {DRIVE_COUNT: "24"}) <= 1.25 * (START + fullest_drive({DRIVE_COUNT: "24"}))
    assert 2 < seconds("hdfs-sort") / seconds("hdfs-sort", {DRIVE_COUNT: "24"}) <= 3


def test_larger_blocks_make_longer_segments_and_so_a_faster_shuffle() -> None:
    """Segments of 87, 175 and 350 KB cost 102, 54 and 29 ns a byte."""
    durations = []
    for size in (64, 128, 256):
        change = {"storage.block_size": f"{size} MiB"}
        total, undone = sort_seconds("hdfs-terasort", change)
        assert total - undone <= drive_seconds("hdfs-terasort", change) <= total * (1 + 1e-6)
        durations.append(seconds("hdfs-terasort", change))
    assert durations == sorted(durations, reverse=True)


@pytest.mark.parametrize("containers", CONTAINERS)
def test_more_containers_help_while_cores_are_idle(containers: int) -> None:
    """A task keeps one core of 0.794: 134 MB at 350.4 + 1 ns, 59.4 s, and 3 s to start, in waves of 8,192 maps.

    43 waves on 192 slots, 22 on 384.
    """
    lasted = seconds("hdfs-wordcount", {"workload.framework.containers": str(containers)})
    cpu = some(as_a(MapReduce, scenario("hdfs-wordcount").workload).cpu)
    wave = 2**27 * (cpu + 1e-9) / 0.794 + CONTAINER_START
    assert lasted == pytest.approx(JOB_START + math.ceil(8192 / (12 * containers)) * wave, rel=0.01)


def test_more_containers_than_threads_gain_nothing() -> None:
    """64 threads of 32 cores give 32 x 0.794 x 1.25 core-seconds a second: 1,014 s for all of it, however divided.

    No master is there, whose server would end its waves first and take more than its part of the last one.
    """
    cpu = some(as_a(MapReduce, scenario("hdfs-wordcount").workload).cpu)
    least = START + 2**40 * (cpu + 1e-9) / (12 * 32 * 0.794 * 1.25)
    for containers in ("64", "128"):
        changed = {"workload.framework.containers": containers, "workload.framework.am_memory": "0 B"}
        assert least <= seconds("hdfs-wordcount", changed) <= 1.05 * least


def test_short_circuit_reads_spare_the_data_nodes_their_copies() -> None:
    """1 ns a byte of TeraSort's input, on processors that do not limit: 2 of 345 s, less than the draw of drives."""
    base, short = run("hdfs-terasort"), run("hdfs-terasort", {"storage.short_circuit": "true"})
    spared = (group(base, "workers/cpu").bound - group(short, "workers/cpu").bound) * 12 * 32 * 0.794 * 1.25
    assert 0.9 * TB * 1e-9 <= spared <= TB * 1e-9  # but for splits that were read over the network
    assert 0.95 * base.duration <= short.duration <= 1.02 * base.duration
