"""Bare numbers for the axes of charts: in a unit in which they are short, with its name."""

from __future__ import annotations

from collections.abc import Iterable

from app.reports.document import quantity
from app.reports.words import LONG, time_unit
from models.units import CURRENCIES, format, format_duration, parse

MILLION = 1e6
PREFIXED = ("B", "W", "Hz")
PERCENTILES = (0.0, 50.0, 90.0, 99.0, 99.9)
"""Where an axis of nines is named."""


def drawn(unit: str | None, values: Iterable[float | None]) -> tuple[float, str]:
    """Return the same as `scale` for a chart of the window: minutes are read from two of them on, and millions."""
    known = [abs(value) for value in values if value is not None]
    if unit in CURRENCIES and max(known, default=0.0) >= MILLION:
        return MILLION, f"million {unit}"
    return time_unit(max(known, default=0.0)) if unit == "s" else scale(unit, known)


def told(value: float, unit: str) -> str:
    """Return a value as it stands beside such an axis: "83 min 20 s", where a table has "5000.0 s"."""
    return format_duration(value) if unit == "s" and time_unit(value)[0] > 1 else quantity(value, unit)


def scale(unit: str | None, values: Iterable[float | None]) -> tuple[float, str]:
    """Return by what the numbers of an axis are divided, and the unit that they are in then."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if unit == "s" and largest >= LONG:
        return time_unit(largest)
    if unit is None or not unit.startswith(PREFIXED) or not largest:
        return 1.0, unit or "1"
    name = format(largest, unit).partition(" ")[2]
    return parse(f"1 {name}", unit), name
