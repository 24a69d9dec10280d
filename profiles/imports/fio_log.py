"""Logs of fio: `time (ms), value, direction, block size`, a line for each request or stretch of time.

The file does not say what its values are: the end of its name does (_bw, _iops), as fio gives it. What counts is when
they become steady: drives with a cache of single bits are several times as fast at first.
Source: fio manual, Log File Formats.
"""

from __future__ import annotations

import re
from collections import defaultdict

from profiles.imports.finding import Finding, Measure
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "fio log"

_LINE = re.compile(r"\d+, *\d+, *[012], *\d+(, *\d+)*\s*$")
_KIND = re.compile(r"_(bw|iops)(?:\.\d+)?\.log")
_MEASURES: dict[str, tuple[Measure, float]] = {"bw": ("throughput", 1024.0), "iops": ("rate", 1.0)}
"""What is measured, and what a unit of a value is."""
_DIRECTIONS = ("read", "write", "trim")
_MOST = 1.3
"""Rate at first over that of the second half from which a cache is told. Assumption: rates vary by a fifth."""
_LEAST = 10
"""Seconds of a log in which a cache can be told. Assumption."""


def recognises(head: str) -> bool:
    """Tell whether a file is a log."""
    lines = [line for line in head.split("\n", 5)[:5] if line.strip()]
    return bool(lines) and all(_LINE.match(line) for line in lines[:-1] or lines)


def read(source: Source, finding: Finding) -> None:
    """Add the steady rate to a finding, and tell how long it took until it was steady."""
    seconds: dict[int, dict[int, list[float]]] = defaultdict(dict)
    bad: list[int] = []
    for number, line in source.lines():
        try:
            time, value, direction = (int(cell) for cell in line.split(",", 3)[:3])
            known = seconds[direction].setdefault(time // 1000, [0.0, 0.0])
            known[0] += value
            known[1] += 1
        except (ValueError, IndexError, OverflowError):
            bad += [number] if line.strip() else []
    note_bad_lines(bad, finding)
    kind = _KIND.search(source.name)
    if kind is None:
        finding.warn(None, "its name does not end in _bw.log or _iops.log: only rates of fio are taken, not times")
        return
    for direction, found in sorted(seconds.items()):
        _tell(_DIRECTIONS[direction], [total / count for _, (total, count) in sorted(found.items())], kind[1], finding)


def _tell(direction: str, values: list[float], kind: str, finding: Finding) -> None:
    measure, unit = _MEASURES[kind]
    half = values[len(values) // 2 :]
    steady = sum(half) / len(half)
    finding.outcome(f"drive {direction}", measure, steady * unit, None)
    head = next((place for place, value in enumerate(values) if value <= _MOST * steady), len(values))
    if head and len(values) >= _LEAST:
        first = sum(values[:head]) / head / steady
        said = f"the first {head} seconds were {first:.2g} times as fast as the second half"
        finding.warn(None, f"{said}: a cache; run fio longer, with ramp_time={head}s")
