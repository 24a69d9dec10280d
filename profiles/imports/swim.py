"""Traces of SWIM: jobs of MapReduce by when they came and the bytes that they read, shuffled and wrote.

    job17<TAB>1128<TAB>16<TAB>10274791099<TAB>13024975762<TAB>3600817163

Columns are a name, seconds from the start, seconds since the job before, bytes of input, shuffle and output, and with
some a path. A trace tells neither CPU time nor durations: the engine that ships says what bytes cost.
Source: SWIMProjectUCB/SWIM, workloadSuite/README.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding, Workload
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source
from profiles.imports.streams import JobClass, Stream

NAME = "SWIM trace"

_LINE = re.compile(r"\w+\t\d+\t\d+\t\d+\t\d+\t\d+(\t\S+)?\s*$")
_TOLD = 5
"""Lines at the beginning that tell the format. Assumption."""


def recognises(head: str) -> bool:
    """Tell whether a file is a trace."""
    lines = head.split("\n", _TOLD)[:_TOLD]
    return (
        bool(lines) and all(_LINE.match(line) for line in lines if line.strip()) and _LINE.match(lines[0]) is not None
    )


def read(source: Source, finding: Finding) -> None:
    """Add the jobs of a trace to a finding."""
    stream, bad, idle = Stream("B"), list[int](), 0
    for number, line in source.lines():
        cells = line.split("\t")
        try:
            at, _, taken, shuffled, made = map(float, cells[1:6])
        except ValueError:
            bad += [number] if line.strip() else []
            continue
        size = taken + shuffled + made
        if size <= 0:
            idle += 1
            continue
        shape = "generate" if taken <= 0 else "shuffle" if shuffled > 0 else "map"
        stream.add(shape, size, (taken, shuffled, made), at, line=number)
    note_bad_lines(bad, finding)
    if idle:
        finding.leave_out(None, f"{idle:,} jobs", "they moved nothing")
    if not stream.count:
        finding.complain(None, "no job in it moved bytes: expected a trace of SWIM")
        return
    stream.tell(finding, "mapreduce", _fill)
    finding.warn(
        None, "a trace of SWIM tells no CPU time: it is that of Hadoop 3 as shipped, for binary records of 100 B"
    )


def _fill(work: Workload, job_class: JobClass) -> None:
    taken, shuffled, made = job_class.means
    work.put("engine", "hadoop-3")
    if job_class.shape == "generate":
        work.put("generated", max(made + shuffled, 1.0), "B", job_class.line)
        return
    work.put("input", taken, "B", job_class.line)
    if job_class.shape == "map":
        work.put("map_output", made / taken, line=job_class.line)
        work.put("reduces", 0)
    else:
        work.put("map_output", shuffled / taken, line=job_class.line)
        work.put("output", made / shuffled, line=job_class.line)
