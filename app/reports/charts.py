"""Charts as SVG: the same bytes for the same chart, readable in greyscale, with text that stays text.

Colours are those of Okabe and Ito; each series also has its own marker or shade and its name beside it, so that nothing
depends on colour alone.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.reports.document import Axis, Bars, Chart, Lines, Ranges, Series, Waterfall, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
"""Okabe and Ito, Color Universal Design, 2008, in an order in which neighbours differ in lightness, too; that of
the window."""
GREY = "#8a8a8a"
"""Colour of what is none of a chart's series."""
MARKERS = ("o", "s", "^", "D", "v", "P")
WIDTH = 6.6  # inches: the text width of a page
HEIGHT = 3.2
ROW = 0.32  # inches of a bar with its gap
FRAME = 0.9  # inches for axis, ticks and title
STYLE: dict[Any, object] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "headroom",
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
}
LONGEST = 34  # letters of a label before it is broken


def svg(chart: Chart) -> str:
    """Return a chart as an SVG element with a viewBox, without an XML header."""
    from matplotlib import rc_context  # imported late: it takes half a second
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, _height(chart)), layout="constrained")
        axes = figure.subplots()
        _draw(axes, chart)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue().decode()
    return text[text.index("<svg") :]


def _height(chart: Chart) -> float:
    if isinstance(chart, Lines):
        return HEIGHT
    if isinstance(chart, Bars):
        return FRAME + ROW * len(chart.labels) * max(len(chart.series) * 0.7, 1)
    return FRAME + ROW * len(chart.steps if isinstance(chart, Waterfall) else chart.labels)


def _draw(axes: Axes, chart: Chart) -> None:
    axes.set_title(chart.name, loc="left", fontweight="bold")
    if isinstance(chart, Lines):
        (_stacked if chart.is_stacked else _lines)(axes, chart)
    elif isinstance(chart, Bars):
        _bars(axes, chart)
    elif isinstance(chart, Waterfall):
        _waterfall(axes, chart)
    else:
        _ranges(axes, chart)


def _lines(axes: Axes, chart: Lines) -> None:
    for i, series in enumerate(chart.series):
        place = i if series.colour is None else series.colour
        colour, marker = _colour(place), MARKERS[place % len(MARKERS)]
        line = "none" if chart.is_scatter else ("-", "--", "-.", ":")[place % 4]
        axes.plot(series.x, series.y, color=colour, marker=marker, markersize=4.5, linestyle=line, label=series.name)
        if series.low is not None and series.high is not None:
            axes.fill_between(series.x, series.low, series.high, color=colour, alpha=0.2, linewidth=0)
    if chart.x.is_log:
        axes.set_xscale("log")
    if chart.y.is_log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=min(0.0, *(min(each.y, default=0.0) for each in chart.series)) if chart.series else 0.0)
    _name(axes, chart)


def _stacked(axes: Axes, chart: Lines) -> None:
    colours = [_colour(i if each.colour is None else each.colour) for i, each in enumerate(chart.series)]
    if chart.series:
        names, parts = [each.name for each in chart.series], [each.y for each in chart.series]
        axes.stackplot(chart.series[0].x, *parts, labels=names, colors=colours, alpha=0.8, linewidth=0)
    axes.set_ylim(bottom=0.0)
    _name(axes, chart)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)] if place >= 0 else GREY


def _name(axes: Axes, chart: Lines) -> None:
    """Name the axes of curves, and the curves."""
    axes.set_xlabel(chart.x.title)
    axes.set_ylabel(chart.y.title)
    _ticks(axes.xaxis, chart.x)
    _ticks(axes.yaxis, chart.y)
    _name_series(axes, chart.series)


def _name_series(axes: Axes, series: Sequence[Series]) -> None:
    """Name several series below the axes, off the data."""
    if len(series) > 1:
        axes.figure.legend(loc="outside lower center", ncols=min(len(series), 3), frameon=False)


