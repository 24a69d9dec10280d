"""What NetApp recommends for Hadoop S3A on StorageGRID: each setting moves the answer the way and for the reason given.

Source: NetApp, How to enable StorageGRID in your environment, 22 April 2024, Hadoop S3A connector tuning. The runs are
those of the study s3a-tuning, in which all recommendations hold.
"""

from __future__ import annotations

import math
from functools import cache

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from models.storage.storagegrid.system import StorageGrid
from models.work import COMMIT
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.narrow import as_a

STUDY = "s3a-tuning"
S3A = "client.fs.s3a."
CONTAINERS = 96
GENERATOR = {"workload.input": "0 B", "workload.generated": "96 GB", "workload.cpu": "0.2 ns/B"}
"""What writes far faster than a stream is uploaded."""
AT_ONCE, SHIPPED = "0", "1"
"""Containers that a heartbeat brings for it: all, or one, so that few of them upload at a time."""
RENAMED = {"committer__name": "file", "committer__algorithm": "2"}
OUTPUT = 192e9  # B, and input
MIB = 2**20
BUFFERED = CONTAINERS * 2 * 256 * MIB
"""Memory of all servers that parts of an output take where they wait for upload: two a task."""
READ_AGAIN = 2 * (OUTPUT - (4 * (128e9 - 72e9) - BUFFERED))
"""What page caches beside heaps and such parts do not hold: of map output, and of what reduces merge; else they do."""


@cache
def _listing() -> float:
    """Return the seconds of a page of a listing: of the gateway, and of the index."""
    scenario = load(STUDY, Scenario).scenario
    grid, groups = as_a(StorageGrid, scenario.storage), scenario.cluster.groups
    return grid.gateway_cpu / groups["gateways"].server.cpu.speed + grid.list_cpu / groups["storage"].server.cpu.speed


@cache
def _run(changes: tuple[tuple[str, str], ...]) -> Result:
    alone = {"workload.framework.am_memory": "0 B"}  # no master, so that tasks have all containers
    return simulate(load(STUDY, Scenario, alone | dict(changes)).scenario, profile=STUDY)


def run(**changes: str) -> Result:
    """Return how the study goes with changed settings of S3A, dots written as `__`."""
    return _run(tuple((S3A + key.replace("__", "."), value) for key, value in changes.items()))


def run_with(changes: dict[str, str]) -> Result:
    return _run(tuple(changes.items()))


def sent(result: Result, kind: str = "") -> float:
    return result.metrics[f"{kind} requests".strip()][0]


def moved(result: Result, group: str) -> float:
    return next(group_result.bytes for group_result in result.groups if group_result.group == group)


def generated(off_switch: str, **changes: str) -> Result:
    of_s3a = {S3A + key.replace("__", "."): value for key, value in changes.items()}
    return run_with(GENERATOR | {"workload.framework.off_switch": off_switch} | of_s3a)


# 3. how splits are read


def test_random_reads_of_what_is_read_in_order_take_a_get_for_each_read_ahead_and_wait_for_it() -> None:
    plain, random = run(), run(experimental__input__fadvise="random")
    larger = run(experimental__input__fadvise="random", readahead__range="4 MiB")
    splits = math.ceil(OUTPUT / (256 * MIB))
    assert sent(random, "GET") - sent(plain, "GET") == splits * (256 * 16 - 1)
    assert sent(larger, "GET") - sent(plain, "GET") == splits * (64 - 1)
    assert plain.stages[0].end <= larger.stages[0].end < random.stages[0].end


# 3. block size


def test_larger_blocks_make_fewer_tasks_fewer_requests_and_a_shorter_job() -> None:
    """Eight times as many splits are 7 more rounds for each container of 3 s of start and 1.4 s of a JVM, at the pace
    of 24 threads on 12 cores, and a HEAD and a GET each."""
    large, small = run(), run(block__size="32 MiB")
    assert (large.stages[0].tasks, small.stages[0].tasks) == (716, 5722)
    more = 5722 - 716
    assert sent(small, "GET") - sent(large, "GET") == sent(small, "HEAD") - sent(large, "HEAD") == more
    assert small.duration - large.duration == pytest.approx(more / CONTAINERS * (3.0 + 1.4 / 0.5), rel=0.4)


# 4. part size, threshold and purge


