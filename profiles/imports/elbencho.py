"""elbencho's `--csvfile`: of each pair of columns the one of the slowest thread, `[last]`. MiB are 2^20 bytes."""

from __future__ import annotations

from collections.abc import Mapping

from models.hardware.measurement import DriveRun
from profiles.imports.finding import Finding
from profiles.imports.loads import COUNT
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source
from profiles.text.cells import cells_of

NAME = "elbencho"

_MIB = 2.0**20
_S3 = {"READ": "get", "WRITE": "put"}


def recognises(head: str) -> bool:
    """Tell whether a file is elbencho's table of results."""
    header = head.partition("\n")[0]
    return "MiB/s [last]" in header and "operation" in header.split(",")


def read(source: Source, finding: Finding) -> None:
    """Add workloads of an object store, or rates of drives, to a finding.

    Raises:
        KeyError, ValueError: the header lacks a column, or a number is none.
    """
    header: list[str] = []
    bad: list[int] = []
    for number, line in source.lines():
        cells = [cell.strip() for cell in cells_of(line)]
        if "operation" in cells:  # elbencho adds a header again where its columns have changed
            header = cells
        elif cells and len(cells) != len(header):
            bad.append(number)
        elif cells:
            _take(dict(zip(header, cells, strict=True)), number, finding)
    note_bad_lines(bad, finding)


def _take(row: Mapping[str, str], line: int, finding: Finding) -> None:
    action = _S3.get(row["operation"].upper())
    if action is None or not row.get("MiB/s [last]"):
        finding.leave_out(line, row["operation"], "no model has a number for it")
    elif row["path type"].lower() in {"bucket", "s3"}:
        _objects(row, action, line, finding)
    elif row["direct IO"] != "1":
        finding.leave_out(line, row["operation"], "without --direct it measures the page cache in memory")
    else:
        _files(row, line, finding)


def _rate(row: Mapping[str, str]) -> float:
    """Return bytes a second: from what was moved and the time of the slowest thread, where both are told."""
    moved, time = row.get("MiB [last]"), row.get("time ms [last]")
    if moved and time and float(time) > 0:
        return float(moved) * _MIB / float(time) * 1000
    return float(row["MiB/s [last]"]) * _MIB


def _objects(row: Mapping[str, str], action: str, line: int, finding: Finding) -> None:
    name, size = action.upper(), float(row["file size"])
    hosts = max(int(row["hosts"] or 1), 1)
    work = finding.work("requests", line=line)
    work.clients = hosts
    work.put("threads", int(row["threads"]) * max(int(row["IO depth"] or 1), 1), line=line)
    work.put("count", COUNT)
    work.put(f"mix.{name}.action", action, line=line)
    work.put(f"mix.{name}.size", size, "B", line=line)
    block = float(row["block size"] or 0)
    if action == "put" and 0 < block < size:
        work.put(f"mix.{name}.part_size", block, "B", line=line)
    work.outcome(name, "throughput", _rate(row), line)
    work.outcome(name, "rate", _rate(row) / size, line)
    if mean := row.get("Ent lat us [avg]"):
        work.outcome(name, "mean", float(mean) / 1e6, line)


def _files(row: Mapping[str, str], line: int, finding: Finding) -> None:
    drives = max(int(row["paths"] or 1), 1) * max(int(row["hosts"] or 1), 1)
    finding.runs.append(
        DriveRun(
            file=finding.label,
            line=line,
            tool=NAME,
            direction="read" if row["operation"].upper() == "READ" else "write",
            rate=_rate(row),
            random=row["random"] == "1",
            drives=drives,
            streams=int(row["threads"]) * max(int(row["hosts"] or 1), 1),
            request=float(row["block size"]),
            depth=max(int(row["IO depth"] or 1), 1),
        )
    )
