"""Refusals of input as data: which key, what was found there, what was expected and the way out.

Models refuse by key: a `RefusalError` of one or several `Reason`s. Whoever knows the files adds where the key stands: a
`ProblemError` of `Problem`s. Only these two say that the input is wrong; any other exception is a fault of the program.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import field, replace

from models.values import value

_LONGEST_NAME = 100  # Assumption: characters of a name that somebody has mistyped
_LONGEST_SHOWN = 200  # Assumption: characters of a value that a message repeats
_LONG_WORD = re.compile(r"(?<=')[^'\n]{1001,}(?=')|[^\s':;]{1001,}")
"""A value, a key or a path too long for a message to repeat as a whole. Assumption: 300 to 4,000 characters."""


@value()
class Reason:
    """Why an input is refused; all texts as the user reads them, "" for what does not apply.

    `key` is a path from the table that was checked, `found` the value as a profile states it.
    """

    key: str
    expected: str
    way_out: str = ""
    found: str = ""

    @property
    def message(self) -> str:
        """The reason without its key."""
        text = "; ".join(filter(None, (self.expected, self.way_out)))
        return f"{text} (got {self.found})" if self.found else text

    def __str__(self) -> str:
        if not self.key:
            return self.message
        place = f"{self.key} = {self.found}" if self.found else self.key
        return f"{place}: {replace(self, found='').message}"


class RefusalError(ValueError):
    """The input is wrong, for every one of the `reasons`."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(*reasons)
        self.reasons = reasons

    def __str__(self) -> str:
        return "\n".join(map(str, self.reasons))

    def below(self, table: str) -> RefusalError:
        """Return the same refusal as seen from a profile in which the keys stand in a table."""
        return RefusalError(*(replace(reason, key=f"{table}.{reason.key}") for reason in self.reasons))


def refusal(key: str, expected: str, way_out: str = "", *, value: object = None) -> RefusalError:
    """Return the refusal of one value; `value` is the value itself, or a text of a quantity.

    >>> print(refusal("storage.bay", "the servers have no such bay", "name one of 'data'", value="fast"))
    storage.bay = 'fast': the servers have no such bay; name one of 'data'
    """
    return RefusalError(Reason(key, expected, way_out, "" if value is None else _shown(value)))


@value()
class Problem:
    """One complaint; `file`, `line` and `key` are left out of the text where they are empty.

    `is_clash`: the values may each be right, they do not go together. `parts` is what the message is made of, where
    that is known.
    """

    file: str
    line: int | None
    key: str
    message: str
    is_clash: bool = False
    parts: Reason | None = field(default=None, compare=False)

    @property
    def reason(self) -> Reason:
        """What was found, what was expected and the way out; all of it is expected where only the message is known."""
        return self.parts or Reason(self.key, self.message)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return brief(": ".join(filter(None, (place, self.key, self.message))))


class ProblemError(RefusalError):
    """The input is wrong; `problems` holds every complaint once, by file, line and key."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.file, p.line or 0, p.key, p.message)))
        super().__init__(*(Reason(problem.key, problem.message) for problem in self.problems))
        self.args = (self.problems,)  # of which a copy in another process is made

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


def located(error: RefusalError, file: str) -> ProblemError:
    """Return a refusal as problems of a file or of a named profile; those that say their file keep it."""
    if isinstance(error, ProblemError):
        return error
    return ProblemError(Problem(file, None, reason.key, reason.message, parts=reason) for reason in error.reasons)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'read_bandwidth'?" for a mistyped name, or nothing where no known name is near."""
    if len(name) > _LONGEST_NAME:
        return ""
    folded = {known_name.casefold(): known_name for known_name in known if 0 < len(known_name) <= _LONGEST_NAME}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    return f"; did you mean '{folded[near[0]]}'?" if near else ""


def _shown(value: object) -> str:
    """Return a value as a profile states it."""
    if isinstance(value, bool):
        return str(value).lower()
    return (
        f"{value:g}" if isinstance(value, float) else shortened(repr(value) if isinstance(value, str) else f"{value}")
    )


def brief(text: str) -> str:
    """Return a message whose words, such as keys and paths, are shortened where they are beyond all reading."""
    return _LONG_WORD.sub(lambda match: shortened(match[0]), text)


def shortened(text: str) -> str:
    """Return a text that a message repeats, its middle left out where it is long."""
    half = _LONGEST_SHOWN // 2
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:half]} ... {text[-half:]}"
