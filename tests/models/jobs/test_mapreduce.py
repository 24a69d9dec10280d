"""The description of a MapReduce job: how many tasks it has, and what it refuses."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from models.hardware.server import Cpu, Memory
from models.jobs.engine import Engine, Objects, Phase, Phases
from models.jobs.mapreduce import MapReduce
from models.jobs.yarn import Framework
from models.problem import RefusalError
from tests.models.machines import GB, MB, server

MIB = 2.0**20
FRAMEWORK = Framework(servers="workers", containers=4, heap=10 * GB)


def job(**changes: Any) -> MapReduce:
    return MapReduce.model_validate({"kind": "mapreduce", "framework": FRAMEWORK, "cpu": 0.0} | changes)


@pytest.mark.parametrize(
    ("size", "split", "maps"),
    [
        (1e12, 134217728.0, 7451),  # 1 TB in blocks of 128 MiB: 7450.6
        (1e12, 536870912.0, 1863),  # in 512 MiB: 1862.6
        (10 * MB, 10 * MB, 1),
        (30 * MB, 10 * MB, 3),
        (1.0, 10 * MB, 1),
    ],
)
def test_every_split_is_a_map_task(size: float, split: float, maps: int) -> None:
    assert job(input=size).map_tasks(split) == maps
    assert job(generated=size).map_tasks(split) == maps


@pytest.mark.parametrize(("size", "maps"), [(21 * MB, 2), (21.2 * MB, 3), (10.9 * MB, 1), (10e9 + 4, 1000)])
def test_the_last_split_of_an_input_takes_a_tenth_more_before_there_is_another(size: float, maps: int) -> None:
    assert job(input=size).map_tasks(10 * MB) == maps


@pytest.mark.parametrize(
    ("least", "block", "split"), [(0.0, 128, 128), (64, 128, 128), (256, 128, 256), (512, 32, 512)]
)
def test_a_split_is_a_block_or_the_least_that_is_asked_for_if_that_is_more(
    least: float, block: float, split: float
) -> None:
    """FileInputFormat.computeSplitSize, whose largest size nobody states; a generator reads none."""
    assert job(input=1e12, split_minsize=least * MB).split_of(block * MB) == split * MB
    assert job(generated=1e12, split_minsize=least * MB).split_of(block * MB) == block * MB


@pytest.mark.parametrize(
    ("size", "least", "maps"),
    [(1.0, 0.0, 1000), (1.0, 512.0, 1000), (128, 0.0, 8), (140, 0.0, 8), (200, 0.0, 10), (1024, 0.0, 8)],
)
def test_no_split_holds_bytes_of_two_files(size: float, least: float, maps: int) -> None:
    """FileInputFormat.getSplits goes file by file, whatever the least that is asked for."""
    small = job(input=1000 * MB, object_size=size * MB, split_minsize=least * MB)
    assert small.map_tasks(small.split_of(128 * MB)) == maps


def test_generator_may_say_how_many_tasks_it_has() -> None:
    assert job(generated=1e12, maps=1863).map_tasks(134217728.0) == 1863


def test_reduces_fill_all_containers_once_unless_they_are_said() -> None:
    assert job(input=1e12).reduce_tasks(containers=768, maps=7451) == 768
    assert job(input=1e12, reduces=100).reduce_tasks(containers=768, maps=7451) == 100


def test_spark_has_as_many_reduces_as_maps_unless_they_are_said() -> None:
    spark = Engine(name="Spark", keeps_processes=True, decode_cpu={"binary": 0.0})
    assert job(input=1e12, engine=spark).reduce_tasks(containers=768, maps=7451) == 7451
    assert job(input=1e12, engine=spark, reduces=100).reduce_tasks(containers=768, maps=7451) == 100
    assert job(input=1e12, engine=spark).parted_as_read(7451).startswith("Spark parts what it exchanges")
    assert not job(input=1e12, engine=spark, reduces=100).parted_as_read(100)
    assert not job(input=1e12).parted_as_read(768)


def test_size_of_the_output_files_chooses_the_reduces() -> None:
    # 1 TB in, half of it shuffled, a fifth of that written: 100 GB in files of 512 MiB
    assert job(input=1e12, map_output=0.5, output=0.2, file_size=536870912.0).reduce_tasks(768, 7451) == 187


@pytest.mark.parametrize(
    "changes", [{"input": 1e12, "reduces": 0}, {"input": 1e12, "map_output": 0.0}, {"generated": 1e12}]
)
def test_job_without_shuffle_has_no_reduces(changes: dict[str, float]) -> None:
    assert job(**changes).reduce_tasks(containers=768, maps=7451) == 0


@pytest.mark.parametrize("changes", [{}, {"input": 1e12, "generated": 1e12}])
def test_job_that_neither_reads_nor_generates_or_does_both_is_refused(changes: dict[str, float]) -> None:
    message = "a job either reads an input or writes a generated amount: set one of input, generated"
    with pytest.raises(ValidationError, match=message):
        job(**changes)


def test_two_ways_to_choose_the_reduces_are_refused() -> None:
    message = "reduces and file_size both choose the number of reduce tasks: set one"
    with pytest.raises(ValidationError, match=message):
        job(input=1e12, reduces=10, file_size=1 * GB)


def test_container_that_starts_before_it_is_asked_for_is_refused() -> None:
    message = "container_spread must not exceed container_start: no container starts before it is asked for"
    with pytest.raises(ValidationError, match=message):
        Framework(servers="workers", containers=4, heap=10 * GB, container_start=1.0, container_spread=2.0)


@pytest.mark.parametrize(
    ("stated", "containers", "left"),
    [
        ({}, 4, 3),  # one a thread, of which the application master has one
        ({"node_memory": 11_520 * MIB}, 8, 6),  # by memory alone, as ships; 1.5 GiB of a master take two
        ({"node_memory": 11_520 * MIB, "calculator": "dominant"}, 4, 3),
        ({"calculator": "memory"}, 14, 13),  # (30 GB - 2 x 1000 MiB) x 0.8 / 1440 MiB = 14.8
    ],
)
def test_a_calculator_says_whether_threads_bound_the_containers_of_a_server(
    stated: dict[str, Any], containers: int, left: int
) -> None:
    """As of a server of four threads and 30 GB, in containers of 1,440 MiB."""
    machine = server(cpu=Cpu(cores=4, threads=4, speed=1.0), memory=Memory(size=30 * GB))
    settings = {"servers": "workers", "container_memory": 1440 * MIB, "allocation": 32 * MIB} | stated
    frame = Framework.model_validate(settings)
    part, _, _ = frame.master_on(machine)
    assert frame.on(machine).containers == containers
    assert math.floor(containers * (1 - part) + 1e-9) == left


@pytest.mark.parametrize(
    ("threads", "memory", "containers"),
    [(8, 100 * GB, 8), (8, 10 * GB, 5), (8, 2 * GB, 1)],  # a thread each; (10 GB - 2 x 1000 MiB) x 0.8 / 1 GiB = 5.9
)
def test_yarn_gives_one_container_a_thread_as_far_as_memory_goes(threads: int, memory: float, containers: int) -> None:
    machine = server(cpu=Cpu(cores=threads, threads=threads, speed=1.0), memory=Memory(size=memory))
    framework = Framework(servers="workers").on(machine)
    assert framework.containers == containers
    assert framework.heap == pytest.approx(containers * 0.8 * 2**30)


def test_containers_and_heap_that_are_stated_stay_on_any_server() -> None:
    stated = Framework(servers="workers", containers=4, heap=10 * GB)
    assert stated.on(server()) == stated


def test_a_reduce_with_more_memory_than_a_map_has_a_larger_heap_and_fewer_run_at_once() -> None:
    """Ten containers of 1 GiB hold four reduces of 2.5 GiB, and two of them while maps wait, half of the memory."""
    alike = FRAMEWORK.model_copy(update={"containers": 10, "heap": 0.0, "container_memory": 2.0**30})
    larger = alike.model_copy(update={"reduce_container_memory": 2.5 * 2.0**30}).on(server())
    assert alike.on(server()).at_once == (None, None)
    assert larger.at_once == (None, 4)
    assert larger.ramp == pytest.approx(alike.ramp / 2.5)
    assert larger.reduce_heap == pytest.approx(2.5 * alike.on(server()).reduce_heap)
    assert larger.heap == alike.on(server()).heap


def test_reduces_as_large_as_a_server_run_one_at_a_time() -> None:
    frame = FRAMEWORK.model_copy(update={"container_memory": 1 * GB, "reduce_container_memory": 100 * GB})
    assert frame.on(server()).at_once == (None, 1)


def test_slots_of_reduces_alone_leave_the_maps_all_that_fits() -> None:
    """Slots of both kinds are those of a TaskTracker: together they are its containers."""
    machine = server(cpu=Cpu(cores=16, threads=32), memory=Memory(size=100 * GB))
    bounded = Framework(servers="workers", reduce_slots=4).on(machine)
    tracker = Framework(servers="workers", map_slots=8).on(machine)
    assert (bounded.containers, bounded.at_once) == (32, (None, 4))
    assert (tracker.containers, tracker.at_once) == (16, (8, 8))


def test_servers_of_two_kinds_run_as_many_tasks_as_each_has_containers_for() -> None:
    """On twice the memory twice as many reduces run; slots that are stated are no more than there are containers."""
    sized = FRAMEWORK.model_copy(update={"containers": 0, "heap": 0.0, "reduce_container_memory": 4 * GB})
    small, large = (
        sized.on(server(cpu=Cpu(cores=128, threads=256), memory=Memory(size=size * GB))) for size in (64, 128)
    )
    assert large.containers > small.containers > small.running[1]
    assert large.running[1] >= 2 * small.running[1]
    assert small.running[0] == small.containers
    assert FRAMEWORK.model_copy(update={"containers": 4, "reduce_slots": 9}).on(server()).running == (4, 4)


def test_slots_of_reduces_that_are_stated_count_whatever_their_memory() -> None:
    frame = FRAMEWORK.model_copy(update={"reduce_slots": 3, "reduce_container_memory": 100 * GB})
    assert frame.on(server()).at_once == (None, 3)


def test_executors_sort_in_the_memory_of_their_tasks_and_reduce_when_all_maps_have_ended() -> None:
    """Four tasks share a heap of 10 GB, of which Spark gives three fifths to them; Hadoop's buffers are not theirs."""
    spark = Engine(name="Spark", keeps_processes=True, heap_offered=0.889, decode_cpu={"binary": 0.0})
    frame = FRAMEWORK.model_copy(update={"sort_memory": 1 * MB, "slowstart": 0.05, "executors": 1})
    ours = job(framework=frame, input=1e12, engine=spark).on(server()).framework
    memory = 0.6 * (0.889 * 10 * GB - 300 * 2**20) / 4
    assert ours.slowstart == 1
    assert ours.sort_memory * ours.spill_percent == pytest.approx(memory)
    assert ours.reduce_heap * ours.shuffle_memory * ours.reduce_memory == pytest.approx(memory)
    hadoop = job(framework=frame, input=1e12).on(server()).framework
    assert (hadoop.slowstart, hadoop.sort_memory) == (0.05, 1 * MB)


