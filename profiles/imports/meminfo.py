"""`/proc/meminfo` and `sysctl vm.dirty_ratio`: memory of a server, and how much of it may wait to be written."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "meminfo"

_TOTAL = re.compile(r"MemTotal:\s+(\d+) kB")
_RATIO = re.compile(r"vm\.(dirty_ratio|dirty_background_ratio) = (\d+)")


def recognises(head: str) -> bool:
    """Tell whether a file holds what the kernel says of its memory."""
    return any(_TOTAL.match(line) or _RATIO.match(line) for line in head.splitlines())


def read(source: Source, finding: Finding) -> None:
    """Add the memory of a server to a finding."""
    part = finding.part("server")
    for number, line in source.lines():
        if match := _TOTAL.match(line):
            part.put("memory.size", int(match[1]) * 1024.0, "B", line=number)
        elif (match := _RATIO.match(line)) and match[2] != "0":  # 0: it is stated in bytes
            part.put(f"memory.{match[1]}", int(match[2]) / 100, line=number)
