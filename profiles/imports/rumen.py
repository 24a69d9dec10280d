"""Traces of Rumen: a JSON object for each job of MapReduce, one after the other, with its tasks and their attempts.

A number that is not known is -1. Of a trace only jobs with attempts are work.
Source: Apache Hadoop, LoggedJob.java, LoggedTaskAttempt.java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.mapreduce_jobs import KINDS, MS, MapReduceJob, tell_jobs
from profiles.imports.objects import each_object
from profiles.imports.opening import Source

NAME = "Rumen trace"

_BEGIN = re.compile(r'^[^\S\n]*\{\s*"', re.MULTILINE)
_COUNTERS = {
    "hdfsBytesRead": "HDFS_BYTES_READ",
    "hdfsBytesWritten": "HDFS_BYTES_WRITTEN",
    "fileBytesRead": "FILE_BYTES_READ",
    "fileBytesWritten": "FILE_BYTES_WRITTEN",
    "mapOutputBytes": "MAP_OUTPUT_BYTES",
    "reduceShuffleBytes": "REDUCE_SHUFFLE_BYTES",
}
"""Numbers of an attempt, by the counters that they come from. Source: LoggedTaskAttempt.java."""


def recognises(head: str) -> bool:
    """Tell whether a file is a trace."""
    return all(f'"{key}"' in head for key in ("jobID", "mapTasks")) and _BEGIN.match(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the work of jobs, how long they took, and the servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as Rumen writes it.
    """
    jobs = []
    for line, record in each_object(source, finding):
        job = MapReduceJob(_time(record, "submitTime"), _time(record, "launchTime"), _time(record, "finishTime"), line)
        jobs.append(job)
        for task in [*(record.get("mapTasks") or ()), *(record.get("reduceTasks") or ())]:
            for attempt in task.get("attempts") or ():
                _take(job, task, attempt, line)
    tell_jobs(jobs, finding)


def _take(job: MapReduceJob, task: Mapping[str, Any], attempt: Mapping[str, Any], line: int) -> None:
    kind, start, finish = KINDS.get(task["taskType"]), _time(attempt, "startTime"), _time(attempt, "finishTime")
    if kind is None or start is None or finish is None:
        return
    if attempt.get("result", "SUCCESS") != "SUCCESS":
        job.lost[str(attempt["result"]).lower()] += 1
        return
    counters = dict(_counters(attempt))
    shuffled = _time(attempt, "shuffleFinished") or 0.0
    host = str(attempt.get("hostName") or "")
    job.end(kind, (start, max(finish, start)), counters, host=host, shuffled=shuffled, line=line)


def _counters(attempt: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, name in _COUNTERS.items():
        value = attempt.get(key, -1)
        if isinstance(value, (int, float)) and value >= 0:
            yield name, float(value)
    cpu = (attempt.get("resourceUsageMetrics") or {}).get("cumulativeCpuUsage", 0)
    if cpu > 0:
        yield "CPU_MILLISECONDS", float(cpu)


def _time(record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key, -1)
    return float(value) * MS if isinstance(value, (int, float)) and value >= 0 else None