def test_each_executor_keeps_some_of_its_heap_and_records_lie_in_it_as_objects() -> None:
    # of 10 GB for four, each keeps 300 MiB; a record of 100 B takes 100 and 250 B of the rest, serialized 100 and 40
    objects = Objects(record=250.0, serialized=40.0)
    spark = Engine(name="Spark", keeps_processes=True, decode_cpu={"binary": 0.0}, objects=objects)
    ours = job(input=1e12, engine=spark, record_size=100.0).on(server()).framework
    memory = 0.6 * (2.5 * GB - 300 * 2**20)
    assert ours.sort_memory == pytest.approx(memory / 1.4)
    assert ours.reduce_heap * ours.shuffle_memory == pytest.approx(memory / 3.5)
    frame = FRAMEWORK.model_copy(update={"heap": 4 * 300 * MB})
    with pytest.raises(ValueError, match="Spark reserves 300 MiB"):
        job(framework=frame, input=1e12, engine=spark).on(server())


def test_text_takes_two_bytes_a_character_on_java_8_and_bytes_one() -> None:
    objects = Objects(byte=2.0, record=60.0)
    assert [objects.of(100.0, file_format) for file_format in ("text", "sequence", "binary")] == [2.6, 2.6, 1.6]
    assert objects.in_maps(100.0) == 1.0
    assert Objects(serialized=20.0, paged=1.1).in_maps(100.0) == pytest.approx(1.3)


