"""What the tasks of a MapReduce job do: bytes per resource of every phase, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, strategies as st

from models.hardware.cluster import Layout, Node
from models.hardware.page_cache import PageCache
from models.hardware.server import Memory
from models.jobs.engine import Engine
from models.jobs.executors import EXECUTION_SHARE, RESERVED_MEMORY
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_plan import MapReducePlan
from models.jobs.yarn import Framework
from models.storage.clients.mount import Local, MountPoint
from models.storage.clients.s3a import Fs, S3aClient, S3aSettings
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.systems import mount
from models.work import Await, Delay, Parallel, Repeat, Sequence, Stage, Step, Work, WriteBehind
from tests.models.machines import GB, MB, hdd, layout, nvme, server
from tests.models.steps import all_of, cost_per_byte, delays, moved, name, owner, per_byte, spent

BLOCK = 100 * MB
IN_MEMORY = {"shuffle_memory": 1.0, "merge_percent": 1.0, "reduce_memory": 1.0}  # reduces write nothing that they fetch
SHORT = Memory(size=10 * GB)  # all of it held by the heaps of the tasks: nothing is cached


@dataclass(frozen=True)
class At:
    """A moment at which a part of every stage has ended."""

    part: float

    def finished(self, stage: str) -> float:
        return self.part

    def milestone(self, stage: str, after: float = 1.0) -> str:
        return stage if after == 1 else f"{stage} beyond {after:g}"


def framework(**changes: Any) -> Framework:
    """Return 4 containers a server that hold 10 GB together and spill at 800 MB; reduces hear of maps in no bytes.

    All are for tasks: there is no application master.
    """
    settings = {"servers": "workers", "containers": 4, "heap": 10 * GB, "sort_memory": 1 * GB, "spill_percent": 0.8}
    return Framework.model_validate(settings | {"event_size": 0.0, "am_memory": 0.0, "compute_spread": 0.0} | changes)


def mapreduce(frame: Framework | None = None, **changes: Any) -> MapReduce:
    """Return a job of records so large that what a sort buffer holds beside them does not count."""
    settings = {"kind": "mapreduce", "framework": frame or framework(), "cpu": 0.0, "record_size": 1e9 * GB}
    return MapReduce.model_validate(settings | changes)


def page(node: Node) -> PageCache:
    return node.page_cache(10 * GB)


def on_hdfs(job: MapReduce, machines: Layout, **hdfs: Any) -> MapReducePlan:
    """Return the plan of a job on HDFS with one replica and blocks of 100 MB."""
    spec = Hdfs.model_validate({"system": "hdfs", "servers": "workers", "replication": 1, "block_size": BLOCK} | hdfs)
    site = MountPoint(machines, 1, Local(page, 4, len(machines.groups["workers"])))
    return MapReducePlan(job, machines, mount(spec, None, site), page, salt=2)


def on_minio(job: MapReduce, machines: Layout) -> MapReducePlan:
    spec = Minio(system="minio", servers="storage", parity=4)
    settings = S3aSettings.model_validate({"block": {"size": BLOCK}, "committer": {"name": "directory"}})
    local = Local(page, writers=4, servers=len(machines.groups["workers"]))
    client = S3aClient(connector="s3a", fs=Fs(s3a=settings))
    files = mount(
        spec, client, MountPoint(machines, 1, local, object_size=job.object_size, least_split=job.split_minsize)
    )
    return MapReducePlan(job, machines, files, page, salt=2)


def stage(plan: MapReducePlan, wanted: str) -> Stage:
    return next(step for step in plan.job().stages if step.name == wanted)


def tasks(plan: MapReducePlan, wanted: str, workers: int, moment: float = 1.0) -> list[Step]:
    """Return the steps of all tasks of a stage, dealt to the workers in turn."""
    planned = stage(plan, wanted)
    nodes = [node for node, slots in enumerate(plan.job().slots) if slots][:workers]
    return [planned.plan(task, nodes[task % workers], At(moment)) for task in range(planned.tasks)]


def drive_bytes(step: Step) -> float:
    return moved(step).get("drive", 0.0)


# the job


def test_job_has_slots_on_the_servers_of_its_group_only() -> None:
    machines = layout(racks=2, storage=(4, server(drives=4)), workers=(3, server()))
    job = on_minio(mapreduce(framework(containers=7), input=1 * GB), machines).job()
    assert job.slots == [0, 0, 0, 0, 7, 7, 7]
    assert job.racks == [0, 1, 0, 1, 0, 1, 0]


def test_job_starts_after_its_application_master() -> None:
    machines = layout(workers=(2, server()))
    assert on_hdfs(mapreduce(framework(job_start=8.0), input=1 * GB), machines).job().setup == Delay(8.0)


def test_sorting_job_maps_and_then_reduces() -> None:
    machines = layout(workers=(2, server()))
    first, second = on_hdfs(mapreduce(framework(slowstart=0.9), input=1 * GB), machines).job().stages
    assert (first.name, first.tasks, first.after) == ("map", 10, None)
    assert (second.name, second.tasks, second.after, second.slowstart) == ("reduce", 8, "map", 0.9)


@pytest.mark.parametrize(("least", "maps", "blocks"), [(100, 12, 1), (200, 6, 2), (250, 5, 3)])
def test_a_map_of_a_larger_split_reads_its_blocks_one_after_the_other_and_runs_where_the_first_lies(
    least: float, maps: int, blocks: int
) -> None:
    """1.2 GB in blocks of 100 MB; five splits of 250 MB are cut alike."""
    machines = layout(workers=(4, server()))
    plan = on_hdfs(mapreduce(input=1200 * MB, reduces=0, split_minsize=least * MB), machines)
    steps = tasks(plan, "map", 4)
    assert len(steps) == maps
    reads = [[work for work in all_of(step, Work) if work.demand.cap == "one drive stream"] for step in steps]
    assert all(len(read) == blocks for read in reads)
    assert sum(work.amount for read in reads for work in read) == pytest.approx(1200 * MB)
    held = stage(plan, "map").preferred
    assert held is not None
    assert held.shape == (maps, 1)


def test_splits_of_objects_are_as_large_as_they_are_asked_for() -> None:
    machines = layout(storage=(4, server(drives=4)), workers=(2, server()))
    assert on_minio(mapreduce(input=1 * GB, split_minsize=BLOCK / 2), machines).maps == 10
    assert on_minio(mapreduce(input=1 * GB, split_minsize=500 * MB), machines).maps == 2


def test_small_objects_are_a_map_each_which_asks_for_one_and_no_more() -> None:
    """An object as large as a split or larger is what it was: a map asks for its part of it."""
    machines = layout(storage=(4, server(drives=4)), workers=(2, server()))
    small, whole, large = (
        on_minio(mapreduce(input=1 * GB, object_size=size), machines) for size in (BLOCK / 10, BLOCK, 5 * BLOCK)
    )
    assert (small.maps, whole.maps, large.maps) == (100, 10, 10)
    first = tasks(small, "map", 2)[0]
    assert moved(first)["drive"] == pytest.approx(moved(tasks(whole, "map", 2)[0])["drive"] / 10)


def test_maps_prefer_the_servers_that_hold_their_split() -> None:
    machines = layout(workers=(4, server()))
    preferred = stage(on_hdfs(mapreduce(input=1 * GB), machines), "map").preferred
    assert preferred is not None
    assert preferred[:, 0].tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]


def test_maps_on_an_object_store_run_anywhere() -> None:
    machines = layout(storage=(4, server(drives=4)), workers=(2, server()))
    assert stage(on_minio(mapreduce(input=1 * GB), machines), "map").preferred is None


def test_reduces_whose_bounds_are_sampled_write_unequal_files_of_the_same_bytes() -> None:
    machines = layout(workers=(2, server(drives=2)))
    even, sampled = (
        [moved(step)["nic-out"] + moved(step)["drive"] for step in tasks(plan, "reduce", 2)]
        for plan in (on_hdfs(mapreduce(input=1 * GB, sampled_keys=keys), machines) for keys in (0, 200))
    )
    assert len(set(even)) == 1
    assert max(sampled) > 1.2 * min(sampled)
    assert sum(sampled) == pytest.approx(sum(even))


def test_containers_start_at_different_moments_around_their_mean() -> None:
    machines = layout(workers=(2, server()))
    frame = framework(container_start=3.0, container_spread=1.0)
    plan = on_hdfs(mapreduce(frame, generated=50 * GB), machines)
    starts = [delays(step) for step in tasks(plan, "generate", 2)]
    assert len(starts) == 500
    assert 2.0 <= min(starts) < 2.2
    assert 3.8 < max(starts) <= 4.0
    assert sum(starts) / 500 == pytest.approx(3.0, abs=0.1)  # four times 0.58 / sqrt(500)
    assert starts == [delays(step) for step in tasks(plan, "generate", 2)]


def test_containers_without_spread_start_alike() -> None:
    machines = layout(workers=(2, server()))
    plan = on_hdfs(mapreduce(framework(container_start=3.0), generated=1 * GB), machines)
    assert {delays(step) for step in tasks(plan, "generate", 2)} == {3.0}


# generators and jobs without reduces


def test_generator_writes_its_amount_in_equal_files() -> None:
    machines = layout(workers=(3, server()))
    steps = tasks(on_hdfs(mapreduce(generated=12 * GB, maps=24, cpu=5e-9), machines, replication=3), "generate", 3)
    assert {round(drive_bytes(step)) for step in steps} == {round(3 * 0.5 * GB)}
    assert sum(spent(step)["cpu"] for step in steps) == pytest.approx(12 * GB * 5e-9)


def test_job_without_reduces_writes_what_its_maps_put_out() -> None:
    machines = layout(workers=(3, server()))
    plan = on_hdfs(mapreduce(input=3 * GB, map_output=0.5, reduces=0), machines, replication=2)
    assert [step.name for step in plan.job().stages] == ["map"]
    total = Sequence(tasks(plan, "map", 3))
    assert drive_bytes(total) == pytest.approx(3 * GB + 2 * 1.5 * GB)


def test_output_may_have_its_own_replication() -> None:
    machines = layout(workers=(3, server()))
    plan = on_hdfs(mapreduce(input=3 * GB, map_output=1.0, reduces=0, output_replication=1), machines, replication=3)
    assert drive_bytes(Sequence(tasks(plan, "map", 3))) == pytest.approx(3 * GB + 3 * GB)


def test_job_that_puts_nothing_out_only_reads() -> None:
    hdfs = on_hdfs(mapreduce(input=3 * GB, map_output=0.0), layout(workers=(3, server())))
    assert drive_bytes(Sequence(tasks(hdfs, "map", 3))) == pytest.approx(3 * GB)
    minio = on_minio(
        mapreduce(input=3 * GB, map_output=0.0), layout(storage=(4, server(drives=4)), workers=(2, server()))
    )
    assert drive_bytes(Sequence(tasks(minio, "map", 2))) == pytest.approx(3 * GB)


# maps


def test_map_reads_its_split_while_it_computes() -> None:
    machines = layout(workers=(2, server(drive=nvme())))
    step = tasks(on_hdfs(mapreduce(input=1 * GB, cpu=10e-9, map_share=0.6), machines), "map", 2)[0]
    read = all_of(step, Work)[0]
    assert moved(read) == {"drive": 100 * MB}
    assert spent(read)["cpu"] == pytest.approx(100 * MB * 6e-9)
    assert read.demand.max_rate == pytest.approx(1 / 6e-9)
    assert read.demand.cap == "one core a task"


def test_map_output_that_fits_the_sort_buffer_is_spilled_once() -> None:
    machines = layout(workers=(2, server()))
    plan = on_hdfs(mapreduce(framework(sort_memory=100 * MB), input=1 * GB, map_output=0.8), machines)
    step = tasks(plan, "map", 2)[0]
    read, *spilled = all_of(step, Work)
    assert read.amount == 100 * MB
    assert sum(work.amount for work in spilled) == pytest.approx(80 * MB)
    assert sum(behind.amount for behind in all_of(step, WriteBehind)) == pytest.approx(80 * MB)


def test_the_sort_buffer_holds_sixteen_bytes_beside_each_record() -> None:
    # 100 MB of records of 100 B take 116 MB of buffer, of which 80 MB, or 120 MB, are spilled at once
    small, large = (
        on_hdfs(
            mapreduce(framework(sort_memory=size * MB), input=1 * GB, record_size=100.0), layout(workers=(2, server()))
        )
        for size in (100, 150)
    )
    written = [sum(work.amount for work in all_of(tasks(plan, "map", 2)[0], WriteBehind)) for plan in (small, large)]
    assert written == [pytest.approx(200 * MB), pytest.approx(100 * MB)]


@pytest.mark.parametrize(
    ("output", "factor", "passes"),
    [
        (0.81, 10, 1),  # two spills of 80 MB: merged once
        (8.0, 10, 1),  # ten
        (8.1, 10, 1 + 2 / 11),  # eleven: two of them, then all
        (80.0, 10, 2),  # a hundred
        (80.0, 100, 1),
        (80.0, 2, 6.72),  # the cost of Huffman's code of 100 equal letters: 28 of 6 bits, 72 of 7
    ],
)
def test_spills_are_merged_in_passes_through_the_drives(output: float, factor: int, passes: int) -> None:
    machines = layout(workers=(2, server(memory=SHORT)))
    frame = framework(sort_memory=100 * MB, sort_factor=factor)
    plan = on_hdfs(mapreduce(frame, input=1 * GB, map_output=output), machines)
    step = tasks(plan, "map", 2)[0]
    amount = output * 100 * MB
    assert drive_bytes(step) == pytest.approx(100 * MB + amount * (1 + 2 * passes))


def test_compressed_map_output_fills_the_sort_buffer_as_it_is_and_drives_with_less() -> None:
    """162 MB of output are two spills of 80 MB and a rest, whatever drives hold of it: a quarter, thrice."""
    frame = framework(sort_memory=100 * MB, compression=0.25)
    plan = on_hdfs(mapreduce(frame, input=1 * GB, map_output=1.62), layout(workers=(2, server(memory=SHORT))))
    step = tasks(plan, "map", 2)[0]
    assert drive_bytes(step) == pytest.approx(100 * MB + 162 * MB / 4 * 3)


def test_spills_take_the_local_drives_of_a_server_in_turn() -> None:
    machines = layout(workers=(3, server(drives=2)))
    plan = on_hdfs(mapreduce(framework(local_dirs="data"), input=6 * GB), machines)
    spilled = Counter(
        drive for step in tasks(plan, "map", 3) for spill in all_of(step, WriteBehind) for drive in moved(spill, name)
    )
    assert set(spilled.values()) == {10}
    assert len(spilled) == 6


def test_spills_may_go_to_a_volume() -> None:
    machines = layout(workers=(2, server()))
    step = tasks(on_hdfs(mapreduce(framework(local_dirs="root"), input=1 * GB), machines), "map", 2)[0]
    assert moved(step) == {"drive": 100 * MB, "volume": 100 * MB}


def test_reads_and_spills_that_share_drives_cost_as_mixed_traffic() -> None:
    drive = hdd(read_chunk=10 * MB, mixed_chunk=0.1 * MB)
    shared = on_hdfs(mapreduce(input=1 * GB), layout(workers=(2, server(drive=drive))))
    apart = on_hdfs(mapreduce(framework(local_dirs="root"), input=1 * GB), layout(workers=(2, server(drive=drive))))
    costs = [cost_per_byte(all_of(tasks(p, "map", 2)[0], Work)[0].demand.uses)["drive"] * MB for p in (shared, apart)]
    # 5 ms a MB, and 10 ms for each of ten seeks, or for a tenth of one
    assert costs == [pytest.approx(0.105), pytest.approx(0.006)]


# reduces


def test_reduces_fetch_every_byte_of_map_output_once() -> None:
    machines = layout(workers=(4, server(memory=SHORT)))
    plan = on_hdfs(mapreduce(framework(local_dirs="root"), input=4 * GB, map_output=0.5, output=0.0), machines)
    total = Sequence(tasks(plan, "reduce", 4))
    # 2 GB from the drives of all servers, three quarters of it over the network; written, and read again
    assert moved(total)["volume"] == pytest.approx(3 * 2 * GB)
    assert moved(total)["nic-in"] == moved(total)["nic-out"] == pytest.approx(1.5 * GB)
    assert moved(total, owner) == {f"workers-{i}": pytest.approx(2 * GB / 4 * (3 + 2 * 0.75)) for i in (1, 2, 3, 4)}


def test_reduces_fetch_and_keep_on_drives_what_maps_compressed_and_write_the_whole() -> None:
    machines, squeezed = layout(workers=(4, server(memory=SHORT))), framework(local_dirs="root", compression=0.25)
    plan = on_hdfs(mapreduce(squeezed, input=4 * GB, map_output=0.5, output=1.0, output_replication=1), machines)
    total = moved(Sequence(tasks(plan, "reduce", 4)))
    # a quarter of 2 GB is read, written to files of the reduces and read again, three quarters of it over the network
    assert total["volume"] == pytest.approx(3 * 0.5 * GB)
    assert total["nic-in"] == pytest.approx(0.75 * 0.5 * GB)
    assert total["drive"] == pytest.approx(2 * GB)


@pytest.mark.parametrize(("memory", "from_drives"), [(10.0, 1.0), (10.5, 0.75), (11.0, 0.5), (12.0, 0.0), (500.0, 0.0)])
def test_map_output_that_the_page_cache_still_holds_is_not_read_again(memory: float, from_drives: float) -> None:
    # 4 servers with 2 GB of input and 2 GB of map output each; the input is on other drives; heaps hold 10 GB
    machines = layout(workers=(4, server(memory=Memory(size=memory * GB))))
    plan = on_hdfs(mapreduce(framework(local_dirs="root", **IN_MEMORY), input=8 * GB, output=0.0), machines)
    total = moved(Sequence(tasks(plan, "reduce", 4)))
    assert total.get("volume", 0.0) == pytest.approx(8 * GB * from_drives)
    assert total["nic-in"] == pytest.approx(6 * GB)


def test_input_on_the_same_servers_leaves_less_page_cache_to_map_output() -> None:
    # 2 GB of input and 2 GB of map output pass through 1 GB of page cache: a quarter of both is left
    machines = layout(workers=(4, server(memory=Memory(size=11 * GB))))
    plan = on_hdfs(mapreduce(framework(**IN_MEMORY), input=8 * GB, output=0.0), machines)
    assert drive_bytes(Sequence(tasks(plan, "reduce", 4))) == pytest.approx(8 * GB * 0.75)


def test_short_segments_cost_a_seek_each() -> None:
    # 10 maps of 100 MB, 100 reduces: segments of 1 MB, less than the 10 MB of a chunk
    drive = hdd(mixed_chunk=10 * MB)
    machines = layout(workers=(2, server(drive=drive, memory=SHORT)))
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=100, output=0.0), machines)
    fetch = all_of(tasks(plan, "reduce", 2)[0], Work)[0]
    assert spent(fetch)["drive"] == pytest.approx(10 * (0.005 + 0.010))


def test_segments_below_what_the_kernel_reads_ahead_cost_a_seek_each_too() -> None:
    # 10 maps of 100 MB, 10,000 reduces: segments of 10 kB; a reduce takes 100 kB, ten of them
    machines = layout(workers=(2, server(drive=hdd(), memory=SHORT)))
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=10_000, output=0.0), machines)
    fetch = all_of(stage(plan, "reduce").plan(0, 0, At(1.0)), Work)[0]
    assert spent(fetch)["drive"] == pytest.approx(10 * (0.01 / 200 + 0.010))


def test_segments_that_share_a_page_are_read_with_one_seek() -> None:
    # 10 maps of 100 MB, 1,000,000 reduces: segments of 100 B, 40.96 a page
    machines = layout(workers=(2, server(drive=hdd(), memory=SHORT)))
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=1_000_000, output=0.0), machines)
    fetch = all_of(stage(plan, "reduce").plan(0, 0, At(1.0)), Work)[0]
    assert spent(fetch)["drive"] == pytest.approx(10 * (100 / (200 * MB) + 0.010 / 40.96))


def test_the_application_master_tells_every_reduce_of_every_map() -> None:
    # 10 maps, 20 reduces on two servers: those on the second hear of each map in 100 B over the card of the first
    told, untold = (
        on_hdfs(
            mapreduce(framework(event_size=size), input=1 * GB, reduces=20, output=0.0), layout(workers=(2, server()))
        )
        for size in (100.0, 0.0)
    )
    sent, data = (moved(Sequence(tasks(plan, "reduce", 2)), name)["workers-1/nic-out"] for plan in (told, untold))
    assert sent - data == pytest.approx(10 * 10 * 100.0)


def test_an_executor_is_told_of_every_map_once_for_all_its_reduces() -> None:
    spark = Engine(name="Spark", keeps_processes=True, decode_cpu={"binary": 1e-9})
    told, untold = (
        on_hdfs(
            mapreduce(
                framework(event_size=size), input=1 * GB, reduces=20, output=0.0, engine=spark, file_format="binary"
            ),
            layout(workers=(2, server())),
        )
        for size in (100.0, 0.0)
    )
    sent, data = (moved(Sequence(tasks(plan, "reduce", 2)), name)["workers-1/nic-out"] for plan in (told, untold))
    assert sent - data == pytest.approx(10 * 1 * 100.0)


@pytest.mark.parametrize(("engine", "is_same"), [(None, False), ("Spark", True)])
def test_an_executor_merges_all_that_it_spilled_at_once(engine: str | None, *, is_same: bool) -> None:
    """A map of 100 MB spills a hundred times, which Hadoop merges ten at a time."""

    def moved_by_maps(factor: int) -> dict[str, float]:
        spark = Engine(name=engine, keeps_processes=True, decode_cpu={"binary": 0.0}) if engine else None
        heap = 4 * MB / EXECUTION_SHARE + RESERVED_MEMORY
        small = framework(heap=heap, executors=1, sort_memory=MB, spill_percent=1.0, sort_factor=factor)
        job = mapreduce(small, input=4 * BLOCK, reduces=400, engine=spark, file_format="binary")
        plan = on_hdfs(job.on(server()), layout(workers=(2, server())))
        return moved(Sequence(tasks(plan, "map", 2)), name)

    assert (moved_by_maps(10) == moved_by_maps(100)) is is_same


def test_sort_that_samples_reads_its_input_once_more_before_any_map() -> None:
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=2, samples_all=True), layout(workers=(2, server())))
    assert [part.name for part in plan.job().stages] == ["sample", "map", "reduce"]
    assert stage(plan, "map").after == "sample"
    assert sum(work.amount for work in all_of(Sequence(tasks(plan, "sample", 2)), Work)) == pytest.approx(1 * GB)
    one = on_hdfs(mapreduce(input=1 * GB, reduces=1, samples_all=True), layout(workers=(2, server())))
    assert [part.name for part in one.job().stages] == ["map", "reduce"]


def test_lone_fetch_is_no_faster_than_its_streams_from_drives_that_seek() -> None:
    # 66.7 MB/s a drive with a seek each MB; four drives on two servers, of which it asks each for one output at a time
    machines = layout(workers=(2, server(drives=2, drive=hdd(), memory=SHORT)))
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=1, output=0.0), machines)
    fetch = all_of(tasks(plan, "reduce", 2)[0], Work)[0]
    assert fetch.demand.max_rate == pytest.approx(2 * 1 * MB / 0.015)


def test_lone_fetch_has_the_rate_of_its_streams_on_a_cluster_of_any_size() -> None:
    # beyond 32 servers a few stand in for all, but a reduce still reads five outputs at a time
    for servers in (8, 32, 33, 200):
        machines = layout(workers=(servers, server(drives=2, drive=hdd(), memory=SHORT)))
        plan = on_hdfs(mapreduce(framework(parallel_copies=5), input=1 * GB, reduces=1, output=0.0), machines)
        fetch = all_of(tasks(plan, "reduce", servers)[0], Work)[0]
        assert fetch.demand.max_rate == pytest.approx(5 * 1 * MB / 0.015)


@pytest.mark.parametrize(
    ("changes", "reduces", "streams"),
    [
        ({}, 2, 2),  # one a server
        ({"parallel_copies": 1}, 2, 1),
        ({"shuffle_threads": 4}, 8, 1),  # eight reduces at a time share the eight threads of both servers
    ],
)
def test_fetch_weighs_as_much_as_it_has_streams(changes: dict[str, int], reduces: int, streams: int) -> None:
    machines = layout(workers=(2, server(memory=SHORT)))
    plan = on_hdfs(mapreduce(framework(**changes), input=1 * GB, reduces=reduces, output=0.0), machines)
    assert all_of(tasks(plan, "reduce", 2)[0], Work)[0].demand.weight == pytest.approx(streams)


def test_fetch_of_short_segments_weighs_as_much_as_it_reads_at_its_turn() -> None:
    # segments of 0.5 MB where maps read 2 MB between two seeks: each of two streams counts a quarter
    machines = layout(workers=(2, server(drive=hdd(mixed_chunk=2 * MB), memory=SHORT)))
    plan = on_hdfs(mapreduce(input=1 * GB, reduces=200, output=0.0), machines)
    assert all_of(tasks(plan, "reduce", 2)[0], Work)[0].demand.weight == pytest.approx(2 / 4)


@pytest.mark.parametrize(
    ("changes", "written"),
    [
        ({}, 1.0),  # all that is fetched is written before the reduce begins
        ({"reduce_memory": 0.2}, 0.3),  # 0.5 GB a reduce against 10 GB / 4 containers × 0.7 × 0.2 that may stay
        ({"reduce_memory": 1.0}, 0.0),
    ],
)
def test_fetched_bytes_pass_through_the_drives_unless_they_may_stay(changes: dict[str, float], written: float) -> None:
    machines = layout(workers=(2, server(memory=SHORT)))
    plan = on_hdfs(mapreduce(framework(local_dirs="root", **changes), input=1 * GB, reduces=2, output=0.0), machines)
    # fetched, written and read back
    assert moved(Sequence(tasks(plan, "reduce", 2)))["volume"] == pytest.approx((1 + 2 * written) * GB)


def test_reduce_writes_a_file_whenever_its_memory_is_full_each_on_the_next_drive() -> None:
    machines = layout(workers=(1, server(drives=4)))
    frame = framework(containers=1, merge_percent=0.5, shuffle_memory=0.1)  # files of 0.5 GB
    plan = on_hdfs(mapreduce(frame, input=1.8 * GB, reduces=1, output=0.0), machines)
    step = tasks(plan, "reduce", 1)[0]
    files = [moved(drain, name) for drain in all_of(step, WriteBehind)]
    total = Counter[str]()
    for file in files:
        total.update(file)
    assert sorted(total.values()) == [pytest.approx(size * GB) for size in (0.3, 0.5, 0.5, 0.5)]


def test_reduce_merges_files_behind_its_fetches_and_spends_on_each() -> None:
    """Three at a time: of five files of 0.5 GB three become one, while 0.1 GB more comes; then two of the four left."""
    machines = layout(workers=(1, server(drives=4, memory=SHORT)))
    frame = framework(containers=1, merge_percent=0.5, shuffle_memory=0.1, sort_factor=3)
    phases = {"merge": {"byte": 6e-9}, "shuffle": {"byte": 4e-9}}
    engine = Engine.model_validate({"name": "Hadoop", "decode_cpu": {"binary": 1e-9}, "phases": phases})
    job = mapreduce(frame, input=2.6 * GB, reduces=1, output=0.5, cpu=None, engine=engine)
    both, behind, after = all_of(tasks(on_hdfs(job, machines), "reduce", 1)[0], Parallel)
    assert both.steps[0] is behind
    for merge, size in ((behind, 1.5 * GB), (after, 0.6 * GB)):
        reading, writing, computing = merge.steps
        assert sum(work.amount for work in all_of(reading, Work)) == pytest.approx(size)
        assert sum(work.amount for work in all_of(writing, Work)) == pytest.approx(size)
        assert spent(computing)["cpu"] == pytest.approx(size * 6e-9)
    fetching = all_of(both.steps[1], Work)[0]
    assert (fetching.amount, spent(fetching)["cpu"]) == pytest.approx((0.1 * GB, 0.1 * GB * 4e-9))


def test_reduce_reads_its_files_while_it_computes_and_writes() -> None:
    machines = layout(workers=(1, server(memory=SHORT)))
    job = mapreduce(framework(local_dirs="root"), input=1 * GB, reduces=1, output=0.5, cpu=10e-9, map_share=0.0)
    step = tasks(on_hdfs(job, machines), "reduce", 1)[0]
    reducing = Sequence([work for work in all_of(step, Work) if "cpu" in spent(work)])
    assert spent(reducing)["cpu"] == pytest.approx(1 * GB * 10e-9)
    assert moved(reducing)["volume"] == pytest.approx(1 * GB)


def test_reduces_write_the_output_while_they_compute() -> None:
    machines = layout(workers=(3, server()))
    frame = framework(local_dirs="root", **IN_MEMORY)
    job = mapreduce(frame, input=3 * GB, map_output=0.5, output=0.4, cpu=10e-9, map_share=0.6)
    total = Sequence(tasks(on_hdfs(job, machines, replication=3), "reduce", 3))
    assert drive_bytes(total) == pytest.approx(3 * 3 * GB * 0.5 * 0.4)
    assert spent(total)["cpu"] == pytest.approx(3 * GB * 4e-9)


class Going:
    """A moment at which maps end one after the other: more of them each time that a reduce asks."""

    def __init__(self, *parts: float) -> None:
        self.parts = list(parts)

    def finished(self, stage: str) -> float:
        return self.parts.pop(0) if len(self.parts) > 1 else self.parts[0]

    def milestone(self, stage: str, after: float = 1.0) -> str:
        return f"{stage} beyond {after:g}"


def test_reduce_that_starts_early_fetches_in_rounds_what_is_there() -> None:
    machines = layout(workers=(2, server(memory=SHORT)))
    frame = framework(local_dirs="root", **IN_MEMORY)
    plan = on_hdfs(mapreduce(frame, input=1 * GB, reduces=2, output=0.0), machines)
    step = stage(plan, "reduce").plan(0, 0, Going(0.0, 0.0, 0.0, 0.25, 0.25, 0.25, 0.25, 1.0))
    assert isinstance(step, Sequence)
    (rounds,) = [inner for inner in step.steps if isinstance(inner, Repeat)]
    kinds: list[Step] = []
    while kind := rounds.plan():
        kinds.append(kind)
    told = [kind.milestone if isinstance(kind, Await) else all_of(kind, Work)[0].amount for kind in kinds]
    assert told == ["map beyond 0", 125 * MB, "map beyond 0.25", 375 * MB]


def test_reduce_that_starts_after_the_maps_waits_for_nothing() -> None:
    machines = layout(workers=(2, server()))
    plan = on_hdfs(mapreduce(input=1 * GB), machines)
    assert all(not all_of(step, Await) for step in tasks(plan, "reduce", 2))


def test_lone_server_that_holds_all_in_its_page_cache_fetches_in_no_time() -> None:
    machines = layout(workers=(1, server()))
    job = mapreduce(framework(**IN_MEMORY), input=1 * GB, reduces=1, output=0.0)
    step = tasks(on_hdfs(job, machines), "reduce", 1)[0]
    assert sum(moved(step).values()) == 0.0


# the shuffle of large clusters


def fetches(servers: int, drives: int, racks: int = 1) -> list[Work]:
    """Return the fetch of one reduce on every server of a cluster on which nothing is cached."""
    machines = layout(racks=racks, workers=(servers, server(drives=drives, memory=SHORT)))
    plan = on_hdfs(mapreduce(input=servers * GB, reduces=servers, output=0.0), machines)
    return [all_of(step, Work)[0] for step in tasks(plan, "reduce", servers)]


@pytest.mark.parametrize("servers", [12, 32, 33, 48, 64, 96, 100, 288])
@pytest.mark.parametrize("drives", [1, 2, 8, 12])
def test_every_drive_and_every_server_serves_the_same_share_of_the_shuffle(servers: int, drives: int) -> None:
    read: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    received: set[float] = set()
    for work in fetches(servers, drives):
        read.update({use.resource.name: use.bytes for use in work.demand.uses if use.resource.kind == "drive"})
        sent.update({use.resource.name: use.bytes for use in work.demand.uses if use.resource.kind == "nic-out"})
        received.add(round(per_byte(work.demand.uses)["nic-in"], 9))
    assert len(read) == servers * drives
    assert max(read.values()) == pytest.approx(1 / drives)
    assert min(read.values()) == pytest.approx(1 / drives)
    assert max(sent.values()) == pytest.approx(min(sent.values()))
    assert len(received) == 1


@pytest.mark.parametrize("servers", [33, 64, 96, 100, 288])
def test_fetch_of_a_large_cluster_names_no_more_resources_than_that_of_a_small_one(servers: int) -> None:
    most = max(len(work.demand.uses) for work in fetches(32, 8))
    assert max(len(work.demand.uses) for work in fetches(servers, 8)) <= most


@pytest.mark.parametrize(("servers", "racks"), [(64, 2), (96, 3), (64, 4), (100, 3), (40, 8)])
def test_reduces_fetch_from_all_racks_alike(servers: int, racks: int) -> None:
    shares: dict[int, float] = defaultdict(float)
    for node, work in enumerate(fetches(servers, 8, racks)):
        for use in work.demand.uses:
            if use.resource.kind == "drive":
                source = int(owner(use.resource).removeprefix("workers-")) - 1
                shares[(source - node) % racks] += use.bytes
    assert len(shares) == racks
    for share in shares.values():
        assert share / servers == pytest.approx(1 / racks, rel=0.4)  # few sources: 3 of 8 in a rack instead of 2.67


# the whole job


@given(
    servers=st.integers(1, 6),
    replicas=st.integers(1, 3),
    size=st.floats(1 * MB, 5 * GB),
    map_output=st.floats(0.01, 3.0),
    output=st.floats(0.01, 3.0),
    reduces=st.integers(1, 20),
)
def test_whole_sort_reads_spills_fetches_and_writes_each_byte_as_often_as_it_should(
    servers: int, replicas: int, size: float, map_output: float, output: float, reduces: int
) -> None:
    replicas = min(replicas, servers)
    machines = layout(workers=(servers, server(memory=SHORT)))
    frame = framework(sort_memory=100 * GB, sort_factor=1000)
    job = mapreduce(frame, input=size, map_output=map_output, output=output, reduces=reduces, cpu=1e-9, map_share=0.5)
    plan = on_hdfs(job, machines, replication=replicas)
    total = Sequence([*tasks(plan, "map", servers), *tasks(plan, "reduce", servers)])
    shuffled, written = size * map_output, size * map_output * output
    assert drive_bytes(total) == pytest.approx(size + 4 * shuffled + replicas * written)
    assert spent(total)["cpu"] == pytest.approx(size * 1e-9)
    assert moved(total).get("nic-in", 0.0) == pytest.approx(moved(total).get("nic-out", 0.0))
