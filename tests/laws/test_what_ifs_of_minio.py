"""What-ifs on the documented cluster of MinIO: each moves the answer the right way, by what arithmetic says.

The arithmetic is that of a fluid without chance. A run is never faster, and slower by the chances it names: files hash
to sets of drives and to coordinators, and the fullest of them ends last.
"""

from __future__ import annotations

import math

import pytest

from models.storage.clients.s3a_requests import FILE_JOB
from tests.extent import IS_WHOLE
from tests.laws.documented_clusters import JOB_START, READ, START, TB, WRITE, group, run, scenario, seconds

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
DRIVES = "cluster.groups.storage.server.bays.data.count"
NIC = 24.8e9 / 8
VOLUME = 134217728.0


def networks(rate: str) -> dict[str, str]:
    return {f"cluster.groups.{name}.server.nic.bandwidth": rate for name in ("storage", "compute")}


def servers(count: int) -> dict[str, str]:
    return {f"cluster.groups.{name}.count": str(count) for name in ("storage", "compute")}


def fullest(files: int, sets: int) -> float:
    """Return how much more than its share the fullest of some sets may have: three deviations of a random count."""
    return 1 + 3 / math.sqrt(files / sets)


# Data generation


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
    drives = ON_NVME | {DRIVES: "24"}
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
    lasted = seconds("minio-teragen", ON_NVME | {DRIVES: str(drives)})
    assert least <= lasted <= (least + STAGING) * fullest(1863, sets=12 * drives // 16)


@pytest.mark.parametrize("count", COUNTS)
def test_generation_on_minio_scales_with_its_servers_but_for_the_luck_of_fewer_files_a_set(count: int) -> None:
    least = START + TB * 16 / 12 * WRITE / (8 * count)
    lasted = seconds("minio-teragen", ON_NVME | servers(count))
    assert least <= lasted <= (least + STAGING) * fullest(1863, sets=count * 8 // 16)


# Committers


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


# Jobs that read


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
