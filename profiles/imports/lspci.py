"""`lspci -vv`: whether cards and drives have all the lanes that they could have. A slow slot is a finding by itself.

Source: pciutils, ls-caps.c: LnkCap is what a device can, LnkSta what it does.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "lspci"

_DEVICE = re.compile(r"^(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] ([A-Z][\w /-]*?)(?: \[\w+\])?:", re.IGNORECASE)
_LINK = re.compile(r"Lnk(Cap|Sta):.*?Speed ([\d.]+)GT/s.*?Width x(\d+)")
_KINDS = ("ethernet", "network", "infiniband", "non-volatile memory", "serial attached scsi", "raid bus", "sata")


def recognises(head: str) -> bool:
    """Tell whether a file comes from lspci."""
    return sum(_DEVICE.match(line) is not None for line in head.split("\n")) > 1


def read(source: Source, finding: Finding) -> None:
    """Note the links of cards and drives that run below what they could."""
    kind, can, whole, slow = "", (0.0, 0), 0, 0
    for number, line in source.lines():
        if match := _DEVICE.match(line):
            kind, can = match[1].lower(), (0.0, 0)
        if not kind.startswith(_KINDS) or not (match := _LINK.search(line)):
            continue
        link = float(match[2]), int(match[3])
        if match[1] == "Cap":
            can = link
        elif link[0] * link[1] < can[0] * can[1]:
            slow += 1
            of = f"{can[0]:g} GT/s by {can[1]} lanes"
            finding.warn(
                number, f"a link of the kind {kind}: {link[0]:g} GT/s by {link[1]} lanes, of {of}: see its slot"
            )
        else:
            whole += 1
    if not whole and not slow:
        finding.warn(None, "no link is told of: run lspci -vv as root")
    elif not slow:
        finding.warn(None, f"all {whole} links of cards and drives run as fast as they can")
