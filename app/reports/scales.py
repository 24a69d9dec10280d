"""Bare numbers for charts of other programs: in a unit in which they are short, with its name."""

from __future__ import annotations

from collections.abc import Iterable

from app.reports.words import LONG, time_unit
from models.units import format, parse

PREFIXED = ("B", "W", "Hz")


def scale(unit: str | None, values: Iterable[float | None]) -> tuple[float, str]:
    """Return by what the numbers of an axis are divided, and the unit that they are in then."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if unit == "s" and largest >= LONG:
        return time_unit(largest)
    if unit is None or not unit.startswith(PREFIXED) or not largest:
        return 1.0, unit or "1"
    name = format(largest, unit).partition(" ")[2]
    return parse(f"1 {name}", unit), name
