"""What reading columns takes: requests and bytes by the client's input policy, and connections that are opened anew."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.server import Server
from models.jobs.scan import Scan
from models.jobs.spark import Spark
from models.quantity import stated
from models.scenario import Scenario
from models.storage.clients.reading import as_asked
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server

MINIO = {"system": "minio", "servers": "storage", "parity": 4}
ENGINE: dict[str, Any] = {"name": "an engine", "decode_cpu": {"parquet": 0.0}}


def spark(tables: int = 1, split: float = 100 * MB, **engine: Any) -> dict[str, Any]:
    """Return a query that scans two columns of 200 MB each of tables of 1 GB, and hands nothing on."""
    names = [f"t{number}" for number in range(tables)]
    scans = [{"name": name, "scan": name, "columns": ("a", "b")} for name in names]
    table = {"rows": 1e6, "size": 1 * GB, "columns": {"a": 200 * MB, "b": 200 * MB}}
    framework = {"servers": "compute", "executors": 1, "cores": 4, "memory": 2 * GB, "split_size": split}
    return {
        "kind": "spark",
        "framework": framework | {"least_split": split, "shuffle_partitions": 1},
        "engine": ENGINE | engine,
        "tables": dict.fromkeys(names, table),
        "queries": ({"name": "q", "stages": (*scans, {"name": "last", "inputs": tuple(names)})},),
    }


def scan(**engine: Any) -> dict[str, Any]:
    """Return a scan of the same columns by splits as large."""
    columns = {"a": {"size": 200 * MB}, "b": {"size": 200 * MB}}
    return {
        "kind": "scan",
        "servers": ("compute",),
        "engine": ENGINE | {"slots": 0.5, "split_size": 100 * MB, "read_buffer": 100 * MB, "requests": 2} | engine,
        "table": {"rows": 1e6, "size": 1 * GB, "columns": columns},
        "columns": ("a", "b"),
    }


def scenario(workload: dict[str, Any], storage: dict[str, Any], **s3a: Any) -> Scenario:
    return on(server(drives=1), workload, storage, **s3a)


def on(worker: Server, workload: dict[str, Any], storage: dict[str, Any], **s3a: Any) -> Scenario:
    machines = cluster(storage=(4, server(drives=4)), compute=(2, worker))
    return Scenario.model_validate(
        {
            "profile": {"title": "columns"},
            "cluster": stated(machines.model_dump()),
            "storage": storage,
            "client": {"connector": "s3a", "fs": {"s3a": s3a}},
            "workload": workload,
        }
    )


def policy(name: str) -> dict[str, Any]:
    return {"experimental": {"input": {"fadvise": name}}}


def read(workload: dict[str, Any], **s3a: Any) -> float:
    """Return the bytes that come to the compute servers."""
    result = simulate(scenario(workload, MINIO, **s3a))
    return next(part.bytes for part in result.groups if part.group == "compute/network in")


def seconds(workload: dict[str, Any], storage: dict[str, Any] = MINIO, **s3a: Any) -> float:
    return simulate(scenario(workload, storage, **s3a)).duration


@pytest.mark.parametrize("workload", [spark(), scan()], ids=["spark", "scan"])
def test_a_sequential_stream_with_much_read_ahead_reads_over_the_gap_between_columns(workload: dict[str, Any]) -> None:
    """Two columns of 20 MB lie 30 MB apart in a split of 100 MB, and 30 MB before its end."""
    ahead = {"readahead": {"range": 32 * MB}}
    assert read(workload, **policy("random")) == pytest.approx(0.4 * GB)
    assert read(workload, **policy("sequential")) == pytest.approx(0.4 * GB)  # left, as 64 KiB are less than the gap
    assert read(workload, **policy("sequential"), **ahead) == pytest.approx(1.0 * GB)


@pytest.mark.parametrize("workload", [spark(), scan()], ids=["spark", "scan"])
def test_a_get_that_is_left_early_costs_the_time_of_a_new_connection(workload: dict[str, Any]) -> None:
    assert seconds(workload, **policy("sequential")) > seconds(workload, **policy("random"))


@pytest.mark.parametrize("workload", [spark, scan], ids=["spark", "scan"])
def test_no_policy_of_s3a_acts_on_an_engine_with_a_client_of_its_own(workload: Any) -> None:
    own = workload(file_system="own")
    assert seconds(own, **policy("sequential")) == seconds(own, **policy("random"))


@pytest.mark.parametrize("split", [100 * MB, 20 * MB, 10 * MB])
def test_a_store_that_limits_requests_is_asked_for_each_column_and_the_tail_of_each_split(split: float) -> None:
    """Two tables of 1 GB: so many splits with two requests for the tail and two columns, at 50 requests a second."""
    limited = {"system": "amazon-s3", "first_byte": 1e-6, "connection_bandwidth": 1 * GB, "get_rate": 50.0}
    asked = 2 * (1 * GB / split) * (2 + 2)
    assert seconds(spark(2, split), limited) == pytest.approx(asked / 50, rel=0.05)


@pytest.mark.parametrize("workload", [spark(), scan()], ids=["spark", "scan"])
def test_workers_of_an_engine_that_keeps_exchanges_in_memory_need_no_drives(workload: dict[str, Any]) -> None:
    """Nor do those of a client whose buffer only writers use."""
    bare = server(bays={}, volumes={})
    alike = server(drives=1)
    assert simulate(on(bare, workload, MINIO)).duration == simulate(on(alike, workload, MINIO)).duration


def test_workers_of_an_engine_that_keeps_exchanges_on_drives_need_some() -> None:
    with pytest.raises(ValueError, match="no such bay or volume"):
        on(server(bays={}, volumes={}), spark(exchanges="drives"), MINIO)


def test_a_bare_count_asks_for_what_stands_before_the_columns_only() -> None:
    counted = Scan.model_validate({**scan(), "columns": ()}).reads(as_asked)
    assert (counted.rounds, counted.amount) == (2, 0)


def test_columns_of_a_finer_split_are_shorter() -> None:
    suite = Spark.model_validate(spark())
    stage = suite.queries[0].stages[0]
    assert [suite.asked(stage, tasks).size for tasks in (10, 100)] == pytest.approx([20 * MB, 2 * MB])
