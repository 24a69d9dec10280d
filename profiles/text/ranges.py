"""How sure a number is: `[drive.ranges] seek_time = ["7 ms", "12.7 ms"]` beside `[drive.sources]`.

Low and high are in the unit of the number, which lies between them and is the likely one; 90 % of the world does, too.
`"0.5 x"` is half the number itself. `"*"` stands for all numbers of the table, and of those in it, that are assumed or
priors and have no range of their own: they are off together, by the same factor. So are numbers whose ranges have the
same text as a third entry.
"""

from __future__ import annotations

from models import units
from models.problem import refusal
from models.quantity import extra
from models.values import value
from profiles.text.schema import Shape
from profiles.text.tree import FACTOR, Leaf, Place, Range

ALL = "*"


@value()
class Limits:
    """A range as numbers in `unit`, None for one without. `knob` is the same for numbers that are off together."""

    low: float
    likely: float
    high: float
    knob: str
    unit: str | None
    is_whole: bool


def read_range(stated: object, name: str, place: Place) -> Range:
    """Return the range that a profile states for a key.

    Raises:
        RefusalError: it is no pair, with or without a name, or one for a whole table is not of factors.
    """
    if not isinstance(stated, list) or len(stated) not in (2, 3):
        raise refusal("", 'expected low and high such as ["7 ms", "12 ms"] or ["0.5 x", "2 x"]', value=stated)
    if not isinstance(stated[-1], str) and len(stated) == 3:
        expected = "expected a text as the third entry, the same for numbers that are off together"
        raise refusal("", expected, value=stated[-1])
    bounds = Range(stated[0], stated[1], place, *stated[2:])
    if name == ALL and not bounds.is_relative:
        raise refusal("", 'expected factors of all numbers of the table such as ["0.5 x", "2 x"]', value=stated)
    return bounds


def limits(leaf: Leaf, shape: Shape) -> Limits:
    """Return the range of a number, which has one.

    Raises:
        RefusalError: an end is no quantity of the key's unit, or the value does not lie between them.
    """
    assert leaf.range is not None
    value = _number(leaf.value, shape)
    low, high = (_end(end, value, shape) for end in (leaf.range.low, leaf.range.high))
    if not low <= value <= high:
        text = f"expected low <= {leaf.value} <= high (got {leaf.range.low} and {leaf.range.high})"
        raise refusal("", text, "change the range with its value, or take it out")
    unit = extra(shape.info).get("unit") if shape.info else None
    is_whole = isinstance(leaf.value, int) or shape.is_count
    return Limits(low, value, high, leaf.range.knob, unit, is_whole)


def is_number(leaf: Leaf, shape: Shape) -> bool:
    """Tell whether a value is a number, as a quantity or without a unit."""
    if shape.info and "unit" in extra(shape.info):
        return True
    return isinstance(leaf.value, (int, float)) and not isinstance(leaf.value, bool) and not shape.choices


def _end(stated: object, value: float, shape: Shape) -> float:
    factor = FACTOR.fullmatch(stated) if isinstance(stated, str) else None
    return float(factor[1]) * value if factor else _number(stated, shape)


def _number(stated: object, shape: Shape) -> float:
    unit = extra(shape.info).get("unit") if shape.info else None
    if isinstance(stated, str) and unit:
        return units.parse(stated, unit)
    is_bare = isinstance(stated, (int, float)) and not isinstance(stated, bool)
    if not is_bare or (unit and units.unit(unit).dimension):
        raise refusal("", f"expected {units.expected(unit) if unit else 'a number'}", value=stated)
    assert isinstance(stated, (int, float))
    try:
        return float(stated)
    except OverflowError:
        raise refusal("", "expected a number of at most 308 digits", value=stated) from None
