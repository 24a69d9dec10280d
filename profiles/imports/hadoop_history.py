"""Histories of MapReduce jobs of Hadoop 2 and 3 (.jhist) as JSON: an event a line, with or without the Avro heading.

Values of Avro's unions are wrapped in an object that names their type. Several jobs in a folder are one record.
Source: Apache Hadoop, Events.avpr, EventWriter.java.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.mapreduce_jobs import KINDS, MS, MapReduceJob, tell_jobs
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "Hadoop job history"
PIECES = True

_EVENT = re.compile(r'^\{"type"\s*:\s*"[A-Z_]+"\s*,\s*"event"\s*:\s*\{"org\.apache\.hadoop\.mapreduce', re.MULTILINE)
_BEGIN = "Avro-Json"
_BODY = re.compile(r'"(?:jobid|taskid|taskAttemptId|attemptId|applicationAttemptId)"\s*:\s*"[a-z]+_(\d+_\d+)')


def recognises(head: str) -> bool:
    """Tell whether a file is the history of a job."""
    return head.startswith(_BEGIN) or _EVENT.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the work of jobs, how long they took, and the servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an event is not as Hadoop writes it.
    """
    jobs: dict[str, MapReduceJob] = {}
    bad: list[int] = []
    for number, line in source.lines():
        if not line or line.startswith((_BEGIN, '{"type":"record"')):
            continue
        try:
            event = json.loads(line)
            take = _TAKEN.get(event["type"])
            if take is None:
                continue
            name = _BODY.search(line)
            job = jobs.setdefault(name[1] if name else "", MapReduceJob())
            take(job, _plain(event["event"]), number)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            bad.append(number)
    note_bad_lines(bad, finding)
    tell_jobs(jobs.values(), finding)


def _plain(value: Any) -> Any:
    """Return a value of a union without the object that names its type."""
    while isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return value


def _counters(data: Any) -> dict[str, float]:
    """Return the counters of a task by name, those of the job's own code left out."""
    groups = (_plain(data) or {}).get("groups", ())
    return {
        count["name"]: float(count["value"])
        for group in groups
        if group["name"].startswith("org.apache.hadoop.")
        for count in group["counts"]
    }


def _on_submitted(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    job.submitted = event["submitTime"] * MS


def _on_inited(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    job.launched = event["launchTime"] * MS


def _on_started(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    job.begun[event["attemptId"]] = event["startTime"] * MS


def _on_finished(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    start, kind = job.begun.pop(event["attemptId"]), KINDS.get(_plain(event["taskType"]))
    if kind:
        finish = max(event["finishTime"] * MS, start)
        shuffled = event.get("shuffleFinishTime", 0) * MS
        host = str(_plain(event.get("hostname", "")))
        job.end(kind, (start, finish), _counters(event["counters"]), host=host, shuffled=shuffled, line=line)


def _on_lost(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    job.begun.pop(event["attemptId"], None)
    job.lost[str(_plain(event["status"])).lower()] += 1


def _on_end(job: MapReduceJob, event: Mapping[str, Any], line: int) -> None:
    job.finished, job.line = event["finishTime"] * MS, line


_TAKEN: dict[str, Callable[[MapReduceJob, Mapping[str, Any], int], None]] = {
    "JOB_SUBMITTED": _on_submitted,
    "JOB_INITED": _on_inited,
    "JOB_FINISHED": _on_end,
    "JOB_FAILED": _on_end,
    "JOB_KILLED": _on_end,
    **{f"{kind}_ATTEMPT_STARTED": _on_started for kind in KINDS},
    **{f"{kind}_ATTEMPT_FINISHED": _on_finished for kind in KINDS},
    **{f"{kind}_ATTEMPT_{why}": _on_lost for kind in KINDS for why in ("FAILED", "KILLED")},
}
"""What is taken of a history, by the type of the event."""
