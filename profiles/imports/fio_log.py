"""Logs of fio: `time (ms), value, direction, block size`, a line for each request or stretch of time.

The file does not say what its values are: the end of its name does (_bw, _iops, _lat, _clat), as fio gives it. Of rates
counts when they become steady: drives with a cache of single bits are several times as fast at first. Times are in ns,
before version 3 in us, which no log says: no request has taken longer than since the start, and none of a drive less
than a microsecond. A log of means (log_avg_msec) gives the mean alone.
Source: fio manual, Log File Formats.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from profiles.imports.finding import Finding, Measure
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "fio log"

_LINE = re.compile(r"\d+, *\d+, *[012], *\d+(, *\d+)*\s*$")
_KIND = re.compile(r"_(bw|iops|c?lat)(?:\.\d+)?\.log")
_MEASURES: dict[str, tuple[Measure, float]] = {"bw": ("throughput", 1024.0), "iops": ("rate", 1.0)}
"""What is measured, and what a unit of a value is."""
_DIRECTIONS = ("read", "write", "trim")
_MOST = 1.3
"""Rate at first over that of the second half from which a cache is told. Assumption: rates vary by a fifth."""
_LEAST = 10
"""Seconds of a log in which a cache can be told. Assumption."""
_MEANS = 200
"""Milliseconds a line of a log of means at least. Assumption: single requests come closer together."""
_SHORTEST = 1e-6
"""Seconds below which no request of a drive ends. Assumption: the fastest take 5 us."""
_STEPS = 200
"""Classes of times in a factor of e. Assumption: half a percent apart."""
_PERCENTILES: dict[Measure, float] = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99.9": 0.999}


def recognises(head: str) -> bool:
    """Tell whether a file is a log."""
    lines = [line for line in head.split("\n", 5)[:5] if line.strip()]
    return bool(lines) and all(_LINE.match(line) for line in lines[:-1] or lines)


def read(source: Source, finding: Finding) -> None:
    """Add the steady rate to a finding, and tell how long it took until it was steady."""
    kind = _KIND.search(source.name)
    if kind is not None and kind[1].endswith("lat"):
        _read_times(source, finding)
        return
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
    if kind is None:
        ends = "_bw.log, _iops.log, _lat.log or _clat.log"
        finding.warn(None, f"its name does not end in {ends}, which alone tells what its values are")
        return
    for direction, sums in sorted(seconds.items()):
        _tell(_DIRECTIONS[direction], [total / count for _, (total, count) in sorted(sums.items())], kind[1], finding)


def _tell(direction: str, values: list[float], kind: str, finding: Finding) -> None:
    measure, unit = _MEASURES[kind]
    half = values[len(values) // 2 :]
    steady = sum(half) / len(half)
    finding.outcome(f"drive {direction}", measure, steady * unit, None)
    head = next((place for place, value in enumerate(values) if value <= _MOST * steady), len(values))
    if head and len(values) >= _LEAST:
        first = sum(values[:head]) / head / steady
        text = f"the first {head} seconds were {first:.2g} times as fast as the second half"
        finding.warn(None, f"{text}: a cache; run fio longer, with ramp_time={head}s")


@dataclass(slots=True)
class _Times:
    """Times of requests of one direction, in the unit of the log: their number, sum and classes."""

    count: int = 0
    total: float = 0.0
    classes: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        """Count a request."""
        self.count, self.total = self.count + 1, self.total + value
        self.classes[round(math.log(max(value, 1)) * _STEPS)] += 1

    def part(self, part: float) -> float:
        """Return the time within which a part of the requests has ended."""
        left = part * self.count
        for place in sorted(self.classes):
            left -= self.classes[place]
            if left <= 0:
                return math.exp(place / _STEPS)
        return 0.0


def _read_times(source: Source, finding: Finding) -> None:
    """Add mean and percentiles of the times of requests to a finding."""
    by_direction: dict[int, _Times] = defaultdict(_Times)
    bad: list[int] = []
    is_ns, begin, end = False, math.inf, 0
    for number, line in source.lines():
        try:
            time, value, direction = (int(cell) for cell in line.split(",", 3)[:3])
            by_direction[direction].add(value)
        except (ValueError, IndexError, OverflowError):
            bad += [number] if line.strip() else []
            continue
        is_ns |= value / 1000 > time + 1  # as us it would have begun before the log
        begin, end = min(begin, time), max(end, time)
    note_bad_lines(bad, finding)
    if not by_direction:
        finding.complain(None, "there is no time of a request in it")
        return
    is_us = all(times.part(0.5) * 1e-9 < _SHORTEST for times in by_direction.values())
    if is_ns == is_us:
        way_out = "import fio's JSON, which tells it"
        finding.leave_out(
            None, "its times", f"whether they are ns, or us of fio before version 3, it does not say; {way_out}"
        )
        return
    unit = 1e-6 if is_us else 1e-9
    for direction, times in sorted(by_direction.items()):
        about = f"drive {_DIRECTIONS[direction]}"
        finding.outcome(about, "mean", times.total / times.count * unit, None)
        if end - begin < _MEANS * times.count:
            for measure, part in _PERCENTILES.items():
                finding.outcome(about, measure, times.part(part) * unit, None)
