"""Many jobs as a stream: few classes, no byte lost, and the times or the rate at which they came."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.importing import read as imported, run
from models.jobs.observed import Observed
from models.scenario import Scenario
from profiles.imports.finding import Finding
from profiles.imports.streams import Stream
from profiles.loading.loader import load_text
from tests.narrow import as_a
from tests.profiles.imports import hadoop_fixtures, stream_fixtures

Read = Callable[..., Finding]


def entries(finding: Finding) -> dict[str, dict[str, Any]]:
    """Return the workloads of a stream by name."""
    told = [{key: value.value for key, value in work.values.items()} for work in finding.stream]
    return {str(entry["name"]): entry for entry in told}


def test_a_trace_of_bytes_becomes_few_kinds_of_jobs_that_move_all_of_them(read: Read) -> None:
    jobs = entries(read(stream_fixtures.swim()))
    assert sorted(jobs) == ["generate-30-MB", "map-6-MB", "shuffle-124-GB", "shuffle-350-MB"]
    moved = {name: job["arrival_rate"] * job.get("input", job.get("generated", 0)) for name, job in jobs.items()}
    assert 5980 * sum(moved.values()) == pytest.approx(100 * 4e6 + 100 * 2e8 + 97 * 3e7 + 3 * 8e10, 0.02)
    assert jobs["shuffle-124-GB"]["map_output"] == pytest.approx(0.5)
    assert jobs["shuffle-124-GB"]["output"] == pytest.approx(0.1)
    assert jobs["map-6-MB"]["reduces"] == 0


def test_many_jobs_come_at_their_mean_rate_for_as_long_as_brings_a_hundred(read: Read) -> None:
    jobs = entries(read(stream_fixtures.swim()))
    assert [job["until"] for job in jobs.values()] == pytest.approx([5980 / 3] * 4)
    assert sum(job["arrival_rate"] for job in jobs.values()) == pytest.approx(300 / 5980)


def test_few_jobs_keep_the_times_at_which_they_came(read: Read) -> None:
    jobs = entries(read(stream_fixtures.swf(count=4)))
    assert {name: job["arrivals"] for name, job in jobs.items()} == {
        "job-19200-s": ["0 s", "1200 s"],
        "job-300-s": ["600 s", "1800 s"],
    }


def test_a_job_of_a_batch_system_is_a_task_on_each_of_its_processors(read: Read) -> None:
    finding = read(stream_fixtures.swf())
    tasks = {
        key[17:]: value for key, value in entries(finding)["job-19200-s"].items() if key.startswith("stages.0.tasks")
    }
    assert tasks == pytest.approx({"count": 16, "cpu": 1140.0, "wait": 60.0})
    assert len(finding.parts) == 4
    assert [part.values["cpu.cores"].value for part in finding.parts] == [8] * 4
    assert "1 jobs left out: they never ran" in finding.warnings[0].message


@pytest.mark.parametrize("name", stream_fixtures.FIXTURES)
def test_a_stream_runs_beside_each_other_and_stands_beside_what_was_measured(name: str, tmp_path: Path) -> None:
    few = {"SWIM trace": stream_fixtures.swim(12), "Standard Workload Format": stream_fixtures.swf(8)}
    (tmp_path / "trace").write_text(few.get(name, stream_fixtures.FIXTURES[name]))
    report, made = imported([str(tmp_path / "trace")])
    (profile,) = report.profiles
    scenario = load_text(profile.text, Scenario, path=tmp_path / profile.file).scenario
    assert len(scenario.workloads) == len(profile.compared) or name == "SWIM trace"
    (ran,) = run(report, made, seed=0, interval="none").profiles
    assert ran.problems == ()
    assert ran.duration
    for row in ran.compared:
        assert row.simulated == pytest.approx(row.measured, 0.4), row.about


def test_the_names_of_tasks_tell_which_follow_which(read: Read) -> None:
    job = entries(read(stream_fixtures.alibaba()))["graph-610-s"]
    assert [job.get(f"stages.{place}.after") for place in range(3)] == [None, None, ["0", "1"]]
    tasks = [[job.get(f"stages.{place}.tasks.0.{key}") for key in ("count", "cpu", "wait")] for place in range(3)]
    assert tasks == [[10, 30.0, None], [10, 30.0, None], [1, 5.0, 5.0]]


def test_a_task_of_several_processors_is_as_many_tasks(read: Read) -> None:
    finding = read(stream_fixtures.alibaba())
    job = entries(finding)["tasks-160-s"]
    assert (job["stages.0.tasks.0.count"], job["stages.0.tasks.0.cpu"]) == (8, 20.0)
    assert "1 rows left out: they failed, or had not ended" in finding.warnings[0].message


def test_instances_tell_what_they_computed(read: Read) -> None:
    rows = [f"i{number},M1,j_1,1,Terminated,100,110,m_7,1,1,25.0,30.0,0.1,0.2\n" for number in range(6)]
    job = next(iter(entries(read("".join(rows))).values()))
    assert [job[f"stages.0.tasks.0.{key}"] for key in ("count", "cpu", "wait")] == [6, 2.5, 7.5]


def test_machines_are_the_servers(read: Read) -> None:
    finding = read("".join(f"m_{number},0,1,2,96,100,USING\n" for number in (1, 2)) + "m_1,5,1,2,96,100,USING\n")
    assert [part.values["cpu.cores"].value for part in finding.parts] == [96, 96]


def test_names_in_a_ring_end_no_import(read: Read) -> None:
    rows = [f"{name},1.0,j_1,1,Terminated,100,110,100.0,0.2\n" for name in ("M1_2", "M2_1")]
    assert len(entries(read("".join(rows)))) == 1


@pytest.mark.parametrize("form", ["2011", "2019 JSON", "2019 CSV"])
def test_a_task_ran_from_when_it_was_scheduled_last(read: Read, form: str) -> None:
    moments = ((0, 0, 0), (1, 3, 5), (2, 4, 15), (1, 3, 20), (4, 6, 60))  # type in 2011, in 2019, seconds
    at = [(old, new, (600 + later) * 10**6) for old, new, later in moments]
    if form == "2011":
        text = "".join(f"{time},,77,0,5,{old},u,3,9,0.125,0.1,0,0\n" for old, _, time in at)
    elif form == "2019 JSON":
        lines = (
            {"time": f"{time}", "type": f"{new}", "collection_id": "77", "instance_index": "0"} for _, new, time in at
        )
        text = "".join(json.dumps({**line, "resource_request": {"cpus": 0.125}}) + "\n" for line in lines)
    else:
        text = "time,type,collection_id,instance_index,resource_request.cpus\n"
        text += "".join(f"{time},{new},77,0,0.125\n" for _, new, time in at)
    finding = read(text)
    job = next(iter(entries(finding).values()))
    assert [job.get(f"stages.0.tasks.0.{key}") for key in ("count", "cpu", "wait")] == [4, 40.0, None]
    assert finding.stream[0].outcomes[0].value == 60.0
    assert "1 attempts at tasks left out" in finding.warnings[0].message


def test_jobs_of_a_batch_system_run_as_long_and_compute_as_much_as_they_did_in_the_mean(read: Read) -> None:
    jobs = [(7000, 100, 4), (50, 400, 2), (3, 60, 64)] * 10  # seconds of waiting and running, processors
    rows = [
        f"{n} {n * 60} {wait} {run} {of} -1 -1 {of} -1 -1 1 1 1 -1 -1 1 -1 -1" for n, (wait, run, of) in enumerate(jobs)
    ]
    finding = read("\n".join(["; MaxProcs: 64", *rows, ""]))
    (job,) = entries(finding).values()
    assert job["stages.0.tasks.0.count"] == 9  # 5,040 core-seconds in 560 s
    assert job["stages.0.tasks.0.cpu"] == pytest.approx(560 / 3)
    (alone,) = finding.stream[0].outcomes
    assert alone.about == "job-1680-s.alone"
    assert alone.value == pytest.approx(560 / 3)
    assert "jobs waited for 39 min 11 s in the mean" in finding.warnings[-1].message


def test_a_reservation_of_google_is_no_job(read: Read) -> None:
    rows = [(600, 0, 1), (603, 3, 1), (605, 3, 0), (660, 6, 0), (700, 6, 1)]  # seconds, type, collection_type
    keys = "time,type,collection_id,collection_type,instance_index,resource_request.cpus\n"
    text = keys + "".join(f"{time * 10**6},{kind},{77 + of},{of},0,0.125\n" for time, kind, of in rows)
    jobs = entries(read(text))
    assert [job["stages.0.tasks.0.cpu"] for job in jobs.values()] == [55.0]


def test_a_class_too_small_to_matter_joins_the_next_larger_one() -> None:
    stream = Stream("B")
    for number in range(1000):
        stream.add("map", 3.0 if number == 0 else 3e5, (1.0,), float(number))
    stream.tell(finding := Finding("x"), "mapreduce", lambda work, job_class: work.put("count", job_class.count))
    assert [work.values["count"].value for work in finding.stream] == [1000]


def test_a_folder_of_many_histories_is_a_stream_of_jobs_as_they_came(tmp_path: Path) -> None:
    for job in range(12):
        (tmp_path / f"{job:02d}").write_text(hadoop_fixtures.history(job, at=90_000 * job))
    report, _ = imported([str(tmp_path)])
    (profile,) = report.profiles
    scenario = load_text(profile.text, Scenario, path=tmp_path / profile.file).scenario
    (entry,) = scenario.workloads
    assert entry.arrivals == tuple(90.0 * job for job in range(12))
    assert [stage.name for stage in as_a(Observed, entry).stages] == ["map", "reduce", "commit"]
    assert [row.measured for row in profile.compared] == [pytest.approx(61.5)]
