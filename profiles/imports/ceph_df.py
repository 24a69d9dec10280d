"""`ceph df -f json`: what Ceph holds, by pool, before copies."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "ceph df"
PRODUCT = "Ceph"


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of ceph df."""
    return re.search(r'"stats"\s*:\s*\{', head) is not None and '"total_used_raw_bytes"' in head


def read(source: Source, finding: Finding) -> None:
    """Add what is stored to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as ceph writes it.
    """
    for line, data in objects(source.text(), finding):
        stored = sum(float(pool["stats"].get("stored", pool["stats"]["bytes_used"])) for pool in data["pools"])
        if stored > 0:
            finding.part("stored").put("data", stored, "B", line=line)
            finding.sample("stored", None, stored, line)
            finding.sample("used", None, float(data["stats"]["total_used_raw_bytes"]), line)
        finding.part("storage").put("product", PRODUCT, line=line)
