"""`smartctl -j --xall`, of one drive or several after each other: kind, size, link, and what wears out.

The exit status is a set of bits of which most are warnings; 1 and 2 say that nothing was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "smartctl"

_FAILED = 0b11
"""Source: smartctl(8), exit status: the command line did not parse, or the device did not open."""


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of smartctl."""
    return re.search(r'"json_format_version"\s*:\s*\[|"smartctl"\s*:\s*\{', head) is not None or (
        re.match(r'\s*\{\s*"ata_smart_\w+"\s*:', head) is not None
    )


def read(source: Source, finding: Finding) -> None:
    """Add drives to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as smartctl writes it.
    """
    for line, data in objects(source.text(), finding):
        if "devices" in data and "device" not in data:
            finding.leave_out(line, "smartctl --scan", "it lists drives and says nothing of them")
        elif data.get("smartctl", {}).get("exit_status", 0) & _FAILED or not _size(data):
            finding.leave_out(line, "a drive", "smartctl could not read it; run it as root, behind an HBA with -d")
        else:
            _take(data, line, finding)


def _take(data: Mapping[str, Any], line: int, finding: Finding) -> None:
    name = data["device"]["name"].rpartition("/")[2]
    part = finding.part("drive", bay=name)
    is_nvme = data["device"].get("protocol") == "NVMe"
    rotation = data.get("rotation_rate", 0)
    part.put("technology", "nvme" if is_nvme else "hdd" if rotation else "ssd", line=line)
    part.put("capacity", _size(data), "B", line=line)
    if rotation:
        part.put("rpm", float(rotation), line=line)
    speed = data.get("interface_speed", {})
    if {"current", "max"} <= speed.keys() and _rate(speed["current"]) < _rate(speed["max"]):
        now, most = speed["current"]["string"], speed["max"]["string"]
        finding.warn(line, f"a drive has its link at {now} of {most}: look at its cable, backplane or controller")
    if data.get("smart_status", {}).get("passed") is False:
        finding.warn(line, "a drive says that it is failing: replace it")
    used = data.get("nvme_smart_health_information_log", {}).get("percentage_used", 0)
    if used >= 100:
        finding.warn(line, f"a drive has used {used} % of the writes that it is made for")


def _size(data: Mapping[str, Any]) -> float:
    """Return the size of a drive (B), which before version 7.2 stands elsewhere for NVMe; 0 where none is told."""
    return float(data.get("user_capacity", {}).get("bytes") or data.get("nvme_total_capacity") or 0)


def _rate(speed: Mapping[str, int]) -> int:
    return speed["units_per_second"] * speed["bits_per_unit"]