def test_an_executor_has_the_heap_that_spark_ships_and_yarn_keeps_room_beside_it() -> None:
    """Of 10 GB YARN gives (10 GB - 2 x 1000 MiB) x 0.8: five of 1 GiB, or two of 1,408 MiB as 2 GiB."""
    spark = Engine(name="Spark", keeps_processes=True, decode_cpu={"binary": 0.0})
    machine = server(memory=Memory(size=10 * GB))
    shipped = FRAMEWORK.model_copy(update={"containers": 0, "heap": 0.0})
    ours = job(framework=shipped, input=1e12, engine=spark)
    assert (ours.framework_on(machine).containers, ours.framework_on(machine).heap) == (2, 2 * 2.0**30)
    assert job(framework=shipped, input=1e12).framework_on(machine).containers == 5
    one = ours.model_copy(update={"framework": shipped.model_copy(update={"executors": 1})}).framework_on(machine)
    assert (one.containers, one.heap) == (8, 2.0**30)  # a task a thread, all in the heap of one executor


def test_spark_compresses_unless_it_is_told_not_to() -> None:
    hadoop, spark = (
        Engine(name="any", keeps_processes=is_spark, compresses=is_spark, decode_cpu={"binary": 0.0})
        for is_spark in (False, True)
    )
    shipped = FRAMEWORK.model_copy(update={"compression": None})
    stated = FRAMEWORK.model_copy(update={"compression": 0.3})
    packing = [
        job(framework=frame, input=1e12, compressed=0.4, engine=engine).packing
        for frame in (shipped, stated)
        for engine in (hadoop, spark)
    ]
    assert packing == [1.0, 0.4, 0.3, 0.3]
    why = [
        job(framework=frame, input=1e12, compressed=0.4, engine=engine).ignored("compressed")
        for frame, engine in ((shipped, hadoop), (stated, spark), (shipped, spark))
    ]
    assert [bool(reason) for reason in why] == [True, True, False]


