"""`mc support perf` and `mc admin speedtest` as JSON: objects, drives and networks of MinIO, all in bytes a second.

While the speed test tunes itself it prints a line for each step; the last counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from models.hardware.measurement import Direction, DriveRun, NetworkRun
from profiles.imports.finding import Finding, Measure
from profiles.imports.loads import COUNT
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "mc perf"

_SIDES: tuple[tuple[str, str], ...] = (("PUT", "PUTStats"), ("GET", "GETStats"))
_TIMES: dict[str, Measure] = {"avg": "mean", "p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9"}


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of mc support perf."""
    return re.search(r'"(PUTStats|drivePerf|nodeResults)"\s*:', head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add workloads, and rates of drives and networks, to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as mc writes it.
    """
    last: tuple[int, Mapping[str, Any]] | None = None
    for line, whole in objects(source.text(), finding):
        for data in _inside(whole):
            if "PUTStats" in data:
                last = line, data
            for drive in data.get("drivePerf") or data.get("perf") or []:
                _drive(drive, line, finding)
            for node in data.get("nodeResults") or []:
                _node(node, line, finding)
    if last:
        _objects(*last, finding)


def _inside(whole: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a result and those that mc wraps into another."""
    if isinstance(whole, list):
        for part in whole:
            yield from _inside(part)
    elif isinstance(whole, dict):
        yield whole
        for key, part in whole.items():
            if key not in {"drivePerf", "nodeResults", "PUTStats", "GETStats"}:
                yield from _inside(part)


def _objects(line: int, data: Mapping[str, Any], finding: Finding) -> None:
    servers = max(int(data.get("servers") or 1), 1)
    for name, key in _SIDES:
        stats = data.get(key) or {}
        if not stats.get("objectsPerSec"):
            finding.leave_out(line, name, "nothing was measured")
            continue
        work = finding.work("requests", line=line)
        work.clients = servers  # each server sends to the cluster itself
        work.put("threads", int(data["concurrent"]), line=line)
        work.put("count", COUNT)
        work.put(f"mix.{name}.action", name.lower(), line=line)
        work.put(f"mix.{name}.size", float(data["size"]), "B", line=line)
        work.outcome(name, "rate", float(stats["objectsPerSec"]), line)
        work.outcome(name, "throughput", float(stats["throughputPerSec"]), line)
        for place, measure in _TIMES.items():
            if nanoseconds := (stats.get("responseTime") or {}).get(place):
                work.outcome(name, measure, nanoseconds / 1e9, line)


def _drive(drive: Mapping[str, Any], line: int, finding: Finding) -> None:
    sides: tuple[tuple[Direction, str], ...] = (("read", "readThroughput"), ("write", "writeThroughput"))
    for direction, key in sides:
        if rate := drive.get(key):
            run = DriveRun(file=finding.label, line=line, tool=NAME, direction=direction, rate=float(rate))
            finding.runs.append(run)


def _node(node: Mapping[str, Any], line: int, finding: Finding) -> None:
    """Add the rate of one node: all others send to it at the same time."""
    if rate := max(float(node.get("tx") or 0), float(node.get("rx") or 0)):
        finding.runs.append(NetworkRun(file=finding.label, line=line, tool=NAME, rate=rate, connections=16))
