"""A chart of the window that draws what a report draws, from the same description: curves, areas, bars, what is left.

What it adds is for the hand: values where the pointer is, curves alone, zoom, ticks as on a clock.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen

from app.gui.charts.chart import SIGNS, Chart, legend
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports import words
from app.reports.colours import hues_of, number_of
from app.reports.document import OTHER, Lines, Mark, Ranges, Series, Waterfall

TICKS = {
    "h": (0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 168.0),
    "min": (0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0),
}
"""Steps between two ticks of an axis of time, by its unit."""
TICK = 55.0  # logical pixels between two ticks at least
MARKERS = 7  # on each curve in steps
FAINT = 0.65  # opacity of an area over the ground
SHADE = 0.15  # opacity of a band that leaves what lies under it to be seen
LEAST = 0.12  # height of a bar whose part is next to nothing
HEIGHT = 0.7  # of a bar
MARGIN = 16  # logical pixels that an axis adds to its names
LABELS = 10  # rows whose names the axis of the lowest chart has room for
ROOM = 0.45  # part of a chart's width that a note takes at most. Assumption: seen at 1024 pixels


class DrawnChart(Chart):
    """A chart of curves, bars over an axis or a waterfall."""

    def __init__(self, title: str) -> None:
        super().__init__(title, " ")
        self._drawing: Lines | Ranges | Waterfall | None = None
        self._scales: tuple[Scale, Scale] | None = None
        self._left = 0.0
        axis = self.plot.getAxis("bottom")
        self._usual_spacing, axis.tickSpacing = axis.tickSpacing, self._spacing

    def show_drawing(self, drawing: Lines | Ranges | Waterfall, above: Callable[[], None] = lambda: None) -> None:
        """Draw what a report describes, and what the window alone shows above it."""
        self._drawing = drawing
        self.draw(lambda: self._paint(above))

    def keep_left(self, width: float) -> None:
        """Give the axis on the left a width (logical pixels), so that charts above each other share their axis."""
        self._left = width
        self.plot.getAxis("left").setWidth(width)

    # What it says

    def has_places(self) -> bool:
        """Tell whether there is something to be said of places of the axis."""
        return isinstance(self._drawing, Lines | Ranges)

    def places(self) -> list[float]:
        """Return the places of the axis where there is something to be said, in their order."""
        if self._scales is None or isinstance(self._drawing, Waterfall):
            return []
        x, numbers = self._scales[0], set[float]()
        if isinstance(self._drawing, Lines):
            numbers = {number for series in self._seen() for number in series.x}
        elif self._drawing is not None:
            numbers = {end for _, *ends in self._drawing.rows for end in ends}
        places = x.place(sorted(numbers))
        return [float(place) for place in places[np.isfinite(places)]]

    def values_at(self, x: float) -> list[str]:
        """Return what stands at a place of the axis, in words."""
        return self.said_at(x).splitlines()

    def said_at(self, x: float, y: float | None = None) -> str:
        """Return what is said of a place of the plot, or of all that lies there at x; "" where nothing is."""
        if self._scales is None:
            return ""
        number = self._scales[0].number(x)
        if isinstance(self._drawing, Ranges):
            return self._said_of_bars(self._drawing, number, y)
        if not isinstance(self._drawing, Lines):
            return ""
        drawn = [(series, at) for series in self._seen() if (at := _index(self._drawing, series, number)) is not None]
        known = [(series, at) for series, at in drawn if not math.isnan(series.y[at])]
        if not known:
            return ""
        chart = self._drawing
        told = [f"{series.name} {chart.y.shown(series.y[at])}" for series, at in known]
        if chart.end is not None or chart.is_joint:
            return "\n".join([f"{chart.x.label} {chart.x.shown(number)}", *told])
        return "\n".join(
            f"{text} at {chart.x.shown(series.x[at])}" for text, (series, at) in zip(told, known, strict=True)
        )

    def _said_of_bars(self, chart: Ranges, number: float, row: float | None) -> str:
        """Return what is said of the bars at a number, or of the row that is pointed at."""
        labels = chart.labels
        if row is None:
            return "\n".join(_words_of(chart, i) for i, bar in enumerate(chart.rows) if bar[1] <= number <= bar[2])
        if not -0.5 <= row < len(labels) - 0.5:
            return ""
        label = labels[round(row)]
        bars = [i for i, (name, _, _) in enumerate(chart.rows) if name == label]
        here = [i for i in bars if chart.rows[i][1] <= number <= chart.rows[i][2]]
        lines = [_words_of(chart, i) for i in (bars if len(bars) == 1 else here)]
        due = [f"due by {chart.axis.shown(at)}" for name, at in chart.due if name == label]
        return "\n".join([*(lines or [f"{label}: nothing at that time"]), *due])

    def _seen(self) -> list[Series]:
        """Return the curves that are drawn, but for those that another one is shown without."""
        series = self._drawing.series if isinstance(self._drawing, Lines) else ()
        return [one for one in series if not self._alone or one.name == self._alone]

    def _on_hovered(self, place: QPointF) -> None:
        super()._on_hovered(place)
        box = self.plot.getViewBox()
        if box.sceneBoundingRect().contains(place) and isinstance(self._drawing, Ranges):
            point = box.mapSceneToView(place)
            self.plot.setToolTip(self.said_at(point.x(), point.y()))

    def _spacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Return the step between ticks from a low to a high value on an axis of a size (pixels), and its start."""
        least = (high - low) * TICK / max(size, 1.0)
        unit = self._scales[0].axis.unit if self._scales else None
        step = next((step for step in TICKS.get(unit or "", ()) if step >= least), None)
        usual: list[tuple[float, float]] = self._usual_spacing(low, high, size)
        return usual if step is None else [(step, 0.0)]

    # How it is drawn

    def _paint(self, above: Callable[[], None]) -> None:
        if isinstance(self._drawing, Lines):
            self._lines(self._drawing)
        elif isinstance(self._drawing, Ranges):
            self._ranges(self._drawing)
        elif self._drawing is not None:
            self._waterfall(self._drawing)
        above()

    def _begin(self, name: str, x: Scale, y: Scale | None, values: tuple[Sequence[float], Sequence[float]]) -> None:
        """Name the chart and its axes."""
        self._scales = (x, y or x)
        self.name(name, x.title)
        self.plot.getAxis("bottom").setTicks(_levels(x.ticks(values[0])))
        if y is not None:
            self.label("left", y.title)
            self.plot.getAxis("left").setTicks(_levels(y.ticks(values[1])))

    def _lines(self, chart: Lines) -> None:
        xs = [*(number for series in chart.series for number in series.x), *([] if chart.end is None else [chart.end])]
        ys = [number for series in chart.series for number in series.y if not math.isnan(number)]
        xs += [mark.at for mark in chart.marks if mark.is_upright]
        ys += [mark.at for mark in chart.marks if not mark.is_upright]
        x, y = Scale.of(chart.x, xs), Scale.of(chart.y, ys)
        self._begin(chart.name, x, y, (xs, ys))
        self.plot.showGrid(x=chart.y.is_nines, y=True, alpha=0.2)
        (self._areas if chart.is_stacked else self._curves)(chart, x, y)
        for mark in chart.marks:
            self._mark(mark, x if mark.is_upright else y)
        self._fit(chart, x, y, (xs, ys))
        entries, signs = [], []
        for number, series in _numbered(chart):
            entries.append((series.name, _colour(number), series.note))
            signs.append("■" if chart.is_stacked else SIGNS[theme.SYMBOLS[number % len(theme.SYMBOLS)]])
        for mark in _told_once(chart.marks):
            entries.append((mark.name, _colour_of(mark), ""))
            signs.append("┆" if mark.is_upright else "┄")
        self._tell_legend(entries, signs, is_linked=not chart.is_stacked)

    def _curves(self, chart: Lines, x: Scale, y: Scale) -> None:
        for place, (number, series) in enumerate(_numbered(chart)):
            colour, heights = _colour(number), y.place(series.y)
            marks = {"symbol": theme.SYMBOLS[number % len(theme.SYMBOLS)], "symbolSize": 8}
            marks |= {"symbolBrush": colour, "symbolPen": colour}
            pen = None if chart.is_scatter else _pen(number)
            self._band(series, colour, x, y)
            if chart.end is None:
                self.plot.plot(x.place(series.x), heights, pen=pen, connect="finite", name=series.name, **marks)
                continue
            edges = [*series.x, chart.end]
            self.plot.plot(x.place(edges), heights, pen=pen, stepMode="center", connect="finite", name=series.name)
            shift = (place + 0.5) / len(chart.series)
            middles = edges[0] + (np.arange(MARKERS) + shift) * (edges[-1] - edges[0]) / MARKERS
            at = np.clip(np.searchsorted(edges, middles, side="right") - 1, 0, len(series.y) - 1)
            self.plot.plot(x.place(middles), heights[at], pen=None, name=series.name, **marks)

    def _band(self, series: Series, colour: QColor, x: Scale, y: Scale) -> None:
        if series.low is None or series.high is None:
            return
        shade = QColor(colour)
        shade.setAlphaF(SHADE)
        ends = [pg.PlotDataItem(x.place(series.x), y.place(ends)) for ends in (series.low, series.high)]
        self.plot.addItem(pg.FillBetweenItem(*ends, brush=shade))

    def _areas(self, chart: Lines, x: Scale, y: Scale) -> None:
        """Draw curves on each other, the topmost first."""
        edges = x.place(chart.series[0].x if chart.series else [])
        edges = edges if chart.end is None else np.append(edges, x.place(chart.end))
        reached = np.cumsum([y.place(series.y) for series in chart.series], axis=0)
        ground = pg.mkBrush(QColor(theme.current().base))
        for (number, _), top in reversed(list(zip(_numbered(chart), reached, strict=True))):
            area = QColor(_colour(number))
            area.setAlphaF(FAINT)
            given = {"stepMode": None if chart.end is None else "center", "fillLevel": 0}
            self.plot.plot(edges, top, brush=ground, pen=None, **given)
            self.plot.plot(
                edges, top, brush=pg.mkBrush(area), pen=pg.mkPen(_colour(number), width=theme.line(1.0)), **given
            )

    def _fit(self, chart: Lines, x: Scale, y: Scale, values: tuple[Sequence[float], Sequence[float]]) -> None:
        """Show all that there is, from 0 where there is a place for it."""
        for scale, numbers, fit in ((x, values[0], self.plot.setXRange), (y, values[1], self.plot.setYRange)):
            places = [float(place) for place in map(scale.place, numbers) if math.isfinite(place)]
            if chart.is_stacked and scale is y:
                totals = np.sum([series.y for series in chart.series], axis=0) if chart.series else [0.0]
                places = [float(scale.place(max(*totals, 0.01)))]
            if scale is y and not (scale.axis.is_log or scale.axis.is_nines):
                places.append(0.0)
            if scale.axis.most is not None:
                places.append(float(scale.place(scale.axis.most)))
            if places:
                low, high = min(places), max(places)
                room = 0.5 * (abs(high) or 1.0) if low == high else 0.0
                fit(low - room, high + room, padding=0.02 if scale is x else 0.05)

    def _mark(self, mark: Mark, scale: Scale) -> None:
        colour, is_limit = _colour_of(mark), mark.colour is None
        style = Qt.PenStyle.DashLine if is_limit or mark.is_upright else Qt.PenStyle.DotLine
        pen = pg.mkPen(colour, width=theme.line(1.0), style=style)
        label = {"label": mark.name, "labelOpts": {"position": 0.9, "color": colour, "movable": False}}
        place, angle = float(scale.place(mark.at)), 90 if mark.is_upright else 0
        line = pg.InfiniteLine(place, angle=angle, pen=pen, **(label if is_limit else {}))
        self.plot.addItem(line, ignoreBounds=True)

    def _ranges(self, chart: Ranges) -> None:
        ends = [end for _, *both in chart.rows for end in both] + [mark.at for mark in chart.marks]
        x = Scale.of(chart.axis, ends)
        self._begin(chart.name, x, None, (ends, ()))
        self.plot.setMouseEnabled(x=True, y=False)
        labels, most = chart.labels, float(x.place(max(ends, default=0.0)))
        rows = {label: row for row, label in enumerate(labels)}
        hues = [_colour(number) for number in hues_of(chart)]
        starts, lengths = (
            x.place([low for _, low, _ in chart.rows]),
            x.place([high - low for _, low, high in chart.rows]),
        )
        usual = HEIGHT if len(labels) <= LABELS else 1.0
        heights = [usual * max(part, LEAST) for part in chart.parts] or [usual] * len(hues)
        self.bars(starts, [rows[label] for label, *_ in chart.rows], lengths, hues, heights)
        for label, at in chart.due:
            pen = pg.mkPen(theme.current().text, width=theme.line())
            self.plot.plot([float(x.place(at))] * 2, [rows[label] - 0.45, rows[label] + 0.45], pen=pen)
        for mark in chart.marks:
            self._mark(mark, x)
        for start, length, (label, *_), note in zip(starts, lengths, chart.rows, chart.notes, strict=False):
            if note and len(labels) <= LABELS:
                self._note(rows[label], (float(start), float(start + length)), most, note)
        self._name_rows(labels)
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, most), yRange=(-0.6, max(len(labels), 1) - 0.4), padding=0.02)
        entries = [(name, _colour(number), "") for name, number in chart.names.items()]
        marks = _told_once(chart.marks)
        entries += [(mark.name, _colour_of(mark), "") for mark in marks]
        self._tell_legend(entries, ["■"] * len(chart.names) + ["┆"] * len(marks))

    def _name_rows(self, labels: Sequence[str]) -> None:
        step = -(-len(labels) // LABELS) or 1
        names = [(row, label) for row, label in enumerate(labels) if row % step == 0]
        axis = self.plot.getAxis("left")
        axis.setTicks([names])
        widest = max((self.fontMetrics().horizontalAdvance(name) for _, name in names), default=0)
        axis.setWidth(self._left or widest + MARGIN)

    def _note(self, row: int, ends: tuple[float, float], most: float, text: str) -> None:
        """Write what is said of a bar where there is most room: behind it, before it, or on it."""
        low, high = ends
        if max(low, most - high) < ROOM * most:
            item = pg.TextItem(text, color="#000000", anchor=(0.5, 0.5), fill=pg.mkBrush(255, 255, 255, 190))
            item.setPos((low + high) / 2, row)
            self.plot.addItem(item, ignoreBounds=True)
        elif most - high >= low:
            self.say(high, row, text, (0, 0.5))
        else:
            self.say(low, row, text, (1, 0.5))

    def _waterfall(self, chart: Waterfall) -> None:
        x = Scale.of(chart.axis, [value for _, value in chart.steps])
        self._begin(chart.name, x, None, ((), ()))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.hideAxis("left")
        places = [float(x.place(value)) for _, value in chart.steps]
        most = before = max(places, default=1.0)
        for row, ((name, value), place) in enumerate(zip(chart.steps, places, strict=True)):
            self.bar(0.0, row, place, theme.series_colour(0 if row < len(places) - 1 else 2), height=0.35)
            self.bar(place, row, before - place, QColor(theme.current().button), height=0.35)
            before = place
            share = f", {words.percent(place / most)}" if row else ""
            self.say(0.0, row - 0.18, f"{name}: {chart.axis.shown(value)}{share}", (0, 1))
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, most), yRange=(-0.75, max(len(places), 1) - 0.7), padding=0.02)

    def _tell_legend(
        self, entries: Sequence[tuple[str, QColor, str]], signs: Sequence[str], *, is_linked: bool = False
    ) -> None:
        self.legend.setText(legend(entries, signs, is_linked=is_linked))
        self.legend.setVisible(bool(entries))


