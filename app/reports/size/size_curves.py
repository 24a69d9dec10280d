"""The price of certainty: what an option takes against the part of the cases in which it meets the targets."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports.document import Axis, Lines, Series
from app.reports.scales import axis_of
from models.target import spelled


def certainty(weighed: Sequence[tuple[float, float]], objective: str, unit: str) -> Lines:
    """Return the options, (part of the cases in which one meets the targets, what it takes), by that part."""
    series = [Series("options", [part for part, _ in weighed], [taken for _, taken in weighed])]
    axis = axis_of(spelled(objective), None if unit == "1" else unit)
    return Lines("What certainty costs", Axis("met in part of the cases", "share", most=1.0), axis, series)
