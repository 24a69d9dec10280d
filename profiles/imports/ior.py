"""IOR, as text: processes that write and read files of their own, or parts of one that all share. Its sizes are binary.

Source: IOR manual; ior-output.c.
"""

from __future__ import annotations

import re

from profiles.imports.commands import binary_bytes, counted
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "IOR"

_HEAD = re.compile(r"^IOR-\d[\w.+-]*:", re.MULTILINE)
_OPTION = re.compile(r"^\s*([A-Za-z][\w\s()/-]*)[:=]\s*(\S.*)$")
_ROW = re.compile(r"^(write|read)\s+([\d.]+)\s+[\d.]+\s+")
_NUMBER = re.compile(r"([\d.]+)\s*([KMGT]?)i?B?", re.IGNORECASE)
_SHARED = "single-shared-file"
_MIB = 2.0**20


def recognises(head: str) -> bool:
    """Tell whether a file comes from IOR."""
    return _HEAD.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add a workload for each row of results to a finding.

    Raises:
        KeyError, ValueError: the text is not as IOR writes it.
    """
    fields: dict[str, str] = {}
    for number, line in source.lines():
        finding.at = number
        if match := _ROW.match(line):
            _state(match[1], float(match[2]) * _MIB, fields, number, finding)
        elif match := _OPTION.match(line):
            fields[match[1].rstrip().lower()] = match[2].strip()
    finding.at = None


def _state(direction: str, rate: float, fields: dict[str, str], line: int, finding: Finding) -> None:
    tasks = counted(re.findall(r"\d+", fields.get("tasks") or fields["clients"])[0])
    total, block = _size(fields["aggregate filesize"]), _size(fields["xfersize"])
    if not (rate > 0 and total > 0):
        finding.leave_out(line, direction, "nothing moved")
        return
    work = finding.work("bulk-io", line)
    work.put("direction", direction, line=line)
    work.put("processes", tasks, line=line)
    work.put("size", total / tasks, "B", line)
    work.put("block", block, "B", line)
    if fields.get("access", "").strip("'\"") == _SHARED:
        work.put("files", "shared", line=line)
    work.outcome("", "duration", total / rate, line)
    if direction == "read":
        finding.warn(line, "read after write by the same node measures its memory, unless IOR ran with -C or -Q")


def _size(text: str) -> float:
    """Return a size such as "1 MiB" or "512 bytes"."""
    if match := _NUMBER.match(text):
        whole = binary_bytes(f"1{match[2]}")
        return float(match[1]) * (whole or 1.0)
    raise ValueError(f"a size such as 1 MiB was expected: {text[:20]}")
