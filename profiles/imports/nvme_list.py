"""`nvme list -o json`: NVMe drives, flat as before version 2 of nvme-cli or nested as since."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "nvme list"


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of nvme list."""
    return re.search(r'"Devices"\s*:\s*\[', head) is not None and '"PhysicalSize"' in head


def read(source: Source, finding: Finding) -> None:
    """Add drives to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as nvme writes it.
    """
    for line, data in objects(source.text(), finding):
        for name, size in _drives(data["Devices"]):
            part = finding.part("drive", bay=name)
            part.put("technology", "nvme", line=line)
            part.put("capacity", float(size), "B", line=line)


def _drives(devices: list[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    for device in devices:
        if "PhysicalSize" in device:
            yield device["DevicePath"].rpartition("/")[2], device["PhysicalSize"]
        for system in device.get("Subsystems", []):
            spaces = [*system.get("Namespaces", [])]
            spaces += [
                space for controller in system.get("Controllers", []) for space in controller.get("Namespaces", [])
            ]
            yield from ((space["NameSpace"], space["PhysicalSize"]) for space in spaces)
