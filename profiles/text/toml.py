"""TOML of users to plain tables, within bounds: no text is so large, so deep or so long a number that it breaks us."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from profiles.text.files import refuse_stream

LARGEST = 2**19  # Assumption: characters of a file; the largest that ships has a sixth of it
DEEPEST = 50  # Assumption: tables and arrays within each other; the deepest profile has a fifth of it
_LONG_KEY = re.compile(
    r"""(?<![\w.\-"' \t])[ \t]*+(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){1000}"""
)
"""A key of so many steps that tomllib, which keeps each beginning of it, takes memory by their square."""


def text_of(path: Path) -> str:
    """Return the text of a file, of a larger one so much that `parsed` refuses it.

    Raises:
        OSError, UnicodeDecodeError: it cannot be read, or is no UTF-8.
    """
    refuse_stream(path)
    with path.open(encoding="utf-8-sig") as file:
        return file.read(LARGEST + 1)


def parsed(text: str) -> dict[str, Any]:
    """Return what a text states.

    Raises:
        TOMLDecodeError: it is not TOML, or beyond the bounds.
    """
    if len(text) > LARGEST:
        raise tomllib.TOMLDecodeError(f"larger than {LARGEST:,} characters; make parts of it files of their own")
    if _LONG_KEY.search(text):
        raise _too_deep()
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise _too_deep() from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise tomllib.TOMLDecodeError("a whole number has thousands of digits; shorten it") from None
    level: list[object] = [data]
    for _ in range(DEEPEST):
        level = [below for node in level for below in _below(node)]
        if not level:
            return data
    raise _too_deep()


def _below(node: object) -> list[Any]:
    """Return what stands directly in a table or an array."""
    return list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []


def _too_deep() -> tomllib.TOMLDecodeError:
    return tomllib.TOMLDecodeError(f"tables or arrays lie more than {DEEPEST} deep within each other; take some away")
