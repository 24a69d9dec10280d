"""`hdfs oiv -p FileDistribution`: how many files HDFS holds, and the data in them without replicas.

Source: Apache Hadoop, FileDistributionCalculator.java.
"""

from __future__ import annotations

import re

from models import units
from profiles.imports.finding import Finding
from profiles.imports.hdfs_report import PRODUCT
from profiles.imports.opening import Source

NAME = "hdfs oiv"

_SUM = re.compile(r"(totalFiles|totalSpace) = (\d{1,18})\s*$")
_HEAD = re.compile(r"^(Size\s+NumFiles|totalSpace = )", re.MULTILINE)


def recognises(head: str) -> bool:
    """Tell whether a file is such a distribution."""
    return _HEAD.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add what is stored to a finding, and tell the mean size of a file."""
    sums = {match[1]: (int(match[2]), number) for number, line in source.lines() if (match := _SUM.match(line))}
    size, line = sums.get("totalSpace", (0, None))
    if size <= 0:
        finding.complain(None, "no totalSpace in it: expected the sums at its end")
        return
    finding.part("storage").put("product", PRODUCT)
    finding.part("stored").put("data", float(size), "B", line=line)
    files, _ = sums.get("totalFiles", (0, None))
    if files > 0:
        finding.warn(line, f"{files:,} files of {units.format(size / files, 'B', 3)} in the mean")
