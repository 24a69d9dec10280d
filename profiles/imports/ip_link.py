"""`ip -j -d link`: links of a server that work as one, and their MTU. How fast they are, ethtool says."""

from __future__ import annotations

import re
from collections import Counter

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "ip link"

_USUAL_MTU = 1500


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of ip link."""
    return re.search(r'^\s*\[\s*\{[^{}]{0,400}"ifindex"\s*:', head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add bonds and the largest packet of the links in use to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as ip writes it.
    """
    for line, links in objects(source.text(), finding):
        used = [link for link in links if link.get("operstate") == "UP" and link.get("link_type") == "ether"]
        physical = [link for link in used if "linkinfo" not in link or "info_slave_kind" in link["linkinfo"]]
        bonds = Counter(link["master"] for link in physical if _in_bond(link))
        if not physical:
            finding.leave_out(line, "links", "none of a network card is up")
            continue
        part = finding.part("server")
        mtu = max(int(link["mtu"]) for link in physical)
        if mtu != _USUAL_MTU:
            part.put("nic.mtu", float(mtu), "B", line=line)
        if bonds:
            part.put("nic.links", max(bonds.values()), line=line)


def _in_bond(link: dict[str, dict[str, str]]) -> bool:
    return link.get("linkinfo", {}).get("info_slave_kind") == "bond" and "master" in link
