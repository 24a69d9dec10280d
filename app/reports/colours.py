"""The colours of the charts of a report, by number."""

from __future__ import annotations

from app.reports.document import Ranges, Series

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
"""Okabe and Ito, Color Universal Design, 2008, in an order in which neighbours differ in lightness, too; that of
the window."""
GREY = "#8a8a8a"
"""Colour of what is none of a chart's series."""


def colour_at(place: int) -> str:
    """Return the colour of a number."""
    return COLOURS[place % len(COLOURS)] if place >= 0 else GREY


def number_of(series: Series, place: int) -> int:
    """Return the number of the colour of a curve at a place of its chart."""
    return place if series.colour is None else series.colour


def colour_of(series: Series, place: int) -> str:
    """Return the colour of a curve at a place of its chart."""
    return colour_at(number_of(series, place))


def hues_of(chart: Ranges) -> list[int]:
    """Return the number of the colour of each bar."""
    return list(chart.hues) or [chart.colours.get(label, 0) for label, _, _ in chart.rows]
