"""TOML of users to plain tables, within bounds: no text is so large, so deep or so long a number that it breaks us."""

from __future__ import annotations

import errno
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

from profiles.text.files import refuse_stream

LARGEST = 2**19  # Assumption: characters of a file; the largest that ships has a sixth of it
MOST_BYTES = 4  # of a character. Source: RFC 3629
TOO_LARGE = f"larger than {LARGEST:,} characters; make parts of it files of their own"
DEEPEST = 50  # Assumption: tables and arrays within each other; the deepest profile has a fifth of it
LONGEST = 14_000
"""Bits of a whole number. Source: sys.int_info: Python writes no number of more than 4300 digits, which take 14,284."""
_LONG_KEY = re.compile(
    r"""(?<![\w.\-"' \t])[ \t]*+(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){1000}"""
)
"""A key of so many steps that tomllib, which keeps each beginning of it, takes memory by their square."""

_LONG_NUMBER = re.compile(
    r"(?<![\w.\-])(?:0x[0-9a-fA-F_]{3500,}+|0o[0-7_]{4600,}+|0b[01_]{14000,}+|[+-]?[0-9_]{4200,}+)(?!\w)"
)
_DEEP = re.compile(rf"""(?:[\[{{][^\[\]{{}}\n"'#]*+){{{DEEPEST + 1},}}+""")


def text_of(path: Path) -> str:
    """Return the text of a file, of one that is too large nothing.

    Raises:
        OSError, UnicodeDecodeError: it cannot be read, is beyond the bounds, or is no UTF-8.
    """
    refuse_stream(path)
    if path.stat().st_size <= MOST_BYTES * LARGEST:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(LARGEST + 1)
        if len(text) <= LARGEST:
            return text
    raise OSError(errno.EFBIG, TOO_LARGE, str(path))


def parsed(text: str) -> dict[str, Any]:
    """Return what a text states.

    Raises:
        TOMLDecodeError: it is not TOML, or beyond the bounds.
    """
    if len(text) > LARGEST:
        raise tomllib.TOMLDecodeError(TOO_LARGE)
    if _LONG_KEY.search(text):
        raise _too_deep(text)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise _too_deep(text) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads no whole number of more than 4300 decimal digits
        raise _too_long(text) from None
    level: list[object] = [data]
    for _ in range(DEEPEST):
        level = [below for node in level for below in _below(node)]
        if not level:
            return data
        if any(isinstance(node, int) and node.bit_length() > LONGEST for node in level):
            raise _too_long(text)
    raise _too_deep(text)


def _below(node: object) -> list[Any]:
    """Return what stands directly in a table or an array."""
    return list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []


def _too_long(text: str) -> tomllib.TOMLDecodeError:
    return tomllib.TOMLDecodeError(f"a whole number has thousands of digits; shorten it{_place(_LONG_NUMBER, text)}")


def _too_deep(text: str) -> tomllib.TOMLDecodeError:
    what = f"tables or arrays lie more than {DEEPEST} deep within each other; take some away"
    return tomllib.TOMLDecodeError(what + _place(_DEEP, text))


def _place(pattern: re.Pattern[str], text: str) -> str:
    """Return where the only match is, as tomllib says it; "" where there are several: some may lie within texts."""
    matches = list(itertools.islice(pattern.finditer(text), 2))
    if len(matches) != 1:
        return ""
    start = matches[0].start()
    line = text.count("\n", 0, start) + 1
    return f" (at line {line}, column {start - text.rfind(chr(10), 0, start)})"
