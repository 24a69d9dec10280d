"""`lsblk -J -b -O`: the drives of a server. Those that hold the system, a swap or a RAID of it are left out.

Sizes are bytes with -b and text such as 3.6T without, which counts by 1024. Old versions quote all numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "lsblk"

_SYSTEM = {"/", "/boot", "/boot/efi", "/usr", "/var", "/home", "/tmp", "[SWAP]"}
_POWERS = " KMGTPE"
_VIRTUAL = re.compile(r"virtual|virtio|qemu|vmware|logical volume|perc|megaraid|smart array", re.IGNORECASE)


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of lsblk."""
    return re.search(r'"blockdevices"\s*:\s*\[', head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the drives of a server to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as lsblk writes it.
    """
    for line, data in objects(source.text(), finding):
        for device in data["blockdevices"]:
            _take(device, line, finding)


def _take(device: Mapping[str, Any], line: int, finding: Finding) -> None:
    if device.get("type", "disk") != "disk" or f"{device.get('rm', 0)}" in {"1", "True", "true"}:
        return
    size = byte_count(device["size"])
    if not size:
        return
    if mounted := sorted(_SYSTEM & set(_mounts(device))):
        finding.leave_out(line, "a drive", f"it holds the system ({mounted[0]})")
        return
    model = f"{device.get('model') or ''} {device.get('vendor') or ''}".strip()
    is_rotating = f"{device.get('rota', '')}".lower() in {"1", "true"}
    transport = f"{device.get('tran') or ''}"
    part = finding.part("drive", bay=device["name"])
    if is_rotating and _VIRTUAL.search(model):
        finding.warn(line, "a drive behind a RAID controller or a hypervisor: that it rotates may be invented")
    is_nvme = transport == "nvme" or device["name"].startswith("nvme")
    part.put("technology", "nvme" if is_nvme else "hdd" if is_rotating else "ssd", line=line)
    part.put("capacity", size, "B", line=line)


def _mounts(device: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a device and all that stands on it is mounted."""
    points = device.get("mountpoints") or [device.get("mountpoint")]
    yield from (point for point in points if point)
    for child in device.get("children", []):
        yield from _mounts(child)


def byte_count(size: object) -> float:
    """Return a size of lsblk in bytes: a number, or a text such as 3.6T.

    Raises:
        ValueError: it is neither.
    """
    match = re.fullmatch(r"([\d.]+)\s*([KMGTPE]?)(?:i?B)?", f"{size}".strip().replace(",", "."))
    if match is None:
        raise ValueError(f"no size: {size!r}")
    return float(match[1]) * 1024.0 ** _POWERS.index(match[2] or " ")
