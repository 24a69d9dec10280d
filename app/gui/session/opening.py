"""A profile that is asked for by name: the text of one that ships, or of a file. Knows no Qt."""

from __future__ import annotations

from pathlib import Path

from models.problem import Problem, ProblemError, did_you_mean
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED, describe
from profiles.loading.loader import load_text
from profiles.text import toml
from profiles.text.files import unreadable


def text_of(name_or_path: str) -> tuple[str, Path, bool]:
    """Return the text of a shipped profile or a file, where it stands, and whether it ships.

    Raises:
        ProblemError: there is no such profile, or its file cannot be read.
    """
    shipped = SHIPPED.find(name_or_path, PROFILES)
    path = shipped or Path(name_or_path).absolute()
    if shipped is None and not path.is_file():
        near = did_you_mean(name_or_path, [entry.name for entry in describe()])
        raise ProblemError([Problem("", None, "", f"no such profile or file: '{name_or_path}'{near}")])
    try:
        return toml.text_of(path), path, shipped is not None
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError([Problem(str(path), None, "", unreadable(error))]) from None


def values_of(path: Path) -> dict[str, object]:
    """Return the values of the profile that a file holds, by key; nothing where it cannot be read as one."""
    try:
        return dict(load_text(text_of(str(path))[0], Scenario, path=path).values)
    except ProblemError:
        return {}


def holds(path: Path, text: str) -> bool:
    """Tell whether a file holds a text, and no other."""
    try:
        return toml.text_of(path) == text
    except (OSError, ProblemError, UnicodeDecodeError):
        return False