def test_more_executors_than_tasks_at_a_time_are_refused_with_the_way_out() -> None:
    frame = FRAMEWORK.model_copy(update={"containers": 4, "heap": 8 * GB})
    assert frame.model_copy(update={"executors": 4}).of_executors(1.0).containers == 4
    with pytest.raises(RefusalError, match=r"framework\.executors = 5: a server runs 4 tasks at a time; lower it"):
        frame.model_copy(update={"executors": 5}).of_executors(1.0)


def test_maps_of_executors_sort_nothing_for_up_to_200_reduces() -> None:
    objects = Objects(byte=2.0)
    spark = Engine(name="Spark", keeps_processes=True, decode_cpu={"binary": 0.0}, objects=objects)
    ours = job(input=1e12, engine=spark).on(server())
    memory = ours.framework.sort_memory
    assert [ours.spills(3.5 * memory, reduces) for reduces in (200, 201)] == [1, 4]


def test_what_is_spilled_costs_what_the_engine_says_beside_its_compression() -> None:
    phases = Phases(spill=Phase(byte=2e-9, record=100e-9))
    spark = Engine(name="Spark", decode_cpu={"binary": 0.0}, phases=phases)
    ours = job(input=1e12, engine=spark, cpu=None, record_size=100.0)
    assert ours.repacking_cpu(0.5) == pytest.approx(0.5 * 3e-9)
    assert ours.map_cpu(2) - ours.map_cpu(0) == pytest.approx(2 * 3e-9)


