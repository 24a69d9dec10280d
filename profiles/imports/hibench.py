"""`hibench.report` of HiBench: a line for each run, with the bytes that it read and how long it took.

Source: Intel-bigdata/HiBench, bin/functions/workload_functions.sh.
"""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "HiBench report"

_HEAD = re.compile(r"^Type\s+Date\s+Time\s+Input_data_size\s+Duration\(s\)", re.MULTILINE)
_ROW = re.compile(r"^(\w+)\s+\d{4}-\d\d-\d\d\s+[\d:]{8}\s+(\d+)\s+([\d.]+)\s+\d+\s+\d+\s*$")


def recognises(head: str) -> bool:
    """Tell whether a file is a report."""
    return _HEAD.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add time and throughput of each run to a finding."""
    for number, line in source.lines():
        if (match := _ROW.match(line)) and float(match[3]) > 0:
            finding.outcome(match[1], "duration", float(match[3]), number)
            finding.outcome(match[1], "throughput", float(match[2]) / float(match[3]), number)
