"""The access log of Ceph's RADOS Gateway: lines of `beast` in its own log, a combined log with the time at the end.

    2026-06-12T13:11:00.000+0000 7fc4 1 beast: 0x7fc4: 192.0.2.5 - user [12/Jun/2026:13:11:00.000 +0000]
    "GET /bucket/key HTTP/1.1" 200 1024 - "agent" - latency=0.010000000s

Bytes are those of the answer: what uploads bring is not told. Other lines of the log are of no request.
Source: Ceph, rgw_asio_frontend.cc (log_access_line), and lines that users show of it.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.loads import Load
from profiles.imports.opening import Source
from profiles.imports.s3_access_log import FAILED, MISSING, read_log, seconds

NAME = "RGW access log"
PIECES = True
PRODUCT = "Ceph"

_MARK = " beast: 0x"
_LINE = re.compile(
    r' beast: 0x\w+: \S+ - \S+ \[([^\].]{20})(\.\d+)?( [+-]\d{4})\] "([A-Z]+) (\S*+)[^"]*+"'
    r" (\d{3}) (\d+|-) .*latency=([\d.]+)s"
)
_ACTIONS = {"GET": "get", "HEAD": "head", "DELETE": "delete"}
_LISTS = re.compile(r"^/?[^/?]*/?(\?|$)|[?&](list-type|prefix|delimiter|marker|versions)\b")
"""Requests of a bucket itself, or with what only listings have."""


def recognises(head: str) -> bool:
    """Tell whether a file is the log of a gateway with its requests."""
    return _MARK in head and any(_request(line) for line in head.split("\n"))


def read(source: Source, finding: Finding) -> None:
    """Add the load of a log to a finding."""
    read_log(source, finding, _take)
    if finding.workloads:
        finding.part("storage").put("product", PRODUCT)
        finding.warn(None, "this log does not tell the sizes of uploads: they are left out; its ops log does")


def _request(line: str) -> re.Match[str] | None:
    """Return the request of a line: behind its first mark, so that no line is searched from many places."""
    place = line.find(_MARK)
    return _LINE.match(line, place) if place >= 0 else None


def _take(line: str, number: int, load: Load) -> str:
    match = _request(line)
    if match is None:
        return "?" if _MARK in line else "lines of the log that are of none"
    time, fraction, zone, method, target, status, size, took = match.groups()
    action = _ACTIONS.get(method)
    if action is None:
        return "uploads, and requests that a load does not know"
    if status.startswith(FAILED) and not (action == "head" and status == MISSING):
        return "they failed"
    if action == "head" and status == MISSING:
        action = "head-missing"
    elif action == "get" and _LISTS.search(target):
        action = "list"
    moved = float(size) if size != "-" else 0.0
    if action == "get" and not moved:
        return "they brought nothing: not modified, or empty"
    ended = seconds(f"{time}{zone}") + float(fraction or 0)
    load.add(action, moved, moved, ended - float(took), float(took), number)
    return ""
