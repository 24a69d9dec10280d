"""`fio --minimal`: a line a job, with semicolons, of versions 3 to 5 of that form.

It has neither the mode nor the options of a job, so that no model of a drive is fitted to it: rates and times of jobs
are outcomes. Bandwidth is in KiB/s, times in us.
Source: fio manual, Terse output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from profiles.imports.finding import Finding, Measure
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "fio --minimal"

_LINE = re.compile(r"^([345]);fio-[\w.+-]+;[^;]*;\d+;\d+;\d+;", re.MULTILINE)
_FIRST = 5
"""Fields before those of reads: version of the form and of fio, name, group, error."""
_SIDE = {"3": 41, "4": 41, "5": 47}
"""Fields of a direction; version 5 tells samples of bandwidth and requests as well."""
_PERCENTILES, _MEAN = range(12, 32), 10
_TOLD: dict[str, Measure] = {"50.000000": "p50", "90.000000": "p90", "99.000000": "p99", "99.900000": "p99.9"}


def recognises(head: str) -> bool:
    """Tell whether a file has lines of this form."""
    return _LINE.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add rates and times of each job to a finding."""
    bad: list[int] = []
    jobs = 0
    for number, line in source.lines():
        if _LINE.match(line) is None:
            continue
        jobs += 1
        fields, width = line.split(";"), _SIDE[line[0]]
        try:
            if int(fields[4]):
                finding.leave_out(number, f"job {jobs}", f"fio reports error {int(fields[4])}")
                continue
            for place, direction in enumerate(("read", "write")):
                begin = _FIRST + place * width
                _tell(f"job {jobs} {direction}", fields[begin : begin + width], number, finding)
        except (ValueError, IndexError):
            bad.append(number)
    note_bad_lines(bad, finding)
    finding.warn(None, "this form has no options of its jobs: for models of drives run fio with --output-format=json")


def _tell(about: str, fields: Sequence[str], line: int, finding: Finding) -> None:
    rate, requests = float(fields[1]) * 1024, float(fields[2])
    if rate <= 0:
        return
    finding.outcome(about, "throughput", rate, line)
    finding.outcome(about, "rate", requests, line)
    finding.outcome(about, "mean", float(fields[_MEAN]) / 1e6, line)
    for place in _PERCENTILES:
        name, _, value = fields[place].partition("%=")
        if measure := _TOLD.get(name):
            finding.outcome(about, measure, float(value) / 1e6, line)
