"""`flatfile.html` of vdbench: a table parted by blanks, its columns named by its header. MB are 2^20 bytes, times ms.

Of each run the row of its mean is taken, which leaves the first interval out.
Source: Oracle, Vdbench Users Guide, flatfile, and the explanation at the head of such files of version 5.04.07.
"""

from __future__ import annotations

from collections import Counter

from profiles.imports.finding import Finding
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "vdbench"

_COLUMNS = ("Run", "Interval", "rate", "MB/sec", "resp")
_MEAN = "avg_"
_MIB = 2.0**20


def recognises(head: str) -> bool:
    """Tell whether a file has the header of the table."""
    return any(_is_header(line) for line in head.split("\n"))


def _is_header(line: str) -> bool:
    return line.lstrip("* ").startswith("tod ") and set(_COLUMNS) <= set(line.split())


def read(source: Source, finding: Finding) -> None:
    """Add rate, throughput and mean time of each run to a finding."""
    columns: list[str] = []
    bad: list[int] = []
    runs: Counter[str] = Counter()
    for number, line in source.lines():
        if _is_header(line):
            columns = line.lstrip("* ").split()
        row = dict(zip(columns, line.split(), strict=False))
        if not row.get("Interval", "").startswith(_MEAN):
            continue
        try:
            rate, moved, seconds = float(row["rate"]), float(row["MB/sec"]) * _MIB, float(row["resp"]) / 1000
        except (KeyError, ValueError):
            bad.append(number)
            continue
        runs["run"] += 1
        name = f"run {runs['run']}"
        finding.outcome(name, "rate", rate, number)
        finding.outcome(name, "throughput", moved, number)
        finding.outcome(name, "mean", seconds, number)
    note_bad_lines(bad, finding)
