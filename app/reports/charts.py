"""Charts as SVG: the same bytes for the same chart, readable in greyscale, with text that stays text.

Colours are those of Okabe and Ito; each series also has its own marker or shade and its name beside it, so that nothing
depends on colour alone.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.reports.document import (
    OTHER,
    Axis,
    Bars,
    Chart,
    Elevation,
    HeatMap,
    Lines,
    Ranges,
    Series,
    Waterfall,
    letter,
    quantity,
)
from app.reports.media import mapped, shown

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
LINE = 0.42  # inches of a row of a map
UNIT = 0.11  # inches of a rack unit
RACK_PITCH = 1.25  # widths of a rack from one to the next
LEAST_RACKS = 6  # racks that a page has room for beside each other, so that few are not drawn wide
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
    "text.parse_math": False,  # a "$" in a name is a letter
    "grid.color": "#dddddd",
}
LONGEST = 34  # letters of a label before it is broken


def svg(chart: Chart) -> str:
    """Return a chart as an SVG element with a viewBox, without an XML header."""
    from matplotlib import rc_context  # imported late: it takes half a second
    from matplotlib.figure import Figure

    chart = mapped(chart, shown)
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
    if isinstance(chart, Elevation):
        return FRAME + UNIT * max((height for _, height, _ in chart.racks), default=0)
    if isinstance(chart, HeatMap):
        return FRAME + LINE * len(chart.rows) + LINE
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
    elif isinstance(chart, Elevation):
        _elevation(axes, chart)
    elif isinstance(chart, HeatMap):
        _heat_map(axes, chart)
    else:
        _ranges(axes, chart)


def _elevation(axes: Axes, chart: Elevation) -> None:
    """Draw racks beside each other, their things in the colour of their group and by name."""
    from matplotlib.patches import Patch, Rectangle

    highest = max((height for _, height, _ in chart.racks), default=1)
    owners = chart.owners
    for i, (name, height, slots) in enumerate(chart.racks):
        left = i * RACK_PITCH
        axes.add_patch(Rectangle((left, 0), 1, height, fill=False, edgecolor="#444444", linewidth=1.0))
        for first, units, what, owner in slots:
            place = owners.index(owner)
            corner = left + 0.04, first - 1 + 0.08
            axes.add_patch(Rectangle(corner, 0.92, units - 0.16, linewidth=0, facecolor=_colour(place)))
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
            middle = first - 1 + units / 2
            axes.text(left + 0.5, middle, what, ha="center", va="center_baseline", fontsize=4.6, bbox=box)
        axes.text(left + 0.5, -0.6, name, ha="center", va="top", fontsize=6)
    axes.set_xlim(-0.1, (max(len(chart.racks), LEAST_RACKS) + 1.5) * RACK_PITCH)
    axes.set_ylim(-2.2, highest + 0.5)
    axes.set_yticks(range(6, highest + 1, 6))
    axes.set_ylabel("rack unit")
    axes.set_xticks([])
    axes.grid(visible=False)
    shown = [Patch(facecolor=_colour(i), label=owner) for i, owner in enumerate(owners)]
    axes.legend(handles=shown, loc="upper right", frameon=False)


def _heat_map(axes: Axes, chart: HeatMap) -> None:
    """Draw cells in the colour of their name, with their words; that of the case asked about has a frame."""
    from matplotlib.patches import Patch, Rectangle

    for i, row in enumerate(chart.cells):
        for j, (number, text) in enumerate(row):
            is_asked = (i, j) == chart.asked
            colour, width = ("black", 1.8) if is_asked else ("white", 0.8)
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=_colour(number), alpha=0.45, zorder=1 + is_asked))
            axes.add_patch(Rectangle((j, i), 1, 1, fill=False, zorder=2 + is_asked, edgecolor=colour, lw=width))
            lettered = f"{letter(number)} {text}" if number != OTHER else text
            axes.text(j + 0.5, i + 0.5, lettered.replace(", ", "\n", 1), ha="center", va="center", fontsize=7, zorder=4)
    axes.set_xlim(0, len(chart.columns))
    axes.set_ylim(len(chart.rows), 0)
    axes.set_xticks([j + 0.5 for j in range(len(chart.columns))], chart.columns)
    axes.set_yticks([i + 0.5 for i in range(len(chart.rows))], chart.rows)
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.grid(visible=False)
    names = [f"{letter(i)}  {name}" for i, name in enumerate(chart.names)]
    shown = [Patch(facecolor=_colour(i), alpha=0.45, label=name) for i, name in enumerate(names)]
    axes.figure.legend(handles=shown, loc="outside lower center", ncols=min(len(shown), 2) or 1, frameon=False)


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
        axes.set_ylim(bottom=min(0.0, *(min(drawn.y, default=0.0) for drawn in chart.series)) if chart.series else 0.0)
    _name(axes, chart)


def _stacked(axes: Axes, chart: Lines) -> None:
    colours = [_colour(i if series.colour is None else series.colour) for i, series in enumerate(chart.series)]
    if chart.series:
        names, parts = [series.name for series in chart.series], [series.y for series in chart.series]
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
        text = quantity(value, chart.axis.unit)
        if before:
            text += f" ({100 * (value / before - 1):+.0f} %)"
        _say(axes, max(value, before or 0.0), row, text, "left")
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
