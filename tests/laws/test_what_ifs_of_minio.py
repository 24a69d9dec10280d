"""What-ifs on the documented clusters: each moves the answer the right way, by what arithmetic says.

The arithmetic is that of a fluid without chance. A run is never faster, and slower by the chances it names: files hash
to sets of drives and to coordinators, replicas fall on servers, and the fullest of them ends last.
"""

from __future__ import annotations

import math
from functools import cache

import pytest

from models.jobs.mapreduce import MapReduce
from models.scenario import Scenario
from models.storage.clients.s3a_requests import FILE_JOB
from models.storage.hdfs.system import Hdfs
from profiles.loading.loader import load
from simulator.result import GroupResult, Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.narrow import as_a, some

TB = 1e12
JOB_START, CONTAINER_START = 8.0, 3.0  # s, of all profiles
START = JOB_START + CONTAINER_START
STAGING = 4.0  # s until first uploads: 512 MiB at 5 ns a byte, 72 tasks on 36 cores with two threads: 72 / 45 * 2.7 s

ON_NVME = {"client.fs.s3a.buffer.dir": "nvme"}
IN_MEMORY = {"client.fs.s3a.fast.upload.buffer": "bytebuffer"}
MAGIC = {"client.fs.s3a.committer.name": "magic"}
RENAMES = {
    f"v{version}": IN_MEMORY
    | {"client.fs.s3a.committer.name": "file", "client.fs.s3a.committer.algorithm": str(version)}
    for version in (1, 2)
}
COUNTS, PARITIES = ([6, 12, 24, 48], [2, 8]) if IS_WHOLE else ([6, 24], [8])
RATES, CACHED, FAILED = (["10 Gbit/s", "100 Gbit/s"], [0.5, 1.0], [1, 3]) if IS_WHOLE else (["10 Gbit/s"], [0.5], [3])
REPLICAS, DRIVES, CONTAINERS = ([1, 2, 3], [8, 16, 24], [16, 32]) if IS_WHOLE else ([1, 3], [8, 24], [32])
MINIO_DRIVES = "cluster.groups.storage.server.bays.data.count"
HDFS_DRIVES = "cluster.groups.workers.server.bays.data.count"

# An h1 drive: 205.2 MB/s read and 137.1 MB/s written, 8.5 ms a seek.
WRITE = 1 / 137.1e6 + 8.5e-3 / 1.728e6  # s/B of interleaved direct writes: 81.9 MB/s
READ = 1 / 205.2e6 + 8.5e-3 / 5.757e6  # s/B of interleaved reads: 157.5 MB/s
WRITE_BEHIND = 1 / 137.1e6 + 8.5e-3 / 4194304  # s/B of what the page cache writes: 107 MB/s
NIC = 24.8e9 / 8
VOLUME = 134217728.0


@cache
def _scenario(name: str, overrides: tuple[tuple[str, str], ...]) -> Scenario:
    return load(name, Scenario, dict(overrides)).scenario


@cache
def _result(name: str, overrides: tuple[tuple[str, str], ...]) -> Result:
    return simulate(_scenario(name, overrides), profile=name)


def scenario(name: str, overrides: dict[str, str] | None = None) -> Scenario:
    return _scenario(name, tuple((overrides or {}).items()))


def run(name: str, overrides: dict[str, str] | None = None) -> Result:
    return _result(name, tuple((overrides or {}).items()))


def seconds(name: str, overrides: dict[str, str] | None = None) -> float:
    return run(name, overrides).duration


def group(result: Result, name: str) -> GroupResult:
    return next(group_result for group_result in result.groups if group_result.group == name)


def networks(rate: str) -> dict[str, str]:
    return {f"cluster.groups.{name}.server.nic.bandwidth": rate for name in ("storage", "compute")}


def servers(count: int) -> dict[str, str]:
    return {f"cluster.groups.{name}.count": str(count) for name in ("storage", "compute")}


