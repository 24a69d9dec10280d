"""Audit messages of StorageGRID: requests of S3 with their time (us) and the size of the object."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.loads import Load
from profiles.imports.opening import Source
from profiles.imports.s3_access_log import read_log

NAME = "StorageGRID audit"
PRODUCT = "StorageGRID"
PIECES = True

_FIELD = re.compile(r"\[([A-Z0-9]{4})\(\w+\):(\"[^\"]*\"|[^\]\[]*)\]")
_ACTIONS = {"SGET": "get", "SPUT": "put", "SHEA": "head", "SDEL": "delete"}


def recognises(head: str) -> bool:
    """Tell whether a file holds audit messages of StorageGRID."""
    return re.search(r"\[AUDT:\[[A-Z0-9]{4}\(", head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the load of audit messages to a finding."""
    finding.part("storage").put("product", PRODUCT)
    read_log(source, finding, _take)


def _take(line: str, number: int, load: Load) -> str:
    fields = dict(_FIELD.findall(line))
    action = _ACTIONS.get(fields["ATYP"])
    if action is None:
        return "messages of no request that a load knows"
    if fields["RSLT"] != "SUCS":
        return "they failed"
    if action == "get" and "S3KY" not in fields:
        action = "list"
    size = float(fields.get("CSIZ", 0))
    if action in ("get", "put") and not size:
        return "they moved nothing"
    duration = float(fields.get("TIME", 0)) / 1e6
    load.add(action, size, size, float(fields["ATIM"]) / 1e6 - duration, duration, number)
    return ""
