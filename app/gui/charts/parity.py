"""Simulated over documented values, beside the diagonal; a point is chosen by a click."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.chart import SIDES
from app.gui.charts.painter import Painter, colour_at
from app.gui.charts.scale import logarithmic
from app.gui.look import theme
from app.reports.parity import NEAR, Agreement, Parity

MARKERS = ("o", "s", "t", "d", "star", "p", "t1")
"""Markers of the groups: one more than there are colours, so that no two groups look the same."""
LETTERS = "●■▼◆★⬟▲"
"""The markers as characters."""
SIZE, RING = 10, 20  # pixels of a point, and around the one that is chosen
GREY = 60  # of 255: opacity of the band


class ParityPainter(Painter[Parity]):
    """Draws one point an outcome, a colour and a marker a group."""

    says_of_points = True

    def paint(self) -> None:
        chart = self.drawing
        low, high = map(math.log10, chart.ends)
        self.chart.name(chart.name, chart.axes[0])
        self.chart.label("left", chart.axes[1])
        self._band(low, high)
        entries, signs = [], []
        for number, group in enumerate(chart.groups):
            members = [point for point in chart.points if point.group == group]
            if members:
                self.plot.addItem(self._scatter(number, members))
                entries.append((group, colour_at(number), ""))
                signs.append(LETTERS[number % len(LETTERS)])
        self._ring = pg.ScatterPlotItem()
        self._ring.setZValue(-1)  # below the points, which take the clicks
        self.plot.addItem(self._ring)
        entries.append((chart.near, QColor(theme.current().muted), ""))
        self.tell_legend(entries, [*signs, "▒"])
        ticks = logarithmic(*chart.ends)
        self.ticks = dict.fromkeys(SIDES, ticks)
        for side in SIDES:
            self.plot.getAxis(side).setTicks([ticks])
        self.plot.setRange(xRange=(low, high), yRange=(low, high), padding=0.0)

    def places(self) -> list[float]:
        return sorted({self._place(point)[0] for point in self.drawing.points})

    def said_at(self, x: float, y: float | None = None) -> str:
        nearest = self._nearest(x, y)
        return nearest.said if nearest else ""

    def name_at(self, x: float) -> str:
        nearest = self._nearest(x, None)
        return nearest.id if nearest else ""

    def mark(self, name: str) -> bool:
        point = next((point for point in self.drawing.points if point.id == name), None)
        if point is None:
            self._ring.clear()
            return False
        x, y = self._place(point)
        pen = pg.mkPen(theme.current().text, width=theme.line())
        self._ring.setData([x], [y], symbol="o", size=RING, brush=None, pen=pen)
        return True

    def _nearest(self, x: float, y: float | None) -> Agreement | None:
        if not self.drawing.points:
            return None
        places = np.array([self._place(point) for point in self.drawing.points])
        gaps = (places[:, 0] - x) ** 2 + (0.0 if y is None else (places[:, 1] - y) ** 2)
        return self.drawing.points[int(np.argmin(gaps))]

    def _place(self, point: Agreement) -> tuple[float, float]:
        x, y = self.drawing.place(point)
        return math.log10(x), math.log10(y)

    def _scatter(self, number: int, members: list[Agreement]) -> pg.ScatterPlotItem:
        places = [self._place(member) for member in members]
        dots = pg.ScatterPlotItem(
            x=[x for x, _ in places],
            y=[y for _, y in places],
            data=members,
            symbol=MARKERS[number % len(MARKERS)],
            size=SIZE,
            brush=colour_at(number),
            pen=pg.mkPen(theme.current().base),
        )
        dots.sigClicked.connect(lambda item, points, event: self.chart.chosen.emit(points[0].data().id))
        return dots

    def _band(self, low: float, high: float) -> None:
        ends = [low, high]
        above, below = (pg.PlotCurveItem(ends, [end + math.log10(f) for end in ends]) for f in (1 + NEAR, 1 - NEAR))
        grey = QColor(theme.current().muted)
        grey.setAlpha(GREY)
        for curve in (above, below):
            curve.setPen(pg.mkPen(None))
        self.plot.addItem(pg.FillBetweenItem(above, below, brush=grey))
        self.plot.plot(ends, ends, pen=pg.mkPen(theme.current().muted))
