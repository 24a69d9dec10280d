"""Queries of Trino as observed work: scans, exchanges and joins, side by side as they were."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.importing import read as imported
from models.jobs.observed import Observed
from models.scenario import Scenario
from profiles.imports.finding import Finding
from profiles.loading.loader import load_text
from tests.narrow import as_a
from tests.profiles.imports import trino_fixtures as made

Read = Callable[..., Finding]
GIB = 2.0**30


def stages(finding: Finding) -> dict[str, dict[str, Any]]:
    """Return the first portions of the stages by name."""
    told = {key: value.value for key, value in finding.workloads[0].values.items()}
    by_name = {}
    for number in range(sum(key.endswith(".name") for key in told)):
        begin = f"stages.{number}.tasks.0."
        by_name[str(told[f"stages.{number}.name"])] = {
            key.removeprefix(begin): value for key, value in told.items() if key.startswith(begin)
        }
    return by_name


@pytest.mark.parametrize("query", [made.TREE, made.LIST], ids=["a tree of stages", "a list of stages"])
def test_a_stage_is_its_drivers_with_what_they_read_fetched_and_handed_on(read: Read, query: object) -> None:
    by_name = stages(read(query))
    scan = next(stage for stage in by_name.values() if "input" in stage)
    assert scan == pytest.approx({"count": 64, "cpu": 3.0, "input": GIB / 4, "handed_on": GIB / 32})
    join = next(stage for stage in by_name.values() if "spilled" in stage)
    assert join == pytest.approx(
        {"count": 32, "cpu": 3.0, "fetched": GIB / 16, "handed_on": 1024.0, "spilled": GIB / 16}
    )
    answer = next(stage for stage in by_name.values() if stage["count"] == 1)
    assert answer == pytest.approx({"count": 1, "cpu": 0.01, "fetched": 32768.0})


def test_stages_that_ran_side_by_side_do_so_again_behind_the_planning(read: Read) -> None:
    finding = read(made.TREE)
    told = {key: value.value for key, value in finding.workloads[0].values.items()}
    assert {told[f"stages.{i}.name"]: told.get(f"stages.{i}.after") for i in range(3)} == {
        "1.2": None,
        "1.1": None,
        "1.0": ["1.2"],
    }
    assert told["stages.0.delay"] == pytest.approx(0.75)  # from the queue to the first driver
    assert {one.about: one.value for one in finding.workloads[0].outcomes} == {"query 1": 30.75}


def test_workers_have_the_cores_that_stages_side_by_side_kept_busy(read: Read) -> None:
    finding = read(made.TREE)
    assert [part.values["cpu.cores"].value for part in finding.parts] == [7, 7]  # 192 s in 19.5 s beside 96 s in 27.5 s
    assert "add lscpu -J of one" in finding.warnings[0].message


def test_the_stage_of_presto_lies_in_its_latest_attempt(read: Read) -> None:
    attempt = {"latestAttemptExecutionInfo": {"stats": {}, "tasks": made.stage(2)["tasks"]}, "subStages": []}
    by_name = stages(read({**made.QUERY, "outputStage": {"stageId": "x.0", **attempt}}))
    assert by_name["1.0"]["count"] == 64


def test_newer_presto_gives_numbers_of_tasks_with_their_unit_at_the_end_of_the_name(read: Read) -> None:
    def task(host: str) -> dict[str, Any]:
        times = {"firstStartTimeInMillis": 1_762_077_601_000, "endTimeInMillis": 1_762_077_611_000}
        moved = {
            "rawInputDataSizeInBytes": 8_000_000,
            "outputDataSizeInBytes": 4000,
            "physicalWrittenDataSizeInBytes": 0,
        }
        stats = {"totalDrivers": 4, "totalCpuTimeInNanos": 20_000_000_000, **times, **moved}
        return {"taskStatus": {"self": f"http://{host}:8080/v1/task/x"}, "stats": stats}

    def below(number: int, operator: str, *stages: object) -> dict[str, Any]:
        sums = {"operatorSummaries": [{"operatorType": operator}]}
        attempt = {"stats": sums, "tasks": [task("host-1"), task("host-2")]}
        return {"stageId": f"x.{number}", "latestAttemptExecutionInfo": attempt, "subStages": list(stages)}

    tree = below(0, "ExchangeOperator", below(1, "TableScanOperator"))
    operators = [{"stageId": 1, "operatorType": "SpillOperator", "spilledDataSizeInBytes": 800}]
    finding = read(
        {**made.QUERY, "queryStats": {"elapsedTime": "12s", "operatorSummaries": operators}, "outputStage": tree}
    )
    by_name = stages(finding)
    assert by_name["1.1"] == pytest.approx(
        {"count": 8, "cpu": 5.0, "input": 2e6, "handed_on": 1000.0, "spilled": 100.0}
    )
    assert by_name["1.0"] == pytest.approx({"count": 8, "cpu": 5.0, "fetched": 2e6})
    assert len(finding.parts) == 2


def test_a_query_without_its_tasks_is_read_from_the_sums_of_its_stages(read: Read) -> None:
    sums = {"totalDrivers": 10, "totalCpuTime": "20.00s", "rawInputDataSize": "10B"}
    by_name = stages(read({**made.QUERY, "outputStage": {"stageId": "x.0", "stageStats": sums, "subStages": []}}))
    assert by_name["1.0"] == pytest.approx({"count": 10, "cpu": 2.0, "input": 1.0})


def test_queries_of_a_folder_run_one_after_the_other_in_the_order_of_their_beginnings(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps(made.TREE).replace("T10:00:", "T10:05:"))
    (tmp_path / "b").write_text(json.dumps(made.LIST))
    report, _ = imported([str(tmp_path)])
    scenario = load_text(report.profiles[0].text, Scenario, path=tmp_path / "profile.toml").scenario
    work = as_a(Observed, scenario.workload)
    assert [stage.query for stage in work.stages] == ["2", "2", "2", "1", "1", "1"]
    assert len(work.stages[3].after) > 0


def test_a_list_of_queries_is_refused_with_what_to_ask_for(read: Read) -> None:
    listed = {key: value for key, value in made.QUERY.items() if key != "outputStage"}
    assert "ask for /v1/query/ID" in read([listed]).problems[0].message
