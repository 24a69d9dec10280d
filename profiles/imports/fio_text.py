"""fio as people read it: its text of versions 2 and 3.

    read: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32
    fio-3.28
    read: (groupid=0, jobs=1): err= 0: pid=1234: Mon Nov  2 10:00:00 2026
      read: IOPS=95.2k, BW=372MiB/s (390MB/s)(21.8GiB/60001msec)
        clat (usec): min=62, max=4121, avg=333.43, stdev=51.80

Version 2 writes `read : io=8014.0MB, bw=136198KB/s, iops=133, runt= 60253msec`, and its KB are KiB. The text does not
say whether memory was bypassed: only where a command or a job file above it states `direct=1`, and no more than one
drive was at work, a model of a drive is fitted to it. Else rates and times are outcomes.
Source: fio, stat.c and options.c.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from models.hardware.measurement import DriveRun
from profiles.imports.commands import binary_bytes
from profiles.imports.finding import Finding, Measure
from profiles.imports.opening import Source

NAME = "fio text"

_JOB = re.compile(r"^(\S.*?): \(g=(\d+)\): rw=(\w+), bs=(?:\(R\) )?([\d.]+\w{,8}?)-.{,500}?iodepth=(\d+)", re.MULTILINE)
_GROUP = re.compile(r"^(\S.*?): \(groupid=(\d+), jobs=(\d+)\): err= *(\d+)")
_SIDE = re.compile(r"^\s+(read|write)\s*: (.*)$")
_NEW = re.compile(r"IOPS=([\d.]+)([kM]?), BW=\S+ \(([\d.]+)([kMG]?)B/s\)")
_OLD = re.compile(r"bw=([\d.]+)([KMG]?)B/s, iops=([\d.]+)")
_TIME = re.compile(r"^\s+(clat|lat) \((nsec|usec|msec)\)\s*: .*avg=\s*([\d.]+)")
_PERCENTILES = re.compile(r"^\s+(clat|lat) percentiles \((nsec|usec|msec)\):")
_PERCENTILE = re.compile(r"(?<![\d.])([\d.]+)th=\[\s*(\d+)\]")
_DISK = re.compile(r"^\s+(sd\w+|vd\w+|xvd\w+|nvme\w+|hd\w+): ios=")
_DIRECT = re.compile(r"\bdirect=1\b")
_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_BINARY = {"": 1.0, "K": 2.0**10, "M": 2.0**20, "G": 2.0**30}
_SECONDS = {"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3}
_TOLD: dict[float, Measure] = {50.0: "p50", 90.0: "p90", 95.0: "p95", 99.0: "p99", 99.9: "p99.9"}
_MODES = {"read": False, "write": False, "randread": True, "randwrite": True}
"""Modes of which a model may have a number, and whether they go to random places."""


@dataclass(slots=True)
class _Side:
    """What was read or written: requests and bytes a second, and times of a request (s)."""

    direction: str
    line: int
    requests: float
    rate: float
    times: dict[Measure, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    """Jobs of one group: their number, error and sides; those of one group ran at the same time."""

    name: str
    group: str
    line: int
    jobs: int
    error: int
    sides: list[_Side] = field(default_factory=list)


def recognises(head: str) -> bool:
    """Tell whether a file has the text of fio."""
    return _JOB.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the runs of jobs to a finding, else their rates and times as outcomes."""
    text = source.text()
    asked = {(match[1], match[2]): match for match in _JOB.finditer(text)}
    asked_in: dict[str, re.Match[str]] = {}
    for match in asked.values():
        asked_in.setdefault(match[2], match)
    first = _JOB.search(text)
    is_direct = first is not None and _DIRECT.search(text, 0, first.start()) is not None
    disks: set[str] = set()
    groups = list(_groups(finding.lines(text), disks))
    members = Counter(group.group for group in groups)
    told = 0
    for group in groups:
        job = asked.get((group.name, group.group)) or asked_in.get(group.group)
        if group.error:
            finding.leave_out(group.line, group.name, f"fio reports error {group.error}")
            continue
        for side in group.sides:
            told += 1
            is_whole = is_direct and members[group.group] == 1 and len(group.sides) == 1
            if is_whole and job is not None and job[3] in _MODES and len(disks) <= 1 and side.rate > 0:
                finding.runs.append(_run(group, side, job, finding))
            else:
                _tell(f"job {told} {side.direction}", side, finding)
    if not told:
        finding.complain(None, "no job in it has ended: expected the text that fio prints at its end")
    elif not finding.runs:
        way_out = "for models of drives run fio with --output-format=json"
        finding.warn(None, f"the text of fio does not say what it bypassed: {way_out}, or keep its command above it")


def _groups(lines: Iterator[tuple[int, str]], disks: set[str]) -> Iterator[_Group]:
    group: _Group | None = None
    unit, counts = 1.0, ""
    for number, line in lines:
        if match := _GROUP.match(line):
            if group:
                yield group
            group, counts = _Group(match[1], match[2], number, int(match[3]), int(match[4])), ""
        elif disk := _DISK.match(line):
            disks.add(disk[1])
        elif group is None:
            continue
        elif (side := _SIDE.match(line)) and (rates := _rates(side[2])):
            group.sides.append(_Side(side[1], number, *rates))
        elif group.sides and (match := _TIME.match(line)):
            group.sides[-1].times["mean"] = float(match[3]) * _SECONDS[match[2]]
        elif match := _PERCENTILES.match(line):
            unit, counts = _SECONDS[match[2]], match[1]
        elif group.sides and counts and line.lstrip().startswith("|"):
            for part, value in _PERCENTILE.findall(line):
                if measure := _TOLD.get(float(part)):
                    group.sides[-1].times[measure] = float(value) * unit
    if group:
        yield group


def _rates(text: str) -> tuple[float, float] | None:
    """Return requests and bytes a second of a line of either version."""
    if match := _NEW.search(text):
        return float(match[1]) * _DECIMAL[match[2]], float(match[3]) * _DECIMAL[match[4]]
    if match := _OLD.search(text):
        return float(match[3]), float(match[1]) * _BINARY[match[2]]
    return None


def _run(group: _Group, side: _Side, asked: re.Match[str], finding: Finding) -> DriveRun:
    times = side.times
    return DriveRun(
        file=finding.label,
        line=side.line,
        tool=NAME,
        direction="write" if side.direction == "write" else "read",
        rate=side.rate,
        random=_MODES[asked[3]],
        streams=group.jobs,
        request=binary_bytes(asked[4]),
        depth=int(asked[5]),
        latency=(times["p50"], times["p99"]) if "p50" in times and "p99" in times else None,
        name=group.name,
    )


def _tell(about: str, side: _Side, finding: Finding) -> None:
    if side.rate <= 0:
        return
    finding.outcome(about, "throughput", side.rate, side.line)
    finding.outcome(about, "rate", side.requests, side.line)
    for measure, seconds in side.times.items():
        finding.outcome(about, measure, seconds, side.line)
