"""`ethtool IF`, of one interface or several after each other: the rate of the fastest link that is up."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "ethtool"

_SPEED = re.compile(r"\s*Speed:\s*(\d+)\s*Mb/s")
_UNKNOWN = 2**32 - 1  # what old versions print for -1


def recognises(head: str) -> bool:
    """Tell whether a file comes from ethtool."""
    return re.search(r"^Settings for \S+:\s*$", head, re.MULTILINE) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the card of a server to a finding."""
    speeds: dict[int, int] = {}
    speed: tuple[int, int] | None = None
    for number, line in source.lines():
        if line.startswith("Settings for"):
            speed = None
        elif (match := _SPEED.match(line)) and 0 < int(match[1]) < _UNKNOWN:
            speed = int(match[1]), number
        elif "Link detected: yes" in line and speed:
            speeds.setdefault(*speed)
    if not speeds:
        finding.leave_out(None, "links", "none is up with a known speed")
        return
    fastest = max(speeds)
    finding.part("server").put("nic.bandwidth", fastest * 1.25e5, "B/s", line=speeds[fastest])
    if len(speeds) > 1:
        finding.warn(speeds[fastest], f"links of several speeds: {fastest / 1000:g} Gbit/s is taken for the card")
