"""TestDFSIO of Hadoop, as it prints and logs its results: each task reads or writes a file of its own.

Its MB are 2^20 bytes. "Throughput" is the rate of one task, not that of the cluster: what is taken is the time.
Source: Apache Hadoop, TestDFSIO.java, analyzeResult.
"""

from __future__ import annotations

import re

from profiles.imports.commands import counted
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "TestDFSIO"

_HEAD = re.compile(r"-{5} TestDFSIO -{5} : (\w+)")
_ROW = re.compile(r"(Number of files|Total MBytes processed|Test exec time sec): *([\d.,Ee+-]+)\s*$")
_LAST = "Test exec time sec"
_MIB = 2.0**20
_KINDS = {"read": "read", "write": "write"}


def recognises(head: str) -> bool:
    """Tell whether a file has results of TestDFSIO."""
    return _HEAD.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add a workload for each result to a finding.

    Raises:
        KeyError, ValueError, ZeroDivisionError: a result is not as TestDFSIO writes it.
    """
    kind, begun, fields = "", 0, dict[str, str]()
    for number, line in source.lines():
        finding.at = number
        if match := _HEAD.search(line):
            kind, begun, fields = match[1], number, {}
        elif kind and (match := _ROW.search(line)):
            fields[match[1]] = match[2].replace(",", "")
            if match[1] == _LAST:
                _state(kind, fields, begun, finding)
                kind = ""
    finding.at = None
    if kind:
        finding.warn(begun, "the result breaks off before its time: left out")


def _state(kind: str, fields: dict[str, str], line: int, finding: Finding) -> None:
    direction = _KINDS.get(kind)
    if direction is None:
        finding.leave_out(line, f"a test of the kind {kind}", "only read and write stream whole files")
        return
    files, size, seconds = (
        counted(fields["Number of files"]),
        float(fields["Total MBytes processed"]),
        float(fields[_LAST]),
    )
    work = finding.work("bulk-io", line)
    work.put("direction", direction, line=line)
    work.put("processes", files, line=line)
    work.put("size", size * _MIB / files, "B", line)
    work.outcome("", "duration", seconds, line)
    finding.warn(line, "its time has the start of the job in it: --set workload.process_start='15 s'")
