"""S3A and the output committers: bytes on the buffer device and in the store, requests, and who waits for what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.storage.clients.mount import Local
from models.storage.clients.reading import Algorithm
from models.storage.clients.s3a import S3aClient, S3aSettings
from models.storage.clients.s3a_releases import CURRENT
from models.storage.clients.s3a_writer import MOST_TOLD, S3aWriter
from models.storage.flow import Flow, compute
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.work import Delay, Hold, Parallel, Repeat, Sequence, Step, Work, WriteBehind
from tests.models.machines import GB, MB, layout, nvme, server
from tests.models.steps import all_of, delays, moved, name, spent
from tests.narrow import as_a

REQUEST = 0.01  # s
DAY = 86400.0  # s
EXPANSION = 16 / 12
FREE = Flow()


def machines(**changes: Any) -> Layout:
    """Return 4 storage servers of 4 drives and 2 clients with a root volume of 100 MB/s."""
    return layout(storage=(4, server(drives=4)), compute=(2, server(**changes)))


def writer(made: Layout, *, cache: float = 100 * GB, tasks: int = 1, **s3a: Any) -> S3aWriter:
    """Return S3A with parts of 100 MB above 200 MB. `cache` is a client's page cache; settings are nested tables."""
    store = MinioStore(Minio(system="minio", servers="storage", parity=4, request_time=REQUEST), made, salt=1)
    defaults = {"multipart": {"size": 100 * MB, "threshold": 200 * MB}, "buffer": {"dir": "root"}}
    grain = made.page(client(made)).grain
    local = Local(lambda node: node.page_cache(node.server.memory.size - cache, grain=grain), writers=tasks, servers=2)
    return S3aWriter(S3aSettings.model_validate(defaults | s3a), store, local)


def client(made: Layout, position: int = 0) -> Node:
    return made.groups["compute"][position]


def uploads(step: Step) -> list[Work]:
    """Return the works that write into the store from outside."""
    return [work for work in all_of(step, Work) if work.demand.cap == "one upload stream"]


def stored(amount: float) -> Any:
    return pytest.approx(amount * EXPANSION)


# parts that are told as one


def test_parts_are_told_as_one_where_page_caches_have_a_grain_and_wait_as_long_in_all() -> None:
    fine, coarse = (
        writer(made, committer={"name": "magic"}).write(0, client(made), 30 * GB, FREE)
        for made in (machines(), Layout(machines().cluster, grain=4.0))
    )
    assert len(uploads(fine)) == 300
    assert len(uploads(coarse)) == MOST_TOLD
    assert moved(coarse)["drive"] == pytest.approx(moved(fine)["drive"])
    waits = [sum(delay.seconds for delay in all_of(step, Delay)) for step in (fine, coarse)]
    assert waits[1] == pytest.approx(waits[0])


# the staging committers


def test_staged_file_is_written_to_the_buffer_and_uploaded_whole() -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 150 * MB, FREE)
    assert moved(step)["volume"] == pytest.approx(150 * MB)
    assert moved(step)["drive"] == stored(150 * MB)
    assert moved(step, name)["compute-1/nic-out"] == pytest.approx(150 * MB)


def test_staged_bytes_wait_in_the_page_cache_for_the_buffer_device() -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 150 * MB, FREE)
    behind = all_of(step, WriteBehind)
    assert sum(write_behind.amount for write_behind in behind) == pytest.approx(150 * MB)
    assert {write_behind.pool.name for write_behind in behind} == {"compute-1/page-cache/compute-1/root/dirty"}


@pytest.mark.parametrize(
    ("amount", "requests"),
    [(1 * MB, 1), (100 * MB, 1), (101 * MB, 2), (200 * MB, 2), (301 * MB, 4), (1000 * MB, 10)],
)
def test_staged_file_goes_up_in_parts_whatever_the_threshold(amount: float, requests: int) -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), amount, FREE)
    assert [work.amount for work in uploads(step)] == [pytest.approx(amount / requests)] * requests
    assert delays(step) == pytest.approx(requests * REQUEST)


def test_parts_of_a_staged_file_go_up_one_after_the_other() -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 500 * MB, FREE)
    assert isinstance(step, Sequence)
    assert len(uploads(Sequence(step.steps[-5:]))) == 5