def _bars(axes: Axes, chart: Bars) -> None:
    count = len(chart.series)
    thick = 0.8 / count
    highest = max((value for row in chart.values for value in row if value is not None), default=0.0)
    for j, name in enumerate(chart.series):
        values = [row[j] for row in chart.values]
        places = [i + (j - (count - 1) / 2) * thick for i in range(len(values))]
        lengths = [0.0 if value is None else value for value in values]
        axes.barh(places, lengths, thick * 0.92, color=COLOURS[j % len(COLOURS)], label=name)
        for place, value in zip(places, values, strict=True):
            if value is not None:
                _say(axes, value, place, quantity(value, chart.axis.unit), "left")
    _rows(axes, chart.labels, chart.axis)
    axes.set_xlim(0, highest * 1.18 or 1.0)  # room for the number at the end of the longest bar
    if count > 1:
        axes.figure.legend(loc="outside lower center", ncols=min(count, 3), frameon=False)


def _waterfall(axes: Axes, chart: Waterfall) -> None:
    before: float | None = None
    for row, (_, value) in enumerate(chart.steps):
        axes.barh(row, value, 0.7, color=COLOURS[0])
        if before is not None and before > value:
            axes.barh(row, before - value, 0.7, left=value, color="#d5d5d5")
        said = quantity(value, chart.axis.unit)
        if before:
            said += f" ({100 * (value / before - 1):+.0f} %)"
        _say(axes, max(value, before or 0.0), row, said, "left")
        before = value
    _rows(axes, [label for label, _ in chart.steps], chart.axis)
    axes.set_xlim(0, max((value for _, value in chart.steps), default=1.0) * 1.3)


def _ranges(axes: Axes, chart: Ranges) -> None:
    places = {label: row for row, label in enumerate(chart.labels)}
    for label, low, high in chart.rows:
        row = places[label]
        if chart.base is None:
            colour = _colour(chart.colours.get(label, 0))
            axes.barh(row, high - low, 0.7, left=low, color=colour, edgecolor=colour, linewidth=0.8)
            continue
        for end, colour in ((low, COLOURS[5]), (high, COLOURS[0])):
            if end == chart.base:
                continue
            axes.barh(row, end - chart.base, 0.7, left=chart.base, color=colour)
            side = "left" if end > chart.base else "right"
            _say(axes, end, row, quantity(end, chart.axis.unit), side)
    _rows(axes, chart.labels, chart.axis)
    if chart.base is None:
        axes.set_xlim(left=min(0.0, *(low for _, low, _ in chart.rows)) if chart.rows else 0.0)
    else:
        axes.axvline(chart.base, color="black", linewidth=0.8)
        axes.margins(x=0.25)


def _rows(axes: Axes, labels: Sequence[str], axis: Axis) -> None:
    axes.set_yticks(range(len(labels)), [_broken(label) for label in labels])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(axis.title)
    _ticks(axes.xaxis, axis)


def _broken(label: str) -> str:
    """Return a label in lines of at most LONGEST letters."""
    import textwrap

    return "\n".join(textwrap.wrap(label, LONGEST, break_long_words=True)) or label


def _ticks(axis: Any, measured: Axis) -> None:
    """Write ticks in the axis' unit: bytes with a prefix, shares as per cent, all else as bare numbers."""
    if not measured.is_log:
        axis.set_major_locator(_locator())
    unit = measured.unit or "1"
    if unit.startswith(("B", "share", "change")):
        axis.set_major_formatter(lambda value, _: quantity(value, unit) if value else "0")
    elif not measured.is_log:
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")


def _locator() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5, min_n_ticks=2)


def _say(axes: Axes, x: float, y: float, text: str, side: str) -> None:
    """Write a number beside the end of a bar."""
    gap = 3 if side == "left" else -3  # points
    axes.annotate(
        text, (x, y), (gap, 0), textcoords="offset points", ha=side, va="center", fontsize=7.5, annotation_clip=False
    )
