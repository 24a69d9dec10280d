"""What the tasks of a copy do: bytes per resource of both ways from S3 to HDFS, counted by hand."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.hardware.page_cache import PageCache
from models.jobs.copy import Copy, Staging, Tool
from models.jobs.copy_plan import CopyPlan
from models.jobs.starts import starts
from models.problem import RefusalError
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.mount import Local, MountPoint
from models.storage.clients.s3 import S3Client
from models.storage.hdfs.system import Hdfs
from models.storage.local.system import LocalDisks
from models.storage.placement import mixed
from models.storage.systems import mount
from models.work import Parallel, Repeat, Step, Work
from simulator.readings import OwnAccount
from tests.models.machines import GB, MB, layout, server
from tests.models.steps import At, all_of, delays, moved, name, spent

BLOCK = 100 * MB
FILE = 1 * GB  # ten blocks
S3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
CALLS = (2 + 10) * (0.4e-3 + 2e-3)  # s, round trips and journal of a file that is created and completed, of ten blocks
MASTER, WORKER = 0, 1  # the nodes of the layout: one master, then four workers


@dataclass(frozen=True)
class Made:
    """A plan, and its resources by name."""

    plan: CopyPlan
    machines: Layout

    def task(self, task: int, node: int) -> Step:
        return self.plan.job().stages[0].plan(task, node, At(0.0))


def made(
    files: int = 1, *, client: dict[str, Any] | None = None, hdfs: dict[str, Any] | None = None, **tool: Any
) -> Made:
    """Return a copy with two replicas from a master to four workers of two drives each."""
    machines = layout(master=(1, server(drives=2)), workers=(4, server(drives=2)))
    spec = Hdfs.model_validate(
        {"system": "hdfs", "servers": "workers", "replication": 2, "block_size": BLOCK}
        | {"setup_time": 0.0, "late_reports": 0.0}
        | (hdfs or {})
    )
    job = Copy(
        kind="copy",
        origin=S3,
        tool=Tool.model_validate({"servers": ("master",), "processes": 1} | tool),
        files=files,
        size=files * FILE,
    )
    reader = S3Client.model_validate({"connector": "s3", "connections": 1} | (client or {}))

    def page(node: Node) -> PageCache:
        return node.page_cache(job.tool.heap)

    site = MountPoint(machines, 1, Local(page, 1, 1))
    plan = CopyPlan(job, machines, mount(S3, reader, site), mount(spec, None, site), page)
    return Made(plan, machines)


def from_hdfs(size: float) -> Step:
    """Return what the task does that copies a file of four DataNodes of two drives to one drive of the master."""
    machines = layout(master=(1, server(drives=1)), workers=(4, server(drives=2)))
    origin = Hdfs(system="hdfs", servers="workers", replication=1, block_size=BLOCK)
    tool = Tool(servers=("master",), processes=1)
    job = Copy(kind="copy", origin=origin, tool=tool, files=1, size=size)
    site = MountPoint(machines, 1, Local(lambda node: node.page_cache(job.tool.heap), 1, 1))
    target = mount(LocalDisks(system="local", servers="master"), None, site)
    plan = CopyPlan(job, machines, mount(origin, None, site), target, site.local.page)
    return plan.job().stages[0].plan(0, MASTER, At(0.0))


def by_group(step: Step) -> dict[str, float]:
    return moved(step, lambda resource: resource.group)


def test_streamed_copy_from_outside_comes_in_once_and_goes_out_once() -> None:
    total = by_group(made().task(0, MASTER))
    assert total["master/network in"] == pytest.approx(FILE)
    assert total["master/network out"] == pytest.approx(FILE)
    assert total["workers/network in"] == pytest.approx(2 * FILE)  # one from the master, one from the first replica
    assert total["workers/network out"] == pytest.approx(FILE)
    assert total["workers/data drives"] == pytest.approx(2 * FILE)
    assert "master/root volume" not in total


def test_streamed_copy_on_a_server_of_the_target_writes_its_first_replica_locally() -> None:
    # from S3 into the writer, and one replica on to another server: two bytes come in, as from outside
    step = made(servers=("workers",)).task(0, WORKER)
    total = by_group(step)
    assert total["workers/network in"] == pytest.approx(2 * FILE)
    assert total["workers/network out"] == pytest.approx(FILE)
    own = [bytes_ for drive, bytes_ in moved(step, name).items() if drive.startswith("workers-1/data")]
    assert sum(own) == pytest.approx(FILE)


def test_file_of_hdfs_comes_from_all_drives_that_have_a_block_of_it_and_no_faster_than_from_one() -> None:
    one, many = from_hdfs(BLOCK), from_hdfs(16 * BLOCK)
    sources = [{drive for drive in moved(step, name) if drive.startswith("workers")} for step in (one, many)]
    drives = [[drive for drive in names if "/data" in drive] for names in sources]
    assert len(drives[0]) == 1
    assert len(drives[1]) > 4
    assert by_group(many)["workers/data drives"] == pytest.approx(16 * BLOCK)
    rates = [min(work.demand.max_rate for work in all_of(step, Work)) for step in (one, many)]
    assert rates[0] == pytest.approx(rates[1])


def test_third_replica_is_half_as_much_again_for_the_drives() -> None:
    total = by_group(made(hdfs={"replication": 3}).task(0, MASTER))
    assert total["workers/data drives"] == pytest.approx(3 * FILE)
    assert total["workers/network in"] == pytest.approx(3 * FILE)


def test_stream_waits_for_the_first_byte_once_and_reads_while_it_writes() -> None:
    step = made().task(0, MASTER)
    assert delays(step) == pytest.approx(CALLS + 0.012)
    transfers = [work for work in all_of(step, Work) if work.demand.max_rate == 93 * MB]
    assert sum(work.amount for work in transfers) == pytest.approx(FILE)


def test_copying_thread_decrypts_and_sums_and_each_server_of_the_pipeline_sums_again() -> None:
    step = made(client={"stream_cpu": 15e-9}, hdfs={"stream_cpu": 1e-9}).task(0, MASTER)
    total = spent(step, lambda resource: resource.group)
    assert total["master/cpu"] == pytest.approx(16e-9 * FILE)
    assert total["workers/cpu"] == pytest.approx(2e-9 * FILE)


def test_start_waits_and_then_computes_on_one_core() -> None:
    step = made(process_start=2.0, start_cpu=1.5).task(0, MASTER)
    assert delays(step) == pytest.approx(CALLS + 2.012)
    (start,) = [work for work in all_of(step, Work) if work.amount == 1.5]
    assert start.demand.max_rate == 1.0
    assert spent(start) == {"cpu": 1.5}


def test_download_takes_the_local_volume_and_the_upload_comes_from_memory() -> None:
    total = by_group(made(staging=Staging(place="root")).task(0, MASTER))
    assert total["master/root volume"] == pytest.approx(FILE)
    assert total["master/network in"] == pytest.approx(FILE)
    assert total["master/network out"] == pytest.approx(FILE)
    assert total["workers/data drives"] == pytest.approx(2 * FILE)


def test_staged_copy_starts_two_programs_a_file() -> None:
    step = made(process_start=2.3, staging=Staging(place="root", start=0.7)).task(0, MASTER)
    assert delays(step) == pytest.approx(0.7 + 0.012 + 2.3 + CALLS)


def test_processes_start_evenly_around_their_mean_so_that_they_do_not_keep_step() -> None:
    begun = starts(3.0, 1.0, mixed(7, 2_000, 0))
    assert (min(begun), max(begun)) == pytest.approx((2.0, 4.0))
    assert fmean(begun) == pytest.approx(3.0, abs=0.05)
    assert set(starts(3.0, 0.0, mixed(7, 20, 0))) == {3.0}


def test_no_process_starts_before_it_is_asked_for_however_unevenly_they_do() -> None:
    at_once = made(process_start=0.0).task(0, MASTER)
    assert delays(made(process_start=0.0, process_spread=2.0).task(0, MASTER)) == pytest.approx(delays(at_once))
    assert delays(made(process_start=1.0, process_spread=9.0).task(0, MASTER)) >= delays(at_once)


def test_download_and_upload_of_a_file_do_not_overlap() -> None:
    step = made(staging=Staging(place="root")).task(0, MASTER)
    uses = [{use.resource.group for use in work.demand.uses} for work in all_of(step, Work)]
    assert not [use for use in uses if {"master/network in", "master/network out"} <= use]


def test_file_that_memory_does_not_hold_is_read_back_in_part() -> None:
    # 100 GB a server: 2 GB left for two processes hold a file of 1 GB each, 1 GB left for four hold a quarter of each
    staged = Staging(place="root")
    fits = by_group(made(heap=98 * GB, processes=2, staging=staged).task(0, MASTER))
    assert fits["master/root volume"] == pytest.approx(FILE)
    short = by_group(made(heap=99 * GB, processes=4, staging=staged).task(0, MASTER))
    assert short["master/root volume"] == pytest.approx(FILE * 1.75)


def test_upload_that_moves_nothing_leaves_the_download_and_both_starts() -> None:
    step = made(process_start=2.3, staging=Staging(place="root", start=0.7, uploads=False)).task(0, MASTER)
    moved = {"master/network in": FILE, "master/root volume": FILE, "amazon-s3/get requests": FILE}
    assert by_group(step) == pytest.approx(moved)
    assert delays(step) == pytest.approx(0.7 + 0.012 + 2.3)


def test_process_copies_as_many_files_at_a_time_as_it_has_threads() -> None:
    step = made(files=8, processes=1, threads=5, deal="hash").task(0, MASTER)
    (side_by_side,) = [part for part in all_of(step, Parallel) if isinstance(part.steps[0], Repeat)]
    turns = [thread.plan for thread in side_by_side.steps if isinstance(thread, Repeat)]
    assert len(turns) == 5
    taken = [turn() for turn in (*turns, *turns)]  # whoever is free takes the next file
    assert [copied is None for copied in taken] == [False] * 8 + [True] * 2


@pytest.mark.parametrize(
    ("tool", "tasks", "slots"),
    [
        ({"processes": 8}, 56, [8, 0, 0, 0, 0]),
        ({"servers": ("workers",), "processes": 8, "deal": "size", "tasks": 20}, 28, [0, 8, 8, 8, 8]),
        ({"servers": ("master", "workers"), "processes": 2, "deal": "hash"}, 10, [2, 2, 2, 2, 2]),
    ],
)
def test_tasks_run_on_the_slots_of_all_groups_of_the_tool(tool: dict[str, Any], tasks: int, slots: list[int]) -> None:
    job = made(files=56, **tool).plan.job()
    assert job.stages[0].tasks == tasks
    assert list(job.slots) == slots


@pytest.mark.parametrize(
    ("master_places", "processes", "left"),
    [(0, 8, 32), (2, 8, 30), (8, 8, 24), (2, 1, 3)],  # one server less at most
)
def test_an_application_master_takes_places_of_one_server(master_places: int, processes: int, left: int) -> None:
    job = made(servers=("workers",), processes=processes, master_places=master_places).plan.job()
    assert sum(job.slots if job.master is None else job.master.beside(job.slots)) == left


def test_a_few_tasks_that_make_a_wave_of_their_own_are_told() -> None:
    """Four servers have 20 places, of which the application master takes one."""
    tool: dict[str, Any] = {"servers": ("workers",), "processes": 5, "master_places": 1}
    (told,) = made(380, tasks=20, deal="size", **tool).plan.notes(OwnAccount(1.0, {}, {}))
    assert told == "one more wave: 20 tasks on 19 containers leave 1 to the last"
    assert made(380, tasks=19, deal="size", **tool).plan.notes(OwnAccount(1.0, {}, {})) == ()
    assert made(380, deal="queue", **tool).plan.notes(OwnAccount(1.0, {}, {})) == ()


def test_an_application_master_that_leaves_no_place_is_refused() -> None:
    with pytest.raises(RefusalError, match="no process would run"):
        made(servers=("master",), processes=2, master_places=2)


def test_job_starts_before_its_tasks() -> None:
    assert delays(made(job_start=20.0).plan.job().setup) == 20.0


def test_names_are_looked_up_and_changed_as_often_as_the_tool_does() -> None:
    """Four lookups and a rename besides creating the file, in the NameNode one after the other."""
    plain = made().task(0, MASTER)
    renaming: tuple[dict[str, Any], ...] = (
        {"target_changes": 1},
        {"direct": False, "checksums": True, "target_lookups": 2, "rename_lookups": 1},
    )
    for renames in renaming:
        more = made(**{"target_lookups": 4} | renames).task(0, MASTER)
        assert delays(more) - delays(plain) == pytest.approx(4 * 0.4e-3 + 0.4e-3 + 2e-3)
        served = [spent(step, name)["hdfs/namenode"] for step in (plain, more)]
        assert served == pytest.approx([12 / 5600, 13 / 5600 + 4 / 126119])
    assert delays(made(direct=True, rename_lookups=3).task(0, MASTER)) == pytest.approx(delays(plain))