def test_task_computes_before_each_piece_is_staged() -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 500 * MB, compute(client(made), 4e-9))
    assert spent(step, name)["compute-1/cpu"] == pytest.approx(500 * MB * 4e-9)


@pytest.mark.parametrize(
    ("cache", "tasks", "read_back"),
    [
        (100 * MB, 1, 0.0),  # the file fits
        (50 * MB, 1, 0.5),  # half of it
        (0.0, 1, 1.0),
        (200 * MB, 4, 0.5),  # four tasks have 400 MB waiting
    ],
)
def test_staged_bytes_that_the_page_cache_has_lost_are_read_back(cache: float, tasks: int, read_back: float) -> None:
    made = machines()
    made_by = writer(made, cache=cache, tasks=tasks, committer={"name": "directory"})
    step = made_by.write(0, client(made), 100 * MB, FREE)
    assert moved(step)["volume"] == pytest.approx(100 * MB * (1 + read_back))


def test_read_back_holds_the_upload_to_the_rate_of_the_device() -> None:
    made = machines()
    step = writer(made, cache=25 * MB, committer={"name": "directory"}).write(0, client(made), 100 * MB, FREE)
    put = all_of(step, Work)[-1].demand
    # three quarters of the bytes come from a volume of 100 MB/s
    assert put.max_rate == pytest.approx(100 * MB / 0.75)
    assert put.cap == "reading back the buffer"


def test_partitioned_committer_lists_each_partition_that_a_task_writes() -> None:
    made = machines()
    tasks = [
        writer(made, committer={"name": committer, "partitions": 7}).write(0, client(made), 100 * MB, FREE)
        for committer in ("directory", "partitioned")
    ]
    assert delays(tasks[1]) - delays(tasks[0]) == pytest.approx(7 * REQUEST)


def test_empty_file_takes_one_request() -> None:
    made = machines()
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 0.0, FREE)
    assert delays(step) == REQUEST
    assert sum(moved(step).values()) == 0.0


def test_buffer_without_page_cache_is_written_before_the_upload_begins() -> None:
    made = machines(memory=server().memory.model_copy(update={"dirty_ratio": 0.0}))
    step = writer(made, committer={"name": "directory"}).write(0, client(made), 100 * MB, FREE)
    assert all_of(step, WriteBehind) == []
    *staged, upload = [moved(work).get("volume", 0.0) for work in all_of(step, Work)]
    assert sum(staged) == pytest.approx(100 * MB)
    assert upload == 0.0


@pytest.mark.parametrize("position", [0, 1])
def test_files_of_a_server_take_its_buffer_drives_in_turn(position: int) -> None:
    made = machines(drive=nvme(), drives=2)
    made_by = writer(made, committer={"name": "directory"}, buffer={"dir": "data"})
    node = client(made, position)
    files = range(position, 20, 2)  # every other task runs on this one of two servers
    used = [
        next(key for key in moved(made_by.write(file, node, 1 * MB, FREE), name) if key.startswith(f"{node.name}/data"))
        for file in files
    ]
    assert used == [f"{node.name}/data-1", f"{node.name}/data-2"] * 5


# streams: the magic committer and FileOutputCommitter


@pytest.mark.parametrize(("amount", "parts"), [(1 * MB, 1), (100 * MB, 1), (101 * MB, 2), (1000 * MB, 10)])
def test_stream_is_uploaded_in_parts_while_it_is_written(amount: float, parts: int) -> None:
    made = machines()
    step = writer(made, committer={"name": "magic"}).write(0, client(made), amount, FREE)
    assert [work.amount for work in uploads(step)] == [pytest.approx(amount / parts)] * parts
    assert moved(step)["drive"] == stored(amount)


@pytest.mark.parametrize(("buffer", "on_device"), [("disk", 500 * MB), ("array", 0.0), ("bytebuffer", 0.0)])
def test_parts_wait_on_disk_or_in_memory(buffer: str, on_device: float) -> None:
    made = machines()
    made_by = writer(made, committer={"name": "magic"}, fast={"upload": {"buffer": buffer}})
    step = made_by.write(0, client(made), 500 * MB, FREE)
    assert moved(step).get("volume", 0.0) == pytest.approx(on_device)


