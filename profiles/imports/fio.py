"""fio --output-format=json: each group of jobs that run at the same time is one run.

A job without `direct=1` measures the page cache, one with `rate` its own limit, one of mixed reads and writes nothing
that a model has a number for: they are left out. Jobs of a group that lie on several drives must not be reported as
one (`group_reporting`), because fio then names the drive of only one of them; its run times tell, and it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from models.hardware.measurement import DriveRun
from profiles.imports.commands import binary_bytes, drives_behind
from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "fio"

_SYNCHRONOUS = {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"}  # one request in flight, whatever iodepth says
_JOB = re.compile(r'"jobname"\s*:')
_MIXED = {"rw", "readwrite", "randrw"}
_MORE = 1.25  # Assumption: jobs of one group that were started together differ less in their run times


@dataclass(frozen=True, slots=True)
class _Job:
    """One entry of fio's list of jobs; `options` with the global ones."""

    name: str
    line: int | None
    options: Mapping[str, str]
    entry: Mapping[str, Any]

    @property
    def mode(self) -> str:
        return self.options.get("rw", "read").partition(":")[0]

    @property
    def processes(self) -> int:
        return int(self.options.get("numjobs", "1"))

    @property
    def side(self) -> Mapping[str, Any]:
        side: Mapping[str, Any] = self.entry["write" if self.mode.endswith("write") else "read"]
        return side


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of fio."""
    return '"fio version"' in head


def read(source: Source, finding: Finding) -> None:
    """Add the runs of a file to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as fio writes it.
    """
    text = source.text()
    places = _places(text)
    for line, data in objects(text, finding):
        if "fio version" in data and "jobs" in data:
            _take(data, places, finding)
        else:
            finding.leave_out(line, "JSON", "it is not fio's list of jobs")


def _places(text: str) -> Iterator[int]:
    """Yield the line of each job of a text."""
    line, end = 1, 0
    for match in _JOB.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        yield line


def _take(data: Mapping[str, Any], places: Iterator[int], finding: Finding) -> None:
    groups: dict[int, list[_Job]] = {}
    for entry in data["jobs"]:
        line = next(places, None)
        finding.at = line or finding.at
        options = {**data.get("global options", {}), **entry.get("job options", {})}
        groups.setdefault(entry["groupid"], []).append(_Job(entry["jobname"], line, options, entry))
    for jobs in groups.values():
        name = ", ".join(dict.fromkeys(job.name for job in jobs))
        if reason := _refusal(jobs):
            finding.leave_out(jobs[0].line, name, reason)
        else:
            _add(jobs, finding)


def _refusal(jobs: list[_Job]) -> str | None:
    """Return why a group has no number for a model, None if it has."""
    modes = {job.mode for job in jobs}
    if error := next((job.entry["error"] for job in jobs if job.entry.get("error")), None):
        return f"fio reports error {error}"
    if len(modes) > 1 or modes & _MIXED:
        return "reads and writes, or sequential and random, at the same time; in a job file let each have stonewall"
    if modes - {"read", "write", "randread", "randwrite"}:
        return f"no model has a number for rw={modes.pop()}"
    if any(job.options.get("direct", "0") not in {"1", ""} for job in jobs):
        return "without direct=1 it measures the page cache in memory"
    if any(key.startswith("rate") for job in jobs for key in job.options):
        return "rate limits it, not the drive"
    if len(jobs) == 1 and jobs[0].entry.get("job_runtime", 0) > _MORE * jobs[0].processes * jobs[0].side["runtime"]:
        return "more processes ran than its options say; run it without group_reporting"
    return None if _rate(jobs) > 0 else "nothing was read or written"


def _add(jobs: list[_Job], finding: Finding) -> None:
    first, streams = jobs[0], _streams(jobs)
    drives = min(len(_drives(jobs)), streams)
    _warn(first, streams, drives, finding)
    finding.runs.append(
        DriveRun(
            file=finding.label,
            line=first.line,
            tool=NAME,
            direction="write" if first.mode.endswith("write") else "read",
            rate=_rate(jobs),
            random=first.mode.startswith("rand"),
            drives=drives,
            streams=streams,
            request=binary_bytes(first.options.get("bs", "4k")),
            depth=1 if _is_synchronous(first) else int(first.options.get("iodepth", "1")),
            latency=_latency(first) if len(jobs) == 1 else None,
            name=first.name,
        )
    )


def _warn(first: _Job, streams: int, drives: int, finding: Finding) -> None:
    request = binary_bytes(first.options.get("bs", "4k")) or 0
    is_lone = streams <= drives and not first.mode.startswith("rand")
    if is_lone and request < 2**20 and (_is_synchronous(first) or first.options.get("iodepth", "1") == "1"):
        finding.warn(first.line, f"{first.name}: small requests wait for each other; use bs=1M or more, or iodepth=8")
    if streams > drives and "filename" in first.options and "offset_increment" not in first.options:
        finding.warn(first.line, f"{first.name}: its processes use the same bytes; give them offset_increment")


def _rate(jobs: list[_Job]) -> float:
    """Return the rate (B/s) of a group; fio 2 has it in KiB/s only."""
    return float(sum(job.side["bw_bytes"] if "bw_bytes" in job.side else job.side["bw"] * 1024 for job in jobs))


def _streams(jobs: list[_Job]) -> int:
    """Return the streams on all drives: fio lists each process, or with group_reporting all of a job as one."""
    names = [job.name for job in jobs]
    per_name = {job.name: max(names.count(job.name), job.processes) * len(_files(job)) for job in jobs}
    return sum(per_name.values())


def _files(job: _Job) -> list[str]:
    """Return the files that each process of a job uses."""
    return job.options.get("filename", "").split(":") if "directory" not in job.options else [""]


def _drives(jobs: list[_Job]) -> set[str]:
    """Return the drives of a group; the current directory counts as one."""
    drives = set[str]()
    for job in jobs:
        if "directory" in job.options:
            drives |= {str(PurePosixPath(name)) for name in job.options["directory"].split(":")}
        else:
            drives |= drives_behind(name for name in _files(job))
    return drives


def _is_synchronous(job: _Job) -> bool:
    return job.options.get("ioengine", "psync") in _SYNCHRONOUS


def _latency(job: _Job) -> tuple[float, float] | None:
    """Return the median and the 99th percentile of the completion times, in seconds."""
    percentiles = job.side.get("clat_ns", {}).get("percentile", {})
    times = [percentiles.get(key) for key in ("50.000000", "99.000000")]
    return (times[0] / 1e9, times[1] / 1e9) if None not in times else None
