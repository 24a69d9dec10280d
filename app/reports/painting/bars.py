"""Bars: of numbers, from what is left to what is left, and over an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.reports import words
from app.reports.colours import COLOURS, colour_at, hues_of
from app.reports.document import Axis, Bars, Ranges, Waterfall, quantity
from app.reports.painting.common import ABOVE, mark, measure, say
from app.reports.scales import told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 34  # letters of a label before it is broken
ROOM = 0.45  # part of a chart's width that a bar's note takes at most. Assumption: seen on a page
MOST_NOTES = 10  # rows that have room for notes
FAINT = 0.12  # height of a bar whose part is next to nothing


def bars(axes: Axes, chart: Bars) -> None:
    """Draw bars with their numbers; a line spans between what a bar lies where that is known."""
    from matplotlib.lines import Line2D

    count = len(chart.series)
    thick = 0.8 / count
    ends = {row: span for row, span in enumerate(chart.spans) if span is not None and count == 1}
    highest = max((value for row in chart.values for value in row if value is not None), default=0.0)
    for j, name in enumerate(chart.series):
        values = [row[j] for row in chart.values]
        places = [i + (j - (count - 1) / 2) * thick for i in range(len(values))]
        lengths = [0.0 if value is None else value for value in values]
        colours = [colour_at(hue) for hue in chart.hues] or COLOURS[j % len(COLOURS)]
        axes.barh(places, lengths, thick * 0.92, color=colours, label=name)
        for row, (place, value) in enumerate(zip(places, values, strict=True)):
            if value is not None:
                end = max(value, ends[row][1]) if row in ends else value
                say(axes, end, place, told(value, chart.axis.unit or "1"), "left")
    _span(axes, ends)
    _rows(axes, chart.labels, chart.axis)
    axes.set_xlim(0, max([highest, *(high for _, high in ends.values())]) * 1.18 or 1.0)  # room for the number
    if count > 1:
        axes.figure.legend(loc="outside lower center", ncols=min(count, 3), frameon=False)
    elif ends and chart.spanned:
        line = Line2D([], [], color="black", linewidth=1.0, label=chart.spanned)
        axes.figure.legend(handles=[line], loc="outside lower center", frameon=False)


def _span(axes: Axes, ends: Mapping[int, tuple[float, float]]) -> None:
    for row, (low, high) in ends.items():
        middle, half = (low + high) / 2, (high - low) / 2
        axes.errorbar(middle, row, xerr=half, color="black", linewidth=1.0, capsize=3)


def waterfall(axes: Axes, chart: Waterfall) -> None:
    """Draw what is left after each step, and what each has taken."""
    before: float | None = None
    for row, (_, value) in enumerate(chart.steps):
        axes.barh(row, value, 0.7, color=COLOURS[0])
        if before is not None and before > value:
            axes.barh(row, before - value, 0.7, left=value, color="#d5d5d5")
        text = quantity(value, chart.axis.unit)
        if before:
            text += f" ({words.change(value / before - 1)})"
        say(axes, max(value, before or 0.0), row, text, "left")
        before = value
    _rows(axes, [label for label, _ in chart.steps], chart.axis)
    axes.set_xlim(0, max((value for _, value in chart.steps), default=1.0) * 1.3)


def ranges(axes: Axes, chart: Ranges) -> None:
    """Draw bars from a low to a high value, in rows."""
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
            say(axes, end, row, quantity(end, chart.axis.unit), side)
    for label, at in chart.due:
        axes.vlines(at, places[label] - 0.45, places[label] + 0.45, color="black")
    _rows(axes, chart.labels, chart.axis)
    mark(axes, chart.marks)
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
            say(axes, high if is_behind else low, places[label], note, "left" if is_behind else "right")


def _name_hues(axes: Axes, chart: Ranges) -> None:
    """Say below the axes what the colours of bars and the lines across stand for."""
    from matplotlib.patches import Patch

    patches: list[Any] = [Patch(facecolor=colour_at(number), label=name) for name, number in chart.names.items()]
    named = [line for line in axes.lines if chart.marks and not str(line.get_label()).startswith("_")]
    if shown := [*patches, *named]:
        axes.figure.legend(handles=shown, loc="outside lower center", ncols=min(len(shown), 3), frameon=False)


def _rows(axes: Axes, labels: Sequence[str], axis: Axis) -> None:
    """Name rows, the first on top, and measure the axis below."""
    axes.set_yticks(range(len(labels)), [_broken(label) for label in labels])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    measure(axes.xaxis, axis)


def _broken(label: str) -> str:
    """Return a label in lines of at most LONGEST letters."""
    import textwrap

    return "\n".join(textwrap.wrap(label, LONGEST, break_long_words=True)) or label
