"""Spark queries: tasks a stage, bytes per resource, what limits a stage behind an exchange, and when tasks spill."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.spark import Executors, Spark
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
    "query_start": 10.0,
    "scan_cpu": 0.0,
    "exchange_cpu": 0.0,
    "join_cpu": 0.0,
    "aggregate_cpu": 0.0,
    "compare_cpu": 0.0,
}
SCAN = {"name": "facts", "scan": "facts", "columns": ("key",), "rows": 1e6, "row_size": 100.0}
JOIN = {"name": "join", "inputs": ("facts",)}


def suite(*, scan: dict[str, Any] | None = None, join: dict[str, Any] | None = None, **framework: Any) -> Spark:
    """Return one query over a table of 1 GB: it scans a column of 400 MB and joins 10^6 rows of 100 B."""
    query = {"name": "q", "stages": (SCAN | (scan or {}), JOIN | (join or {}))}
    table = {"rows": 1e6, "size": 1 * GB, "columns": {"key": 400 * MB, "text": 600 * MB}}
    settings = Executors.model_validate(FRAMEWORK | framework)
    return Spark.model_validate(
        {"kind": "spark", "framework": settings.model_dump(), "tables": {"facts": table}, "queries": (query,)}
    )


def scenario(workload: Spark) -> Scenario:
    """Return the suite on two servers of 4 cores beside four MinIO servers without latency."""
    machines = cluster(storage=(4, server(drives=4)), compute=(2, server(drives=1)))
    return Scenario.model_validate(
        {
            "profile": {"title": "a query"},
            "cluster": machines.model_dump(exclude_defaults=True),
            "storage": {"system": "minio", "servers": "storage", "parity": 4},
            "client": {"connector": "s3a"},
            "workload": workload.model_dump(),
        }
    )


def moved(workload: Spark, group: str) -> float:
    """Return the bytes that moved over a group of resources."""
    return next(each.bytes for each in simulate(scenario(workload)).groups if each.group == group)


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


def test_a_scan_reads_its_columns_only() -> None:
    assert moved(suite(), "storage/data drives") == pytest.approx(400 * MB)


def test_half_of_an_exchange_between_two_servers_crosses_the_network_compressed() -> None:
    assert moved(suite(), "compute/network out") == pytest.approx(1e6 * 100 * 0.5 / 2)


def test_exchanged_rows_go_to_the_local_volume_once() -> None:
    assert moved(suite(join_cpu=1e-4), "compute/root volume") == pytest.approx(50 * MB)  # the join leaves time to drain


def test_partitions_and_not_slots_limit_a_join() -> None:
    two = seconds(suite(join_cpu=1e-5)) - seconds(suite())
    four = seconds(suite(join_cpu=1e-5, shuffle_partitions=4)) - seconds(suite())
    assert two == pytest.approx(1e6 * 1e-5 / 2, rel=1e-6)  # two tasks, each on its own core
    assert four == pytest.approx(1e6 * 1e-5 / 4, rel=1e-6)


def test_an_aggregation_costs_what_it_costs_and_not_what_a_join_costs() -> None:
    assert seconds(suite(aggregate_cpu=1e-5)) == pytest.approx(seconds(suite()))
    slower = seconds(suite(join={"operator": "aggregate"}, aggregate_cpu=1e-5)) - seconds(suite())
    assert slower == pytest.approx(5.0, rel=1e-6)


def test_each_row_scanned_is_compared_with_each_broadcast_row() -> None:
    plain = seconds(suite(scan={"compared": 0.0}, compare_cpu=1e-6))
    compared = seconds(suite(scan={"compared": 10.0}, compare_cpu=1e-6))
    assert compared - plain == pytest.approx(2.0, rel=0.01)  # ten tasks of 1 s on eight slots: two waves


def test_a_task_holds_its_share_of_the_executor() -> None:
    framework = suite(memory=2 * GB, cores=2).framework
    assert framework.task_memory == pytest.approx((2 * GB - 300 * 2**20) * 0.6 / 2)


def test_a_task_spills_what_exceeds_its_memory() -> None:
    """Two tasks of 1 GB each spill beyond 505.6 MB; compressed to a half it goes to the volumes once more."""
    data = {"rows": 1e6, "row_size": 2000.0}
    framework = suite().framework
    excess = 2 * (1 * GB - framework.task_memory)
    written = moved(suite(scan=data, join_cpu=1e-4), "compute/root volume")
    assert written == pytest.approx((1e6 * 2000 + excess) * 0.5)
    cpu = seconds(suite(scan=data, exchange_cpu=1e-8)) - seconds(suite(scan=data))
    enough = seconds(suite(scan=data, exchange_cpu=1e-8, memory=20 * GB)) - seconds(suite(scan=data, memory=20 * GB))
    assert cpu - enough == pytest.approx(2 * excess / 2 * 1e-8, rel=1e-6)


def test_what_the_page_cache_has_no_room_for_waits_for_the_volume() -> None:
    data = {"rows": 1e6, "row_size": 100_000.0}  # 50 GB on two servers, 19.2 GB of them may be dirty on each
    roomy, tight = seconds(suite(scan=data)), seconds(suite(scan={**data, "row_size": 50_000.0}))
    assert roomy - tight > 10.0


def test_a_suite_says_how_long_each_query_takes_and_their_mean() -> None:
    one = suite().model_dump()
    second = {**one["queries"][0], "name": "r"}
    both = Spark.model_validate({**one, "queries": (one["queries"][0], second)})
    found = simulate(scenario(both)).metrics
    assert found["query q"][0] > 10.0
    assert found["query r"][0] == pytest.approx(found["query q"][0])
    assert found["mean of queries"][0] == pytest.approx((found["query q"][0] + found["query r"][0]) / 2)
    assert found["duration"][0] == pytest.approx(found["query q"][0] + found["query r"][0])


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
