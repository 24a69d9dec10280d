"""Bare numbers for the axes of charts: in a unit in which they are short, with its name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from app.reports.document import Axis, quantity
from app.reports.words import LONG, time_unit
from models.units import CURRENCIES, format, format_duration, parse

MILLION = 1e6
PREFIXED = ("B", "W", "Hz")
SHARES = ("share", "change")
PERCENTILES = (0.0, 50.0, 90.0, 99.0, 99.9)
"""Where an axis of nines is named."""
BEYOND = 1e-5
"""Part of all requests beyond which an axis of nines ends: it has no place for 100 %."""
GREAT = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
COUNTED = frozenset({"servers", "drives"})
"""Measures, in words, that are whole numbers."""
ENOUGH, ROOM = 3, 10
"""Numbers of a logarithmic axis that say how it goes, and texts that it has room for."""
MANY = 1e4  # from which a number at an axis has a prefix


def axis_of(measure: str, unit: str | None) -> Axis:
    """Return the axis of a measure, given in words."""
    return Axis(measure, unit, is_whole=measure in COUNTED)


def drawn(unit: str | None, values: Iterable[float | None]) -> tuple[float, str]:
    """Return the same as `scale` for a chart of the window: minutes are read from two of them on, and millions."""
    if unit in SHARES:
        return 0.01, "%"
    known = [abs(value) for value in values if value is not None]
    if unit in CURRENCIES and max(known, default=0.0) >= MILLION:
        return MILLION, f"million {unit}"
    return time_unit(max(known, default=0.0)) if unit == "s" else scale(unit, known)


def told(value: float, unit: str) -> str:
    """Return a value as it stands beside such an axis: "83 min 20 s", where a table has "5,000.0 s"."""
    return format_duration(value) if unit == "s" and time_unit(value)[0] > 1 else quantity(value, unit)


def tick(value: float) -> str:
    """Return a bare number as axes have it, of the window and of reports: from 10,000 on with a prefix.

    >>> tick(0.02), tick(9500), tick(12500), tick(1e7)
    ('0.02', '9,500', '12.5 k', '10 M')
    """
    if abs(value) < MANY:
        return f"{value:,.10g}"
    large, prefix = next((large, prefix) for large, prefix in GREAT if abs(value) >= large)
    return f"{value / large:,.10g} {prefix}"


def scale(unit: str | None, values: Iterable[float | None]) -> tuple[float, str]:
    """Return by what the numbers of an axis are divided, and the unit that they are in then."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if unit == "s" and largest >= LONG:
        return time_unit(largest)
    if unit is None or not unit.startswith(PREFIXED) or not largest:
        return 1.0, unit or "1"
    name = format(largest, unit).partition(" ")[2]
    return parse(f"1 {name}", unit), name


def round_numbers(low: float, high: float) -> list[float]:
    """Return round numbers from one to another that a logarithmic axis has room for.

    They are 1, 2 and 5 of each power of ten, powers alone where there are many, and even steps where there are few.

    >>> round_numbers(1, 21), round_numbers(6, 30), round_numbers(10, 1e6)
    ([1.0, 2.0, 5.0, 10.0, 20.0], [10.0, 20.0, 30.0], [10.0, 100.0, 1000.0, 10000.0, 100000.0, 1000000.0])
    """
    if not low < high:
        return [low]
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high)) + 1
    powers = [10.0**power for power in range(first, last + 1)]
    between = [step * power for power in powers for step in (1, 2, 5) if low <= step * power <= high]
    if len(between) > ROOM:
        between = [power for power in powers if low <= power <= high]
        return between[:: -(-len(between) // ROOM)]
    return between if len(between) >= ENOUGH else _even(low, high)


def _even(low: float, high: float) -> list[float]:
    """Return the fewest multiples of a round step from one number to another that are enough."""
    power = 10.0 ** math.floor(math.log10(high - low))
    for step in (power, power / 2, power / 5, power / 10):
        multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(multiples) >= ENOUGH:
            break
    return [float(f"{step * multiple:.12g}") for multiple in multiples]


def nines(percentiles: Any) -> Any:
    """Return where percentages stand: 90 at 1, 99 at 2, 99.9 at 3, so that the slowest requests have room."""
    import numpy as np  # imported late: words need no numbers

    return -np.log10(np.maximum(1 - np.asarray(percentiles, dtype=float) / 100, BEYOND))
