"""Counters of node_exporter: ranges from the API of Prometheus, or one page as node_exporter prints it.

Counters become shares between two samples; one that starts again is left out where it does. A page tells means since
the server started.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from profiles.imports.dates import day_at
from profiles.imports.finding import Finding, Sampled
from profiles.imports.objects import objects
from profiles.imports.opening import Source
from profiles.imports.sysstat import HOURS, Usage

NAME = "Prometheus"

_PAGE = re.compile(r"^# (?:HELP|TYPE) node_\w+ ", re.MULTILINE)
_SAMPLE = re.compile(r"(node_\w+)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"')
_CPU, _DISK = "node_cpu_seconds_total", "node_disk_io_time_seconds_total"
_STORED = {"minio_cluster_usage_total_bytes", "ceph_pool_stored"}
_USED = {"ceph_cluster_total_used_raw_bytes", "hadoop_namenode_capacityused", "Hadoop_NameNode_CapacityUsed"}
"""What stores export of the data that they hold, and of the raw bytes that it takes. Sources: MinIO, metrics v2; Ceph,
mgr prometheus module; Apache Hadoop, metrics of FSNamesystem by the exporter of JMX."""
_IDLE = {"idle", "iowait"}
_WHOLE = re.compile(r"(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+)$")


def recognises(head: str) -> bool:
    """Tell whether a file holds counters of node_exporter."""
    return re.search(r'"resultType"\s*:\s*"(matrix|vector)"', head) is not None or _PAGE.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the utilisation of servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as Prometheus writes it.
    """
    if _PAGE.search(source.head()):
        _page(source, finding)
        return
    for line, data in objects(source.text(), finding):
        if data.get("status") != "success":
            finding.complain(line, f"the query failed: {data.get('error', 'no reason is told')}")
        elif data["data"]["resultType"] != "matrix":
            finding.leave_out(line, "an instant", "ask for a range: /api/v1/query_range")
        else:
            _ranges(data["data"]["result"], line, finding)


def _ranges(series: Sequence[Mapping[str, Any]], line: int, finding: Finding) -> None:
    usage = Usage()
    idle: dict[tuple[str, str, float], list[float]] = {}
    unknown: set[str] = set()
    days: dict[tuple[Sampled, date], float] = {}
    for entry in series:
        labels = entry["metric"]
        name = labels.get("__name__", "")
        if name in _STORED | _USED:
            _daily("stored" if name in _STORED else "used", entry["values"], days)
            continue
        if name not in {_CPU, _DISK}:
            unknown.add(name or "an expression")
        for seconds, end, share in _rates(entry["values"]):
            if name == _DISK and _WHOLE.match(labels["device"]):
                usage.add("disk", share, seconds, int(end // 3600 % HOURS))
            elif name == _CPU and labels["mode"] in _IDLE:
                key = (labels.get("instance", ""), labels["cpu"], end)
                idle.setdefault(key, [seconds, 0.0])[1] += share
    for (_, _, end), (seconds, share) in idle.items():
        usage.add("cpu", 1 - share, seconds, int(end // 3600 % HOURS))
    for (measure, day), value in sorted(days.items()):
        finding.sample(measure, day, value, line)
    for name in sorted(unknown):
        finding.leave_out(line, name, f"ask for the counters {_CPU} and {_DISK} themselves")
    if usage.kinds:
        usage.state(finding, line)


def _daily(measure: Sampled, values: Sequence[tuple[float, str]], days: dict[tuple[Sampled, date], float]) -> None:
    """Add the last value of each day of a series to those of the others: pools and servers add up."""
    last = {day_at(float(at)): float(value) for at, value in values}
    for day, value in last.items():
        days[measure, day] = days.get((measure, day), 0.0) + value


def _rates(values: Sequence[tuple[float, str]]) -> Iterator[tuple[float, float, float]]:
    """Yield seconds, their end, and the rate of a counter over them."""
    for (begin, low), (end, high) in pairwise(values):
        moved, seconds = float(high) - float(low), float(end) - float(begin)
        if moved >= 0 and seconds > 0:
            yield seconds, float(end), moved / seconds


def _page(source: Source, finding: Finding) -> None:
    usage, part = Usage(), finding.part("server")
    cpu: dict[str, list[float]] = {}
    disks: list[tuple[float, int]] = []
    now = booted = 0.0
    first = 1
    for number, line in source.lines():
        match = _SAMPLE.match(line)
        if match is None:
            continue
        labels, value = dict(_LABEL.findall(match[2] or "")), float(match[3])
        if match[1] == _CPU:
            first = number
            times = cpu.setdefault(labels["cpu"], [0.0, 0.0])
            times[labels["mode"] in _IDLE] += value
        elif match[1] == _DISK and _WHOLE.match(labels["device"]):
            disks.append((value, number))
        elif match[1] == "node_memory_MemTotal_bytes":
            part.put("memory.size", value, "B", line=number)
        elif match[1] in ("node_time_seconds", "node_boot_time_seconds"):
            now, booted = (value, booted) if match[1] == "node_time_seconds" else (now, value)
    if cpu:
        part.put("cpu.threads", len(cpu), line=first)
    for busy, idle in cpu.values():
        if busy + idle > 0:
            usage.add("cpu", busy / (busy + idle), busy + idle)
    for busy, _ in disks:
        if now > booted > 0:
            usage.add("disk", busy / (now - booted), now - booted)
    usage.state(finding, first)
    finding.warn(first, "one page of counters: these are means since the server started")