@pytest.mark.parametrize("off_switch", [AT_ONCE, SHIPPED] if IS_WHOLE else [SHIPPED])
def test_larger_parts_upload_a_large_data_set_with_fewer_requests_and_in_less_time(off_switch: str) -> None:
    """A part's own request waits for gateway, index and seek: 18 ms on top of 26 ms for 5 MiB at 200 MB/s."""
    runs = [generated(off_switch, multipart__size=f"{size} MiB", block__size="1 GiB") for size in (5, 32, 128)]
    assert [result.stages[0].tasks for result in runs] == [90] * 3
    assert [sent(result, "PUT") for result in runs] == [90 * (parts + 3) for parts in (204, 32, 8)]
    assert runs[0].duration > 1.1 * runs[1].duration
    assert runs[1].duration > runs[2].duration


def test_smaller_parts_leave_less_to_upload_when_a_file_is_written() -> None:
    """What the report calls better parallelization: it shows where parts wait for nothing but their last one."""
    small, large = run(multipart__size="64 MiB"), run(multipart__size="512 MiB")
    assert sent(small) > sent(large)
    assert small.duration < large.duration


def test_files_up_to_the_threshold_are_renamed_with_fewer_requests() -> None:
    """Files of 2 GB: one COPY each up to a threshold of 4 GiB, else one a part of 256 MiB."""
    split, whole = run(**RENAMED), run(**RENAMED, multipart__threshold="4 GiB")
    assert (sent(split, "COPY"), sent(whole, "COPY")) == (96 * 8, 96)
    assert sent(whole) < sent(split)


def test_purge_frees_the_space_of_abandoned_uploads_and_shortens_their_listing_at_job_commit() -> None:
    """20,000 a day of 256 MiB, twice: 10.7 TB a day. Listed in 45 s for 15 days, and 21 s for 7."""
    kept, purged = run(multipart__purge__age="15 d"), run(multipart__purge__age="7 d")
    assert kept.capacity["needed"] - purged.capacity["needed"] == pytest.approx(8 * 20_000 * 2 * 256 * MIB)
    assert kept.duration - purged.duration == pytest.approx(8 * 20 * _listing())
    assert sent(kept, "LIST") - sent(purged, "LIST") == 8 * 20


def test_store_removes_what_is_older_than_its_own_limit() -> None:
    assert run(multipart__purge__age="30 d").capacity == run(multipart__purge__age="15 d").capacity


# 2. committers


def test_magic_committer_is_the_fastest_because_it_neither_stages_nor_copies() -> None:
    magic, staged, renamed = run(), run(committer__name="directory"), run(**RENAMED)
    assert magic.duration < 0.85 * staged.duration
    assert magic.duration < 0.9 * renamed.duration
    spared = moved(staged, "workers/root volume") - moved(magic, "workers/root volume")
    assert spared == pytest.approx(OUTPUT - READ_AGAIN)
    assert moved(renamed, "storage/data drives") - moved(magic, "storage/data drives") == pytest.approx(3 * OUTPUT)


def test_partitioned_committer_looks_each_partition_up() -> None:
    """100 LIST of some 150 ms in each of 96 tasks that run at once: 15 s."""
    plain = run(committer__name="directory")
    partitioned = run(committer__name="partitioned", committer__partitions="100")
    assert sent(partitioned, "LIST") - sent(plain, "LIST") == 100 * 96
    assert partitioned.duration - plain.duration == pytest.approx(100 * _listing(), rel=0.1)


def test_file_committer_v1_renames_all_files_once_more_one_after_the_other() -> None:
    """A file is copied in parts side by side: eight at 200 MB/s of a drive at best, in 15 s at worst."""
    first, second = run(committer__name="file", committer__algorithm="1"), run(**RENAMED)
    assert sent(first, "COPY") == 2 * sent(second, "COPY")
    assert OUTPUT / (8 * 200e6) < first.duration - second.duration < 96 * 15.0


def test_a_job_of_an_engine_that_sets_version_1_renames_as_it_commits_unless_the_client_states_another() -> None:
    spark, open_to_it = {"workload.engine.committer_algorithm": "1"}, {f"{S3A}committer.name": "file"}
    by_engine, by_client = run_with(open_to_it | spark), run(committer__name="file", committer__algorithm="1")
    assert by_engine.duration == by_client.duration
    assert run_with(open_to_it | spark | {f"{S3A}committer.algorithm": "2"}).duration == run(**RENAMED).duration


