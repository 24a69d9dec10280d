"""`mc admin trace --json`: requests to MinIO, as the server tells them or as mc renames them."""

from __future__ import annotations

import json
import re
from datetime import datetime

from profiles.imports.finding import Finding
from profiles.imports.loads import Load
from profiles.imports.opening import Source
from profiles.imports.s3_access_log import read_log

NAME = "mc admin trace"
PIECES = True

ACTIONS = {
    "GetObject": "get",
    "PutObject": "put",
    "PutObjectPart": "put",
    "HeadObject": "head",
    "ListObjectsV1": "list",
    "ListObjectsV2": "list",
    "ListObjectVersions": "list",
    "DeleteObject": "delete",
}
_NAME = re.compile(r'"(?:api|funcname)"\s*:\s*"(?:s3\.\w+|os\.\w+|storage\.\w+|internal\.\w+|grid\.\w+)"')
_FAILS, _MISSING = 400, 404


def recognises(head: str) -> bool:
    """Tell whether a file is a trace of MinIO."""
    return head.lstrip().startswith("{") and _NAME.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the load of a trace to a finding."""
    read_log(source, finding, _take)
    if finding.workloads:
        finding.warn(None, "a trace counts the bytes of headers as well, and may leave out requests under load")


def _take(line: str, number: int, load: Load) -> str:
    data = json.loads(line)
    name = data.get("api") or data["funcname"]
    action = ACTIONS.get(name.removeprefix("s3."))
    if action is None or not name.startswith("s3."):
        return "calls of drives or servers, or requests that a load does not know"
    stats = data.get("callStats") or data["http"]["stats"]
    status = (
        data.get("statusCode") or data["http"]["response"].get("statusCode") or data["http"]["response"]["statuscode"]
    )
    if status >= _FAILS and not (action == "head" and status == _MISSING):
        return "they failed"
    if action == "head" and status == _MISSING:
        action = "head-missing"
    received, sent = stats.get("rx", stats.get("inputbytes", 0)), stats.get("tx", stats.get("outputbytes", 0))
    moved = float(received if action == "put" else sent)
    if action == "get" and not moved:
        return "they brought nothing: not modified, or empty"
    duration = data.get("duration", data.get("dur", stats.get("duration", 0)))
    start = datetime.fromisoformat(data["time"]).timestamp()
    load.add(action, moved, moved, start, duration / 1e9, number)
    return ""
