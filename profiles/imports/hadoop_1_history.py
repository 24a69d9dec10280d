"""Histories of MapReduce jobs of Hadoop 0.20 to 1: `Kind KEY="value" ... .` a line, with escaped values.

An attempt has a line for its start and one for its end. Source: Apache Hadoop 1, JobHistory.java, Counters.java.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.mapreduce_jobs import KINDS, MS, MapReduceJob, tell_jobs
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "Hadoop 1 job history"
PIECES = True

_LINE = re.compile(r"(Job|MapAttempt|ReduceAttempt) ")
_PAIR = re.compile(r'(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"')
_COUNTER = re.compile(r"\[\(((?:[^()\\]|\\.)*)\)\((?:[^()\\]|\\.)*\)\((\d+)\)\]")
_ESCAPED = re.compile(r"\\(.)")
_JOB = re.compile(r"(?:job|attempt)_(\d+_\d+)")


def recognises(head: str) -> bool:
    """Tell whether a file is the history of a job."""
    return re.search(r'^(Meta VERSION="1" \.|Job JOBID="job_\w+" )', head, re.MULTILINE) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the work of jobs, how long they took, and the servers to a finding.

    Raises:
        KeyError, ValueError: a line is not as Hadoop writes it.
    """
    jobs: dict[str, MapReduceJob] = {}
    bad: list[int] = []
    for number, line in source.lines():
        match = _LINE.match(line)
        if match is None:
            continue
        fields: dict[str, str] = dict(_PAIR.findall(line))
        try:
            name = _JOB.match(fields.get("TASK_ATTEMPT_ID") or fields.get("JOBID", ""))
            job = jobs.setdefault(name[1] if name else "", MapReduceJob())
            if match[1] == "Job":
                _take_job(job, fields, number)
            else:
                _take_attempt(job, fields, number)
        except (ValueError, LookupError):
            bad.append(number)
    note_bad_lines(bad, finding)
    tell_jobs(jobs.values(), finding)


def _take_job(job: MapReduceJob, fields: dict[str, str], line: int) -> None:
    if "SUBMIT_TIME" in fields:
        job.submitted = int(fields["SUBMIT_TIME"]) * MS
    if "LAUNCH_TIME" in fields:
        job.launched = int(fields["LAUNCH_TIME"]) * MS
    if "FINISH_TIME" in fields:
        job.finished, job.line = int(fields["FINISH_TIME"]) * MS, line


def _take_attempt(job: MapReduceJob, fields: dict[str, str], line: int) -> None:
    kind, name = KINDS.get(fields.get("TASK_TYPE", "")), fields["TASK_ATTEMPT_ID"]
    if kind is None:
        return
    if "START_TIME" in fields:
        job.begun[name] = int(fields["START_TIME"]) * MS
    if "TASK_STATUS" not in fields:
        return
    start = job.begun.pop(name)
    if fields["TASK_STATUS"] != "SUCCESS":
        job.lost[fields["TASK_STATUS"].lower()] += 1
        return
    counted = _ESCAPED.sub(r"\1", fields.get("COUNTERS", ""))  # of which the names are escaped once more
    counters = {key: float(value) for key, value in _COUNTER.findall(counted)}
    finish = max(int(fields["FINISH_TIME"]) * MS, start)
    shuffled = int(fields.get("SHUFFLE_FINISHED", 0)) * MS
    job.end(kind, (start, finish), counters, host=fields.get("HOSTNAME", ""), shuffled=shuffled, line=line)