@pytest.mark.parametrize(
    ("blocks", "threads", "connections", "limit"), [(4, 10, 15, 4), (20, 10, 15, 10), (20, 30, 15, 15)]
)
def test_stream_waits_while_its_limit_of_parts_is_in_upload(
    blocks: int, threads: int, connections: int, limit: int
) -> None:
    made = machines()
    made_by = writer(
        made,
        committer={"name": "magic"},
        fast={"upload": {"buffer": "array", "active": {"blocks": blocks}}},
        threads={"max": threads},
        connection={"maximum": connections},
    )
    step = made_by.write(0, client(made), 1000 * MB, FREE)
    parts = all_of(step, WriteBehind)
    assert {(part.pool.name, part.pool.capacity, part.amount) for part in parts} == {("/upload/4/0", limit, 1)}
    assert len(parts) == 10


def test_parts_that_wait_on_disk_lie_on_one_drive_after_the_other() -> None:
    made = layout(storage=(4, server(drives=4)), compute=(2, server(drives=4)))
    made_by = writer(made, committer={"name": "magic"}, buffer={"dir": "data"})
    written = moved(made_by.write(0, client(made), 800 * MB, FREE), name)
    own = {drive: bytes for drive, bytes in written.items() if drive.startswith("compute-1/data")}
    assert sorted(own.values()) == pytest.approx([200 * MB] * 4)


def test_stream_is_closed_when_its_last_part_is_up() -> None:
    made = machines()
    step = writer(made, committer={"name": "magic"}).write(0, client(made), 500 * MB, FREE)
    assert isinstance(step, Sequence)
    *_, last, closed, committed = step.steps
    assert isinstance(last, Hold)
    assert (delays(closed), delays(committed)) == (2 * REQUEST, 3 * REQUEST)  # what the committer notes of the file
    assert last.amount == last.pool.capacity == 4  # all room: nothing is in upload any more


def test_each_file_has_parts_of_its_own_in_upload() -> None:
    made = machines()
    made_by = writer(made, committer={"name": "magic"})
    pools = {all_of(made_by.write(file, client(made), 1 * MB, FREE), Hold)[-1].pool.name for file in range(3)}
    assert len(pools) == 3


def test_parts_of_a_stream_reach_different_servers() -> None:
    made = machines()
    step = writer(made, committer={"name": "magic"}).write(0, client(made), 5000 * MB, FREE)
    cards = [use.resource for put in uploads(step) for use in put.demand.uses if use.bytes == 1.0]
    assert {card.name for card in cards if card.kind == "nic-in"} == {f"storage-{i}/nic-in" for i in (1, 2, 3, 4)}


def test_magic_task_computes_and_uploads_at_once() -> None:
    made = machines()
    step = writer(made, committer={"name": "magic"}).write(0, client(made), 500 * MB, compute(client(made), 4e-9))
    assert spent(step, name)["compute-1/cpu"] == pytest.approx(2.0)
    assert isinstance(step, Sequence)
    in_front = [inner for inner in step.steps if isinstance(inner, Work)]
    assert sum(work.amount for work in in_front) == pytest.approx(500 * MB)  # the task itself only computes


def test_version_2_of_the_file_committer_copies_the_file_at_task_commit() -> None:
    made = machines()
    step = writer(made, committer={"name": "file", "algorithm": 2}).write(0, client(made), 300 * MB, FREE)
    # uploaded: 16/12; copied: read once and written 16/12
    assert moved(step)["drive"] == pytest.approx(300 * MB * EXPANSION + 300 * MB * (1 + EXPANSION))
    assert moved(step, name)["compute-1/nic-out"] == pytest.approx(300 * MB)


@pytest.mark.parametrize("name", ["file", "magic", "directory"])
def test_a_program_streams_the_file_that_it_creates_and_the_committer_of_jobs_has_no_say(name: str) -> None:
    """It is uploaded in parts while it is written, and copied once if it is renamed."""
    made = machines()
    made_by, node = writer(made, committer={"name": name}), client(made)
    direct = made_by.create(0, node, 300 * MB, FREE, is_renamed=False)
    renamed = made_by.create(0, node, 300 * MB, FREE, is_renamed=True)
    assert moved(direct)["drive"] == pytest.approx(300 * MB * EXPANSION)
    assert moved(renamed)["drive"] == pytest.approx(300 * MB * EXPANSION + 300 * MB * (1 + EXPANSION))
    assert [work.amount for work in all_of(renamed, Work) if work.demand.cap == "one copy stream"] == [100 * MB] * 3


