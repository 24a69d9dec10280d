"""Reads what a user says of the rows of a quotation: rules by the words of a row, and headings of columns."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from models.problem import Problem, ProblemError
from models.units import either
from profiles.offers.rows import HEADINGS
from profiles.text.files import unreadable
from profiles.text.toml import parsed, text_of

OWN = ("source", "sources", "ranges")
"""What a price has from its row."""

STEPS = 8
"""Names, parted by dots, of a part in a price list at most; those that ship have two or three."""


def read_map(file: str) -> dict[str, Any]:
    """Return the rules and headings of a map file.

    Raises:
        ProblemError: it cannot be read, or a rule says nothing.
    """
    try:
        data = parsed(text_of(Path(file)))
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError([Problem(file, None, "--map", unreadable(error))]) from None
    except tomllib.TOMLDecodeError as error:
        raise ProblemError([Problem(file, None, "--map", f"is no TOML: {error}")]) from None
    if problems := [Problem(file, None, key, message) for key, message in _wrong(data)]:
        raise ProblemError(problems)
    return data


def _wrong(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the key of each mistake in a map, and what was expected there."""
    columns, rules = data.get("columns", {}), data.get("map", [])
    if not isinstance(columns, dict):
        yield "columns", "expected a table of headings"
    else:
        for what, heading in columns.items():
            if what not in HEADINGS:
                yield f"columns.{what}", f"unknown; expected {either(HEADINGS)}"
            elif not isinstance(heading, str):
                yield f"columns.{what}", "expected the words of a heading in quotes"
    if not isinstance(rules, list):
        yield "map", "expected tables, each below a line [[map]]"
        return
    for i, rule in enumerate(rules):
        yield from ((f"map.{i}{key}", message) for key, message in _wrong_in(rule))


def _wrong_in(rule: object) -> Iterator[tuple[str, str]]:
    if not isinstance(rule, dict):
        yield "", "expected a table with text and part"
    elif not isinstance(rule.get("text"), str) or not rule["text"]:
        yield ".text", "missing: what the words of a row contain, in quotes"
    elif not rule.get("ignore") and not (isinstance(rule.get("part"), str) and rule["part"]):
        yield ".part", 'missing: such as "drives.hdd", or ignore = true'
    elif (steps := str(rule.get("part", "")).count(".") + 1) > STEPS:
        yield ".part", f'has {steps:,} names parted by dots; a part has two or three, such as "drives.hdd"'
    elif not _is_amount(rule.get("each", 1)):
        yield ".each", "expected a number above 0"
    else:
        stated = (key for key in OWN if key in rule)
        yield from ((f".{key}", "is that of the row; remove it") for key in stated)


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= sys.float_info.max
