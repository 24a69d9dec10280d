"""`lscpu -J`: processor, cores and threads of a server. Newer versions nest what belongs together, older do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "lscpu"


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of lscpu."""
    return re.search(r'"lscpu"\s*:\s*\[', head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the processor of a server to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as lscpu writes it.
    """
    for line, data in objects(source.text(), finding):
        fields = {field.rstrip(":"): text for field, text in _fields(data["lscpu"])}
        part = finding.part("server")
        threads = int(fields["CPU(s)"])
        cores = int(fields.get("Core(s) per socket", 0)) * int(fields.get("Socket(s)", 0))
        if fields.get("Hypervisor vendor") or not 0 < cores <= threads:
            cores = max(threads // max(int(fields.get("Thread(s) per core", 1)), 1), 1)
        if vendor := fields.get("Hypervisor vendor"):
            finding.warn(line, f"a virtual machine ({vendor}): what it says of sockets and cores may be invented")
        part.put("cpu.threads", threads, line=line)
        part.put("cpu.cores", cores, line=line)
        if model := fields.get("Model name"):
            part.put("cpu.model", model, line=line)


def _fields(entries: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if entry.get("data") is not None:
            yield entry["field"], entry["data"]
        yield from _fields(entry.get("children", []))
