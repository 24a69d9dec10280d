"""CSV of sparkMeasure as observed work: tasks one by one, stages by their sums."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.imports.finding import Finding
from profiles.imports.opening import sources
from profiles.imports.reading import findings

BEGIN = 1_700_000_000_000
METRICS = "executorRunTime,executorCpuTime,jvmGCTime,shuffleFetchWaitTime,bytesRead,shuffleTotalBytesRead"
WRITTEN = "shuffleBytesWritten,diskBytesSpilled,bytesWritten"
TASKS = f"jobId,stageId,launchTime,finishTime,successful,{METRICS},{WRITTEN}"
STAGES = f"jobId,stageId,name,submissionTime,completionTime,numTasks,{METRICS},{WRITTEN}"


def found(folder: Path, *lines: str) -> Finding:
    path = folder / "metrics.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    with sources([str(path)]) as files:
        (finding,) = findings(files)
    return finding


def told(finding: Finding) -> dict[str, object]:
    (made,) = finding.workloads
    return {key: value.value for key, value in made.values.items()}


def test_tasks_keep_skew_and_those_that_failed_are_left_out(tmp_path: Path) -> None:
    fast = f"0,3,{BEGIN},{BEGIN + 1000},true,1000,900,0,0,0,5000,7000,0,0"
    slow = f"0,3,{BEGIN},{BEGIN + 4000},true,4000,3500,100,0,0,9000,7000,0,0"
    failed = f"0,3,{BEGIN},{BEGIN + 9000},false,9000,3500,100,0,0,9000,7000,0,0"
    finding = found(tmp_path, TASKS, fast, fast, slow, failed)
    fields = told(finding)
    assert [fields[f"stages.0.tasks.{i}.{key}"] for i in (0, 1) for key in ("count", "cpu")] == [2, 0.9, 1, 3.5]
    assert fields["stages.0.tasks.1.wait"] == pytest.approx(0.4)
    assert finding.workloads[0].outcomes[0].value == pytest.approx(4.0)
    assert "a failed attempt" in finding.warnings[0].message


def test_stages_are_the_mean_of_their_tasks_and_say_so(tmp_path: Path) -> None:
    first = f"0,1,secret at x.scala,{BEGIN},{BEGIN + 5000},10,40000,30000,2000,0,1000000,0,500000,0,0"
    second = f"0,2,secret at x.scala,{BEGIN + 5000},{BEGIN + 9000},4,8000,8000,0,0,0,500000,0,0,0"
    finding = found(tmp_path, STAGES, first, second, "nonsense")
    fields = told(finding)
    assert (fields["stages.0.tasks.0.count"], fields["stages.0.tasks.0.cpu"]) == (10, pytest.approx(3.0))
    assert (fields["stages.0.tasks.0.input"], fields["stages.0.tasks.0.handed_on"]) == pytest.approx((1e5, 5e4))
    assert fields["stages.1.after"] == ["1"]
    assert [outcome.value for outcome in finding.workloads[0].outcomes] == pytest.approx([5.0, 4.0])
    assert "secret" not in repr(finding.workloads)
    assert any("do not tell which tasks were slow" in warning.message for warning in finding.warnings)
