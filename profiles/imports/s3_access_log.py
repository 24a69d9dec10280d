"""Amazon S3 server access logs: the requests of a bucket, best effort and out of order.

Fields are parted by blanks, but quotes and blanks inside of quoted fields are not escaped: what stands behind the
request is found by its end. Uploads tell their size as that of the object. Times are ms to the last byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache

from profiles.imports.dates import MONTHS
from profiles.imports.finding import Finding
from profiles.imports.loads import Load, open_
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "S3 access log"
PIECES = True

_LINE = re.compile(
    r"\S+ \S+ \[([^\]]+)\] \S+ \S+ \S+ ([A-Z0-9]+\.[A-Z_]+\.[A-Z_]+|S3\.\S+) .*?"
    r'(?: HTTP/\d(?:\.\d)?" | "-" | - )(\d{3}|-) (\S+) (\d+|-) (\d+|-) (\d+|-) (\d+|-)(?: |$)'
)
_ACTIONS = {
    "GET.OBJECT": "get",
    "PUT.OBJECT": "put",
    "PUT.PART": "put",
    "POST.OBJECT": "put",
    "HEAD.OBJECT": "head",
    "GET.BUCKET": "list",
    "GET.BUCKETVERSIONS": "list",
    "DELETE.OBJECT": "delete",
}
_TIME = "06/Feb/2019:00:00:38 +0000"

MISSING, FAILED = "404", ("4", "5")


def recognises(head: str) -> bool:
    """Tell whether a file is an access log of S3."""
    return any(_LINE.match(line) for line in head.split("\n", 5)[:5])


def read(source: Source, finding: Finding) -> None:
    """Add the load of a log to a finding."""
    read_log(source, finding, _take)


def _take(line: str, number: int, load: Load) -> str:
    """Count the request of a line; return why it is left out, "" if it is not, and "?" if it cannot be read."""
    fields = _fields(line)
    if fields is None:
        return "?"
    time, operation, status, _, sent, size, total, _ = fields
    action = _action(operation)
    if action is None:
        return "what the store does by itself, or a request that a load does not know"
    if status[0] in FAILED and not (action == "head" and status == MISSING):
        return "they failed"
    if action == "head" and status == MISSING:
        action = "head-missing"
    moved = float(sent) if sent != "-" else 0.0
    whole = float(size) if size != "-" else moved
    if action == "put":
        moved = whole
    elif action == "get" and not moved:
        return "they brought nothing: not modified, or empty"
    load.add(action, whole, moved, seconds(time), float(total) / 1000 if total != "-" else 0.0, number)
    return ""


@lru_cache(256)
def _action(operation: str) -> str | None:
    """Return the action of a load that an operation is, None for what the store does by itself and for others."""
    return None if operation.startswith(("S3.", "BATCH.")) else _ACTIONS.get(operation.partition(".")[2])


def _fields(line: str) -> Sequence[str] | None:
    """Return time, operation, status, error, bytes sent, size, total and turn-around of a line, None if it has none.

    A usual line is cut at the end of its request, which takes half the time of the general way.
    """
    _, _, rest = line.partition("[")
    time, _, rest = rest.partition("] ")
    before, mark, behind = rest.partition(' HTTP/1.1" ')
    head, tail = before.split(" ", 4), behind.split(" ", 6)
    if mark and len(head) == 5 and len(tail) == 7 and tail[0].isdigit() and len(time) == len(_TIME):
        return time, head[3], *tail[:6]
    match = _LINE.match(line)
    return match.groups() if match else None


def read_log(source: Source, finding: Finding, take: Callable[[str, int, Load], str]) -> None:
    """Add the load of a log to a finding; `take` counts a line, and returns as `_take` does."""
    load, skipped, bad = Load(), Counter[str](), list[int]()
    for number, line in source.lines():
        if not line:
            continue
        try:
            reason = take(line, number, load)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
            reason = "?"
        if reason == "?":
            bad.append(number)
        elif reason:
            skipped[reason] += 1
    note_bad_lines(bad, finding)
    for reason, count in skipped.items():
        finding.leave_out(None, f"{count:,} requests", reason)
    if load.count and load.window > 0:
        open_(load, finding)
    elif load.count:
        finding.warn(None, "all requests came in the same second: there is no rate in it")


@lru_cache(4096)
def _minute(text: str, zone: str) -> float:
    day, month, rest = text.split("/", 2)
    year, hour, minute = rest.split(":")
    sign = f"{zone[:3]}:{zone[3:]}"
    return datetime.fromisoformat(f"{year}-{MONTHS.index(month) + 1:02d}-{day}T{hour}:{minute}:00{sign}").timestamp()


def seconds(time: str) -> float:
    """Return a time such as 06/Feb/2019:00:00:38 +0000 in seconds since 1970.

    Raises:
        ValueError: it is none.
    """
    return _minute(time[:17], time[21:]) + int(time[18:20])
