"""Standard Workload Format: jobs of a batch system by when they came, how many processors they took and how long.

Eighteen columns parted by blanks; -1 is not known. A job is one stage of a task on each of its processors, with their
CPU time where it is told, else the time for which they ran. Input and output are not told. Of alike jobs one runs that
takes as long as they do in the mean, on the processors on which it does as much.

How long jobs wait before they run depends on priorities, reservations, limits and idle nodes of the batch system, and
on when they came together: none of it is in the profile, so that jobs are compared by the time for which they ran.
Source: Parallel Workloads Archive, The Standard Workload Format, version 2.2.
"""

from __future__ import annotations

import math
import re
from statistics import fmean

from models import units
from profiles.imports.finding import Finding, Workload
from profiles.imports.objects import note_bad_lines
from profiles.imports.observed_stages import equal_servers
from profiles.imports.opening import Source
from profiles.imports.streams import ALONE, JobClass, Stream

NAME = "Standard Workload Format"

_HEADER = re.compile(r";\s*(\w+)\s*:\s*(\d+)")
_SUBMIT, _WAIT, _RUN, _PROCESSORS, _CPU, _COLUMNS = 1, 2, 3, 4, 5, 18
_MOST_NODES = 10_000
"""Nodes that are described. Assumption: no trace of the archive has more."""


def recognises(head: str) -> bool:
    """Tell whether a file has the heading of the format, or its columns."""
    first = next((line for line in head.split("\n") if line.strip() and not line.startswith(";")), "")
    is_row = len(first.split()) == _COLUMNS and re.fullmatch(r"[-\d.\s]+", first) is not None
    return is_row or re.search(r"\A(;.*\n)*;\s*(MaxProcs|MaxNodes|MaxJobs):", head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the jobs of a trace, and the nodes that it names, to a finding."""
    stream, header, bad, idle = Stream("s", ALONE), dict[str, int](), list[int](), 0
    waits: list[float] = []
    for number, line in source.lines():
        if line.startswith(";"):
            if match := _HEADER.match(line):
                header.setdefault(match[1], int(match[2]))
            continue
        try:
            row = [float(cell) for cell in line.split()]
            if not row:
                continue
            run, processors = row[_RUN], round(row[_PROCESSORS])
            cpu = row[_CPU] if row[_CPU] > 0 else run
            if run <= 0 or processors <= 0:
                idle += 1
                continue
            size, numbers = processors * run, (processors * min(cpu, run), run)
            stream.add("job", size, numbers, row[_SUBMIT], seconds=run, line=number)
            waits += [row[_WAIT]] if row[_WAIT] >= 0 else []
        except (ValueError, IndexError, OverflowError):
            bad.append(number)
    note_bad_lines(bad, finding)
    if idle:
        finding.leave_out(None, f"{idle:,} jobs", "they never ran, or their processors are not told")
    if not stream.count:
        finding.complain(None, "no job in it ran: expected rows of 18 numbers")
        return
    _tell_servers(header, finding)
    stream.tell(finding, "observed", _fill)
    finding.warn(None, "the format tells no input and output: storage changes nothing")
    if any(waits):
        said_so = f"jobs waited for {units.format_duration(fmean(waits))} in the mean before they ran"
        finding.warn(
            None, f"{said_so}, by rules of their batch system that it does not tell: compared is how long they ran"
        )


def _tell_servers(header: dict[str, int], finding: Finding) -> None:
    """State the nodes of the heading; one without a number of nodes is taken as one server."""
    processors = header.get("MaxProcs", 0)
    nodes = header.get("MaxNodes", 0) or 1
    if processors <= 0:
        return
    equal_servers(min(nodes, _MOST_NODES), max(math.ceil(processors / nodes), 1), finding)


def _fill(work: Workload, job_class: JobClass) -> None:
    cpu, run = job_class.means
    spent = job_class.size / job_class.count
    count = max(round(spent / run), 1)
    work.put("stages.0.name", "run", line=job_class.line)
    work.put("stages.0.tasks.0.count", count, line=job_class.line)
    work.put("stages.0.tasks.0.cpu", cpu / count, "s", job_class.line)
    if spent > cpu:
        work.put("stages.0.tasks.0.wait", (spent - cpu) / count, "s", job_class.line)
