"""GNU dd: one stream on one drive. The rate is bytes over seconds, which dd prints with more digits than its rate.

    1073741824 bytes (1.1 GB, 1.0 GiB) copied, 7.83377 s, 137 MB/s

The line may be in any language. Finding and writing look alike in it, and so do drive and page cache: the command
line above it tells, with `iflag=direct` or `oflag=direct`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from models.hardware.measurement import Direction, DriveRun
from profiles.imports.commands import binary_bytes, command, lines
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "dd"

_RECORDS = re.compile(r"\s*\d+\+\d+ ")  # "64+0 records out"; not so before a progress report
_RESULT = re.compile(  # U+FF0C and U+3001 are the commas of Chinese and Japanese
    r"""\s*(?P<bytes>\d+)\s*[^\W\d].*?            # 1073741824 bytes (1.1 GB, 1.0 GiB) copied
    (?:,\s+|[\uff0c\u3001]\s*)(?P<seconds>\d+(?:[.,]\d+)?(?:e[-+]?\d+)?)\s?[^\W\d]+\.?   # , 7.83377 s
    (?:,\s+|[\uff0c\u3001]\s*)[\d.,]+\s?[kMGTPE]?i?B/\w+\s*$ # , 137 MB/s""",
    re.VERBOSE | re.IGNORECASE,
)
_UNITS = {"c": 1, "w": 2, "b": 512, "kB": 1e3, "MB": 1e6, "GB": 1e9}  # Source: GNU coreutils manual, dd, blocks
_ZEROS = ("/dev/zero", "/dev/urandom", "/dev/random")


class _Result(NamedTuple):
    line: int
    words: list[str] | None
    rate: float


def recognises(head: str) -> bool:
    """Tell whether a file holds results of dd."""
    return any(_RESULT.match(line) for _, line in lines(head))


def read(source: Source, finding: Finding) -> None:
    """Add the runs of a file to a finding."""
    for result in _results(source.text(), finding):
        if result.words is None:
            _without_command(result, finding)
        else:
            _with_command(result, dict(word.partition("=")[::2] for word in result.words), finding)


def _results(text: str, finding: Finding) -> Iterator[_Result]:
    """Yield the final result of each dd, without its progress reports."""
    has_records = any(_RECORDS.match(line) for _, line in lines(text))
    words, is_final = None, not has_records
    for number, line in finding.lines(text):
        if called := command(line, "dd"):
            words = called
        elif _RECORDS.match(line):
            is_final = True
        elif (match := _RESULT.match(line)) and is_final:
            seconds = float(match["seconds"].replace(",", "."))
            if seconds > 0:
                yield _Result(number, words, int(match["bytes"]) / seconds)
            words, is_final = None, not has_records


def _with_command(result: _Result, operands: dict[str, str], finding: Finding) -> None:
    direction = _direction(operands)
    if direction is None:
        finding.leave_out(
            result.line, "dd", "it has to read a file into of=/dev/null, or write if=/dev/zero into a file"
        )
        return
    flags = operands.get("iflag" if direction == "read" else "oflag", "").split(",")
    if "direct" in flags:
        _add(result, direction, _block(operands.get("bs", "512")), finding)
    elif direction == "write" and _is_flushed(flags, operands):
        finding.warn(result.line, "dd wrote through the page cache and flushed it; oflag=direct would leave it out")
        _add(result, direction, None, finding)
    else:
        flag = "iflag" if direction == "read" else "oflag"
        finding.leave_out(result.line, "dd", f"without {flag}=direct it measures the page cache in memory")


def _without_command(result: _Result, finding: Finding) -> None:
    direction = finding.direction or _named(finding.file)
    if direction is None:
        finding.complain(
            result.line,
            "dd does not say whether it read or wrote: put its command line above the numbers, "
            "name the file ...read... or ...write..., or use --direction read|write",
        )
        return
    finding.warn(result.line, f"dd without its command line: taken as a {direction} with the flag direct")
    _add(result, direction, None, finding)


def _add(result: _Result, direction: Direction, request: float | None, finding: Finding) -> None:
    if request is not None and request < 2**20:  # Assumption: 1 MiB hides the time between two requests
        finding.warn(result.line, f"dd with bs={request:g}: small requests wait for each other; use bs=16M")
    finding.runs.append(
        DriveRun(
            file=finding.label, line=result.line, tool=NAME, direction=direction, rate=result.rate, request=request
        )
    )


def _direction(operands: dict[str, str]) -> Direction | None:
    source, target = operands.get("if", ""), operands.get("of", "")
    if target == "/dev/null" and source and source not in _ZEROS:
        return "read"
    return "write" if source in _ZEROS and target not in {"", "/dev/null"} else None


def _is_flushed(flags: list[str], operands: dict[str, str]) -> bool:
    return bool({"dsync", "sync"} & set(flags) or {"fsync", "fdatasync"} & set(operands.get("conv", "").split(",")))


def _named(file: str) -> Direction | None:
    """Return the direction that the name of a file tells."""
    words = set(re.split(r"[^a-z]+", Path(file).name.lower()))
    reads, writes = bool(words & {"read", "reads"}), bool(words & {"write", "writes"})
    return None if reads == writes else "read" if reads else "write"


def _block(text: str) -> float | None:
    """Return a block size of dd in bytes, None for what it does not know."""
    match = re.fullmatch(r"(\d+)(c|w|b|kB|MB|GB)", text)
    return int(match[1]) * float(_UNITS[match[2]]) if match else binary_bytes(text)