def fullest(files: int, sets: int) -> float:
    """Return how much more than its share the fullest of some sets may have: three deviations of a random count."""
    return 1 + 3 / math.sqrt(files / sets)


# MinIO, data generation


def test_generation_takes_as_long_as_the_root_volumes_need_to_stage_it() -> None:
    """1 TB over 12 volumes of 128 MiB/s: 621 s, less what stays dirty at the end; parity changes next to nothing.

    Tasks that compute unequally are dealt anew to the last wave by any change, however small: for the parity all are
    alike.
    The 135 files of the last wave go to whichever slot is free, so one server stages some files more than others, up to
    one in twenty, and the job lasts as long as its volume needs; then its last files are uploaded, a few seconds.
    """
    base = run("minio-teragen")
    memory = scenario("minio-teragen").cluster.groups["compute"].server.memory
    credit = memory.dirty_share * memory.page_cache(104000 * 2**20)
    most = max(
        resource.bytes for resource in base.resources if resource.group == "compute/network out"
    )  # sent is what was staged
    assert TB / 12 <= most <= 1.05 * TB / 12
    least = START + (most - credit) / VOLUME
    assert least <= base.duration <= least + STAGING
    assert base.bottleneck.resource == "compute/root volume"
    alike = {"workload.framework.compute_spread": "0"}
    for parity in PARITIES:
        other = seconds("minio-teragen", alike | {"storage.parity": f"{parity}"})
        assert other == pytest.approx(seconds("minio-teragen", alike), rel=0.02)


@pytest.mark.parametrize("parity", [4, *PARITIES])
def test_generation_staged_on_nvme_takes_as_long_as_the_drives_need_for_all_shards(parity: int) -> None:
    """EC:4: 1 TB x 16/12 over 96 drives at 81.9 MB/s: 170 s; 16/14 and 16/8 of it for EC:2 and EC:8.

    1,863 files hash to six sets, so the fullest has some 6 % more than its share.
    """
    result = run("minio-teragen", ON_NVME | {"storage.parity": str(parity)})
    least = START + TB * 16 / (16 - parity) * WRITE / 96
    assert least <= result.duration <= (least + STAGING) * fullest(1863, sets=6)
    assert result.bottleneck.resource == "storage/data drives"


@pytest.mark.parametrize("parity", PARITIES)
def test_time_for_shards_scales_with_their_number_a_stripe(parity: int) -> None:
    """Files hash to sets alike, whatever the parity, so the luck cancels out."""
    base, other = seconds("minio-teragen", ON_NVME), seconds("minio-teragen", ON_NVME | {"storage.parity": str(parity)})
    assert (other - START) / (base - START) == pytest.approx(12 / (16 - parity), rel=0.03)


@pytest.mark.parametrize("rate", RATES)
def test_another_network_changes_nothing_while_drives_limit(rate: str) -> None:
    """Even at 10 Gbit/s the network needs less than the drives' 170 s: see the next test."""
    assert seconds("minio-teragen", ON_NVME | networks(rate)) == pytest.approx(
        seconds("minio-teragen", ON_NVME), rel=0.01
    )


def test_faster_network_helps_where_the_network_limits() -> None:
    """With 24 drives a server the shards take 57 s, and a storage server's network at 10 Gbit/s takes 148 s.

    In come all bytes once, and of 16/12 as many 11 of 12 from another server: 2.22 TB / 12 / 1.25 GB/s. At 25 Gbit/s
    that is 59 s, beside the 60 s in which 24 NVMe drives of 0.7 GB/s stage 1 TB; at 100 Gbit/s only those are left.
    """
    drives = ON_NVME | {MINIO_DRIVES: "24"}
    slow, middle, fast = (run("minio-teragen", drives | networks(f"{rate} Gbit/s")) for rate in (10, 25, 100))
    least = START + TB * (1 + 16 / 12 * 11 / 12) / 12 / 1.25e9
    assert (
        least <= slow.duration <= (least + STAGING) * fullest(1863, sets=12)
    )  # one server coordinates more than others
    assert slow.bottleneck.resource == "storage/network in"
    staged = START + TB / 24 / 0.7e9
    assert staged <= fast.duration <= middle.duration <= (staged + STAGING) * fullest(1863, sets=12)
    assert fast.duration >= 0.9 * middle.duration


