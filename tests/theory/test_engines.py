"""What an engine computes: bytes times CPU time over cores, speed and yield, by phase, and by the engines that ship."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.server import Cpu
from models.jobs.engine import Engine, Phase, Phases
from models.jobs.mapreduce import MapReduce
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, nvme
from tests.simulator.small import framework, sort

FAST = {"drive": nvme(read_bandwidth=100 * GB, write_bandwidth=100 * GB), "drives": 2}
PHASES = Phases(
    map=Phase(byte=1e-9, record=100e-9),
    sort=Phase(byte=2e-9),
    merge=Phase(byte=4e-9, record=200e-9),
    shuffle=Phase(byte=8e-9),
    reduce=Phase(byte=16e-9),
    write=Phase(byte=32e-9),
)
ENGINE = Engine(name="an engine", decode_cpu={"binary": 64e-9}, phases=PHASES)


def job(**changes: Any) -> MapReduce:
    """Return a sort of 6 GB of records of 100 B by an engine whose phases all differ."""
    settings = {"engine": ENGINE, "cpu": None, "record_size": 100.0}
    workload = sort(**settings | changes).workload
    assert isinstance(workload, MapReduce)
    return workload


def shipped(name: str) -> Engine:
    return load(name, Engine, folders=["engines"]).scenario


def test_a_map_reads_hands_on_and_sorts_and_a_reduce_fetches_merges_iterates_and_writes() -> None:
    """Per byte: 64 + (1 + 1) + 2 in maps, 6 more for each pass of a merge; 8 for a fetch, 6 + 16 + 32 in reduces."""
    assert job().map_cpu(0) == pytest.approx(68e-9)
    assert job().map_cpu(2) == pytest.approx(80e-9)
    assert job().fetch_cpu == pytest.approx(8e-9)
    assert job().reduce_cpu == pytest.approx(54e-9)
    assert job().remerge_cpu == pytest.approx(6e-9)
    assert job().total_cpu() == pytest.approx(6 * GB * 130e-9)


def test_what_maps_leave_out_is_neither_sorted_nor_reduced() -> None:
    half = job(map_output=0.5, output=0.5)
    assert half.total_cpu() == pytest.approx(6 * GB * (66 + 0.5 * (2 + 30 + 0.5 * 32)) * 1e-9)


def test_smaller_records_cost_more_a_byte() -> None:
    assert job(record_size=50.0).total_cpu() - job().total_cpu() == pytest.approx(6 * GB * (1 + 2) * 1e-9)


def test_a_job_without_reduces_writes_what_its_maps_put_out() -> None:
    assert job(reduces=0).total_cpu() == pytest.approx(6 * GB * (64 + 2 + 32) * 1e-9)


def test_compressed_map_output_is_packed_by_each_pass_of_a_map_and_unpacked_by_reduces() -> None:
    """Per byte: 5 to compress in the spill, 5 + 3 more for each pass of a merge; 3 for a fetch, 5 + 3 for files."""
    packed = job(framework=framework(compression=0.5, compress_cpu=5e-9, decompress_cpu=3e-9))
    assert packed.map_cpu(0) == pytest.approx((68 + 5) * 1e-9)
    assert packed.map_cpu(2) == pytest.approx((80 + 5 + 2 * 8) * 1e-9)
    assert packed.fetch_cpu == pytest.approx((8 + 3) * 1e-9)
    assert packed.reduce_cpu == pytest.approx(54e-9)
    assert packed.remerge_cpu == pytest.approx((6 + 8) * 1e-9)
    assert packed.repacking_cpu(0.25) == pytest.approx(0.25 * 8e-9)
    measured = job(framework=framework(compression=0.5), cpu=50e-9, map_share=0.6)
    assert (measured.map_cpu(3), measured.reduce_cpu, measured.repacking_cpu(1)) == pytest.approx((30e-9, 20e-9, 0))


def test_own_functions_add_to_the_engine_and_a_measured_job_takes_its_place() -> None:
    assert job(function_cpu=30e-9).map_cpu(0) == pytest.approx(98e-9)
    measured = job(cpu=50e-9, map_share=0.6)
    assert (measured.map_cpu(3), measured.reduce_cpu) == pytest.approx((30e-9, 20e-9))
    assert (measured.fetch_cpu, measured.remerge_cpu) == (0, 0)


def test_a_job_that_computes_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="a job computes: state it, or name the engine that runs it"):
        job(engine=None)


def test_an_engine_that_does_not_know_the_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"file_format: the engine states no decode_cpu of it \(it has: binary\)"):
        job(file_format="orc")


@pytest.mark.parametrize(("speed", "smt"), [(1.0, 1.25), (0.5, 1.25), (1.0, 1.5)])
def test_a_job_that_processors_limit_takes_its_bytes_over_cores_speed_and_yield(speed: float, smt: float) -> None:
    """Three servers of four cores and eight threads, all busy: 6 GB x ns/B / (3 x 4 x speed x yield)."""
    costly = ENGINE.model_copy(update={"decode_cpu": {"binary": 1e-6}})
    frame = framework(containers=8, container_start=0.0, container_spread=0.0, slowstart=1.0)
    machine = {**FAST, "cpu": Cpu(cores=4, threads=8, speed=speed, smt_yield=smt)}
    scenario: Scenario = sort(frame=frame, machine=machine, engine=costly, cpu=None, input=9.6 * GB, reduces=24)
    result = simulate(scenario)
    assert isinstance(scenario.workload, MapReduce)
    assert result.duration == pytest.approx(scenario.workload.total_cpu() / (3 * 4 * speed * smt), rel=0.02)
    assert result.bottleneck.resource == "workers/cpu"


def test_each_task_of_an_engine_spends_its_own_time_before_its_bytes() -> None:
    """Maps and 24 reduces of a second more each, on 12 cores that yield 1.25 with all threads busy."""
    frame = framework(containers=8, container_start=0.0, container_spread=0.0, slowstart=1.0)
    machine = {**FAST, "cpu": Cpu(cores=4, threads=8, speed=1.0, smt_yield=1.25)}
    jobs = {"frame": frame, "machine": machine, "cpu": None, "input": 9.6 * GB, "reduces": 24}
    costly = ENGINE.model_copy(update={"decode_cpu": {"binary": 1e-6}})
    base = simulate(sort(**jobs, engine=costly))
    slow = simulate(sort(**jobs, engine=costly.model_copy(update={"task_cpu": 1.0})))
    tasks = sum(stage.tasks for stage in base.stages)
    assert tasks > 24
    assert slow.duration - base.duration == pytest.approx(tasks / (3 * 4 * 1.25), rel=0.05)
    measured = simulate(sort(**jobs | {"cpu": 1e-6}, engine=costly.model_copy(update={"task_cpu": 1.0})))
    assert measured.duration == pytest.approx(simulate(sort(**jobs | {"cpu": 1e-6})).duration)


def test_terasort_costs_20_to_50_ns_a_byte_as_objects_of_spark_most_and_more_the_older_an_engine_is() -> None:
    cost = {
        name: job(engine=shipped(name)).total_cpu() / (6 * GB) * 1e9
        for name in ("spark-3", "spark-2.4", "hadoop-3", "hadoop-2", "hadoop-1")
    }
    assert 35 <= cost["spark-3"] < cost["spark-2.4"] <= 50
    assert 20 <= cost["hadoop-3"] < cost["hadoop-2"] < cost["hadoop-1"] <= 50


@pytest.mark.parametrize("name", [name for name in SHIPPED.names("engines") if "-" not in name or name[-1].isdigit()])
def test_engines_that_ship_read_columns_at_30_to_200_megabytes_a_second(name: str) -> None:
    for file_format, cost in shipped(name).decode_cpu.items():
        if file_format in {"parquet", "orc"}:
            assert 5e-9 <= cost <= 30e-9


def computed(containers: int, processor: Cpu) -> Result:
    """Return how a job goes that only computes, in so many containers on a kind of processor."""
    costly = ENGINE.model_copy(update={"decode_cpu": {"binary": 1e-6}})
    frame = framework(containers=containers, container_start=0.0, container_spread=0.0, slowstart=1.0)
    machine = {**FAST, "cpu": processor}
    return simulate(sort(frame=frame, machine=machine, engine=costly, cpu=None, input=9.6 * GB, reduces=24))


@pytest.mark.parametrize(
    ("containers", "used", "limit"),
    [
        (2, 2 / (4 * 1.25), "one core a task"),  # two of four cores are idle: more of them would not help
        (8, 1.0, "workers/cpu"),
    ],
)
def test_a_processor_is_used_as_far_as_its_tasks_use_all_its_cores(containers: int, used: float, limit: str) -> None:
    result = computed(containers, Cpu(cores=4, threads=8, speed=1.0, smt_yield=1.25))
    (processors,) = (group for group in result.groups if group.group == "workers/cpu")
    assert processors.utilization_mean == pytest.approx(used, rel=0.05)
    assert result.bottleneck.resource == limit


@pytest.mark.parametrize(("containers", "limit"), [(3, "one core a task"), (6, "workers/cpu"), (8, "workers/cpu")])
def test_cores_that_slow_each_other_limit_tasks_together_only_where_tasks_share_cores(
    containers: int, limit: str
) -> None:
    result = computed(containers, Cpu(cores=4, threads=8, speed=1.0, smt_yield=1.25, contention=0.05))
    assert result.bottleneck.resource == limit
