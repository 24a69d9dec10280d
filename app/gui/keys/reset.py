"""One key of a profile's text given back what it was. Knows no Qt."""

from __future__ import annotations

from pathlib import Path

from app.reports.words import as_stated
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.editing.edit import is_stated, set_value, unset_value
from profiles.loading.loader import load_text


def reset_text(text: str, path: Path, key: str, was: object | None) -> str:
    """Return a text, which stands in the file `path`, with a key as it was; `was` is its value then, None for none.

    Where the text states the key by itself, it no longer does, if that gives the value back; without a value to give
    back, what a part or a default says is taken.

    Raises:
        ProblemError: there is no such thing: the key must be stated.
    """
    if is_stated(text, key):
        changed = unset_value(text, key)
        value = _value(changed, path, key)
        if was is None or value == was:
            return changed
    return set_value(text, key, as_stated(was), is_text=isinstance(was, str))


def _value(text: str, path: Path, key: str) -> object:
    """Return what a text states at a key, by itself or by a part.

    Raises:
        ProblemError: the key must be stated.
    """
    try:
        return load_text(text, Scenario, path=path).values.get(key)
    except ProblemError as error:
        if any(problem.key == key for problem in error.problems):
            message = "has no preset and no default: it must be stated"
            raise ProblemError([Problem("", None, key, message)]) from None
        raise
