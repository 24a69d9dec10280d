"""Charts as SVG: the same bytes for the same chart, readable in greyscale, with text that stays text.

Colours are those of Okabe and Ito; each series also has its own marker or shade and its name beside it, so that nothing
depends on colour alone.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.reports.colours import COLOURS, colour_at, colour_of, hues_of, number_of
from app.reports.document import OTHER, Axis, Bars, Drawing, Lines, Mark, Ranges, Series, Waterfall, quantity
from app.reports.media import mapped, shown
from app.reports.pictures import Elevation, HeatMap, letter
from app.reports.scales import PERCENTILES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
APART = 5  # steps from a marker to the next
ROOM = 0.45  # part of a chart's width that a bar's note takes at most. Assumption: seen on a page
MOST_NOTES = 10  # rows that have room for notes
ABOVE = 0.05  # of the height of a chart over its highest value
FAINT = 0.12  # height of a bar whose part is next to nothing
LEAST = 1e-5  # part of all requests beyond which an axis of nines ends
LIMIT = "#B00020"
"""Colour of a line that must not be passed."""


def svg(chart: Drawing) -> str:
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


def _height(chart: Drawing) -> float:
    if isinstance(chart, Lines):
        return HEIGHT
    if isinstance(chart, Elevation):
        return FRAME + UNIT * max((height for _, height, _ in chart.racks), default=0)
    if isinstance(chart, HeatMap):
        return FRAME + LINE * len(chart.rows) + LINE
    if isinstance(chart, Bars):
        return FRAME + ROW * len(chart.labels) * max(len(chart.series) * 0.7, 1)
    if isinstance(chart, Waterfall):
        return FRAME + ROW * len(chart.steps)
    return FRAME + ROW * (len(chart.labels) if isinstance(chart, Ranges) else len(chart.table().rows))


def _draw(axes: Axes, chart: Drawing) -> None:
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
    elif isinstance(chart, Ranges):
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
            axes.add_patch(Rectangle(corner, 0.92, units - 0.16, linewidth=0, facecolor=colour_at(place)))
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
    shown = [Patch(facecolor=colour_at(i), label=owner) for i, owner in enumerate(owners)]
    axes.legend(handles=shown, loc="upper right", frameon=False)


def _heat_map(axes: Axes, chart: HeatMap) -> None:
    """Draw cells in the colour of their name, with their words; that of the case asked about has a frame."""
    from matplotlib.patches import Patch, Rectangle

    for i, row in enumerate(chart.cells):
        for j, (number, text) in enumerate(row):
            is_asked = (i, j) == chart.asked
            colour, width = ("black", 1.8) if is_asked else ("white", 0.8)
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour_at(number), alpha=0.45, zorder=1 + is_asked))
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
    shown = [Patch(facecolor=colour_at(i), alpha=0.45, label=name) for i, name in enumerate(names)]
    axes.figure.legend(handles=shown, loc="outside lower center", ncols=min(len(shown), 2) or 1, frameon=False)


def _lines(axes: Axes, chart: Lines) -> None:
    for i, series in enumerate(chart.series):
        place = number_of(series, i)
        colour, marker = colour_at(place), MARKERS[place % len(MARKERS)]
        line = "none" if chart.is_scatter else ("-", "--", "-.", ":")[place % 4]
        marks: dict[str, Any] = {"marker": marker, "markersize": 4.5, "linestyle": line}
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
        axes.set_yscale("function", functions=(_nines, _percentile))
    else:
        ends = [
            0.0,
            *(y for drawn in chart.series for y in drawn.y),
            *(mark.at for mark in chart.marks if not mark.is_upright),
        ]
        known = [end for end in ends if not math.isnan(end)]
        low, high = min(known), max(known)
        axes.set_ylim(low, chart.y.most or high + ABOVE * (high - low) or None)
    _marks(axes, chart.marks)
    _name(axes, chart)


def _places(chart: Lines, series: Series) -> tuple[Sequence[float], Sequence[float]]:
    """Return the points of a curve; one in steps holds its last value to the end."""
    if chart.end is None or not series.y:
        return series.x, series.y
    return [*series.x, chart.end], [*series.y, series.y[-1]]


def _named(series: Series) -> str:
    return f"{series.name} {series.note}".rstrip()


def _nines(percentiles: Any) -> Any:
    import numpy as np

    return -np.log10(np.maximum(1 - np.asarray(percentiles, dtype=float) / 100, LEAST))


def _percentile(heights: Any) -> Any:
    import numpy as np

    return 100 * (1 - 10.0 ** -np.asarray(heights, dtype=float))


def _marks(axes: Axes, marks: Sequence[Mark]) -> None:
    """Draw lines across; those of one name and colour are named once."""
    for mark in marks:
        colour = LIMIT if mark.colour is None else colour_at(mark.colour)
        draw = axes.axvline if mark.is_upright else axes.axhline
        is_named = any(line.get_label() == mark.name and line.get_color() == colour for line in axes.lines)
        draw(mark.at, color=colour, linestyle="--", linewidth=0.9, label=None if is_named else mark.name)


def _stacked(axes: Axes, chart: Lines) -> None:
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
    _marks(axes, chart.marks)
    _name(axes, chart)


def _name(axes: Axes, chart: Lines) -> None:
    """Name the axes of curves, and the curves."""
    axes.set_xlabel(chart.x.title)
    axes.set_ylabel(chart.y.title)
    _ticks(axes.xaxis, chart.x)
    _ticks(axes.yaxis, chart.y)
    _name_series(axes, [*chart.series, *chart.marks])


def _name_series(axes: Axes, series: Sequence[Series | Mark]) -> None:
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
    places, hues = {label: row for row, label in enumerate(chart.labels)}, hues_of(chart)
    for i, (label, low, high) in enumerate(chart.rows):
        row = places[label]
        if chart.base is None:
            colour = colour_at(hues[i])
            thick = 0.7 * max(chart.parts[i], FAINT) if chart.parts else 0.7
            axes.barh(row, high - low, thick, left=low, color=colour, edgecolor=colour, linewidth=0.8)
            continue
        for end, colour in ((low, COLOURS[5]), (high, COLOURS[0])):
            if end == chart.base:
                continue
            axes.barh(row, end - chart.base, 0.7, left=chart.base, color=colour)
            side = "left" if end > chart.base else "right"
            _say(axes, end, row, quantity(end, chart.axis.unit), side)
    for label, at in chart.due:
        axes.vlines(at, places[label] - 0.45, places[label] + 0.45, color="black")
    _rows(axes, chart.labels, chart.axis)
    _marks(axes, chart.marks)
    _note(axes, chart, places)
    if chart.base is None:
        ends = [0.0, *(end for _, *both in chart.rows for end in both)]
        axes.set_xlim(min(ends), (1 + ABOVE) * max(ends) or None)  # what is due later lies beyond
    else:
        axes.axvline(chart.base, color="black", linewidth=0.8)
        axes.margins(x=0.25)
    _name_hues(axes, chart)


def _note(axes: Axes, chart: Ranges, places: Mapping[str, int]) -> None:
    """Write the words of bars where there is most room: behind, before, or on them; not where rows are many."""
    last = max((high for _, _, high in chart.rows), default=0.0)
    if len(places) > MOST_NOTES:
        return
    for (label, low, high), note in zip(chart.rows, chart.notes, strict=False):
        if max(low, last - high) < ROOM * last:
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.75}
            axes.text(
                (low + high) / 2,
                places[label],
                note,
                ha="center",
                va="center",
                fontsize=7.5,
                bbox=box if note else None,
            )
        else:
            is_behind = last - high >= low
            _say(axes, high if is_behind else low, places[label], note, "left" if is_behind else "right")


def _name_hues(axes: Axes, chart: Ranges) -> None:
    """Say below the axes what the colours of bars and the lines across stand for."""
    from matplotlib.patches import Patch

    patches: list[Any] = [Patch(facecolor=colour_at(number), label=name) for name, number in chart.names.items()]
    named = [line for line in axes.lines if chart.marks and not str(line.get_label()).startswith("_")]
    if shown := [*patches, *named]:
        axes.figure.legend(handles=shown, loc="outside lower center", ncols=min(len(shown), 3), frameon=False)


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
    if measured.is_nines:
        axis.set_ticks(PERCENTILES, [f"{percentile:g}" for percentile in PERCENTILES])
        return
    axis.set_major_locator(_locator(is_log=measured.is_log))
    unit = measured.unit or "1"
    if unit.startswith(("B", "share", "change")):
        axis.set_major_formatter(lambda value, _: quantity(value, unit) if value else "0")
    else:
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    if measured.is_log:
        axis.set_minor_formatter(lambda value, _: "")


def _locator(*, is_log: bool) -> Any:
    from matplotlib.ticker import LogLocator, MaxNLocator

    return LogLocator(subs=(1.0, 2.0, 5.0)) if is_log else MaxNLocator(5, min_n_ticks=2)


def _say(axes: Axes, x: float, y: float, text: str, side: str) -> None:
    """Write a number beside the end of a bar."""
    gap = 3 if side == "left" else -3  # points
    axes.annotate(
        text, (x, y), (gap, 0), textcoords="offset points", ha=side, va="center", fontsize=7.5, annotation_clip=False
    )
