"""Settings of Hadoop as XML: the `_conf.xml` beside the history of a job, and the site files of a cluster.

Only numbers, words of a choice and the scheme of the default file system are taken; hosts, paths and keys are not. The
`_conf.xml` of a job has what its release ships, too: it is taken, but nothing is told of it.
Source: Apache Hadoop, core-default.xml, hdfs-default.xml, mapred-default.xml.
"""

from __future__ import annotations

import re
from html import unescape

from models import units
from models.quantity import LARGEST
from profiles.imports.finding import Finding, Part
from profiles.imports.hadoop_keys import (
    HDFS,
    JOB,
    NOTHING,
    OF_A_BUCKET,
    PURGE,
    PURGE_AGE,
    S3A,
    UNKNOWN,
    UNMODELLED,
    Keys,
    seconds,
)
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
_ASKING = ("mapreduce.input.fileinputformat.split.minsize", _MEMORY, "mapreduce.reduce.memory.mb")
"""Settings whose least values say nothing."""
_HDFS = "hdfs:/"
_MIB = 2.0**20
_SHIPPED = re.compile(r"<source>[^<]*-default\.xml</source>")
Settings = dict[str, tuple[str, int]]
"""Values by key, and the lines that state them."""


def recognises(head: str) -> bool:
    """Tell whether a file holds settings of Hadoop."""
    return "<configuration" in head and _PROPERTY.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add what settings say of containers and of HDFS to a finding.

    Raises:
        ValueError: a number is none.
    """
    settings: Settings = {}
    own: set[str] = set()
    kept, begun = "", 0
    for number, line in source.lines():
        begun = begun if kept.strip() else number
        kept += line + "\n"
        *whole, kept = kept.split(_END)
        for piece in whole:
            for match in _PROPERTY.finditer(piece):
                settings.setdefault(match[1], (unescape(match[2]).strip(), begun))
                own |= set() if _SHIPPED.search(piece) else {match[1]}
    if not settings:
        finding.complain(None, "no setting in it has a name and a value")
        return
    _tell_memory(settings, finding)
    _tell_storage(settings, finding)
    _tell_job(settings, finding)
    if any(key.startswith("fs.s3a.") for key in own) or _kind(settings) not in (None, storage_of(_HDFS)):
        _tell_s3a(settings, own, finding)


def _tell_memory(settings: Settings, finding: Finding) -> None:
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


def _kind(settings: Settings) -> str | None:
    """Return the shipped storage system of the default file system, None where it tells none."""
    system = next((settings[key][0] for key in _FILE_SYSTEM if key in settings), None)
    return storage_of(system) if system else None


def _tell_storage(settings: Settings, finding: Finding) -> None:
    if (kind := _kind(settings)) is None:
        return
    part = finding.part("storage")
    part.put("kind", kind, line=next(settings[key][1] for key in _FILE_SYSTEM if key in settings))
    if kind == storage_of(_HDFS):
        _put(settings, HDFS, part, finding)


def _tell_job(settings: Settings, finding: Finding) -> None:
    asked = {key: value for key, value in settings.items() if value[0] not in NOTHING or key not in _ASKING}
    if asked.keys() & JOB.keys():
        _put(asked, JOB, finding.part("job"), finding)


def _tell_s3a(settings: Settings, own: set[str], finding: Finding) -> None:
    """State what a client of object stores is set to, and tell what of that has no part in a profile."""
    if settings.keys() & S3A.keys():
        part = finding.part("client")
        _put(settings, S3A, part, finding)
        if settings.get(PURGE, ("", 0))[0].lower() == "true" and PURGE_AGE in settings:
            _put({PURGE_AGE: settings[PURGE_AGE]}, {PURGE_AGE: (PURGE_AGE, "s", seconds)}, part, finding)
    for key in sorted(own & UNKNOWN.keys()):
        finding.leave_out(settings[key][1], key, f"S3A has no such key, and does not read it: {UNKNOWN[key]} is one")
    if left := sorted(own & UNMODELLED):
        finding.leave_out(settings[left[0]][1], ", ".join(left), "the model of S3A has no such settings")
    if of_buckets := [key for key in own if key.startswith(OF_A_BUCKET)]:
        text = f"{len(of_buckets)} settings of single buckets ({OF_A_BUCKET}*)"
        finding.leave_out(min(settings[key][1] for key in of_buckets), text, "a profile has one client for all")


def _put(settings: Settings, keys: Keys, part: Part, finding: Finding) -> None:
    """State the settings that a part has; of two keys that say the same the first holds."""
    for key, (name, unit, read_as) in keys.items():
        if key not in settings or name in part.values:
            continue
        text, line = settings[key]
        try:
            value = read_as(text)
        except ValueError as error:
            finding.leave_out(line, key, f"{error}")
            continue
        if not isinstance(value, str) and not -1 <= value <= LARGEST:
            finding.leave_out(line, key, "no such setting is so large, or so small")
            continue
        part.put(name, value, unit, line)
