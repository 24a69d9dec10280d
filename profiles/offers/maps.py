"""Reads what a user says of the rows of a quotation: rules by the words of a row, and headings of columns."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from models.problem import Problem, ProblemError
from profiles.toml import parsed, text_of


def read_map(file: str) -> dict[str, Any]:
    """Return the rules and headings of a map file.

    Raises:
        ProblemError: it cannot be read, or a rule says nothing.
    """
    try:
        data = parsed(text_of(Path(file)))
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError([Problem(file, None, "--map", f"cannot be read: {error}")]) from None
    except tomllib.TOMLDecodeError as error:
        raise ProblemError([Problem(file, None, "--map", f"is no TOML: {error}")]) from None
    problems = []
    for i, rule in enumerate(data.get("map", [])):
        if not isinstance(rule, dict) or not rule.get("text"):
            problems.append(Problem(file, None, f"map.{i}.text", "missing: what the words of a row contain"))
        elif not rule.get("ignore") and not isinstance(rule.get("part"), str):
            problems.append(Problem(file, None, f"map.{i}.part", 'missing: such as "drives.hdd", or ignore = true'))
        elif not isinstance(rule.get("each", 1), (int, float)) or rule.get("each", 1) <= 0:
            problems.append(Problem(file, None, f"map.{i}.each", "expected a number above 0"))
    if problems:
        raise ProblemError(problems)
    return data