def test_pass_that_samples_reads_all_and_takes_60_keys_a_reduce() -> None:
    phases = Phases(map=Phase(byte=2e-9))
    spark = Engine(name="Spark", decode_cpu={"binary": 1e-9}, phases=phases)
    without, with_it = (job(input=1e12, engine=spark, cpu=None, samples_all=passes) for passes in (False, True))
    assert with_it.total_cpu() - without.total_cpu() == pytest.approx(1e12 * 1e-9)
    assert [without.keys(10, 8), *(with_it.keys(reduces, 8) for reduces in (10, 10**6))] == [0, 600, 3_000_000]
    assert with_it.keys(10, 10_000) == 10_000  # one of each split at least


def test_bounds_of_a_total_order_are_sampled_as_the_engine_does_unless_the_job_says_otherwise() -> None:
    costs = {"binary": 1e-9}
    hadoop = Engine(name="Hadoop", sampled_keys=100_000, decode_cpu=costs)
    spark = Engine(name="Spark", samples_all=True, decode_cpu=costs)

    def sampled(engine: Engine, **changes: Any) -> tuple[int, bool]:
        ours = job(input=1e12, engine=engine, cpu=None, **{"total_order": True} | changes)
        return ours.keys(25_600, 100_000), ours.reads_to_sample

    assert (sampled(hadoop), sampled(spark)) == ((100_000, False), (1_600_000, True))
    assert sampled(spark, total_order=False) == (0, False)
    assert sampled(spark, sampled_keys=0) == (0, False)  # a program that cuts the space of keys evenly
    assert sampled(spark, sampled_keys=1000) == (1000, True)
    assert (sampled(spark, samples_all=False), sampled(hadoop, samples_all=True)) == (
        (1_600_000, False),
        (100_000, True),
    )


def test_settings_of_sampling_that_do_nothing_are_told() -> None:
    spark = Engine(name="Spark", samples_all=True, decode_cpu={"binary": 1e-9})
    hashed, ordered, even = (
        job(input=1e12, engine=spark, **changes)
        for changes in ({}, {"total_order": True}, {"total_order": True, "sampled_keys": 0})
    )
    assert "total_order" in hashed.ignored("engine.samples_all")
    assert [ordered.ignored(f"engine.{key}") for key in ("samples_all", "sampled_keys", "compresses")] == [""] * 3
    assert all(map(even.ignored, ("engine.sampled_keys", "engine.samples_all", "samples_all")))


def test_one_reduce_has_no_boundaries_to_sample_keys_for() -> None:
    spark = Engine(name="Spark", decode_cpu={"binary": 1e-9})
    one, sampled = (job(input=1e12, engine=spark, cpu=None, reduces=1, samples_all=every) for every in (False, True))
    assert sampled.total_cpu() == one.total_cpu()


def test_compression_is_in_the_phases_of_an_engine_that_keeps_its_processes() -> None:
    """So is it before anything is known of the servers, as the least time of a job is asked for then."""
    squeezed = FRAMEWORK.model_copy(update={"compression": 0.4})
    hadoop, spark = (
        Engine(name="any", keeps_processes=keeps, decode_cpu={"binary": 0.0}, phases=Phases(map=Phase(byte=1e-9)))
        for keeps in (False, True)
    )
    forked, kept = (job(input=1e12, engine=engine, cpu=None, framework=squeezed) for engine in (hadoop, spark))
    assert kept.total_cpu() == kept.on(server()).total_cpu() == pytest.approx(1e3)
    assert forked.total_cpu() == pytest.approx(1e12 * (1e-9 + 2e-9 + 0.8e-9))
    assert [bool(it.ignored("framework.compress_cpu")) for it in (forked, kept)] == [False, True]
    assert [bool(it.ignored("framework.executors")) for it in (forked, kept)] == [True, False]
