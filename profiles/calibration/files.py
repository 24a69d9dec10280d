"""Reads measurement files: which program wrote a file is told by what stands in it, never by its name."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from models.hardware.measurement import Direction
from models.problem import Problem, ProblemError
from profiles.calibration import dd, fio, iozone, iperf3
from profiles.calibration.reading import Reading

_TEXTS = (dd, iozone, iperf3)
_OBJECT = re.compile(r"^[ \t]*\{", re.MULTILINE)
_LARGEST = 2**26  # Assumption: bytes; a fio report of a thousand jobs has a tenth of it
_KNOWN = "dd, iozone -t, iperf3 (text or -J) or fio --output-format=json"


def read_files(paths: Iterable[str], direction: Direction | None = None) -> tuple[Reading, ...]:
    """Return what the files say; `direction` is that of dd runs whose command line is not in their file.

    Raises:
        ProblemError: with every file that cannot be read and every run that cannot be understood.
    """
    readings = tuple(_read(path, direction) for path in dict.fromkeys(paths))
    problems: list[Problem] = [problem for reading in readings for problem in reading.problems]
    if problems:
        raise ProblemError(problems)
    return readings


def _read(path: str, direction: Direction | None) -> Reading:
    reading = Reading(path, direction)
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        reading.complain(None, f"cannot be read: {(error.strerror or str(error)).lower()}")
        return reading
    text = _decoded(data)
    if len(data) > _LARGEST:
        reading.complain(None, f"larger than {_LARGEST >> 20} MiB: expected the output of {_KNOWN}")
    elif not text.strip():
        reading.complain(None, f"the file is empty: expected the output of {_KNOWN}")
    elif _OBJECT.search(text):
        _parse_json(text, reading)
    else:
        _parse_text(text, reading)
    return reading


def _decoded(data: bytes) -> str:
    """Return the text of a file; PowerShell's `>` writes UTF-16. Bytes that are no text become replacement marks."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return data.decode(encoding, errors="replace")


def _parse_text(text: str, reading: Reading) -> None:
    for tool in _TEXTS:
        if tool.recognises(text):
            reading.formats.append(tool.NAME)
            tool.parse(text, reading)
    if not reading.formats:
        reading.complain(None, f"not known: expected the output of {_KNOWN}")


def _parse_json(text: str, reading: Reading) -> None:
    """Read every JSON object of a text; other lines may stand between them."""
    end = 0
    while match := _OBJECT.search(text, end):
        try:
            data, end = json.JSONDecoder().raw_decode(text, match.end() - 1)
        except json.JSONDecodeError as error:
            reading.complain(error.lineno, f"JSON syntax: {error.msg.lower()}")
            return
        except RecursionError:
            reading.complain(None, "JSON nested too deeply")
            return
        _take_object(data, text, reading)


def _take_object(data: dict[str, Any], text: str, reading: Reading) -> None:
    name = fio.NAME if fio.recognises(data) else iperf3.NAME_JSON if iperf3.recognises_json(data) else None
    if name is None:
        reading.complain(None, f"JSON of an unknown program: expected the output of {_KNOWN}")
        return
    reading.formats += [name] if name not in reading.formats else []
    try:
        if name == fio.NAME:
            fio.parse(data, text, reading)
        else:
            iperf3.parse_json(data, reading)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reading.complain(None, f"not as {name} writes it: {type(error).__name__}: {error}")
