"""What the client of a MapReduce job prints: its counters, which are sums over the tasks, and the times of its lines.

Of sums skew is not known: tasks of a stage are taken as alike. CPU time, garbage collection and what was read back from
local files lie on maps and reduces by the time of their tasks; input is read by maps, output written by the last stage.
Source: Apache Hadoop, JobCounter.properties, TaskCounter.properties, FileSystemCounter.properties; Job.java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from profiles.imports.finding import Finding
from profiles.imports.mapreduce_jobs import MS, QUERY
from profiles.imports.observed_stages import Stage, divided, one_server, placed, state
from profiles.imports.opening import Source
from profiles.imports.schemes import storage_of

NAME = "Hadoop job output"

_COUNTER = re.compile(r"^(?:.* INFO \S+: )?\s*([A-Z][\w\s()/:-]*)=\s*(\d+)\s*$")
_TIME = re.compile(r"^(\d{2}/\d{2}/\d{2}|\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:[,.](\d{3}))?\s")
_FILE_SYSTEM = re.compile(r"(\w+): Number of bytes (read|written)")
_OLD_FILE_SYSTEM = re.compile(r"(\w+)_BYTES_(READ|WRITTEN)")
_LOCAL = "FILE"
_BEGUN, _ENDED = "Running job: ", re.compile(r"Job (?:\w+ )?complete")
_MAPS = re.compile(r"\bmap\s+(\d+)%")
_COUNTERS = re.compile(r"\bCounters: \d+\s*$")


@dataclass(slots=True)
class _Output:
    """The lines of one job: its counters by name, and when it began, began and ended its maps, and ended (s)."""

    line: int
    counters: dict[str, float] = field(default_factory=dict)
    begun: float | None = None
    mapping: float | None = None
    mapped: float | None = None
    ended: float | None = None

    def count(self, *names: str) -> float:
        """Return the first of the counters that is told, else 0."""
        return next((self.counters[name] for name in names if name in self.counters), 0.0)


def recognises(head: str) -> bool:
    """Tell whether a file is the output of a job, or of several."""
    is_begun = _BEGUN in head and (" mapreduce.Job: " in head or " mapred.JobClient: " in head)
    return is_begun or (
        "Map-Reduce Framework" in head and _COUNTERS.search(head.partition("Map-Reduce")[0]) is not None
    )


def read(source: Source, finding: Finding) -> None:
    """Add the work of jobs, and how long they took, to a finding.

    Raises:
        ValueError: a number is none.
    """
    done = [job for job in _jobs(source) if _maps(job) > 0]
    if not done:
        finding.complain(None, "no counters of tasks in it: copy the output of the job to its end")
        return
    for number, job in enumerate(done):
        stages = _stages(job)
        if number == 0:
            one_server(stages, finding)
            _tell_storage(job, finding)
        work = finding.work("observed", job.line)
        state(work, placed(stages, {} if job.begun is None else {QUERY: job.begun}))
        if job.begun is not None and job.ended is not None:
            work.outcome("", "duration", job.ended - job.begun, job.line)
    finding.warn(None, "counters of a job do not tell which tasks were slow: the .jhist file does")


def _jobs(source: Source) -> Iterator[_Output]:
    job = _Output(1)
    is_counting = False
    for number, line in source.lines():
        if _BEGUN in line or (_COUNTERS.search(line) and job.counters):
            if job.counters:
                yield job
                job = _Output(number)
            job.begun = _time(line)
        elif share := _MAPS.search(line):
            _mark(job, share[1], line)
        elif _ENDED.search(line):
            job.ended = _time(line)
        if _COUNTERS.search(line):
            is_counting, job.line = True, number
        elif is_counting and (match := _COUNTER.match(line)):
            job.counters.setdefault(match[1].rstrip(), float(match[2]))
    yield job


def _mark(job: _Output, percent: str, line: str) -> None:
    """Keep when the maps began, and when all of them had ended."""
    if job.mapping is None:
        job.mapping = _time(line)
    if percent == "100" and job.mapped is None:
        job.mapped = _time(line)


def _time(line: str) -> float | None:
    match = _TIME.match(line)
    if match is None:
        return None
    day = match[1] if "-" in match[1] else "20" + match[1].replace("/", "-")
    return datetime.fromisoformat(f"{day}T{match[2]}+00:00").timestamp() + int(match[3] or 0) * MS


def _maps(job: _Output) -> int:
    return round(job.count("Launched map tasks") - job.count("Failed map tasks") - job.count("Killed map tasks"))


def _reduces(job: _Output) -> int:
    launched = job.count("Launched reduce tasks")
    return round(launched - job.count("Failed reduce tasks") - job.count("Killed reduce tasks"))


def _moved(job: _Output, way: str) -> dict[str, float]:
    """Return the bytes that were read or written, by the scheme of their file system."""
    moved: dict[str, float] = {}
    for name, value in job.counters.items():
        match = _FILE_SYSTEM.fullmatch(name) or _OLD_FILE_SYSTEM.fullmatch(name)
        if match and match[2].lower() == way:
            moved[match[1]] = value
    return moved


def _stages(job: _Output) -> list[Stage]:
    """Return the stages of maps and of reduces."""
    counts = {"map": _maps(job), "reduce": max(_reduces(job), 0)}
    spent = {
        kind: MS
        * job.count(
            f"Total time spent by all {kind} tasks (ms)", f"Total time spent by all {kind}s in occupied slots (ms)"
        )
        for kind in counts
    }
    total = sum(spent.values())
    made = job.count("Map output materialized bytes", "Map output bytes") if counts["reduce"] else 0.0
    read, written = (
        sum(size for scheme, size in _moved(job, way).items() if scheme != _LOCAL) for way in ("read", "written")
    )
    back = _moved(job, "read").get(_LOCAL, 0.0)
    collection, last = job.count("GC time elapsed (ms)") * MS, "reduce" if counts["reduce"] else "map"
    cpu = job.count("CPU time spent (ms)") * MS or total
    stages = []
    for kind, count in counts.items():
        if not count:
            continue
        part = spent[kind] / total if total > 0 else 1 / len(counts)
        shuffled = job.count("Reduce shuffle bytes") if kind == "reduce" else 0.0
        moved = (
            read if kind == "map" else 0.0,
            shuffled,
            made if kind == "map" else 0.0,
            back * part,
            written if kind == last else 0.0,
        )
        used = min(collection, cpu) * part
        whole = divided(spent[kind], spent[kind], cpu * part - used, used, 0.0, moved)[0]
        stages.append(_stage(kind, count, spent[kind] / count, [number / count for number in whole], job))
    return stages


def _stage(kind: str, count: int, seconds: float, numbers: list[float], job: _Output) -> Stage:
    begin = (job.mapping or job.begun) if kind == "map" else job.mapped
    end = job.ended if kind == "reduce" or job.mapped is None else job.mapped
    stage = Stage(kind, QUERY, count=count, line=job.line)
    if begin is not None and end is not None and end > begin:
        stage.submitted, stage.ended = begin, end
    stage.launched = begin or 0.0
    stage.finished = stage.launched + seconds if stage.ended is None else stage.ended
    stage.tasks.add(stage.launched, seconds, numbers, count)
    return stage


def _tell_storage(job: _Output, finding: Finding) -> None:
    moved = {**_moved(job, "written"), **_moved(job, "read")}
    known = filter(None, map(storage_of, sorted(moved, key=lambda scheme: -moved[scheme])))
    if kind := next(known, None):
        finding.part("storage").put("kind", kind, line=job.line)
