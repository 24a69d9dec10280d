"""Where the numbers of an axis of a report stand in a plot of the window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.reports.document import Axis
from app.reports.scales import PERCENTILES, drawn, nines, round_numbers, tick

MOST_TICKS = 9  # Assumption: texts that an axis has room for


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the numbers of an axis stand in a plot: divided by a unit, as logarithms or as nines."""

    axis: Axis
    unit: float
    title: str

    @classmethod
    def of(cls, axis: Axis, values: Sequence[float]) -> Scale:
        """Return the scale of an axis that has some values."""
        if axis.named:
            return cls(axis, 1.0, axis.title)
        unit, name = drawn(axis.unit, values)
        return cls(axis, unit, Axis(axis.label, name).title)

    def place(self, values: Any) -> Any:
        """Return where one or several numbers stand; what an axis has no place for is NaN."""
        given = np.asarray(values, dtype=float)
        if self.axis.is_nines:
            return nines(given)
        if self.axis.is_log:
            return np.log10(np.where(given > 0, given / self.unit, np.nan))
        return given / self.unit

    def number(self, place: float) -> float:
        """Return the number at a place of an axis that is no axis of nines."""
        return self.unit * (10.0**place if self.axis.is_log else place)

    def ticks(self, values: Sequence[float]) -> list[tuple[float, str]] | None:
        """Return ticks for some values, None where the plot finds its own."""
        if self.axis.named:
            step = -(-len(self.axis.named) // MOST_TICKS)
            return [(float(self.place(at)), text) for at, text in list(self.axis.named.items())[::step]]
        if self.axis.is_nines:
            return [(float(nines(part)), f"{part:g}") for part in PERCENTILES]
        above = [value / self.unit for value in values if value > 0]
        return logarithmic(min(above), max(above)) if self.axis.is_log and above else None


def logarithmic(low: float, high: float) -> list[tuple[float, str]]:
    """Return ticks for a logarithmic axis."""
    return [(math.log10(number), tick(number)) for number in round_numbers(low, high)]


def between(low: float, high: float) -> list[tuple[float, str]]:
    """Return ticks for what is seen of a logarithmic axis, from one place to another."""
    return logarithmic(10.0**low, 10.0**high)
