"""Results of IO500, `result_summary.txt`: the rates of its phases. What was labelled GB before 2020 is GiB, too.

Source: IO500/io500, README; submissions of 2018 to 2023.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "IO500"

_ROW = re.compile(
    r"\[RESULT(?:-invalid)?\s*\]\s+(?:(?:BW|IOPS)\s+phase\s+\d+\s+)?(\w[\w-]*)\s+([\d.]+)\s+(Gi?B/s|kI?iops|kIOPS)\s*:?"
    r"\s*time\s+([\d.]+)\s+seconds",
    re.IGNORECASE,
)
_GIB = 2.0**30


def recognises(head: str) -> bool:
    """Tell whether a file holds results of IO500."""
    return _ROW.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the rate and the time of each phase to a finding."""
    for number, line in source.lines():
        match = _ROW.search(line)
        if match is None:
            continue
        name, value = match[1].replace("_", "-"), float(match[2])
        if match[3].lower().endswith("b/s"):
            finding.outcome(name, "throughput", value * _GIB, number)
        else:
            finding.outcome(name, "rate", value * 1000, number)
        finding.outcome(name, "duration", float(match[4]), number)
