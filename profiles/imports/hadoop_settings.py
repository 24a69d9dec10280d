"""Settings of Hadoop as XML: the `_conf.xml` beside the history of a job, and the site files of a cluster.

Only numbers and the scheme of the default file system are taken; hosts, paths and keys are not.
Source: Apache Hadoop, core-default.xml, hdfs-default.xml, mapred-default.xml.
"""

from __future__ import annotations

import re
from html import unescape

from models import units
from profiles.imports.finding import Finding
from profiles.imports.opening import Source
from profiles.imports.schemes import storage_of

NAME = "Hadoop settings"

_PROPERTY = re.compile(r"<name>\s*([\w.-]+)\s*</name>\s*(?:<final>[^<]*</final>\s*)?<value>([^<]*)</value>")
_END = "</property>"
_HEAP = re.compile(r"-Xmx(\d+)([kmg]?)", re.IGNORECASE)
_LEAST = units.parse("338 MiB", "B")
"""Heap below which no executor is described: Spark's reserve, which stands for that of a container. By arithmetic."""
_FILE_SYSTEM = ("fs.defaultFS", "fs.default.name")
_OPTIONS = ("mapreduce.map.java.opts", "mapred.map.child.java.opts", "mapred.child.java.opts")
_MEMORY = "mapreduce.map.memory.mb"
_HDFS, _REPLICAS = "hdfs:/", "dfs.replication"
_BLOCK = ("dfs.blocksize", "dfs.block.size")
_MIB = 2.0**20


def recognises(head: str) -> bool:
    """Tell whether a file holds settings of Hadoop."""
    return "<configuration" in head and _PROPERTY.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add what settings say of containers and of HDFS to a finding.

    Raises:
        ValueError: a number is none.
    """
    settings: dict[str, tuple[str, int]] = {}
    kept, begun = "", 0
    for number, line in source.lines():
        begun = begun if kept else number
        kept += line + "\n"
        *whole, kept = kept.split(_END)
        for match in (match for piece in whole for match in _PROPERTY.finditer(piece)):
            settings.setdefault(match[1], (unescape(match[2]).strip(), begun))
    if not settings:
        finding.complain(None, "no setting in it has a name and a value")
        return
    _tell_memory(settings, finding)
    _tell_storage(settings, finding)


def _tell_memory(settings: dict[str, tuple[str, int]], finding: Finding) -> None:
    """State what a container holds: its heap if it is stated, else its memory."""
    for key in (key for key in _OPTIONS if key in settings):
        text, line = settings[key]
        if match := _HEAP.search(text):
            _put_memory(finding, float(match[1]) * 1024.0 ** " kmg".index(match[2].lower() or " "), line)
            return
    if _MEMORY in settings and settings[_MEMORY][0].isdigit():
        _put_memory(finding, float(settings[_MEMORY][0]) * _MIB, settings[_MEMORY][1])


def _put_memory(finding: Finding, size: float, line: int) -> None:
    finding.part("framework").put("memory", max(size, _LEAST), "B", line)


def _tell_storage(settings: dict[str, tuple[str, int]], finding: Finding) -> None:
    system = next((settings[key] for key in _FILE_SYSTEM if key in settings), None)
    kind = storage_of(system[0]) if system else None
    if not (system and kind):
        return
    part = finding.part("storage")
    part.put("kind", kind, line=system[1])
    if kind != storage_of(_HDFS):
        return
    if _REPLICAS in settings:
        part.put("replication", int(settings[_REPLICAS][0]), line=settings[_REPLICAS][1])
    for key in (key for key in _BLOCK if key in settings):
        part.put("block_size", _size(settings[key][0]), "B", settings[key][1])


def _size(text: str) -> float:
    """Return a size such as 134217728 or 128m in bytes."""
    power = "kmgtp".find(text[-1:].lower()) + 1
    return float(text[:-1] if power else text) * 1024.0**power
