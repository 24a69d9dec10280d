"""Settings that limit runs: each limit that is one names it, with a way out, and is silent once that is taken."""

from __future__ import annotations

import pytest

from models.handout import HANDED
from models.planning.settings import BEHIND, behind
from models.scenario import Scenario
from models.storage.clients.s3a_mount import RANDOM
from models.storage.flow import LISTING, SLOTS
from models.work import COMMIT, SILENT
from profiles.loading.loader import load

DELAY, SWITCH = "workload.framework.locality_delay", "workload.framework.off_switch"
ASSIGNED, VERSION = "workload.framework.heartbeat_containers", "workload.engine.committer_algorithm"
BUFFER, CONTAINERS = "client.fs.s3a.buffer.dir", "workload.framework.containers"
COMMITTER, COPY = "client.fs.s3a.committer.name", "copy-distcp-11-node"
TASKS, PROCESSES = "workload.tool.tasks", "workload.tool.processes"
POLICY = "client.fs.s3a.experimental.input.fadvise"
EXPIRY, SLOWSTART = "workload.framework.node_expiry", "workload.framework.slowstart"
ENGINE_SLOTS, LISTERS = "workload.engine.slots", "workload.engine.listing_threads"
DIRECT, TO_OBJECTS = "workload.tool.direct", {"storage": "amazon-s3"}
CASES: dict[str, tuple[str, dict[str, str], str, dict[str, str]]] = {
    HANDED: ("s3a-tuning", {DELAY: "40"}, DELAY, {SWITCH: "0"}),
    COMMIT: ("minio-terasort", {COMMITTER: "file"}, COMMITTER, {COMMITTER: "magic"}),
    SILENT: ("terasort-server-failure", {}, EXPIRY, {EXPIRY: "0 s"}),
    "one copy stream": ("minio-terasort", {COMMITTER: "file"}, COMMITTER, {COMMITTER: "directory"}),
    "one copy in S3": (COPY, TO_OBJECTS, DIRECT, TO_OBJECTS | {DIRECT: "true"}),
    "one core a task": ("hdfs-terasort", {CONTAINERS: "8"}, CONTAINERS, {CONTAINERS: "64"}),
    SLOTS: ("tpcds-delta", {ENGINE_SLOTS: "0.125"}, ENGINE_SLOTS, {}),
    LISTING: ("tpcds-hive", {}, LISTERS, {LISTERS: "0"}),
    "one download stream": ("minio-terasort", {CONTAINERS: "8"}, CONTAINERS, {CONTAINERS: "72"}),
    "container starts": (
        "minio-terasort",
        {"client.fs.s3a.block.size": "32 MiB"},
        "client.fs.s3a.block.size",
        {"client.fs.s3a.block.size": "512 MiB"},
    ),
    "one connection to a store": ("presto-s3-q1", {}, "client.part_size", {"client": "s3a-defaults"}),
    "one connection": (COPY, {TASKS: "8"}, TASKS, {TASKS: "56"}),
    "one drive a request": (COPY, {TASKS: "8"}, TASKS, {TASKS: "56"}),
    "one drive stream": (COPY, {TASKS: "8"}, TASKS, {TASKS: "56"}),
    "a window a round trip": (COPY, {TASKS: "40", PROCESSES: "2"}, PROCESSES, {PROCESSES: "20"}),
    "connections to the store": (
        "presto-s3-q1",
        {"client.part_size": "16 MB"},
        "client.connections",
        {"client": "s3a-defaults"},
    ),
    "the tool's bandwidth": (COPY, {"workload.tool.bandwidth": "10 MB/s"}, "workload.tool.bandwidth", {}),
    RANDOM: ("s3a-tuning", {POLICY: "random"}, POLICY, {POLICY: "normal"}),
    "write window": ("copy-gohdfs-sequential", {}, "workload.tool.write_window", {}),
    "compute/root volume": ("minio-terasort", {}, BUFFER, {BUFFER: "nvme"}),
}


def keys(name: str, changes: dict[str, str], limit: str) -> list[str]:
    """Return the keys of the settings that make a limit of a changed profile."""
    return [advice.key for advice in behind(load(name, Scenario, changes).scenario, limit)]


def test_there_is_a_case_for_every_limit() -> None:
    assert BEHIND.keys() <= CASES.keys()


@pytest.mark.parametrize("limit", CASES)
def test_a_limit_names_the_setting_behind_it(limit: str) -> None:
    name, changes, key, _ = CASES[limit]
    assert key in keys(name, changes, limit)


@pytest.mark.parametrize("limit", [limit for limit, (*_, mended) in CASES.items() if mended])
def test_a_limit_names_no_setting_once_the_way_out_is_taken(limit: str) -> None:
    name, changes, key, mended = CASES[limit]
    assert key not in keys(name, changes | mended, limit)


def test_heartbeats_that_wait_for_no_place_name_what_they_bring() -> None:
    """Without the delay it is how many containers come with a heartbeat."""
    assert keys("s3a-tuning", {SWITCH: "1", DELAY: "0"}, HANDED) == [SWITCH]


def test_a_fair_scheduler_names_how_many_containers_a_heartbeat_brings() -> None:
    fair = {SWITCH: "1", "scheduler.policy": "fair"}
    assert keys("hdfs-terasort", fair, HANDED) == [ASSIGNED]
    assert keys("hdfs-terasort", fair | {ASSIGNED: "1000"}, HANDED) == [SWITCH]


