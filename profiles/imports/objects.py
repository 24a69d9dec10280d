"""JSON in files: one object or several after each other, with other lines between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

_BEGIN = re.compile(r"^[ \t]*[{\[](?=\s*[\"{\]}])", re.MULTILINE)


class _Entry(dict[str, Any]):
    """A JSON object that notes the key that is read in a finding, for what is said where its value is no such."""

    __slots__ = ("_finding",)

    def __init__(self, finding: Finding, entries: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self._finding = finding

    def __getitem__(self, key: str) -> Any:
        self._finding.key = key
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._finding.key = key
        return super().get(key, default)


def objects(text: str, finding: Finding) -> Iterator[tuple[int, Any]]:
    """Yield every JSON object or list of a text with its line; what breaks off becomes a problem, and ends it.

    Raises:
        RecursionError: one is nested too deeply.
    """
    end, line = 0, 1
    decoder = json.JSONDecoder(object_hook=partial(_Entry, finding))
    while match := _BEGIN.search(text, end):
        line += text.count("\n", end, match.end())
        try:
            data, after = decoder.raw_decode(text, match.end() - 1)
        except json.JSONDecodeError as error:
            finding.complain(error.lineno, f"JSON syntax: {error.msg.lower()}")
            return
        finding.at = line
        yield line, data
        line += text.count("\n", match.end(), after)
        end = after
    finding.at = None


def rows(source: Source, finding: Finding) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of a file with one a line; lines that are none are counted and noted."""
    bad: list[int] = []
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            bad.append(number)
            continue
        if isinstance(data, dict):
            yield number, data
        else:
            bad.append(number)
    note_bad_lines(bad, finding)


def note_bad_lines(bad: list[int], finding: Finding) -> None:
    """Note the lines that could not be read."""
    if bad:
        finding.warn(bad[0], f"{len(bad)} lines cannot be read, this is the first: left out")


def each_object(source: Source, finding: Finding) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file of indented ones, each with the line at which it begins; only one is held at a time.

    An object ends with a brace that begins a line, or stands in one line.
    """
    bad: list[int] = []
    kept: list[str] = []
    begin = 1
    for number, line in source.lines():
        begin = begin if kept else number
        is_whole = not kept and line.startswith("{") and line.rstrip().endswith("}")
        if not (line.startswith("}") or is_whole):
            kept += [line] if line.strip() else []
            continue
        end = len(line) if is_whole else 1
        try:
            yield begin, dict(json.loads("\n".join([*kept, line[:end]])))
        except (ValueError, TypeError, RecursionError):
            bad.append(begin)
        kept = [line[end:]] if line[end:].strip() else []
        begin = number
    if kept:
        bad.append(begin)
    note_bad_lines(bad, finding)
