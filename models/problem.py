"""A complaint about the input: where it is, what is wrong and the way out. Problems are data, raised all at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One complaint; `file`, `line` and `key` are left out of the text where they are empty.

    `is_clash`: the values may each be right, they do not go together.
    """

    file: str
    line: int | None
    key: str
    message: str
    is_clash: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return ": ".join(filter(None, (place, self.key, self.message)))


class ProblemError(ValueError):
    """The input is wrong; `problems` holds every complaint once, by file, line and key."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.file, p.line or 0, p.key, p.message)))
        super().__init__("\n".join(map(str, self.problems)))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'read_bandwidth'?" for a mistyped name, or nothing where no known name is near."""
    folded = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    return f"; did you mean '{folded[near[0]]}'?" if near else ""


def is_refusal(error: BaseException) -> bool:
    """Tell whether a model has refused what it was given: a ValueError whose innermost frame lies in models/."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised_in = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__", ""))
    return isinstance(error, ValueError) and raised_in.startswith("models.")
