"""Curves, points and areas."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.chart import SIGNS
from app.gui.charts.painter import Painter, colour_at, colour_of, pen_of, sign, told_once
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports.colours import number_of
from app.reports.document import OTHER, Lines, Series
from app.reports.points import named_points, series_over

HOLLOW = "○"
EDGE, CLOSE = 0.05, 0.02  # of a range, left free beside points, and beside steps that fill it
MARKERS = 7  # on each curve in steps
FAINT = 0.65  # opacity of an area over the ground
SHADE = 0.15  # opacity of a band that leaves what lies under it to be seen
SIZE, SMALL = 8, 5  # pixels of a marker, and of one of many
MANY = 20  # Assumption: large markers that a curve has room for
WIDER = 4  # pixels by which a marker is wider for each curve that has one at the same place


class CurvesPainter(Painter[Lines]):
    """Draws curves over a number."""

    def paint(self) -> None:
        chart = self.drawing
        xs = [*(number for series in chart.series for number in series.x), *([] if chart.end is None else [chart.end])]
        ys = [number for series in chart.series for number in series.y if not math.isnan(number)]
        if not chart.is_stacked:
            ys += [end for series in chart.series for end in (*(series.low or ()), *(series.high or ()))]
        xs += [mark.at for mark in chart.marks if mark.is_upright]
        ys += [mark.at for mark in chart.marks if not mark.is_upright]
        self._x, self._y = Scale.of(chart.x, xs), Scale.of(chart.y, ys)
        self.begin(chart.name, self._x, self._y, (xs, ys))
        self.plot.showGrid(x=chart.y.is_nines, y=True, alpha=0.2)
        self._fit(xs, ys)  # first: each curve that is there by then is worked out anew
        (self._areas if chart.is_stacked else self._curves)()
        for mark in chart.marks:
            self.across(mark, self._x if mark.is_upright else self._y)
        self._name()

    def places(self) -> list[float]:
        places = self._x.place(sorted({number for series in self._seen() for number in series.x}))
        return [float(place) for place in places[np.isfinite(places)]]

    def said_at(self, x: float, y: float | None = None) -> str:
        chart, number = self.drawing, self._x.number(x)
        drawn = [(series, at) for series in self._seen() if (at := _index(chart, series, number)) is not None]
        known = [(series, at) for series, at in drawn if not math.isnan(series.y[at])]
        if not known:
            return ""
        told = [
            f"{series.names[at] if series.names else series.name} {chart.y.shown(series.y[at])}" for series, at in known
        ]
        if chart.end is not None or chart.is_joint:
            return "\n".join([f"{chart.x.label} {chart.x.shown(number)}", *told])
        return "\n".join(
            f"{text} at {chart.x.shown(series.x[at])}" for text, (series, at) in zip(told, known, strict=True)
        )

    def unit(self) -> str | None:
        return None if self.drawing.x.named else self._x.axis.unit

    def _seen(self) -> list[Series]:
        """Return the curves that are drawn, but for those that another one is shown without."""
        return [series for series in self.drawing.series if not self.chart.alone or series.name == self.chart.alone]

    def _curves(self) -> None:
        chart, x, y = self.drawing, self._x, self._y
        for place, (number, series) in enumerate(self._numbered()):
            colour, heights = colour_at(number), y.place(series.y)
            wide = (SIZE if len(series.x) <= MANY else SMALL) + WIDER * series_over(chart, place)
            marks = {"symbol": _symbol(number), "symbolSize": wide}
            marks |= {"symbolBrush": None if series.is_apart else colour, "symbolPen": colour}
            pen = None if series.is_apart else pen_of(number)
            self._band(series, colour)
            if series.is_apart and chart.end is None:
                self._points(series, wide, _symbol(number), colour)
                continue
            if chart.end is None:
                self.plot.plot(x.place(series.x), heights, pen=pen, connect="finite", name=series.name, **marks)
                self._name_points(series)
                continue
            edges = [*series.x, chart.end]
            self.plot.plot(x.place(edges), heights, pen=pen, stepMode="center", connect="finite", name=series.name)
            shift = (place + 0.5) / len(chart.series)
            middles = edges[0] + (np.arange(MARKERS) + shift) * (edges[-1] - edges[0]) / MARKERS
            at = np.clip(np.searchsorted(edges, middles, side="right") - 1, 0, len(series.y) - 1)
            self.plot.plot(x.place(middles), heights[at], pen=None, name=series.name, **marks)

    def _points(self, series: Series, size: int, symbol: str, colour: QColor) -> None:
        """Draw hollow points as one item, which looks at thousands of them once, where a curve does so eight times."""
        x, y = self._x.place(series.x), self._y.place(series.y)
        seen = np.isfinite(x) & np.isfinite(y)
        style = {"symbol": symbol, "size": size, "pen": colour, "brush": None, "name": series.name}
        self.plot.addItem(pg.ScatterPlotItem(x[seen], y[seen], **style))

    def _band(self, series: Series, colour: QColor) -> None:
        if series.low is None or series.high is None:
            return
        shade = QColor(colour)
        shade.setAlphaF(SHADE)
        ends = [pg.PlotDataItem(self._x.place(series.x), self._y.place(ends)) for ends in (series.low, series.high)]
        self.plot.addItem(pg.FillBetweenItem(*ends, brush=shade))

    def _name_points(self, series: Series) -> None:
        if series.is_apart:
            return
        for (x, y), name, is_right, is_above in named_points(series):
            anchor = (0.0 if is_right else 1.0, 1.0 if is_above else 0.0)
            self.chart.labels.add(self.chart.say(float(self._x.place(x)), float(self._y.place(y)), name, anchor))

    def _areas(self) -> None:
        """Draw curves on each other, the topmost first."""
        chart, x, y = self.drawing, self._x, self._y
        edges = x.place(chart.series[0].x if chart.series else [])
        edges = edges if chart.end is None else np.append(edges, x.place(chart.end))
        reached = np.cumsum([y.place(series.y) for series in chart.series], axis=0)
        for (number, _), top in reversed(list(zip(self._numbered(), reached, strict=True))):
            colour, mode = colour_at(number), None if chart.end is None else "center"
            pen = pg.mkPen(colour, width=theme.line(1.0))
            area = pg.PlotCurveItem(edges, top, stepMode=mode, fillLevel=0, brush=_over_ground(colour), pen=pen)
            self.plot.addItem(area)

    def _fit(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Show all that there is, from 0 where there is a place for it."""
        chart = self.drawing
        for scale, numbers, fit in ((self._x, xs, self.plot.setXRange), (self._y, ys, self.plot.setYRange)):
            places = scale.place(numbers)
            if chart.is_stacked and scale is self._y:
                totals = np.sum([series.y for series in chart.series], axis=0) if chart.series else [0.0]
                places = scale.place([max(*totals, 0.01)])
            ends = [0.0] if scale is self._y and not (scale.axis.is_log or scale.axis.is_nines) else []
            ends += [] if scale.axis.most is None else [float(scale.place(scale.axis.most))]
            places = np.append(places[np.isfinite(places)], ends)
            if len(places):
                low, high = float(places.min()), float(places.max())
                room = 0.5 * (abs(high) or 1.0) if low == high else 0.0
                fit(low - room, high + room, padding=CLOSE if scale is self._x and chart.end is not None else EDGE)

    def _name(self) -> None:
        entries, signs = [], []
        for number, series in self._numbered():
            entries.append((series.name, colour_at(number), series.note))
            signs.append(self._sign(number, series))
        for mark in told_once(self.drawing.marks):
            entries.append((mark.name, colour_of(mark), ""))
            signs.append(sign(mark))
        if self.drawing.band:
            entries.append((f"band: {self.drawing.band}", QColor(theme.current().muted), ""))
            signs.append("▒")
        self.tell_legend(entries, signs, is_linked=not self.drawing.is_stacked)

    def _sign(self, number: int, series: Series) -> str:
        if self.drawing.is_stacked:
            return "■"
        return HOLLOW if series.is_apart and number == OTHER else SIGNS[_symbol(number)]

    def _numbered(self) -> list[tuple[int, Series]]:
        """Return the curves with the numbers of their colours."""
        return [(number_of(series, i), series) for i, series in enumerate(self.drawing.series)]


def _over_ground(colour: QColor) -> QColor:
    """Return how a faint area of a colour looks over the ground: it covers the areas below it."""
    ground = QColor(theme.current().base)
    above, below = (np.array((of.red(), of.green(), of.blue())) for of in (colour, ground))
    return QColor(*(int(part) for part in np.rint(FAINT * above + (1 - FAINT) * below)))


def _symbol(number: int) -> str:
    """Return the marker of a number."""
    return theme.SYMBOLS[0 if number == OTHER else number % len(theme.SYMBOLS)]


def _index(chart: Lines, series: Series, number: float) -> int | None:
    """Return which value of a curve stands at a number: the one that holds there, or the nearest."""
    if not series.x:
        return None
    if chart.end is None:
        return int(np.argmin(np.abs(np.asarray(series.x) - number)))
    return bisect_right(series.x, number) - 1 if series.x[0] <= number <= chart.end else None
