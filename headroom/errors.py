"""What is wrong with the input, as data and in the words of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the input; texts as a user reads them, "" and None for what does not apply.

    `found`, `expected` and `way_out` are the parts of `message`; where it has no parts, all of it is in `expected`.
    """

    file: str
    line: int | None
    key: str
    message: str
    found: str
    expected: str
    way_out: str


class HeadroomError(Exception):
    """The input is wrong, for every one of the `problems`; without any, the program has failed.

    The text is that of the command line: a line for each problem, with file, line and key.
    """

    __module__ = "headroom"  # where it is public

    def __init__(self, text: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(text, tuple(problems))
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return str(self.args[0])


def refused(key: str, expected: str, way_out: str, *, value: str = "") -> HeadroomError:
    """Return the refusal of one argument."""
    message = f"{expected}; {way_out}" + (f" (got {value})" if value else "")
    return HeadroomError(f"{key}: {message}", [Problem("", None, key, message, value, expected, way_out)])
