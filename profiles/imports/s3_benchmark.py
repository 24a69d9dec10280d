"""s3-benchmark, as text: a result of each object size and number of threads, by the two programs of this name.

    Loop 1: PUT time 10.1 secs, objects = 2000, speed = 197.6MB/sec, 197.6 operations/sec. Slowdowns = 0

Its MB are 2^20 bytes: what was moved is counted anew from objects, size and seconds where they are told.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.loads import COUNT
from profiles.imports.opening import Source

NAME = "s3-benchmark"

_PARAMETERS = re.compile(r"Parameters:.*?threads=(\d+).*?size=(\d+(?:\.\d+)?)([KMG]?)", re.IGNORECASE)
_RESULT = re.compile(
    r"Loop (\d+): (PUT|GET|DELETE) time ([\d.]+) secs, objects = (\d+),(?: speed = ([\d.]+)([KMG]?)B/sec,)?"
)
_LONGEST = 1000
"""Letters of a line of parameters. Assumption: its URL has some hundred."""
_POWERS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def recognises(head: str) -> bool:
    """Tell whether a file comes from s3-benchmark."""
    return _RESULT.search(head) is not None or "Wasabi benchmark program" in head or "S3 benchmark program" in head


def read(source: Source, finding: Finding) -> None:
    """Add a workload for each result to a finding."""
    threads, size = 0, 0.0
    for number, line in source.lines():
        if match := _PARAMETERS.search(line[:_LONGEST]):
            threads, size = int(match[1]), float(match[2]) * _POWERS[match[3].upper()]
        elif match := _RESULT.search(line):
            _state(match, threads, size, number, finding)


def _state(match: re.Match[str], threads: int, size: float, line: int, finding: Finding) -> None:
    name, seconds, count = match[2], float(match[3]), int(match[4])
    if not threads or not seconds or not count:
        finding.leave_out(line, name, "the line of its parameters is missing above it, or nothing ended")
        return
    if match[5] and not size:
        size = float(match[5]) * _POWERS[match[6]] * seconds / count
    work = finding.work("requests", line=line)
    work.put("threads", threads, line=line)
    work.put("count", min(count, COUNT), line=line)
    work.put(f"mix.{name}.action", name.lower(), line=line)
    work.outcome(name, "rate", count / seconds, line)
    if name != "DELETE":
        work.put(f"mix.{name}.size", size, "B", line=line)
        work.outcome(name, "throughput", count * size / seconds, line)
        if match[5] and abs(float(match[5]) * _POWERS[match[6]] * seconds / (count * size) - 1) > 0.03:
            finding.warn(line, "objects, size and seconds give another speed than the printed one: taken as counted")
