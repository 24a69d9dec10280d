"""Queries of Hive on Tez, Impala and Dremio: stages by what their tasks computed and moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from profiles.imports.finding import Finding
from tests.profiles.imports import query_fixtures as made

Read = Callable[..., Finding]


def told(finding: Finding) -> dict[str, Any]:
    return {key: value.value for key, value in finding.workloads[0].values.items()}


def stage(finding: Finding, name: str) -> Mapping[str, Any]:
    """Return the only portion of a stage, by its name."""
    fields = told(finding)
    place = next(key.removesuffix(".name") for key, value in fields.items() if key.endswith(".name") and value == name)
    begin = f"{place}.tasks.0."
    return {key.removeprefix(begin): value for key, value in fields.items() if key.startswith(begin)}


def measured(finding: Finding) -> dict[str, float]:
    return {one.about: one.value for one in finding.workloads[0].outcomes}


def cores(finding: Finding) -> list[object]:
    return [part.values["cpu.cores"].value for part in finding.parts if part.kind == "server"]


def test_a_vertex_of_tez_is_the_attempts_that_won(read: Read) -> None:
    finding = read(made.TEZ)
    moved = {"input": 128e6, "handed_on": 30e6}
    assert stage(finding, "1.0") == pytest.approx({"count": 4, "cpu": 7.5, "collection": 0.5, "stalled": 2.0, **moved})
    assert told(finding)["stages.1.after"] == ["1.0"]
    assert "1 killed attempts" in " ".join(note.message for note in finding.warnings)


def test_a_task_of_tez_that_fetches_counts_from_the_end_of_the_vertex_before(read: Read) -> None:
    finding = read(made.TEZ)
    assert stage(finding, "1.1") == pytest.approx(
        {"count": 2, "cpu": 5.0, "stalled": 1.0, "fetched": 60e6, "output": 10e6}
    )
    assert measured(finding) == pytest.approx({"1.0": 10.0, "1.1": 6.0, "query 1": 16.0})


def test_hosts_of_tez_have_the_most_tasks_at_a_time_as_cores_and_the_counters_name_the_storage(read: Read) -> None:
    finding = read(made.TEZ)
    assert cores(finding) == [3, 3]  # two maps and a reduce that waits for them
    assert [part.values["kind"].value for part in finding.parts if part.kind == "storage"] == ["hdfs"]


def test_without_attempts_the_tasks_of_a_vertex_are_alike(read: Read) -> None:
    finding = read("\n".join(json.dumps(entity) for entity in (made.DAG, *made.VERTICES)))
    assert stage(finding, "1.0") == pytest.approx({"count": 4, "cpu": 8.0, "input": 128e6})
    assert measured(finding) == {"query 1": 16.0}


def test_a_simple_log_of_tez_has_a_record_for_each_event_and_keys_in_camel_case(read: Read) -> None:
    def event(kind: str, name: str, info: dict[str, Any], **more: Any) -> str:
        return json.dumps({"entityId": name, "entityType": kind, "otherInfo": info, **more})

    records = []
    for entity in (made.DAG, *made.VERTICES, *made.MAPS, *made.REDUCES):
        info = dict(entity["otherinfo"])
        first = {key: info.pop(key) for key in ("dagPlan", "vertexName", "numTasks") if key in info}
        node = [{"entityId": info.pop("nodeId", "x"), "entityType": "nodeId"}]
        more = "TEZ_DAG_EXTRA_INFO" if "dagPlan" in first else entity["entitytype"]
        records += [
            event(
                more, entity["entity"], first, relatedEntities=node, events=[{"ts": made.MS, "eventType": "STARTED"}]
            ),
            event(entity["entitytype"], entity["entity"], info),
        ]
    finding, other = read("\x01\n".join(records)), read(made.TEZ)
    assert [stage(finding, name) for name in ("1.0", "1.1")] == [stage(other, name) for name in ("1.0", "1.1")]
    assert told(finding)["stages.1.after"] == ["1.0"]
    assert cores(finding) == [3, 3]
    assert measured(finding) == measured(other)


def test_an_instance_of_impala_is_as_many_tasks_as_threads_that_it_kept_busy(read: Read) -> None:
    finding = read(made.IMPALA)
    assert stage(finding, "1.F00") == pytest.approx({"count": 8, "cpu": 10.0, "input": 2 * 2**30, "handed_on": 2**28})
    assert stage(finding, "1.F01") == pytest.approx({"count": 2, "cpu": 14.0, "fetched": 2**30})
    assert cores(finding) == [5, 5]  # 80 s in 10 s beside 28 s in 14.5 s


def test_the_time_for_which_a_client_lets_an_answer_wait_is_not_that_of_impala(read: Read) -> None:
    assert measured(read(made.IMPALA)) == pytest.approx({"query 1": 15.5})


def test_json_of_impala_says_the_same_as_its_text(read: Read) -> None:
    def node(name: str, below: Any = (), pairs: Any = (), **counters: float) -> dict[str, Any]:
        told = [
            {"counter_name": key, "value": value, "unit": "BYTES" if "Bytes" in key else "TIME_NS"}
            for key, value in counters.items()
        ]
        infos = [{"key": key, "value": value} for key, value in pairs]
        return {"profile_name": name, "counters": told, "info_strings": infos, "child_profiles": list(below)}

    scan = node("HDFS_SCAN_NODE (id=0)", BytesRead=8 * 2**30)
    sender = node("DataStreamSender (dst_id=1)", BytesSent=2**30)
    instances = [
        node(
            f"Instance 1:{number} (host=secret-host-{number}:22000)",
            [scan, sender],
            TotalTime=10e9,
            TotalThreadsUserTime=36e9,
            TotalThreadsSysTime=4e9,
        )
        for number in (1, 2)
    ]
    times = [("Start Time", "2026-11-02 10:00:00.000000000"), ("End Time", "2026-11-02 10:00:15.500000000")]
    tree = node("Query (id=1a:2b)", [node("Summary", pairs=times), node("Fragment F00", instances)])
    finding = read({"contents": tree})
    assert stage(finding, "1.F00") == stage(read(made.IMPALA), "1.F00")
    assert measured(finding) == pytest.approx({"query 1": 15.5})


def test_an_aggregated_profile_of_impala_says_the_same_as_one_of_each_instance(read: Read) -> None:
    finding = read(made.AGGREGATED)
    assert stage(finding, "1.F00") == stage(read(made.IMPALA), "1.F00")
    assert cores(finding) == [16, 16]  # as it tells by itself
    assert measured(finding) == pytest.approx({"query 1": 15.5})


def test_aggregated_json_of_impala_tells_the_number_of_instances_with_its_counters(read: Read) -> None:
    def mean(name: str, value: float, unit: str) -> dict[str, Any]:
        return {"counter_name": name, "unit": unit, "count": 2, "min": value - 1, "max": value + 1, "mean": value}

    life = [mean("ExecTime", 9e9, "TIME_NS"), mean("OpenTime", 1e9, "TIME_NS")]
    alike = {"counter_name": "BytesRead", "unit": "BYTES", "count": 2, "min": 2**33, "max": 2**33}  # without a mean
    fragment = {
        "profile_name": "Fragment F00",
        "counters": [mean("TotalThreadsUserTime", 36e9, "TIME_NS"), mean("TotalThreadsSysTime", 4e9, "TIME_NS")],
        "event_sequences": [{"events": [{"label": "Open Finished", "ts_list": [1_060_000]}]}],
        "info_strings": [{"key": "Delegated User"}],
        "child_profiles": [
            {"profile_name": "Fragment Instance Lifecycle Timings", "counters": life},
            {"profile_name": "HDFS_SCAN_NODE (id=0)", "counters": [alike]},
        ],
    }
    text = json.dumps([{"contents": {"profile_name": "Query (id=1a:2b)", "child_profiles": [fragment]}}], indent=1)
    assert stage(read(text), "1.F00") == pytest.approx({"count": 8, "cpu": 10.0, "input": 2 * 2**30})


def test_a_packed_log_of_profiles_of_impala_names_the_tool_that_unpacks_it(read: Read) -> None:
    assert (
        "impala-profile-tool" in read("1785722095212 5644dcaf9cc34cea:1147591800000000 eJyVVs9vG0").problems[0].message
    )


def test_a_phase_of_dremio_is_its_threads_without_what_they_waited_for_each_other(read: Read) -> None:
    finding = read(made.FIXTURES["Dremio profile"])
    scan = {"count": 4, "cpu": 5.0, "stalled": 2.0, "input": 512e6, "handed_on": 10}
    assert stage(finding, "1.1") == pytest.approx(scan)
    assert stage(finding, "1.0") == pytest.approx({"count": 1, "cpu": 1.0, "fetched": 40})
    assert cores(finding) == [16, 16]
    assert measured(finding) == {"query 1": 12.0}


def test_a_writer_of_parquet_tells_its_files_in_place_of_bytes_and_the_header_of_a_download_nothing(read: Read) -> None:
    metrics = [*made.METRICS, *({"metricDef": []} for _ in range(4))]
    metrics[25] = {"metricDef": [{"id": 0, "name": "NUM_FILES_WRITTEN"}, {"id": 3, "name": "AVG_FILE_SIZE"}]}
    threads = [made.thread(0, 500, 11_000, made.operator(25, 3.9, 2.0, m0=3, m3=1000))]
    phases = [{"majorFragmentId": 0, "minorFragmentProfile": threads}]
    query = {**made.DREMIO, "fragmentProfile": phases, "operatorTypeMetricsMap": {"metricsDef": metrics}}
    finding = read(json.dumps({"clusterInfo": {"identity": {}}, "job": {}}) + "\n" + json.dumps(query))
    assert stage(finding, "1.0") == pytest.approx({"count": 1, "cpu": 4.0, "stalled": 2.0, "output": 3000.0})
    assert not finding.problems


def test_records_of_a_scan_stand_for_its_bytes_where_metrics_have_no_names(read: Read) -> None:
    finding = read({**made.DREMIO, "operatorTypeMetricsMap": None})
    assert stage(finding, "1.1")["input"] == 7


@pytest.mark.parametrize("content", [{"id": {"part1": 1}, "fragmentProfile": []}, {"id": {"part1": 1}, "plan": "x"}])
def test_the_profile_of_a_query_that_did_not_run_is_refused(read: Read, content: Any) -> None:
    assert "that ran" in read(content).problems[0].message
