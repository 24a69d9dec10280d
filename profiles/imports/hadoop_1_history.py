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
        said: dict[str, str] = dict(_PAIR.findall(line))
        try:
            name = _JOB.match(said.get("TASK_ATTEMPT_ID") or said.get("JOBID", ""))
            job = jobs.setdefault(name[1] if name else "", MapReduceJob())
            if match[1] == "Job":
                _take_job(job, said, number)
            else:
                _take_attempt(job, said, number)
        except (ValueError, LookupError):
            bad.append(number)
    note_bad_lines(bad, finding)
    tell_jobs(jobs.values(), finding)


def _take_job(job: MapReduceJob, said: dict[str, str], line: int) -> None:
    if "SUBMIT_TIME" in said:
        job.submitted = int(said["SUBMIT_TIME"]) * MS
    if "LAUNCH_TIME" in said:
        job.launched = int(said["LAUNCH_TIME"]) * MS
    if "FINISH_TIME" in said:
        job.finished, job.line = int(said["FINISH_TIME"]) * MS, line


def _take_attempt(job: MapReduceJob, said: dict[str, str], line: int) -> None:
    kind, name = KINDS.get(said.get("TASK_TYPE", "")), said["TASK_ATTEMPT_ID"]
    if kind is None:
        return
    if "START_TIME" in said:
        job.begun[name] = int(said["START_TIME"]) * MS
    if "TASK_STATUS" not in said:
        return
    start = job.begun.pop(name)
    if said["TASK_STATUS"] != "SUCCESS":
        job.lost[said["TASK_STATUS"].lower()] += 1
        return
    counted = _ESCAPED.sub(r"\1", said.get("COUNTERS", ""))  # of which the names are escaped once more
    counters = {key: float(value) for key, value in _COUNTER.findall(counted)}
    finish = max(int(said["FINISH_TIME"]) * MS, start)
    shuffled = int(said.get("SHUFFLE_FINISHED", 0)) * MS
    job.end(kind, (start, finish), counters, host=said.get("HOSTNAME", ""), shuffled=shuffled, line=line)
