"""The ops log of Ceph's RADOS Gateway: a JSON object a request, with bytes and ms.

A HEAD is a `get_obj`, too: only its request says so.
Source: Ceph, rgw_log.cc, rgw_format_ops_log_entry; rgw_op.h for the names of operations; logs that users show of it.
"""

from __future__ import annotations

import json
import re
from datetime import datetime

from profiles.imports.finding import Finding
from profiles.imports.loads import Load
from profiles.imports.opening import Source
from profiles.imports.s3_access_log import FAILED, MISSING, read_log

NAME = "RGW ops log"
PIECES = True
PRODUCT = "Ceph"

_TOLD = re.compile(r'"operation"\s*:.*"bytes_sent"\s*:.*"object_size"\s*:')
_ACTIONS = {
    "get_obj": "get",
    "put_obj": "put",
    "post_obj": "put",
    "stat_obj": "head",
    "head_obj": "head",
    "list_bucket": "list",
    "delete_obj": "delete",
}


def recognises(head: str) -> bool:
    """Tell whether a file is an ops log."""
    return any(_TOLD.search(line) for line in head.split("\n", 5)[:5])


def read(source: Source, finding: Finding) -> None:
    """Add the load of a log to a finding."""
    read_log(source, finding, _take)
    if finding.workloads:
        finding.part("storage").put("product", PRODUCT)


def _take(line: str, number: int, load: Load) -> str:
    data = json.loads(line.strip(" \t,[]") or "{}")
    if not data:
        return "an empty entry"
    action, status = _ACTIONS.get(data["operation"]), str(data["http_status"])
    if action is None:
        return "what the store does by itself, or a request that a load does not know"
    if action == "get" and str(data.get("uri", "")).startswith("HEAD "):
        action = "head"
    if status.startswith(FAILED) and not (action == "head" and status == MISSING):
        return "they failed"
    if action == "head" and status == MISSING:
        action = "head-missing"
    moved = float(data["bytes_received"] if action == "put" else data["bytes_sent"])
    if action == "get" and not moved:
        return "they brought nothing: not modified, or empty"
    start = datetime.fromisoformat(data["time"]).timestamp()
    load.add(action, max(float(data["object_size"]), moved), moved, start, float(data["total_time"]) / 1000, number)
    return ""
