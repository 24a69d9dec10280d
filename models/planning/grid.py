"""What a study varies: keys, each with its values as texts, and how they are put together into points.

Values are written as in a profile, in one of three forms, which commas may join:

    4,8,12          a list; part names and TOML values as well
    4..64:4         LOW..HIGH:STEP, evenly spaced; HIGH is a value where the steps meet it
    1..1000:log7    LOW..HIGH:logN, N values from LOW to HIGH, each the same multiple of the one before

A unit stands behind any of the numbers ("100 GB..1 TB:100 GB"); numbers without one take the unit of the others. Of
whole numbers without a unit a log range makes whole numbers: "1..1000:log7" is 1, 3, 10, 32, 100, 316, 1000.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from models import units
from models.problem import RefusalError, refusal

Values = tuple[tuple[str, str], ...]
"""The varied keys of one point with their values, in the order in which they were named."""

MOST = 20_000  # Assumption: points of one study; more are a slip of the keyboard, or days of work
EXPECTED = "expected values such as 4,8,12 or 4..64:4 or 1..1000:log7"
_NUMBER = r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2}(?!\d))?"
_RANGE = re.compile(
    rf"({_NUMBER})\s*([^.:]*?)\s*\.\.\s*({_NUMBER})\s*([^.:]*?)\s*:\s*(?:log(\d{{1,9}})|({_NUMBER})\s*(.*?))"
)
_LONGEST_RANGE = 300  # Assumption: characters; three numbers with their units have a fifth of it
_LIKE_A_RANGE = re.compile(r"[+-]?\d[^'\"\[{/]*\.\.")
_FAR = re.compile(r"\d[eE][+-]?\d{3}")
_WITHOUT_STEP = re.compile(r"(\d{1,40})\s*\.\.\s*(\d{1,40})\s*:?")
_OPENING, _CLOSING, _QUOTES = "[{(", "]})", "\"'"
GROUP_COUNT = re.compile(r"cluster\.groups\.(\w+)\.count")
"""The key of how many servers a group has."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One key that a study varies, and its values as texts."""

    key: str
    values: tuple[str, ...]


def short_names(keys: Sequence[str]) -> list[str]:
    """Return the varied keys without the steps that they can do without to be told apart."""
    steps = [key.split(".") for key in keys]
    return [
        next(
            ".".join(own[-n:])
            for n in range(1, len(own) + 1)
            if n == len(own) or all(own[-n:] != other[-n:] for other in steps if other is not own)
        )
        for own in steps
    ]


def in_words(values: Values) -> list[str]:
    """Return the values of one point in words: "server hdd-10gbe", "12 workers", "1 server", "6 storage servers"."""
    parts = []
    for (key, value), name in zip(values, short_names([key for key, _ in values]), strict=True):
        group = GROUP_COUNT.fullmatch(key)
        if group is None:
            parts.append(f"{name.replace('_', ' ')} {value}")
        else:
            parts.append(numbered(value, group[1] if group[1].endswith("s") else f"{group[1]} servers"))
    return parts


def numbered(count: str, things: str) -> str:
    """Return a number of things in words: "12 servers", "1 server", "+1 server", "22,000 servers"."""
    sign, digits = count[: len(count) - len(count.lstrip("+-"))], count.lstrip("+-")
    shown = f"{int(digits):,}" if digits.isdecimal() else digits
    return f"{sign}{shown} {things.removesuffix('s') if count.lstrip('+') == '1' else things}"


def axis(key: str, text: str) -> Axis:
    """Return a key with the values that a text states.

    Raises:
        RefusalError: the text states none, or one twice.
    """
    values = tuple(value for item in _items(text) for value in _expanded(item))
    if not values or "" in values:
        raise refusal("", EXPECTED, value=text)
    twice = next((value for value, count in Counter(values).items() if count > 1), None)
    if twice:
        raise refusal("", f"the value {twice} stands there twice", value=text)
    return Axis(key, values)


