"""`mc admin info --json`: servers, drives, erasure sets and usage of MinIO. Usage is as old as its last scan."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "mc admin info"
PRODUCT = "MinIO"


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of mc admin info."""
    return (
        re.search(r'"deploymentID"\s*:', head) is not None and re.search(r'"(servers|backend)"\s*:', head) is not None
    )


def read(source: Source, finding: Finding) -> None:
    """Add servers, drives, the store and what it holds to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as mc writes it.
    """
    for line, data in objects(source.text(), finding):
        info = data.get("info", data)
        if info.get("mode") not in (None, "online"):
            finding.warn(line, f"the store is {info['mode']}")
        for number, server in enumerate(info["servers"], 1):
            _server(server, number, line, finding)
        _store(info.get("backend", {}), line, finding)
        if size := info.get("usage", {}).get("size"):
            finding.part("stored").put("data", float(size), "B", line=line)
            finding.sample("stored", None, float(size), line)
            _used(info["servers"], line, finding)


def _server(server: Mapping[str, Any], number: int, line: int, finding: Finding) -> None:
    if server.get("state") not in (None, "online", "ok"):
        finding.warn(line, f"server {number} is {server['state']}")
    part = finding.part("server", host=f"server {number}", is_listed=True)
    if total := server.get("mem_stats", {}).get("Total"):
        part.put("memory.size", float(total), "B", line=line)
    for place, drive in enumerate(server.get("drives") or server.get("disks") or [], 1):
        if drive.get("state", "ok") != "ok":
            finding.warn(line, f"drive {place} of server {number} is {drive['state']}")
        if drive.get("healing"):
            finding.warn(line, f"drive {place} of server {number} is healing")
        if not drive.get("totalspace"):
            continue
        bay = finding.part("drive", host=f"server {number}", bay=f"{place}", is_listed=True)
        bay.put("capacity", float(drive["totalspace"]), "B", line=line)


def _used(servers: Sequence[Mapping[str, Any]], line: int, finding: Finding) -> None:
    """State the raw bytes that are used, where each drive tells them."""
    drives = [drive for server in servers for drive in server.get("drives") or server.get("disks") or []]
    used = [float(drive["usedspace"]) for drive in drives if "usedspace" in drive]
    if used and len(used) == len(drives):
        finding.sample("used", None, sum(used), line)


def _store(backend: Mapping[str, Any], line: int, finding: Finding) -> None:
    part = finding.part("storage")
    part.put("product", PRODUCT, line=line)
    if (parity := backend.get("standardSCParity")) is not None:
        part.put("parity", int(parity), line=line)
    sizes = {int(size) for size in backend.get("totalDrivesPerSet") or backend.get("drivesPerSet") or []}
    if len(sizes) == 1:
        part.put("set_size", sizes.pop(), line=line)
    elif sizes:
        finding.warn(line, f"pools with erasure sets of {', '.join(map(str, sorted(sizes)))} drives: taken as usual")
