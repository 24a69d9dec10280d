"""Texts nobody would write, made of texts that somebody did: values, keys, lines and letters changed by chance.

It knows what TOML, JSON and the output of tools have in common: quoted texts, numbers with units, keys, lines. So most
of what it makes is still read, and refused for what it says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

NUMBERS = (
    *("0", "-1", "1", "2", "0.5", "1e-30", "1e30", "1e99", "1e400", "-0.0", "nan", "inf", "-inf", "0x10", "1_000"),
    *("9" * 20, "9" * 310, "9" * 5000, "1.2.3", "1,5", "1,000", "٣", "²", "10000000", "10000001", "1e-400"),
)
"""What a number may become."""
UNITS = (" B", " GB", " MB/s", " Gbit/s", " s", " y", " %", " USD", "", " IOPS", " B/s", " EB", " ns", " GiBB", "-")
VALUES = (
    *('""', "true", "[]", "{}", "[[]]", '"\\u0000"', '"$x^"', '"<b>"', "1979-05-27", '"=cmd"', "'''x'''", '"../x"'),
    *('"hdd"', '"nvme"', '"workers"', '"12-h1"', '"hdfs"', f'"{"x" * 300}"', "null", "[1, 2, 3]", '{ use = "hdd" }'),
    *(f"{'[' * 60}{']' * 60}", f"{'[' * 5000}", f'"{" " * 60_000}"', '"1..100000:1"', '"é\\u202e"', '"0.5 x"', "3.0"),
)
"""What any value may become."""
LETTERS: tuple[str, ...] = (*"\x00\n\"'[]{}=#., \t\\é\u202e-%$",)
LONG = 100_000
"""Letters of what is repeated. Assumption: longer than what somebody types, shorter than what is refused unread."""
FACTORS = (0.0, 1e-9, 1e-3, 0.1, 0.5, 2.0, 3.0, 10.0, 1e3, 1e6, 1e9)
"""What a number may be multiplied by."""
_DIGITS = re.compile(r"(?<![\w.])\d{1,15}(?:\.\d{1,15})?(?![\w.])")
_VALUE = re.compile(r"(?<=[=:])[ \t]*[^\n#]+")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?: ?[A-Za-z%/]+)?")
_KEY = re.compile(r"(?<![\w-])[A-Za-z_][\w-]*+(?=\s*[=:\]\"])")


def mutated(text: str, others: Sequence[str], rng: random.Random) -> str:
    """Return a text with one to four changes, which may take a line from others of its kind."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        text = rng.choice(_CHANGES)(text, rng.choice(others), rng)
    return text


def _put(text: str, pattern: re.Pattern[str], new: str, rng: random.Random) -> str:
    """Return a text with one of the matches of a pattern replaced."""
    places = [match.span() for match in pattern.finditer(text)]
    if not places:
        return text + new
    start, end = rng.choice(places)
    return text[:start] + new + text[end:]


def _value(text: str, other: str, rng: random.Random) -> str:
    return _put(text, _VALUE, f" {rng.choice(VALUES)}", rng)


def _number(text: str, other: str, rng: random.Random) -> str:
    return _put(text, _NUMBER, rng.choice(NUMBERS) + rng.choice(UNITS), rng)


def _bare_number(text: str, other: str, rng: random.Random) -> str:
    return _put(text, re.compile(r"\d+(?:\.\d+)?"), rng.choice(NUMBERS), rng)


def _scaled(text: str, other: str, rng: random.Random) -> str:
    """Make a number some powers of ten larger or smaller: it often stays legal, and what is made of it does not."""
    places = [match.span() for match in _DIGITS.finditer(text)]
    if not places:
        return text
    start, end = rng.choice(places)
    return f"{text[:start]}{float(text[start:end]) * rng.choice(FACTORS):.15g}{text[end:]}"


def _key(text: str, other: str, rng: random.Random) -> str:
    keys = _KEY.findall(other) or ["key"]
    return _put(text, _KEY, rng.choice(keys), rng)


def _line(text: str, other: str, rng: random.Random) -> str:
    """Take a line out, or put one in twice, elsewhere, or from another text."""
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines) + 1)
    what = rng.randrange(4)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(to, lines[at])
    elif what == 2:
        lines.insert(to, rng.choice(other.split("\n")))
    else:
        lines[at : at + 1] = [lines[at]] * min(rng.choice((2, 50, 2000)), 2 + LONG // (len(lines[at]) + 1))
    return "\n".join(lines)


def _letter(text: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(LETTERS) * rng.choice((0, 1, 1, 3, 2000)) + text[at + rng.choice((0, 1, 1, 9)) :]


def _piece(text: str, other: str, rng: random.Random) -> str:
    """Repeat a piece of a line until it is long: what takes the square of a length takes minutes then."""
    at = rng.randrange(len(text) + 1)
    piece = text[at : at + rng.randrange(1, 40)] or " "
    return text[:at] + piece * (LONG // len(piece)) + text[at:]


def _cut(text: str, other: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


_CHANGES = (
    *(_value, _value, _number, _number, _scaled, _scaled, _bare_number, _key, _line, _line, _letter, _cut) * 4,
    _piece,  # is seldom taken, since a long text takes as long as ten others
)
