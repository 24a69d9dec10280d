"""CSV of sparkMeasure, of tasks or of stages: the numbers of an event log without servers and settings.

Times are in milliseconds. A file of stages tells sums over their tasks, so that skew is not known.
Source: LucaCanali/sparkMeasure, TaskInfoRecorderListener.scala and StageInfoRecorderListener.scala.
"""

from __future__ import annotations

from collections.abc import Mapping

from profiles.imports.finding import Finding
from profiles.imports.objects import note_bad_lines
from profiles.imports.observed_stages import Stage, divided, one_server, placed, state
from profiles.imports.opening import Source
from profiles.text.cells import cells_of

NAME = "sparkMeasure"

_OF_TASKS = {"stageId", "launchTime", "finishTime", "executorRunTime", "executorCpuTime"}
_OF_STAGES = {"stageId", "submissionTime", "completionTime", "numTasks", "executorRunTime", "executorCpuTime"}
_MOVED = ("bytesRead", "shuffleTotalBytesRead", "shuffleBytesWritten", "diskBytesSpilled", "bytesWritten")
"""Bytes of input, exchanges fetched and written, spills and output, as NUMBERS has them."""
_MS = 1e-3


def recognises(head: str) -> bool:
    """Tell whether a file is a table of tasks or of stages."""
    columns = set(head.partition("\n")[0].strip("\r").split(","))
    return columns >= _OF_TASKS or columns >= _OF_STAGES


def read(source: Source, finding: Finding) -> None:
    """Add the work and its outcome to a finding.

    Raises:
        KeyError, ValueError: the table is not as sparkMeasure writes it.
    """
    stages: dict[str, Stage] = {}
    bad: list[int] = []
    lines = source.lines()
    _, header = next(lines)
    columns = cells_of(header)
    for number, line in lines:
        try:
            if line:
                _take(dict(zip(columns, cells_of(line), strict=False)), number, stages, finding)
        except (KeyError, ValueError, TypeError):
            bad.append(number)
    note_bad_lines(bad, finding)
    if not any(stage.tasks.count for stage in stages.values()):
        finding.complain(
            None, "no task has ended in it: expected the tasks or stages of an application that did some work"
        )
        return
    one_server(stages.values(), finding)
    state(finding.work("observed"), placed(stages.values(), {}))
    if all(stage.submitted is not None for stage in stages.values()):
        finding.warn(None, "sums of stages do not tell which tasks were slow: tasks of a stage are taken as alike")


def _take(row: Mapping[str, str], line: int, stages: dict[str, Stage], finding: Finding) -> None:
    """Count a task, or the tasks of a stage."""
    if row.get("successful", "true").lower() != "true":
        finding.leave_out(line, "a failed attempt at a task", "what it took is not part of the work")
        return
    name = str(int(row["stageId"]))
    stage = stages.setdefault(name, Stage(name, f"job {int(row['jobId'])}"))
    tasks = int(row.get("numTasks", 1))
    run, cpu = float(row["executorRunTime"]) * _MS, float(row["executorCpuTime"]) * _MS
    start = float(row.get("executorDeserializeTime", 0)) * _MS
    cpu += float(row.get("executorDeserializeCpuTime", 0)) * _MS
    collection, fetching = float(row["jvmGCTime"]) * _MS, float(row["shuffleFetchWaitTime"]) * _MS
    moved = [float(row[key]) for key in _MOVED]
    if "launchTime" in row:
        begin, end = float(row["launchTime"]) * _MS, float(row["finishTime"]) * _MS
        stage.add(begin, end, divided(end - begin, run, cpu, collection, fetching, moved)[0])
        stage.ended, stage.line = stage.finished, line
        return
    stage.submitted, stage.ended = float(row["submissionTime"]) * _MS, float(row["completionTime"]) * _MS
    stage.count, stage.line = tasks, line
    numbers, _ = divided(run + start, run, cpu, collection, fetching, moved)
    stage.launched, stage.finished = stage.submitted, stage.ended
    stage.tasks.add(stage.submitted, (run + start) / tasks, [number / tasks for number in numbers], tasks)
