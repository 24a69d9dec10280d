"""Spark queries: tasks a stage, bytes per resource, what limits a stage behind an exchange, and when tasks spill."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.jobs.executors import LEAST_HEAP, LEAST_OFFERED
from models.jobs.spark import Executors, Spark, SparkStage
from models.problem import RefusalError
from models.quantity import stated
from models.scenario import Scenario
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server

FRAMEWORK: dict[str, Any] = {
    "servers": "compute",
    "executors": 2,
    "cores": 2,
    "memory": 2 * GB,
    "local_dirs": "root",
    "shuffle_partitions": 2,
    "split_size": 100 * MB,
    "compression": 0.5,
}
ENGINE: dict[str, Any] = {"name": "Spark", "query_time": 10.0, "decode_cpu": {"parquet": 0.0}, "exchanges": "drives"}
SCAN = {"name": "facts", "scan": "facts", "columns": ("key",), "rows": 1e6, "row_size": 100.0}
JOIN = {"name": "join", "inputs": ("facts",)}


def suite(*, scan: dict[str, Any] | None = None, join: dict[str, Any] | None = None, **framework: Any) -> Spark:
    """Return one query over a table of 1 GB: it scans a column of 400 MB and joins 10^6 rows of 100 B."""
    query = {"name": "q", "stages": (SCAN | (scan or {}), JOIN | (join or {}))}
    table = {"rows": 1e6, "size": 1 * GB, "columns": {"key": 400 * MB, "text": 600 * MB}}
    costs = {key: framework.pop(key) for key in list(framework) if key.endswith("_cpu")}
    costs["heap_offered"] = framework.pop("offered", 1.0)
    settings = Executors.model_validate(FRAMEWORK | framework)
    return Spark.model_validate(
        {
            "kind": "spark",
            "framework": settings.model_dump(),
            "engine": ENGINE | costs,
            "tables": {"facts": table},
            "queries": (query,),
        }
    )


def scenario(workload: Spark) -> Scenario:
    """Return the suite on two servers of 4 cores beside four MinIO servers without latency."""
    machines = cluster(storage=(4, server(drives=4)), compute=(2, server(drives=1)))
    return Scenario.model_validate(
        {
            "profile": {"title": "a query"},
            "cluster": stated(machines.model_dump()),
            "storage": {"system": "minio", "servers": "storage", "parity": 4},
            "client": {"connector": "s3a"},
            "workload": workload.model_dump(),
        }
    )


def moved(workload: Spark, group: str) -> float:
    """Return the bytes that moved over a group of resources."""
    return next(part.bytes for part in simulate(scenario(workload)).groups if part.group == group)


def seconds(workload: Spark) -> float:
    """Return how long the query takes."""
    return simulate(scenario(workload)).metrics["query q"][0]


def test_a_table_is_cut_into_splits_that_occupy_all_slots_within_their_bounds() -> None:
    workload = suite()
    scan = workload.queries[0].stages[0]
    assert workload.tasks(scan, slots=8) == 10  # 125 MB a slot, at most 100 MB
    assert workload.tasks(scan, slots=40) == 40  # 25 MB
    assert workload.tasks(scan, slots=10_000) == 239  # 1 GB / 4 MiB


def test_a_stage_behind_an_exchange_has_as_many_tasks_as_partitions() -> None:
    assert suite(shuffle_partitions=200).tasks(suite().queries[0].stages[1], slots=576) == 200


def test_an_engine_says_how_many_partitions_there_are_unless_that_is_set() -> None:
    """Spark ships with 200; an engine that says nothing has as many as there are slots."""
    ships = suite(shuffle_partitions=0)
    spark = ships.model_copy(update={"engine": ships.engine.model_copy(update={"exchange_tasks": 200})})
    assert [spark.partitions(slots) for slots in (8, 576)] == [200, 200]
    assert [ships.partitions(slots) for slots in (8, 576)] == [8, 576]
    assert suite(shuffle_partitions=40).partitions(576) == 40


def test_a_join_has_a_task_a_slot_where_the_engine_names_no_partitions() -> None:
    two = seconds(suite(join_cpu=1e-5)) - seconds(suite())
    eight = seconds(suite(join_cpu=1e-5, shuffle_partitions=0)) - seconds(suite(shuffle_partitions=0))
    assert two == pytest.approx(1e6 * 1e-5 / 2, rel=1e-6)
    assert eight == pytest.approx(1e6 * 1e-5 / 8, rel=1e-6)


def test_a_query_starts_when_its_stages_are_planned_and_compiled() -> None:
    """Two stages, on cores of the reference."""
    planned = seconds(suite(stage_cpu=0.1, compile_cpu=0.2))
    assert planned - seconds(suite()) == pytest.approx(2 * (0.1 + 0.2))


def test_a_scan_reads_its_columns_only() -> None:
    assert moved(suite(), "storage/data drives") == pytest.approx(400 * MB)


def test_half_of_an_exchange_between_two_servers_crosses_the_network_compressed() -> None:
    assert moved(suite(), "compute/network out") == pytest.approx(1e6 * 100 * 0.5 / 2)


def test_exchanged_rows_go_to_the_local_volume_once() -> None:
    assert moved(suite(join_cpu=1e-4), "compute/root volume") == pytest.approx(50 * MB)  # the join leaves time to drain


def test_an_engine_that_exchanges_in_memory_puts_nothing_on_drives_and_as_much_on_cards() -> None:
    """2 GB of rows, which Spark would spill, too: Trino and Impala hand them on over the cards."""
    spark = suite(scan={"rows": 1e6, "row_size": 2000.0}, memory=LEAST_HEAP + 100 * MB, sort_cpu=1e-6)
    trino = spark.model_copy(update={"engine": spark.engine.model_copy(update={"exchanges": "memory"})})
    assert moved(trino, "compute/root volume") == 0
    assert moved(trino, "compute/network out") == pytest.approx(moved(spark, "compute/network out"))
    assert seconds(trino) < seconds(spark)  # which merges its runs by comparing


def test_partitions_and_not_slots_limit_a_join() -> None:
    two = seconds(suite(join_cpu=1e-5)) - seconds(suite())
    four = seconds(suite(join_cpu=1e-5, shuffle_partitions=4)) - seconds(suite())
    assert two == pytest.approx(1e6 * 1e-5 / 2, rel=1e-6)  # two tasks, each on its own core
    assert four == pytest.approx(1e6 * 1e-5 / 4, rel=1e-6)


def test_a_join_on_one_key_sorts_without_comparing_and_on_two_by_comparing() -> None:
    """Two tasks sort half a million rows each: n log2(n) comparisons."""
    assert seconds(suite(sort_cpu=1e-6)) == pytest.approx(seconds(suite()))
    slower = seconds(suite(join={"keys": 2}, sort_cpu=1e-6)) - seconds(suite())
    assert slower == pytest.approx(0.5e6 * math.log2(0.5e6) * 1e-6, rel=1e-6)


def test_an_aggregation_costs_what_it_costs_and_not_what_a_join_costs() -> None:
    """Ten scans on eight slots take up 100,000 groups each, then two tasks 200,000 each."""
    assert seconds(suite(aggregate_cpu=1e-5)) == pytest.approx(seconds(suite()))
    by_key = {"operator": "aggregate", "groups": 4e5}
    slower = seconds(suite(join=by_key, aggregate_cpu=1e-5)) - seconds(suite(join=by_key))
    assert slower == pytest.approx(2 * 1.0 + 2.0, rel=0.01)


def test_an_aggregation_makes_as_many_groups_as_rows_unless_it_says_more() -> None:
    assert SparkStage(name="a", inputs=("b",), rows=10.0).taken_up == 10
    assert SparkStage(name="a", inputs=("b",), rows=10.0, groups=1000.0).taken_up == 1000


def test_each_row_scanned_is_compared_with_each_broadcast_row() -> None:
    plain = seconds(suite(scan={"compared": 0.0}, compare_cpu=1e-6))
    compared = seconds(suite(scan={"compared": 10.0}, compare_cpu=1e-6))
    assert compared - plain == pytest.approx(2.0, rel=0.01)  # ten tasks of 1 s on eight slots: two waves


def test_scans_that_take_most_of_a_query_say_what_limits_it_and_nobody_holds_a_slot_while_they_run() -> None:
    result = simulate(scenario(suite(scan={"compared": 200.0}, compare_cpu=1e-6)))
    scan = result.stages[1]
    assert [stage.name for stage in result.stages] == ["q start", "q facts", "q join"]
    assert scan.end - scan.start > 0.7 * result.duration  # ten tasks of 20 s on eight slots: two waves
    assert result.bottleneck.resource == "one core a task"
    assert result.bottleneck.share == pytest.approx((scan.end - scan.start) / result.duration, abs=0.05)


def test_a_task_shares_the_memory_of_its_executor_with_those_that_run_beside_it() -> None:
    framework = suite(memory=2 * GB, cores=2).framework
    alone = (0.889 * 2 * GB - 300 * 2**20) * 0.6
    assert framework.task_memory(1, 0.889) == pytest.approx(alone)
    assert framework.task_memory(2, 0.889) == framework.task_memory(9, 0.889) == pytest.approx(alone / 2)
    assert framework.task_memory(1, 1.0) == pytest.approx((2 * GB - 300 * 2**20) * 0.6)


def test_a_task_spills_what_exceeds_its_memory_and_merges_it_by_comparing() -> None:
    """Two tasks, each alone on its executor, keep 0.5 million rows of 2,000 and 36 B; rows shrink to a half on disk."""
    data = {"rows": 1e6, "row_size": 2000.0}
    small: dict[str, Any] = {"memory": 1 * GB}
    full = 0.5e6 * 2036 / suite(**small).framework.task_memory(1, 1.0)
    excess = 1 * GB * (1 - 1 / full)
    written = moved(suite(scan=data, sort_cpu=1e-4, **small), "compute/root volume")  # the merge leaves time to drain
    assert written == pytest.approx((2 * GB + 2 * excess) * 0.5)
    cpu = seconds(suite(scan=data, exchange_cpu=1e-8, **small)) - seconds(suite(scan=data, **small))
    enough = seconds(suite(scan=data, exchange_cpu=1e-8, memory=20 * GB)) - seconds(suite(scan=data, memory=20 * GB))
    assert cpu - enough == pytest.approx(2 * excess * 1e-8, rel=1e-6)
    merged = seconds(suite(scan=data, sort_cpu=1e-6, **small)) - seconds(suite(scan=data, **small))
    assert merged == pytest.approx(0.5e6 * math.log2(full) * 1e-6, rel=1e-6)


def test_a_task_that_spills_millions_of_times_writes_all_that_it_spills() -> None:
    least: dict[str, Any] = {"memory": LEAST_HEAP + 1000, "offered": LEAST_OFFERED}
    assert 0.5e6 * 2036 / suite(**least).framework.task_memory(1, LEAST_OFFERED) > 1e6
    written = moved(suite(scan={"rows": 1e6, "row_size": 2000.0}, sort_cpu=1e-4, **least), "compute/root volume")
    assert written == pytest.approx((2 * GB + 2 * 1 * GB) * 0.5, rel=0.01)


def test_what_the_page_cache_has_no_room_for_waits_for_the_volume() -> None:
    data = {"rows": 1e6, "row_size": 100_000.0}  # 50 GB on two servers, 19.2 GB of them may be dirty on each
    roomy, tight = seconds(suite(scan=data)), seconds(suite(scan={**data, "row_size": 50_000.0}))
    assert roomy - tight > 10.0


def test_files_of_a_query_that_has_ended_do_not_hold_up_the_next_one() -> None:
    """The first leaves more than 10 GB unwritten; the second waits for room of its own all the same."""
    first = suite(scan={"row_size": 70_000.0}).model_dump()
    large = {**first["queries"][0], "name": "r"}
    both = Spark.model_validate({**first, "queries": (first["queries"][0], large)})
    metrics = simulate(scenario(both)).metrics
    assert metrics["query r"][0] == pytest.approx(metrics["query q"][0], rel=0.02)


def test_a_suite_says_how_long_each_query_takes_and_their_mean() -> None:
    one = suite().model_dump()
    second = {**one["queries"][0], "name": "r"}
    both = Spark.model_validate({**one, "queries": (one["queries"][0], second)})
    metrics = simulate(scenario(both)).metrics
    assert metrics["query q"][0] > 10.0
    assert metrics["query r"][0] == pytest.approx(metrics["query q"][0])
    assert metrics["mean of queries"][0] == pytest.approx((metrics["query q"][0] + metrics["query r"][0]) / 2)
    assert metrics["duration"][0] == pytest.approx(metrics["query q"][0] + metrics["query r"][0])


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        (({"name": "a"},), "stage 'a': set either scan or inputs"),
        (({"name": "a", "scan": "facts"}, {"name": "a", "inputs": ("a",)}), "two stages are named 'a'"),
        (({"name": "a", "inputs": ("b",)},), "stage 'a': no stage 'b' before it"),
        (({"name": "a", "scan": "facts"},), "its last stage takes the rows of others"),
        (({"name": "a", "scan": "other"}, {"name": "b", "inputs": ("a",)}), "stage 'a': no table 'other'"),
        (
            ({"name": "a", "scan": "facts", "columns": ("x",)}, {"name": "b", "inputs": ("a",)}),
            "stage 'a': facts has no column 'x'",
        ),
    ],
)
def test_queries_that_cannot_run_are_refused(stages: tuple[dict[str, Any], ...], message: str) -> None:
    data = suite().model_dump() | {"queries": ({"name": "q", "stages": stages},)}
    with pytest.raises(ValueError, match=message):
        Spark.model_validate(data)


def test_one_executor_takes_what_a_worker_offers_and_several_share_it() -> None:
    # 100 GB but for 1 GiB, over 1.1 for what lies beside the heap, and 8 hardware threads
    alone = Executors(servers="workers").on(server())
    assert alone.slots == 8
    assert alone.memory == pytest.approx((100 * GB - 2**30) / 1.1)
    shared = Executors(servers="workers", executors=2).on(server())
    assert shared.slots == 8
    assert shared.memory == pytest.approx(alone.memory / 2)


@pytest.mark.parametrize(
    ("executors", "memory", "fits"), [(1, 90 * GB, True), (1, 91 * GB, False), (2, 46 * GB, False)]
)
def test_executors_whose_heaps_and_overhead_exceed_a_server_are_refused(
    executors: int, memory: float, fits: bool
) -> None:
    """A server of 100 GB holds heaps of 90.9 GB with a tenth beside them."""
    framework = Executors(servers="workers", executors=executors, memory=memory)
    if fits:
        assert framework.on(server()).memory == memory
        return
    with pytest.raises(RefusalError, match=r"framework.memory.*with their overhead take .* of 100 GB; lower it"):
        framework.on(server())


def test_a_suite_of_another_scale_is_the_same_suite_with_tables_and_rows_written_larger() -> None:
    """Five times as many rows, bytes, groups and rows that a nested loop compares; rows stay as long as they are."""
    join = {"operator": "aggregate", "groups": 40.0, "rows": 20.0, "row_size": 8.0}
    small = suite(scan={"compared": 3.0}, join=join)
    table = {"rows": 5e6, "size": 5 * GB, "columns": {"key": 2 * GB, "text": 3 * GB}}
    scan, last = {**SCAN, "compared": 15.0, "rows": 5e6}, {**JOIN, **join, "groups": 200.0, "rows": 100.0}
    written = Spark.model_validate(
        small.model_dump() | {"tables": {"facts": table}, "queries": ({"name": "q", "stages": (scan, last)},)}
    )
    larger = small.model_copy(update={"scale": 5.0})
    assert larger.at_scale() == written
    assert small.grown(5.0) == larger
    machines = scenario(small).cluster
    assert larger.stored(machines) == written.stored(machines)
    assert simulate(scenario(larger)).metrics == simulate(scenario(written)).metrics