def _words_of(chart: Ranges, place: int) -> str:
    """Return what is said of a bar: its ends, its note, and how high it is."""
    label, low, high = chart.rows[place]
    told = [f"{chart.axis.shown(low)} to {chart.axis.shown(high)}"]
    told += [chart.notes[place]] if chart.notes and chart.notes[place] else []
    part = chart.parts[place] if chart.parts else 1.0
    told += [f"at {words.percent(part)} of its highest rate"] if part < 1 else []
    return f"{label}: {', '.join(told)}"


def _index(chart: Lines, series: Series, number: float) -> int | None:
    """Return which value of a curve stands at a number: the one that holds there, or the nearest."""
    if not series.x:
        return None
    if chart.end is None:
        return int(np.argmin(np.abs(np.asarray(series.x) - number)))
    return bisect_right(series.x, number) - 1 if series.x[0] <= number <= chart.end else None


def _numbered(chart: Lines) -> list[tuple[int, Series]]:
    """Return the curves with the numbers of their colours."""
    return [(number_of(series, i), series) for i, series in enumerate(chart.series)]


def _told_once(marks: Sequence[Mark]) -> list[Mark]:
    """Return the lines across that are named below: one of each name, but those that are named where they stand."""
    return list({(mark.name, mark.is_upright): mark for mark in marks if mark.colour is not None}.values())


def _colour(number: int) -> QColor:
    return QColor(theme.current().muted) if number == OTHER else theme.series_colour(number)


def _colour_of(mark: Mark) -> QColor:
    return QColor(theme.current().error) if mark.colour is None else _colour(mark.colour)


def _pen(number: int) -> QPen:
    pen: QPen = pg.mkPen(_colour(number), width=theme.line(), style=theme.STYLES[number % len(theme.STYLES)])
    return pen


def _levels(ticks: list[tuple[float, str]] | None) -> list[list[tuple[float, str]]] | None:
    return None if ticks is None else [ticks]