def test_the_commit_of_a_job_on_a_file_system_names_the_version_of_the_committer_that_renames_again() -> None:
    assert keys("hdfs-terasort", {VERSION: "1"}, COMMIT) == [VERSION]
    assert not keys("hdfs-terasort", {VERSION: "2"}, COMMIT)


def test_the_copy_of_a_tool_that_renames_names_the_tool_and_no_committer() -> None:
    assert keys(COPY, TO_OBJECTS, "one copy stream") == [DIRECT]


def test_hardware_is_no_setting() -> None:
    assert keys("hdfs-terasort", {}, "workers/data drives") == []


def test_container_starts_name_larger_splits_while_more_of_them_wait_than_run() -> None:
    """Whatever the size of the data: S3A says how large splits are, elsewhere the job does."""
    size, least = "client.fs.s3a.block.size", "workload.split_minsize"
    small = {"workload.input": "300 GB"}
    assert size in keys("minio-terasort", {size: "32 MiB", **small}, "container starts")
    assert size not in keys("minio-terasort", {size: "512 MiB", **small}, "container starts")
    assert size not in keys("minio-terasort", {size: "32 MiB", "workload.input": "8 GB"}, "container starts")
    objects = {"workload.object_size": "1 MB", "workload.input": "1 GB"}
    assert "workload.object_size" in keys("minio-terasort", objects, "container starts")
    assert least in keys("hdfs-terasort", {}, "container starts")
    assert least not in keys("hdfs-terasort", {least: "512 MiB"}, "container starts")


@pytest.mark.parametrize(
    ("name", "limit", "key"),
    [
        ("terasort-ceph", "storage/bytes asked of OSDs, 4.194 MB each", "storage.inflight_op_bytes"),
        ("terasort-ceph", "storage/RGW requests", "storage.max_concurrent_requests"),
        ("terasort-ceph", "shards of bucket indexes", "storage.index_shards"),
        ("tpcds-delta", "storage/request workers", "storage.workers"),
        ("tpcds-delta", "storage/metadata index", "storage.index_threads"),
    ],
)
def test_a_storage_system_says_which_of_its_settings_bounds_what_its_servers_do_at_a_time(
    name: str, limit: str, key: str
) -> None:
    assert keys(name, {}, limit) == [key]


def test_a_setting_of_one_of_many_workloads_is_named_with_it() -> None:
    told = keys("shared-day", {"workloads.night.framework.containers": "2"}, "one core a task")
    assert "workloads.night.framework.containers" in told
    assert CONTAINERS not in told


def test_a_copy_with_a_task_a_place_is_told_that_it_needs_more_of_both() -> None:
    """Of two places on each of five servers the application master takes two."""
    few = load(COPY, Scenario, TO_OBJECTS | {TASKS: "8", PROCESSES: "2"}).scenario
    (text,) = (advice.message for advice in behind(few, "one drive stream") if advice.key == TASKS)
    assert "more tasks and processes copy more" in text


def test_a_copy_of_more_tasks_than_places_is_told_how_many_need_one_wave_less() -> None:
    """The application master takes 2 places of 8 on 5 servers: 40 tasks are two waves, and no more of them help."""
    many = TO_OBJECTS | {"workload.files": "10000", PROCESSES: "8", "workload.tool.master_places": "2"}
    told = {tasks: _message(many | {TASKS: tasks}, TASKS) for tasks in ("38", "40", "60", "400")}
    assert told["40"] == "40 tasks for 38 places: one more wave, of 2 tasks; of 38 only a rest of the files takes one"
    assert all("wave" not in told[tasks] for tasks in ("38", "60", "400"))


def test_a_copy_of_few_files_is_not_told_to_cut_them_into_less_than_one_each() -> None:
    few = TO_OBJECTS | {"workload.files": "40", PROCESSES: "8", "workload.tool.master_places": "2", TASKS: "40"}
    assert _message(few, TASKS) == ""


def _message(changes: dict[str, str], key: str) -> str:
    advices = behind(load(COPY, Scenario, changes).scenario, "one connection")
    return next((advice.message for advice in advices if advice.key == key), "")


@pytest.mark.parametrize("limit", ["one core a task", "container starts"])
def test_reduces_that_hold_containers_while_many_waves_of_maps_wait_are_told(limit: str) -> None:
    early, slow = {SLOWSTART: "0.05"}, SLOWSTART
    assert slow in keys("hdfs-terasort", early, limit)
    assert slow not in keys("hdfs-terasort", {SLOWSTART: "1"}, limit)
    assert slow not in keys("hdfs-terasort", early | {"workload.reduces": "100"}, limit)
    assert slow not in keys("hdfs-terasort", early | {"workload.input": "300 GB"}, limit)


def test_queries_with_fewer_tasks_behind_an_exchange_than_slots_are_told_so() -> None:
    tasks = "workload.engine.exchange_tasks"
    assert tasks in keys("tpcds-delta", {tasks: "20"}, "one core a task")
    assert tasks not in keys("tpcds-delta", {tasks: "0"}, "one core a task")
    assert tasks not in keys("tpcds-delta", {tasks: "2000"}, "one core a task")
