"""`dmidecode`: memory modules and processors as the firmware of a server tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "dmidecode"

_SIZE = re.compile(r"(\d+)\s*([kMGT])i?B")
_POWERS = {"k": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
Table = tuple[int, str, dict[str, str]]


def recognises(head: str) -> bool:
    """Tell whether a file comes from dmidecode."""
    return re.search(r"^# dmidecode \d|^Handle 0x[0-9A-F]+, DMI type \d+", head, re.MULTILINE) is not None


def read(source: Source, finding: Finding) -> None:
    """Add memory and processors of a server to a finding."""
    part = finding.part("server")
    memory = cores = threads = 0
    place: dict[str, int] = {}
    for line, title, fields in _tables(source):
        if title == "Memory Device" and (match := _SIZE.match(fields.get("Size", ""))):
            memory += int(match[1]) * _POWERS[match[2]]
            place.setdefault("memory", line)
        elif title == "Processor Information" and "Populated" in fields.get("Status", ""):
            cores += _count(fields, "Core Count")
            threads += _count(fields, "Thread Count")
            place.setdefault("cpu", line)
            if version := fields.get("Version", ""):
                part.put("cpu.model", version, line=line)
    if memory:
        part.put("memory.size", float(memory), "B", line=place["memory"])
    if cores:
        part.put("cpu.cores", cores, line=place["cpu"])
        part.put("cpu.threads", max(threads, cores), line=place["cpu"])
    if not part.values:
        finding.parts.remove(part)
        finding.leave_out(None, "dmidecode", "it holds no memory module and no processor; run it as root")


def _count(fields: dict[str, str], key: str) -> int:
    text = fields.get(key, "")
    return int(text) if text.isdigit() else 0


def _tables(source: Source) -> Iterator[Table]:
    """Yield the tables: line, title, and what is said by key."""
    table: Table | None = None
    for number, line in source.lines():
        if not line.startswith(("\t", " ")):
            if table:
                yield table
            table = (number, line.strip(), {})
        elif table and not line.startswith("\t\t") and ":" in line:
            key, _, text = line.partition(":")
            table[2].setdefault(key.strip(), text.strip())
    if table:
        yield table