@pytest.mark.parametrize(("threshold", "copies"), [(99, [100]), (100, [100]), (300, [300]), (299, [100, 100, 100])])
def test_file_is_renamed_by_one_copy_up_to_the_threshold_and_then_by_one_a_part(
    threshold: float, copies: list[float]
) -> None:
    made = machines()
    sizes = {"size": 100 * MB, "threshold": threshold * MB}
    made_by = writer(made, committer={"name": "file", "algorithm": 2}, multipart=sizes)
    step = made_by.write(0, client(made), sum(copies) * MB, FREE)
    copied = [work.amount for work in all_of(step, Work) if work.demand.cap == "one copy stream"]
    assert copied == [pytest.approx(copy * MB) for copy in copies]


@pytest.mark.parametrize(("threads", "connections", "lanes"), [(10, 15, 7), (3, 15, 3), (10, 2, 2)])
def test_parts_of_a_rename_are_copied_side_by_side_by_as_many_threads_as_there_are(
    threads: int, connections: int, lanes: int
) -> None:
    made = machines()
    settings: dict[str, Any] = {"threads": {"max": threads}, "connection": {"maximum": connections}}
    made_by = writer(made, committer={"name": "file", "algorithm": 2}, **settings)
    (parallel,) = all_of(made_by.write(0, client(made), 700 * MB, FREE), Parallel)
    assert len(parallel.steps) == lanes
    assert sum(work.amount for work in all_of(parallel, Work)) == pytest.approx(700 * MB)


# requests


def requests(amount: float = 700 * MB, pending: float = 0.0, **s3a: Any) -> dict[str, int]:
    """Return the requests of a job that reads 10 splits and writes four files of `amount`, beside other uploads."""
    made_by = replace(writer(machines(), **s3a), pending=pending)
    return dict(made_by.requests(10, 4, 4 * amount))


@pytest.mark.parametrize(
    ("committer", "sent"),
    [
        # HEAD and GET of 10 splits; begun, 7 parts and completed, of four files
        ({"name": "directory"}, {"HEAD": 10, "GET": 10, "POST": 8, "PUT": 28}),
        ({"name": "partitioned", "partitions": 5}, {"HEAD": 10, "GET": 10, "POST": 8, "PUT": 28, "LIST": 20}),
        # and of each file: its absence looked up, marker, list, and the lists of task and job
        ({"name": "magic"}, {"HEAD": 14, "GET": 18, "POST": 8, "PUT": 40, "LIST": 8}),
        # and of each file: folders, source and target looked up, 7 parts copied into one object, source and markers
        # deleted, a marker for what is left empty; in the end the temporary folder deleted and _SUCCESS written
        (
            {"name": "file", "algorithm": 2},
            {"HEAD": 47, "GET": 10, "POST": 16, "PUT": 33, "LIST": 36, "COPY": 28, "DELETE": 10},
        ),
        (
            {"name": "file", "algorithm": 1},
            {"HEAD": 67, "GET": 10, "POST": 24, "PUT": 33, "LIST": 57, "COPY": 56, "DELETE": 18},
        ),
    ],
)
def test_requests_of_a_job_are_those_of_its_splits_parts_and_committer(
    committer: dict[str, Any], sent: dict[str, int]
) -> None:
    assert requests(committer=committer) == sent


def test_streamed_file_of_one_part_goes_up_in_a_single_put_unless_a_committer_completes_it() -> None:
    assert requests(50 * MB, committer={"name": "file", "algorithm": 2}) == {
        "HEAD": 47,
        "GET": 10,
        "PUT": 9,
        "LIST": 36,
        "COPY": 4,
        "DELETE": 10,
    }
    assert requests(50 * MB, committer={"name": "magic"})["POST"] == 8


@pytest.mark.parametrize(("size", "parts"), [(100, 28), (200, 16), (350, 8), (700, 4)])
def test_larger_parts_take_fewer_requests(size: float, parts: int) -> None:
    multipart = {"size": size * MB, "threshold": 2 * size * MB}
    assert requests(committer={"name": "directory"}, multipart=multipart)["PUT"] == parts


