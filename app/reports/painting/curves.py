"""Curves, points, and areas on each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.reports.colours import GREY, colour_at, colour_of, number_of
from app.reports.document import OTHER, Lines, Series
from app.reports.painting.common import ABOVE, mark, measure
from app.reports.points import series_over
from app.reports.scales import nines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = ("o", "s", "^", "D", "v", "P")
APART = 5  # steps from a marker to the next
WIDER = 2.5  # points by which a marker is wider for each curve that has one at the same place


def paint(axes: Axes, chart: Lines) -> None:
    """Draw curves, points or areas."""
    (_areas if chart.is_stacked else _curves)(axes, chart)


def _curves(axes: Axes, chart: Lines) -> None:
    for i, series in enumerate(chart.series):
        place = number_of(series, i)
        colour, marker = colour_at(place), MARKERS[0 if place == OTHER else place % len(MARKERS)]
        line = "none" if series.is_apart else ("-", "--", "-.", ":")[place % 4]
        marks: dict[str, Any] = {"marker": marker, "markersize": 4.5 + WIDER * series_over(chart, i), "linestyle": line}
        if place == OTHER and series.is_apart:
            marks["markerfacecolor"] = "none"
        if chart.end is not None:
            marks |= {"drawstyle": "steps-post", "markevery": (i % APART, APART)}
        axes.plot(*_places(chart, series), color=colour, label=_named(series), **marks)
        if series.low is not None and series.high is not None:
            axes.fill_between(series.x, series.low, series.high, color=colour, alpha=0.2, linewidth=0)
    if chart.x.is_log:
        axes.set_xscale("log")
    if chart.y.is_log:
        axes.set_yscale("log")
    elif chart.y.is_nines:
        axes.set_yscale("function", functions=(nines, _percentile))
    else:
        ends = [
            0.0,
            *(y for drawn in chart.series for ys in (drawn.y, drawn.low or (), drawn.high or ()) for y in ys),
            *(mark.at for mark in chart.marks if not mark.is_upright),
        ]
        known = [end for end in ends if not math.isnan(end)]
        low, high = min(known), max(known)
        axes.set_ylim(low, chart.y.most or high + ABOVE * (high - low) or None)
    mark(axes, chart.marks)
    _name(axes, chart)
    _name_points(axes, [series for series in chart.series if not series.is_apart])


def _name_points(axes: Axes, drawn: Sequence[Series]) -> None:
    """Write the names of points where there is room."""
    from app.reports.painting.names import Names

    names = Names()
    for series in drawn:
        names.add(axes, series)
    axes.add_artist(names)


def _places(chart: Lines, series: Series) -> tuple[Sequence[float], Sequence[float]]:
    """Return the points of a curve; one in steps holds its last value to the end."""
    if chart.end is None or not series.y:
        return series.x, series.y
    return [*series.x, chart.end], [*series.y, series.y[-1]]


def _named(series: Series) -> str:
    return f"{series.name} {series.note}".rstrip()


def _percentile(heights: Any) -> Any:
    import numpy as np

    return 100 * (1 - 10.0 ** -np.asarray(heights, dtype=float))


def _areas(axes: Axes, chart: Lines) -> None:
    colours = [colour_of(series, i) for i, series in enumerate(chart.series)]
    if chart.series:
        names, parts = (
            [_named(series) for series in chart.series],
            [_places(chart, series)[1] for series in chart.series],
        )
        step = None if chart.end is None else "post"
        xs = _places(chart, chart.series[0])[0]
        axes.stackplot(xs, *parts, labels=names, colors=colours, alpha=0.8, linewidth=0, step=step)
    axes.set_ylim(bottom=0.0, top=chart.y.most)
    mark(axes, chart.marks)
    _name(axes, chart)


def _name(axes: Axes, chart: Lines) -> None:
    """Name the axes of curves, and the curves."""
    measure(axes.xaxis, chart.x)
    measure(axes.yaxis, chart.y)
    _name_series(axes, chart)


def _name_series(axes: Axes, chart: Lines) -> None:
    """Name several series below the axes, off the data, and what bands are."""
    from matplotlib.patches import Patch

    handles, _ = axes.get_legend_handles_labels()
    if chart.band:
        handles.append(Patch(facecolor=GREY, alpha=0.4, label=f"band: {chart.band}"))
    if len(handles) > 1:
        axes.figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 3), frameon=False)
