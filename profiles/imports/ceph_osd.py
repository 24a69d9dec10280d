"""`ceph osd df tree -f json` and `ceph osd tree -f json`: hosts and drives of Ceph. Sizes are KiB."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "ceph osd"
PRODUCT = "Ceph"

_TECHNOLOGIES = {"hdd", "ssd", "nvme"}
_FULLER = 1.15
"""Share of the mean use of drives from which one is told. Assumption: the balancer keeps them within 5 %."""


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of ceph osd df or ceph osd tree."""
    return re.search(r'"nodes"\s*:\s*\[', head) is not None and '"device_class"' in head


def read(source: Source, finding: Finding) -> None:
    """Add hosts and drives to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as ceph writes it.
    """
    for line, data in objects(source.text(), finding):
        nodes = data["nodes"]
        host_of = {osd: node["id"] for node in nodes if node.get("type") == "host" for osd in node.get("children", [])}
        names = {host: f"host {number}" for number, host in enumerate(dict.fromkeys(host_of.values()), 1)}
        drives = [node for node in nodes if node.get("type", "osd") == "osd"]
        for name in names.values():
            finding.part("server", host=name, is_listed=True)
        for node in drives:
            _drive(node, names.get(host_of.get(node["id"])), line, finding)
        _fullest(drives, line, finding)
    finding.part("storage").put("product", PRODUCT)


def _drive(node: Mapping[str, Any], host: str | None, line: int, finding: Finding) -> None:
    if node.get("status") == "down" or node.get("reweight") == 0:
        finding.warn(line, "a drive is down or out")
    part = finding.part("drive", host=host or "host 1", bay=f"{node['id']}", is_listed=True)
    if node.get("device_class") in _TECHNOLOGIES:
        part.put("technology", node["device_class"], line=line)
    if size := node.get("kb"):
        part.put("capacity", size * 1024.0, "B", line=line)
    elif weight := node.get("crush_weight"):
        part.put("capacity", weight * 2.0**40, "B", line=line)  # a weight is by default the size in TiB


def _fullest(drives: list[Mapping[str, Any]], line: int, finding: Finding) -> None:
    used = [float(node["utilization"]) for node in drives if node.get("kb")]
    mean = sum(used) / len(used) if used else 0.0
    if mean > 0 and max(used) > _FULLER * mean:
        finding.warn(
            line, f"the fullest drive is {max(used):.0f} % full, the mean is {mean:.0f} %: it decides when all is"
        )