@pytest.mark.parametrize(("pending", "pages"), [(0, 0), (1, 1), (1000, 1), (1001, 2), (300_000, 300)])
def test_job_commit_lists_the_uploads_that_others_left_behind(pending: float, pages: int) -> None:
    made = machines()
    committer = {"name": "magic"}
    none, some = (
        replace(writer(made, committer=committer), pending=uploads).commit(4, 400 * MB, client(made))
        for uploads in (0.0, pending)
    )
    assert delays(some) - delays(none) == pytest.approx(pages * REQUEST)
    assert requests(pending=pending, committer=committer)["LIST"] == 8 + pages


# abandoned uploads


@pytest.mark.parametrize(("age", "pending"), [(None, 15_000), (20, 15_000), (7, 7_000), (1, 1_000)])
def test_purged_uploads_are_as_many_as_were_abandoned_within_the_age_that_purge_or_store_allow(
    age: float | None, pending: float
) -> None:
    settings = {"multipart": {"purge": {} if age is None else {"age": age * DAY}}}
    abandoned = {"rate": 1000 / DAY, "size": 1 * MB}
    s3a_client = S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": settings}, "abandoned": abandoned})
    assert s3a_client.pending(15 * DAY) == pytest.approx(pending)


# what memory must hold


@pytest.mark.parametrize(
    ("buffer", "committer", "amount", "held"),
    [
        ("array", "magic", 1000 * MB, 400 * MB),  # four parts in upload or in queue
        ("bytebuffer", "file", 1000 * MB, 400 * MB),
        ("bytebuffer", "magic", 150 * MB, 200 * MB),  # a buffer is as large as a part
        ("disk", "magic", 1000 * MB, 0.0),
        ("array", "directory", 1000 * MB, 0.0),  # staged files are uploaded from the disk
    ],
)
def test_memory_holds_the_parts_of_a_stream_that_wait_for_upload(
    buffer: str, committer: str, amount: float, held: float
) -> None:
    upload = {"upload": {"buffer": buffer}}
    settings = writer(machines(), committer={"name": committer}, fast=upload).settings
    assert settings.buffered(amount) == held


# job commit


@pytest.mark.parametrize("committer", ["directory", "partitioned", "magic"])
@pytest.mark.parametrize(("files", "threads", "rounds"), [(1, 8, 1), (8, 8, 1), (9, 8, 2), (100, 8, 13), (0, 8, 0)])
def test_job_commit_completes_the_uploads_with_its_threads(
    committer: str, files: int, threads: int, rounds: int
) -> None:
    made = machines()
    made_by = writer(made, committer={"name": committer, "threads": threads})
    step = made_by.commit(files, files * 100 * MB, client(made))
    calls = 2 if committer == "magic" else 1  # which reads the list of a task's uploads from the store first
    delay = as_a(Delay, step)
    assert delay == Delay(delay.seconds)
    assert delay.seconds == pytest.approx(rounds * calls * REQUEST)


def test_version_1_of_the_file_committer_copies_all_files_in_turn_at_job_commit() -> None:
    made = machines()
    commit = writer(made, committer={"name": "file", "algorithm": 1}).commit(5, 1000 * MB, client(made))
    moves, end = as_a(Sequence, commit).steps
    step = Sequence(list(iter(as_a(Repeat, moves).plan, None)))
    assert [work.amount for work in all_of(step, Work)] == [200 * MB] * 5
    assert moved(step)["drive"] == pytest.approx(1000 * MB * (1 + EXPANSION))
    # folders of output and task, the target twice, the source twice, the target's folder and the source's; a COPY
    assert delays(step) == pytest.approx(5 * 15 * REQUEST)
    assert delays(end) == pytest.approx(9 * REQUEST)  # as below, and a list of all tasks


def test_version_1_plans_the_copy_of_a_file_at_job_commit_when_its_turn_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    made, asked = machines(), list[int]()
    written_by = writer(made, committer={"name": "file", "algorithm": 1})
    copy = written_by.store.copy

    def counted(name: int, node: Node) -> Flow:
        asked.append(name)
        return copy(name, node)

    monkeypatch.setattr(written_by.store, "copy", counted)
    commit = as_a(Sequence, written_by.commit(100_000, 1000 * MB, client(made)))
    assert not asked
    assert as_a(Repeat, commit.steps[0]).plan() is not None
    assert asked == [0]


