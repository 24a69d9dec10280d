"""Simulated over documented values, beside the diagonal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from app.reports.colours import COLOURS
from app.reports.parity import NEAR, Agreement, Parity
from app.reports.scales import tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

GREY, DARK = "#e3e3e3", "#777777"
SMALL = 6.8  # points, of the letters beside points
LETTER, LINE, EDGE = 0.03, 0.085, 0.03  # width and height of such letters, and their distance from the edge, in axes
TOP = 0.94  # how high such letters stand at most, in axes
POINT: dict[str, Any] = {"markersize": 4, "markeredgewidth": 0.9}
LOOKS: tuple[dict[str, Any], ...] = (  # filled, open and pointed, so that they differ without colour
    {"marker": "o", "color": COLOURS[0]},
    {"marker": "D", "color": COLOURS[5], "markerfacecolor": "white"},
    {"marker": "^", "color": COLOURS[2]},
    {"marker": "s", "color": COLOURS[1]},
    {"marker": "v", "color": COLOURS[4], "markerfacecolor": "white"},
    {"marker": "P", "color": COLOURS[3]},
)


def looks(groups: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield groups, each with the look of its points."""
    return ((group, LOOKS[place % len(LOOKS)]) for place, group in enumerate(groups))


def explain(figure: Figure | SubFigure, chart: Parity) -> None:
    """Say below the axes what points, bars and the band stand for."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks = [Line2D([], [], linestyle="none", label=group, **POINT, **look) for group, look in looks(chart.groups)]
    bar = Line2D([], [], color=DARK, linewidth=1.4, label="documented band")
    near = Patch(color=GREY, label=chart.near)
    figure.legend(handles=[*marks, bar, near], loc="outside lower center", ncols=5, frameon=False)


def parity(axes: Axes, chart: Parity) -> None:
    """Draw points beside the diagonal, the worst with their names."""
    low, high = chart.ends
    below, above = ([end * factor for end in (low, high)] for factor in (1 - NEAR, 1 + NEAR))
    axes.fill_between((low, high), below, above, color=GREY)
    axes.plot((low, high), (low, high), color=DARK, linewidth=0.8)
    for point in chart.points:
        if isinstance(point.documented, tuple):
            axes.plot(point.documented, (point.simulated,) * 2, color=DARK, linewidth=1.4)
    for group, look in looks(chart.groups):
        points = [chart.place(point) for point in chart.points if point.group == group]
        axes.plot([x for x, _ in points], [y for _, y in points], linestyle="none", label=group, **POINT, **look)
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    _measure(axes, chart)
    _name(axes, chart)


def _measure(axes: Axes, chart: Parity) -> None:
    """Write title, units and ticks."""
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_title(chart.name, loc="left", fontweight="bold", pad=13)
    axes.text(0.0, 1.02, chart.errors, transform=axes.transAxes, va="bottom", fontsize=SMALL)
    for axis, title in zip((axes.xaxis, axes.yaxis), chart.axes, strict=True):
        axis.set_label_text(title)
        axis.labelpad = 1
        axis.set_major_locator(LogLocator(subs=chart.steps, numticks=12))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _: tick(value))


def _name(axes: Axes, chart: Parity) -> None:
    """Write names beside the diagonal, those of points above it on its left, with a line to each."""
    above = [pair for pair in chart.worst if pair[0].error > 0]
    below = [pair for pair in chart.worst if pair[0].error < 0]
    for named, is_above in ((above, True), (below, False)):
        spots = [(_spot(chart, point, is_above), point, text) for point, text in named]
        labels, taken = [], 0.0
        for (x, y), point, text in sorted(spots, key=lambda spot: spot[0][1]):
            width = LETTER * len(text)
            taken = min(max(taken + LINE, width + 0.1, y + LINE), TOP)
            labels.append((text, point, _Label(taken, min(max((x - EDGE) / width, 0.0), 1.0), is_above)))
        highest = TOP
        for text, point, label in reversed(labels):  # the lines of the outer ones pass behind the others
            _write(axes, text, chart.place(point), label._replace(height=min(label.height, highest)))
            highest = min(label.height, highest) - LINE


class _Label(NamedTuple):
    """Where a name stands: `height` above the lower (from the upper) edge, its line starts at `start` of its width."""

    height: float
    start: float
    is_above: bool


def _spot(chart: Parity, point: Agreement, is_above: bool) -> tuple[float, float]:
    """Return a point in fractions of the axes, counted from the corner that the names are near to."""
    low, high = (math.log(end) for end in chart.ends)
    x, y = ((math.log(value) - low) / (high - low) for value in chart.place(point))
    return (x, y) if is_above else (1 - x, 1 - y)


def _write(axes: Axes, text: str, place: tuple[float, float], label: _Label) -> None:
    at, start = (EDGE, label.height), (label.start, 0.5 if label.start == 1 else 0.0)
    if not label.is_above:
        at, start = (1 - at[0], 1 - at[1]), (1 - start[0], 1 - start[1])
    line = {"arrowstyle": "-", "color": DARK, "linewidth": 0.6, "relpos": start, "shrinkA": 1, "shrinkB": 2}
    name = axes.annotate(
        text,
        place,
        at,
        textcoords="axes fraction",
        ha="left" if label.is_above else "right",
        va="center",
        fontsize=SMALL,
        arrowprops=line,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )
    name.set_in_layout(False)  # one that is wider than its panel would make all panels small