def test_a_commit_that_takes_longer_than_the_tasks_is_what_limits_the_run() -> None:
    result = run(committer__name="file", committer__algorithm="1")
    *_, last, commit = result.stages
    assert result.bottleneck is not None
    assert (commit.name, commit.start, commit.end) == (COMMIT, last.end, result.duration)
    assert result.bottleneck.resource == COMMIT
    share = (commit.end - commit.start) / result.duration
    assert result.bottleneck.share == pytest.approx(share, rel=1e-12)  # which is added up otherwise


# 3. threads and connections


def test_more_upload_threads_help_until_a_task_writes_no_faster_than_they_upload() -> None:
    more = {"fast__upload__active__blocks": "8", "multipart__size": "64 MiB"}
    one, two, many = (generated(AT_ONCE, threads__max=threads, **more) for threads in ("1", "2", "64"))
    assert one.duration > 1.05 * two.duration
    assert two.duration >= many.duration
    first, last = (generated(SHIPPED, threads__max=threads, **more) for threads in ("1", "64"))
    assert 1.0 < first.duration / last.duration < 1.02  # who uploads waits less than who waits for a container
    assert run(threads__max="1").duration < 1.03 * run().duration  # while tasks compute, one is nearly enough


def test_connections_limit_uploads_as_threads_do() -> None:
    assert generated(SHIPPED, connection__maximum="1").duration == generated(SHIPPED, threads__max="1").duration


# 5. buffers


def test_buffers_in_memory_spare_the_local_disk_every_byte_of_the_output_but_take_room_from_the_page_cache() -> None:
    memory, disk = run(), run(fast__upload__buffer="disk")
    assert memory.duration < 0.9 * disk.duration
    spared = moved(disk, "workers/root volume") - moved(memory, "workers/root volume")
    assert spared == pytest.approx(OUTPUT - READ_AGAIN)


@pytest.mark.parametrize(
    ("buffer", "room"),
    [("array", "heap of a container is 3 GB"), ("bytebuffer", "memory beside the heap of a container is 2.333 GB")],
)
def test_more_parts_in_memory_than_there_is_room_for_are_refused(buffer: str, room: str) -> None:
    """Files of 4 GB, all of whose 15 parts may wait at a time."""
    upload = {f"{S3A}fast.upload.buffer": buffer, f"{S3A}fast.upload.active.blocks": "16"}
    with pytest.raises(ProblemError) as error:
        run_with(upload | {"workload.reduces": "48"})
    assert [problem.message for problem in error.value.problems] == [
        f"the parts that a task uploads at a time take 4.027 GB, the {room}; lower fast.upload.active.blocks or"
        f" multipart.size, give containers more memory, or buffer on disk (got '{buffer}')"
    ]


# 1. compression


@pytest.mark.parametrize("size", ["2 GiB", "8 GiB"] if IS_WHOLE else ["8 GiB"])
def test_compression_makes_reads_slower_the_larger_the_objects_are(size: str) -> None:
    objects = {"workload.object_size": size}
    plain, compressed = run_with(objects), run_with(objects | {"storage.compression": "true"})
    ranges = {"2 GiB": 8, "8 GiB": 32}[size]
    read = moved(compressed, "storage/data drives") - moved(plain, "storage/data drives")
    assert read == pytest.approx(192e9 * (ranges - 1) / 2, rel=0.1)  # before a range lie half of all on average
    assert compressed.stages[0].end > {"2 GiB": 1.1, "8 GiB": 1.5}[size] * plain.stages[0].end


def test_compression_says_nothing_to_a_job_that_reads_whole_objects_but_its_processor_time() -> None:
    objects = {"workload.object_size": "256 MiB"}
    plain, compressed = run_with(objects), run_with(objects | {"storage.compression": "true"})
    assert moved(compressed, "storage/data drives") == pytest.approx(moved(plain, "storage/data drives"))
    assert plain.duration <= compressed.duration < 1.1 * plain.duration


# all together


def test_recommendations_together_are_worth_more_than_any_of_them() -> None:
    untuned = run_with({"client": "s3a-defaults", f"{S3A}committer.algorithm": "1"})
    assert untuned.duration > 5 * run().duration
    assert sent(untuned) > 5 * sent(run())


def test_two_copies_and_erasure_coding_keep_what_they_promise() -> None:
    copies, coded = run(), run_with({"storage.protection": "erasure-coding"})
    written = {"copies": 2.0, "coded": 1.5}
    assert moved(copies, "storage/data drives") == pytest.approx(OUTPUT * (1 + written["copies"]))
    assert moved(coded, "storage/data drives") == pytest.approx(OUTPUT * (1 + written["coded"]))