def combined(axes: Sequence[Axis], *, zipped: bool = False) -> list[Values]:
    """Return the points of the axes: all combinations, the last key changing fastest, or with `zipped` row by row.

    Raises:
        RefusalError: there are too many, or the axes to be zipped are not of the same length.
    """
    lengths = [len(dimension.values) for dimension in axes]
    if zipped and len(set(lengths)) > 1:
        counted = ", ".join(f"{dimension.key} has {len(dimension.values)}" for dimension in axes)
        raise refusal("", f"values are zipped one to one, so each key needs as many: {counted}")
    count = max(lengths) if zipped else math.prod(lengths)
    if count > MOST:
        raise refusal("", f"asks for {count} points, expected at most {MOST}", "vary fewer keys or values")
    rows = zip(*(dimension.values for dimension in axes), strict=True) if zipped else _product(axes)
    return [tuple(zip((dimension.key for dimension in axes), row, strict=True)) for row in rows]


def _product(axes: Sequence[Axis]) -> Iterator[tuple[str, ...]]:
    return itertools.product(*(dimension.values for dimension in axes))


def _items(text: str) -> list[str]:
    """Return what commas part, but for those in quotes and brackets."""
    items, start, depth, quote = [], 0, 0, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in _QUOTES:
            quote = letter
        else:
            depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and not depth and not quote:
            items.append(text[start:at])
            start = at + 1
    return [item.strip() for item in (*items, text[start:])]


def _expanded(item: str) -> Iterator[str]:
    """Yield the values of a range, or the item itself."""
    match = _RANGE.fullmatch(item) if len(item) <= _LONGEST_RANGE else None
    if match is None:
        if _LIKE_A_RANGE.match(item):
            stepless = _WITHOUT_STEP.fullmatch(item)
            meant = f"each whole number is {stepless[1]}..{stepless[2]}:1" if stepless else ""
            raise refusal("", "expected a range such as 4..64:4 or 1..1000:log7", meant, value=item)
        yield item
        return
    if _FAR.search(item):
        raise refusal("", "a number is beyond all scales, expected powers of ten of two digits at most", value=item)
    low, low_unit, high, high_unit, count, step, step_unit = match.groups()
    unit = _shared_unit(item, low_unit, high_unit, step_unit or "")
    ends = _in(unit, low, low_unit), _in(unit, high, high_unit)
    if count is None:
        numbers = _even(item, *ends, _in(unit, step, step_unit))
    else:
        whole = not unit and all(re.fullmatch(r"[+-]?\d+", end) for end in (low, high))
        numbers = _logarithmic(item, *ends, int(count), whole=whole)
    for number in numbers:
        yield f"{float(number):.12g}{f' {unit}' if unit else ''}"


def _shared_unit(item: str, *given: str) -> str:
    """Return the unit in which the values of a range are told: the first that is stated."""
    stated = [unit for unit in given if unit]
    try:
        dimensions = {units.unit(unit).dimension for unit in stated}
    except RefusalError as error:
        raise refusal("", str(error), value=item) from None
    if len(dimensions) > 1:
        raise refusal("", "the units of the range measure different things", value=item)
    return stated[0] if stated else ""


def _in(unit: str, number: str, own: str) -> Fraction:
    """Return a number that is in its own unit, if it has one, in `unit`."""
    if not unit or not own:
        return Fraction(number)
    return Fraction(number) * units.unit(own).scale / units.unit(unit).scale


def _even(item: str, low: Fraction, high: Fraction, step: Fraction) -> list[Fraction]:
    if step <= 0 or high < low:
        raise refusal("", "a range goes up, by a step above 0", value=item)
    count = int((high - low) / step) + 1
    if count > MOST:
        raise refusal("", f"asks for {count} values, expected at most {MOST}", value=item)
    return [low + i * step for i in range(count)]


def _logarithmic(item: str, low: Fraction, high: Fraction, count: int, *, whole: bool) -> list[Fraction]:
    if count < 2 or not 0 < low < high:
        raise refusal("", "a log range has two values or more, the lower end above 0", value=item)
    if count > MOST:
        raise refusal("", f"asks for {count} values, expected at most {MOST}", value=item)
    ratio = float(high / low)
    inner = [float(low) * ratio ** (i / (count - 1)) for i in range(1, count - 1)]
    rounded = [Fraction(round(value)) if whole else Fraction(f"{value:.4g}") for value in inner]
    return list(dict.fromkeys([low, *rounded, high]))
