"""Traces of Alibaba's clusters of 2018: `batch_task.csv`, `batch_instance.csv`, `machine_meta.csv`, without headings.

    M1,10.0,j_12,1,Terminated,157296,157310,100.0,0.39
    R2_1,1.0,j_12,1,Terminated,157310,157329,100.0,0.49

Names of tasks tell the graph of a job: R2_1 is the second and follows the first; others follow none. A task holds its
processors for as long as it is told to have run. What it computed is told by instances, as their mean use; tasks tell
only what they asked for, which is an upper bound. Rows of a job follow each other; one that comes again is another job.
Source: alibaba/clusterdata, cluster-trace-v2018, trace_2018.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from profiles.imports.finding import Finding, Workload
from profiles.imports.objects import note_bad_lines
from profiles.imports.observed_stages import equal_servers
from profiles.imports.opening import Source
from profiles.imports.streams import JobClass, Stream

NAME = "Alibaba trace"

_TASK = re.compile(r"[^,]+,\d+(\.0)?,j_\d+,[^,]*,[A-Z][a-z]+,\d+,\d+,[\d.]*,[\d.]*\s*$")
_INSTANCE = re.compile(r"[^,]*,[^,]+,j_\d+,[^,]*,[A-Z][a-z]+,\d+,\d+,[^,]*,\d+,\d+(,[\d.]*){4}\s*$")
_MACHINE = re.compile(r"m_\d+,\d+,[^,]*,[^,]*,\d+,[\d.]*,[A-Z]+\s*$")
_HEADING = re.compile(r"(task_name|instance_name|machine_id),")
_NODE = re.compile(r"[A-Za-z]+(\d+)((?:_\d+)*)$")
_PERCENT = 100.0
"""What a core is among numbers of processors."""
_MOST_NODES = 10_000
"""Machines that are described. Assumption: the trace has 4,000."""
_MOST_TASKS = 100_000
"""Tasks of a stage that are described. Assumption: larger ones are few."""


@dataclass(slots=True)
class _Task:
    """A task of a job: its instances, their processors and seconds, and core-seconds where those are told."""

    name: str
    count: int
    begin: float
    end: float
    cores: float
    seconds: float
    used: float | None


@dataclass(slots=True)
class _Job:
    """A job on its way."""

    name: str
    line: int
    tasks: dict[str, _Task] = field(default_factory=dict)


def recognises(head: str) -> bool:
    """Tell whether a file is one of the tables."""
    first = next((line for line in head.split("\n") if line.strip() and not _HEADING.match(line)), "")
    return any(form.match(first) for form in (_TASK, _INSTANCE, _MACHINE))


def read(source: Source, finding: Finding) -> None:
    """Add the jobs of a table, or the machines, to a finding."""
    stream, job, lost = Stream("s"), None, 0
    bad: list[int] = []
    machines: dict[str, int] = {}
    for number, line in source.lines():
        row = line.split(",")
        if _MACHINE.match(line):
            machines[row[0]] = int(row[4])
        elif not (match := _TASK.match(line) or _INSTANCE.match(line)):
            bad += [number] if line.strip() and not _HEADING.match(line) else []
        elif row[4] != "Terminated":
            lost += 1
        else:
            if job is None or job.name != row[2]:
                _end(job, stream)
                job = _Job(row[2], number)
            _take(row, match.re is _TASK, job, bad, number)
    _end(job, stream)
    note_bad_lines(bad, finding)
    if lost:
        finding.leave_out(None, f"{lost:,} rows", "they failed, or had not ended")
    cores = [count for count in machines.values() if count > 0][:_MOST_NODES]
    if cores:
        equal_servers(len(cores), math.ceil(sum(cores) / len(cores)), finding)
    if stream.count:
        stream.tell(finding, "observed", _fill)
        finding.warn(
            None, "the trace tells no input and output: storage changes nothing; requested processors may idle"
        )
    elif not cores:
        finding.complain(None, "no job in it ended: expected rows of batch_task.csv or batch_instance.csv")


def _take(row: Sequence[str], is_task: bool, job: _Job, bad: list[int], number: int) -> None:
    """Add a row to its job: a task with all of its instances, or one instance of a task."""
    begin, end = float(row[5]), float(row[6])
    if end < begin or begin <= 0:
        bad.append(number)
        return
    name = row[0] if is_task else row[1]
    text = row[7] if is_task else row[10]
    cores = float(text) / _PERCENT if text else 1.0
    count = round(float(row[1])) if is_task else 1
    known = job.tasks.get(name)
    if known is None:
        known = job.tasks[name] = _Task(name, 0, begin, end, 0.0, 0.0, None if is_task else 0.0)
    known.count += count
    known.begin, known.end = min(known.begin, begin), max(known.end, end)
    known.cores = max(known.cores, cores)
    known.seconds += count * (end - begin)
    if known.used is not None:
        known.used += cores * (end - begin)


def _end(job: _Job | None, stream: Stream) -> None:
    """Count a job all of whose rows have come."""
    tasks = [task for task in job.tasks.values() if task.count and task.seconds > 0] if job else []
    if job and tasks:
        begin, end = min(task.begin for task in tasks), max(task.end for task in tasks)
        size = sum(task.seconds * max(task.cores, 1.0) for task in tasks)
        shape = "graph" if any(_before(task) for task in tasks) else "tasks"
        stream.add(shape, size, (), begin, seconds=end - begin, member=tasks, line=job.line)


def _fill(work: Workload, job_class: JobClass) -> None:
    for number, (task, after) in enumerate(_in_order(job_class.member)):
        key, threads = f"stages.{number}", max(math.ceil(task.cores), 1)
        count, seconds = min(task.count, _MOST_TASKS), task.seconds / task.count
        used = seconds * task.cores if task.used is None else task.used / task.count
        cpu = min(used / threads, seconds)
        work.put(f"{key}.name", f"{number}", line=job_class.line)
        if after:
            work.put(f"{key}.after", [f"{place}" for place in after], line=job_class.line)
        work.put(f"{key}.tasks.0.count", count * threads, line=job_class.line)
        for name, value in (("cpu", cpu), ("wait", seconds - cpu)):
            if value > 0:
                work.put(f"{key}.tasks.0.{name}", value, "s", job_class.line)


def _in_order(tasks: Iterable[_Task]) -> Iterator[tuple[_Task, list[int]]]:
    """Yield tasks, each after those that it follows, with the places of these."""
    waiting = list(tasks)
    nodes = {match[1]: task for task in waiting if (match := _NODE.match(task.name))}
    places: dict[str, int] = {}
    while waiting:
        ready = [task for task in waiting if all(nodes[of].name in places for of in _before(task) if of in nodes)]
        for task in ready or waiting:  # names that follow each other in a ring follow none
            yield task, sorted({places[nodes[of].name] for of in _before(task) if of in nodes and ready})
            places[task.name] = len(places)
        waiting = [task for task in waiting if task.name not in places]


def _before(task: _Task) -> list[str]:
    match = _NODE.match(task.name)
    return [number for number in match[2].split("_") if number and number != match[1]] if match else []