@pytest.mark.parametrize(
    ("stated", "engine", "version"),
    [(None, None, 2), (None, 1, 1), (None, 2, 2), (2, 1, 2), (1, None, 1), (1, 2, 1)],
)
def test_the_committer_follows_the_engine_of_a_job_unless_the_settings_state_its_version(
    stated: Algorithm | None, engine: Algorithm | None, version: Algorithm
) -> None:
    """Spark sets 1 since 3.0.2, unless it is told (SPARK-33019); Hadoop ships 2."""
    settings = S3aSettings.model_validate({"committer": {"algorithm": stated}})
    assert settings.of_engine(engine).committer.version == version


@pytest.mark.parametrize(("files", "requests"), [(5, 8), (250, 8), (251, 9), (1001, 13)])
def test_version_2_of_the_file_committer_only_cleans_up_at_job_commit(files: int, requests: int) -> None:
    """The temporary folder is looked up, listed 1,000 names a page, deleted 250 at a time; then comes _SUCCESS."""
    made = machines()
    commit = writer(made, committer={"name": "file", "algorithm": 2}).commit(files, 1000 * MB, client(made))
    assert as_a(Delay, commit).seconds == pytest.approx(requests * REQUEST)


@pytest.mark.parametrize(("version", "looked_up"), [(1, 16), (2, 18)])
def test_a_task_looks_up_folders_and_files_before_it_renames_its_own(version: int, looked_up: int) -> None:
    """What it asks for beside its upload and the COPY, by version of the file committer."""
    made = machines()
    committed = writer(made, committer={"name": "file", "algorithm": version}).write(0, client(made), 50 * MB, FREE)
    streamed = writer(made).create(0, client(made), 50 * MB, FREE, is_renamed=False)
    assert delays(committed) - delays(streamed) == pytest.approx((looked_up + 1) * REQUEST)


def test_a_program_that_renames_its_file_within_a_folder_asks_for_less_than_a_committer() -> None:
    made = machines()
    renamed, direct = (
        writer(made).create(0, client(made), 50 * MB, FREE, is_renamed=is_renamed) for is_renamed in (True, False)
    )
    assert delays(renamed) - delays(direct) == pytest.approx((5 + 1) * REQUEST)


def test_splits_have_the_block_size_that_s3a_reports() -> None:
    assert writer(machines(), block={"size": 512 * MB}).split_size == 512 * MB


# releases


@pytest.mark.parametrize(
    ("release", "threads", "connections", "part"),
    [
        ("3.0", 10, 15, 100),
        ("3.2.0", 10, 15, 100),
        ("3.3.1", 64, 48, 64),
        ("3.3.4", 64, 96, 64),
        ("3.4.1", 96, 500, 64),
    ],
)
def test_what_nobody_states_is_as_the_release_ships_it(release: str, threads: int, connections: int, part: int) -> None:
    """As core-default.xml in the jars of that release has it."""
    settings = S3aClient.model_validate({"connector": "s3a", "release": release}).fs.s3a
    assert (settings.threads.max, settings.connection.maximum) == (threads, connections)
    assert settings.multipart.size == part * 2**20


def test_what_is_stated_stays_beside_what_the_release_ships() -> None:
    stated = {"connector": "s3a", "release": "3.1.2", "fs": {"s3a": {"connection": {"maximum": 4000}}}}
    settings = S3aClient.model_validate(stated).fs.s3a
    assert (settings.threads.max, settings.connection.maximum) == (10, 4000)


def test_a_client_of_no_release_is_as_the_current_one() -> None:
    assert S3aClient(connector="s3a") == S3aClient.model_validate({"connector": "s3a", "release": CURRENT})


@pytest.mark.parametrize("release", ["2.10", "3", "new", "3.x", ""])
def test_releases_that_are_not_known_are_refused_with_the_way_out(release: str) -> None:
    with pytest.raises(ValueError, match="expected a release of Hadoop, such as"):
        S3aClient.model_validate({"connector": "s3a", "release": release})
