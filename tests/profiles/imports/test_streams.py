"""Many jobs as a stream: few classes, no byte lost, and the times or the rate at which they came."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.importing import read as imported, run
from models.scenario import Scenario
from profiles.imports.finding import Finding
from profiles.imports.streams import Stream
from profiles.loader import load_text
from tests.profiles.imports import hadoop_fixtures, stream_fixtures

Read = Callable[..., Finding]


def entries(finding: Finding) -> dict[str, dict[str, Any]]:
    """Return the workloads of a stream by name."""
    told = [{key: value.value for key, value in work.values.items()} for work in finding.stream]
    return {entry["name"]: entry for entry in told}


def test_a_trace_of_bytes_becomes_few_kinds_of_jobs_that_move_all_of_them(read: Read) -> None:
    found = entries(read(stream_fixtures.swim()))
    assert sorted(found) == ["generate-30-MB", "map-6-MB", "shuffle-124-GB", "shuffle-350-MB"]
    moved = {name: each["arrival_rate"] * each.get("input", each.get("generated", 0)) for name, each in found.items()}
    assert 5980 * sum(moved.values()) == pytest.approx(100 * 4e6 + 100 * 2e8 + 97 * 3e7 + 3 * 8e10, 0.02)
    assert found["shuffle-124-GB"]["map_output"] == pytest.approx(0.5)
    assert found["shuffle-124-GB"]["output"] == pytest.approx(0.1)
    assert found["map-6-MB"]["reduces"] == 0


def test_many_jobs_come_at_their_mean_rate_for_as_long_as_brings_a_hundred(read: Read) -> None:
    found = entries(read(stream_fixtures.swim()))
    assert [each["until"] for each in found.values()] == pytest.approx([5980 / 3] * 4)
    assert sum(each["arrival_rate"] for each in found.values()) == pytest.approx(300 / 5980)


def test_few_jobs_keep_the_times_at_which_they_came(read: Read) -> None:
    found = entries(read(stream_fixtures.swf(count=4)))
    assert {name: each["arrivals"] for name, each in found.items()} == {
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
    (tmp_path / "trace").write_text(stream_fixtures.swim(12) if name == "SWIM trace" else stream_fixtures.swf(8))
    report, made = imported([str(tmp_path / "trace")])
    (profile,) = report.profiles
    scenario = load_text(profile.text, Scenario, path=tmp_path / profile.file).scenario
    assert len(scenario.workloads) == len(profile.compared) or name == "SWIM trace"
    (ran,) = run(report, made, seed=0, interval="none").profiles
    assert ran.problems == ()
    assert ran.duration
    for row in ran.compared:
        assert row.simulated == pytest.approx(row.measured, 0.4), row.about


def test_a_class_too_small_to_matter_joins_the_next_larger_one() -> None:
    stream = Stream("B")
    for number in range(1000):
        stream.add("map", 3.0 if number == 0 else 3e5, (1.0,), float(number))
    stream.tell(finding := Finding("x"), "mapreduce", lambda work, each: work.put("count", each.count))
    assert [work.values["count"].value for work in finding.stream] == [1000]


def test_a_folder_of_many_histories_is_a_stream_of_jobs_as_they_came(tmp_path: Path) -> None:
    for job in range(12):
        (tmp_path / f"{job:02d}").write_text(hadoop_fixtures.history(job, at=90_000 * job))
    report, _ = imported([str(tmp_path)])
    (profile,) = report.profiles
    scenario = load_text(profile.text, Scenario, path=tmp_path / profile.file).scenario
    (entry,) = scenario.workloads
    assert entry.arrivals == tuple(90.0 * job for job in range(12))
    assert [stage.name for stage in entry.stages] == ["map", "reduce", "commit"]
    assert [row.measured for row in profile.compared] == [pytest.approx(61.5)]
