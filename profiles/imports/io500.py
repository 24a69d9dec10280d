"""Results of IO500, `result_summary.txt`: the rates of its phases. What was labelled GB before 2020 is GiB, too.

Phases that break the rules of its list, such as those of less than 300 s, are marked as invalid: an open cache of
writes makes them faster than the storage is.

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
_INVALID = "invalid"
_GIB = 2.0**30


def recognises(head: str) -> bool:
    """Tell whether a file holds results of IO500."""
    return _ROW.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the rate and the time of each phase to a finding."""
    invalid: list[int] = []
    for number, line in source.lines():
        match = _ROW.search(line)
        if match is None:
            continue
        if _INVALID in line.lower():
            invalid.append(number)
        name, value = match[1].replace("_", "-"), float(match[2])
        if match[3].lower().endswith("b/s"):
            finding.outcome(name, "throughput", value * _GIB, number)
        else:
            finding.outcome(name, "rate", value * 1000, number)
        finding.outcome(name, "duration", float(match[4]), number)
    if invalid:
        text = f"{len(invalid)} phases are marked as invalid, this is the first"
        finding.warn(invalid[0], f"{text}: too short for its rules, they may measure a cache")
