"""How sure a number is: `[drive.ranges] seek_time = ["7 ms", "12.7 ms"]` beside `[drive.sources]`.

Low and high are in the unit of the number, which lies between them and is the likely one; 90 % of the world does, too.
`"0.5 x"` is half the number itself. `"*"` stands for all numbers of the table, and of those in it, that are assumed or
priors and have no range of their own: they are off together, by the same factor.
"""

from __future__ import annotations

from dataclasses import dataclass

from models import units
from models.problem import refusal
from models.quantity import extra
from profiles.schema import Shape
from profiles.tree import FACTOR, Leaf, Place, Range

ALL = "*"


@dataclass(frozen=True, slots=True)
class Limits:
    """A range as numbers in `unit`, None for one without. `knob` is the same for numbers that are off together."""

    low: float
    likely: float
    high: float
    knob: str
    unit: str | None
    is_whole: bool


def read_range(said: object, name: str, place: Place) -> Range:
    """Return the range that a profile states for a key.

    Raises:
        RefusalError: it is no pair, or one for a whole table is not of factors.
    """
    if not isinstance(said, list) or len(said) != 2:
        raise refusal("", 'expected low and high such as ["7 ms", "12 ms"] or ["0.5 x", "2 x"]', value=said)
    found = Range(said[0], said[1], place)
    if name == ALL and not found.is_relative:
        raise refusal("", 'expected factors of all numbers of the table such as ["0.5 x", "2 x"]', value=said)
    return found


def limits(leaf: Leaf, shape: Shape) -> Limits:
    """Return the range of a number, which has one.

    Raises:
        RefusalError: an end is no quantity of the key's unit, or the value does not lie between them.
    """
    assert leaf.range is not None
    value = _number(leaf.value, shape)
    low, high = (_end(end, value, shape) for end in (leaf.range.low, leaf.range.high))
    if not low <= value <= high:
        said = f"expected low <= {leaf.value} <= high (got {leaf.range.low} and {leaf.range.high})"
        raise refusal("", said, "change the range with its value, or take it out")
    place, key = leaf.range.place, [f"{step}" for step in leaf.range.place.key]
    unit = extra(shape.info).get("unit") if shape.info else None
    return Limits(low, value, high, f"{place.file}: {'.'.join(key)}", unit, isinstance(leaf.value, int))


def is_number(leaf: Leaf, shape: Shape) -> bool:
    """Tell whether a value is a number, as a quantity or without a unit."""
    if shape.info and "unit" in extra(shape.info):
        return True
    return isinstance(leaf.value, (int, float)) and not isinstance(leaf.value, bool) and not shape.choices


def _end(said: object, value: float, shape: Shape) -> float:
    factor = FACTOR.fullmatch(said) if isinstance(said, str) else None
    return float(factor[1]) * value if factor else _number(said, shape)


def _number(said: object, shape: Shape) -> float:
    unit = extra(shape.info).get("unit") if shape.info else None
    if isinstance(said, str) and unit:
        return units.parse(said, unit)
    is_bare = isinstance(said, (int, float)) and not isinstance(said, bool)
    if not is_bare or (unit and units.unit(unit).dimension):
        raise refusal("", f"expected {units.expected(unit) if unit else 'a number'}", value=said)
    assert isinstance(said, (int, float))
    try:
        return float(said)
    except OverflowError:
        raise refusal("", "expected a number of at most 308 digits", value=said) from None
