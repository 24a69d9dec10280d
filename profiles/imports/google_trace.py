"""Traces of Google's clusters: `task_events` of 2011 as CSV, `instance_events` of 2019 as exported from BigQuery.

    0,,3418309,0,4155527081,1,user,3,9,0.125,0.07446,0.0004244,0

A task of a job is submitted, scheduled on a machine, and ends, and may be evicted and scheduled again. What it asked
for is told as a part of the largest machine. A job is one stage of the tasks that finished in it, each for as long as
it ran. Instances of alloc sets are reservations in which tasks run, and left out. Neither what tasks computed nor
bytes are told.
Source: google/cluster-data, ClusterData2011_2.md (table of task events) and clusterdata_trace_format_v3.proto
(InstanceEvent); BigQuery writes its integers as text in JSON.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from profiles.imports.finding import Finding, Workload
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source
from profiles.imports.streams import JobClass, Stream
from profiles.text.cells import cells_of

NAME = "Google trace"
PIECES = True

_ROW = re.compile(r"\d+,\d?,\d+,\d+,\d*,\d,[^,]*,\d*,\d*,[\d.e-]*,[\d.e-]*,[\d.e-]*,[01]?\s*$")
_KEYS = ("collection_id", "instance_index", "time", "type")
_US = 1e-6
_SUBMIT, _SCHEDULE, _FINISH, _STOPPED = "submit", "schedule", "finish", "stopped"
_EVENTS_2011 = {0: _SUBMIT, 1: _SCHEDULE, 2: _STOPPED, 3: _STOPPED, 4: _FINISH, 5: _STOPPED, 6: _STOPPED}
_EVENTS_2019 = {0: _SUBMIT, 3: _SCHEDULE, 4: _STOPPED, 5: _STOPPED, 6: _FINISH, 7: _STOPPED, 8: _STOPPED}
_NAMES_2019 = {"EVICT": 4, "FAIL": 5, "FINISH": 6, "KILL": 7, "LOST": 8, "SCHEDULE": 3, "SUBMIT": 0}
"""Types of events, by number, and by name where they were exported so."""
_RESERVATIONS = {"1", "ALLOC_SET"}
_FOREVER = 2**62
"""Time from which on it says that something happened after the trace. Source: ClusterData2011_2.md, 2^63 - 1."""
_LARGEST = 32.0
"""Cores of the largest machine. Assumption (16 to 96): sizes are told as parts of it."""
_MOST_TASKS = 100_000
"""Tasks of a job that are described. Assumption: larger ones are few."""


class _Event(NamedTuple):
    """What happened to a task at a time (s); it asked for so many cores."""

    time: float
    what: str
    job: str
    task: str
    cores: float


@dataclass(slots=True)
class _Job:
    """A job on its way: when it was submitted, what its tasks took, and when the last of them ended."""

    line: int
    begin: float
    end: float = 0.0
    count: int = 0
    seconds: float = 0.0
    cores: float = 0.0


def recognises(head: str) -> bool:
    """Tell whether a file has events of tasks."""
    first = head.lstrip().split("\n", 1)[0]
    return _ROW.match(first) is not None or all(key in first for key in _KEYS)


def read(source: Source, finding: Finding) -> None:
    """Add the jobs of a trace to a finding."""
    jobs: dict[str, _Job] = {}
    since: dict[tuple[str, str], float] = {}
    stopped, bad = 0, list[int]()
    for number, event in _events(source, bad):
        job = jobs.setdefault(event.job, _Job(number, event.time))
        task = event.job, event.task
        if event.what == _SCHEDULE:
            since[task] = event.time
        elif event.what == _FINISH and task in since:
            job.count += 1
            job.seconds += event.time - since[task]
            job.cores += event.cores
            job.end = max(job.end, event.time)
        stopped += event.what == _STOPPED
        if event.what in {_FINISH, _STOPPED}:
            since.pop(task, None)
    note_bad_lines(bad, finding)
    stream = Stream("s")
    for job in sorted((job for job in jobs.values() if job.seconds > 0), key=lambda job: job.begin):
        took = job.end - job.begin
        stream.add("job", job.seconds, (), job.begin, seconds=took, member=job, line=job.line)
    if not stream.count:
        finding.complain(None, "no task in it was scheduled and finished: import the tables of a longer time together")
        return
    if stopped:
        finding.leave_out(None, f"{stopped:,} attempts at tasks", "they were evicted or killed, or failed")
    if since:
        finding.leave_out(None, f"{len(since):,} tasks", "they had not ended")
    stream.tell(finding, "observed", _fill)
    text = f"sizes of tasks are parts of the largest machine, taken as {_LARGEST:.0f} cores"
    finding.warn(None, f"{text}; the trace tells no input and output: storage changes nothing")


def _events(source: Source, bad: list[int]) -> Iterator[tuple[int, _Event]]:
    """Yield the events of a table of either year."""
    heading: list[str] = []
    for number, line in source.lines():
        try:
            if line.startswith("{"):
                event = _of_2019(json.loads(line))
            elif heading and line.strip():
                event = _of_2019(dict(zip(heading, cells_of(line), strict=True)))
            elif all(key in line for key in _KEYS):
                heading = cells_of(line)
                continue
            else:
                event = _of_2011(line.split(",")) if line.strip() else None
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            bad.append(number)
            continue
        if event is not None:
            yield number, event


def _of_2011(row: list[str]) -> _Event | None:
    time, what = int(row[0]), _EVENTS_2011.get(int(row[5]))
    if what is None or time >= _FOREVER:
        return None
    return _Event(time * _US, what, row[2], row[3], _cores(row[9]))


def _of_2019(event: Mapping[str, Any]) -> _Event | None:
    if str(event.get("collection_type", "")) in _RESERVATIONS:
        return None
    kind, time = event["type"], int(event["time"])
    number = _NAMES_2019.get(str(kind)) if str(kind).isalpha() else int(kind)
    what = _EVENTS_2019.get(number) if number is not None else None
    if what is None or time >= _FOREVER:
        return None
    asked = event.get("resource_request") or {}
    cores = asked.get("cpus") if isinstance(asked, Mapping) else None
    cores = cores if cores is not None else event.get("resource_request.cpus") or event.get("resource_request_cpus")
    return _Event(time * _US, what, str(event["collection_id"]), str(event["instance_index"]), _cores(cores))


def _cores(part: object) -> float:
    """Return the cores that a part of the largest machine is, one where none is told."""
    return float(str(part)) * _LARGEST if part not in (None, "") else 1.0


def _fill(work: Workload, job_class: JobClass) -> None:
    job: _Job = job_class.member
    cores, seconds = job.cores / job.count, job.seconds / job.count
    threads = max(math.ceil(cores), 1)
    cpu = seconds * min(cores / threads, 1.0)
    work.put("stages.0.name", "run", line=job_class.line)
    work.put("stages.0.tasks.0.count", min(job.count, _MOST_TASKS) * threads, line=job_class.line)
    if cpu > 0:
        work.put("stages.0.tasks.0.cpu", cpu, "s", job_class.line)
    if seconds > cpu:
        work.put("stages.0.tasks.0.wait", seconds - cpu, "s", job_class.line)
