"""Combined logs of web servers, as NGINX, Apache and gateways of object stores write them.

A line tells the bytes of the answer, not the size of an object that was sent, and no time unless the format was
extended by one at its end (request_time of NGINX in seconds, %D of Apache in microseconds).
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.loads import Load
from profiles.imports.opening import Source
from profiles.imports.s3_access_log import FAILED, MISSING, read_log, seconds

NAME = "web log"
PIECES = True

_LINE = re.compile(r'\S+ \S+ \S.*? \[([^\]]{20,30})\] "([A-Z]+) (\S*+)[^"]*+" (\d{3}) (\d+|-)(.*)$')
_TIME = re.compile(r'[ "](\d+\.\d{3})"?\s*$|[ "](\d{2,})"?\s*$')
_ACTIONS = {"GET": "get", "PUT": "put", "HEAD": "head", "DELETE": "delete"}
_LISTS = re.compile(r"[?&](list-type|prefix|delimiter|marker|versions)\b")


def recognises(head: str) -> bool:
    """Tell whether a file is a log of a web server."""
    return any(_LINE.match(line) for line in head.split("\n", 5)[:5])


def read(source: Source, finding: Finding) -> None:
    """Add the load of a log to a finding."""
    read_log(source, finding, _take)
    if finding.workloads:
        finding.warn(None, "a web log does not tell the sizes of uploads: they are left out")


def _take(line: str, number: int, load: Load) -> str:
    match = _LINE.match(line)
    if match is None:
        return "?"
    time, method, target, status, size, rest = match.groups()
    action = _ACTIONS.get(method)
    if action is None or action == "put":
        return "uploads, and requests that a load does not know"
    if status.startswith(FAILED) and not (action == "head" and status == MISSING):
        return "they failed"
    if action == "get":
        action = "list" if _LISTS.search(target) else "get"
    moved = float(size) if size != "-" else 0.0
    if action == "get" and not moved:
        return "they brought nothing: not modified, or empty"
    load.add(action, moved, moved, seconds(time), _duration(rest), number)
    return ""


def _duration(rest: str) -> float:
    """Return the time (s) at the end of a line, 0 where there is none."""
    match = _TIME.search(rest)
    if match is None:
        return 0.0
    return float(match[1]) if match[1] else float(match[2]) / 1e6