@pytest.mark.parametrize("drives", [8, 16])
def test_twice_the_drives_halve_the_time_for_shards(drives: int) -> None:
    least = START + TB * 16 / 12 * WRITE / (12 * drives)
    lasted = seconds("minio-teragen", ON_NVME | {MINIO_DRIVES: str(drives)})
    assert least <= lasted <= (least + STAGING) * fullest(1863, sets=12 * drives // 16)


@pytest.mark.parametrize("count", COUNTS)
def test_generation_on_minio_scales_with_its_servers_but_for_the_luck_of_fewer_files_a_set(count: int) -> None:
    least = START + TB * 16 / 12 * WRITE / (8 * count)
    lasted = seconds("minio-teragen", ON_NVME | servers(count))
    assert least <= lasted <= (least + STAGING) * fullest(1863, sets=count * 8 // 16)


# MinIO, committers


def test_magic_committer_with_memory_buffers_stages_nothing() -> None:
    """What is left is the drives' 170 s, and the luck of the fullest set."""
    result = run("minio-teragen", MAGIC | IN_MEMORY)
    least = START + TB * 16 / 12 * WRITE / 96
    assert group(result, "compute/root volume").bytes == 0
    assert least <= result.duration <= least * fullest(1863, sets=6)


def test_magic_committer_with_disk_buffers_still_writes_every_byte_to_the_root_volume() -> None:
    """621 s as with staging, less what the page cache may still hold dirty at the end: 9.1 GB a server, 68 s."""
    result = run("minio-teragen", MAGIC)
    memory = scenario("minio-teragen").cluster.groups["compute"].server.memory
    credit = memory.dirty_share * memory.page_cache(104000 * 2**20)
    assert TB - 12 * credit <= group(result, "compute/root volume").bytes <= TB
    assert START + (TB / 12 - credit) / VOLUME <= result.duration <= START + TB / 12 / VOLUME


@pytest.mark.slow
def test_file_committer_v1_copies_all_output_once_more_in_one_stream_after_the_last_task() -> None:
    """Stripes of a copy are in all its stages at once, so it goes as fast as the slowest: the core of its coordinator.

    That checks what it reads, hashes, encodes and checksums 16/12 of it, and receives and sends what lies on the 11
    other servers: 3.3 ns a byte, 300 MB/s. Drives and cards take a quarter of that at most. To it add 10 ms a request
    for each of 1,863 files: the COPY, and those about folders, source and target beside it.
    """
    moved = 0.33e-9 * (1 + 16 / 12) * 11 / 12
    core = (0.08e-9 + 1.46e-9 + 0.29e-9 + 0.08e-9 * 16 / 12 + moved) / 0.794  # of the speed of a core
    assert max(1 / (12 * 205.2e6), 16 / 12 / NIC, 1 / (12 * 137.1e6)) < core / 4
    extra = seconds("minio-teragen", RENAMES["v1"]) - seconds("minio-teragen", RENAMES["v2"])
    assert extra == pytest.approx(TB * core + 1863 * 0.010 * (1 + sum(FILE_JOB.values())), rel=0.01)


def test_file_committer_v2_copies_in_every_task_and_takes_as_long_as_drives_write_twice_and_read_once() -> None:
    result = run("minio-teragen", RENAMES["v2"])
    least = START + TB * (2 * 16 / 12 * WRITE + READ) / 96
    assert least <= result.duration <= least * fullest(1863, sets=6)
    assert group(result, "storage/data drives").bytes == pytest.approx(TB * (2 * 16 / 12 + 1), rel=1e-6)


# MinIO, jobs that read


@pytest.mark.slow
def test_sort_staged_on_nvme_saves_what_the_root_volumes_took_beyond_the_next_limit() -> None:
    """1 TiB over 12 volumes of 128 MiB/s: 683 s, of which the last dirty 68 s need not be waited for."""
    base, staged = run("minio-sort"), run("minio-sort", ON_NVME)
    volumes = 2**40 / 12 / VOLUME
    assert base.bottleneck.resource == "compute/root volume"
    assert base.duration - base.stages[0].end >= volumes * 0.9
    assert staged.stages[0].end == pytest.approx(base.stages[0].end, rel=0.01)  # the maps do not notice
    assert staged.duration < 0.5 * base.duration


@pytest.mark.parametrize("share", CACHED)
def test_cached_reads_spare_the_drives_what_they_cover(share: float) -> None:
    """Of 1 TiB read and 16/12 TiB written only the reads shrink; the job gains at most the time that they took."""
    base, cached = run("minio-sort", ON_NVME), run("minio-sort", ON_NVME | {"storage.cached_reads": str(share)})
    expected = 2**40 * (1 - share + 16 / 12)
    assert group(cached, "storage/data drives").bytes == pytest.approx(expected, rel=1e-6)
    spared = 2**40 * share * READ / 96
    assert base.duration - 2 * spared <= cached.duration <= base.duration


@pytest.mark.parametrize("failed", FAILED)
def test_failed_drives_take_no_shards_and_leave_more_reading_to_the_others(failed: int) -> None:
    """Written: 16 - f shards of 12. The drives that are left serve all reads: 6.35 ns a byte on 16 - f of 16 drives."""
    degraded = {"storage.failed_drives": str(failed)}
    generated = run("minio-teragen", ON_NVME | degraded)
    assert group(generated, "storage/data drives").bytes == pytest.approx(TB * (16 - failed) / 12, rel=1e-6)
    assert generated.duration == pytest.approx(seconds("minio-teragen", ON_NVME), rel=0.01)  # the others write as much
    healthy = (READ + 16 / 12 * WRITE) / 16
    slower = (READ + (16 - failed) / 12 * WRITE) / (16 - failed) / healthy
    luck = 0.01  # of which drives serve which reads
    assert 1 - luck <= seconds("minio-sort", ON_NVME | degraded) / seconds("minio-sort", ON_NVME) <= slower + luck


def test_early_reduces_overlap_with_the_last_wave_of_maps_and_with_no_more() -> None:
    """Waiting maps keep half of the slots: 1,863 maps on 864 are 2.2 waves, and reduces gain or lose at most one."""
    cpu = {
        "workload.cpu": "104.5 ns/B",
        "workload.map_share": "0.6",
    }  # maps that end together, as processors hold them up
    late, early = run("minio-terasort", cpu), run("minio-terasort", {**cpu, "workload.framework.slowstart": "0.05"})
    assert early.stages[1].start < 0.5 * early.stages[0].end
    assert late.stages[1].start > 0.95 * late.stages[0].end
    wave = (late.stages[0].end - JOB_START) / (1863 / 864)
    assert 0 < abs(late.duration - early.duration) < wave


# HDFS, data generation


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
    assert least <= seconds("hdfs-teragen", {HDFS_DRIVES: str(drives)}) <= 1.2 * least


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


# HDFS, jobs that read


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
    total, undone = sort_seconds("hdfs-sort", {HDFS_DRIVES: "24"})
    assert total == pytest.approx(sort_seconds("hdfs-sort", {})[0])
    assert START + (total - undone) / (12 * 24) <= seconds("hdfs-sort", {HDFS_DRIVES: "24"})
    assert seconds("hdfs-sort", {HDFS_DRIVES: "24"}) <= 1.25 * (START + fullest_drive({HDFS_DRIVES: "24"}))
    assert 2 < seconds("hdfs-sort") / seconds("hdfs-sort", {HDFS_DRIVES: "24"}) <= 3


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
