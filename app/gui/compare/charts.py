"""Bars of a comparison, each in the colour that its scenario has everywhere, with its interval where there is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from app.gui.charts.chart import Chart
from app.gui.look import theme
from app.reports.document import Bars
from app.reports.scales import drawn, told

Interval = tuple[float, float] | None
ROOM = 1.5  # width of the plot over its longest bar: the value is written behind it
NAMES, GAP = 190, 16  # logical pixels that names take at most, and that an axis adds
WHISKERS = "The line at the end of a bar spans the 95 % interval of its mean."


class BarsChart(Chart):
    """One bar a scenario, from the top in the order of the columns, beside its marker and its name."""

    def __init__(self, title: str, x: str = "") -> None:
        super().__init__(title, x)
        self.plot.setMouseEnabled(x=False, y=False)

    def show_bars(self, bars: Bars, colours: Sequence[int], intervals: Sequence[Interval]) -> None:
        """Draw the first series of a chart of a report; `colours` and `intervals` are those of its labels."""
        unit = drawn(bars.axis.unit, [row[0] for row in bars.values])
        self.name(bars.name, f"{bars.axis.label} ({unit[1]})")
        self.draw(lambda: self._bars(bars, colours, intervals, unit[0]))

    def _bars(self, bars: Bars, colours: Sequence[int], intervals: Sequence[Interval], unit: float) -> None:
        """Draw bars in a unit, which is so many times that of their axis."""
        values = [(row[0] or 0.0) / unit for row in bars.values]
        gaps = [interval and (interval[0] / unit, interval[1] / unit) for interval in intervals]
        most = max(values, default=0.0) or 1.0
        for row, (value, colour, gap) in enumerate(zip(values, colours, gaps, strict=True)):
            self.bar(0.0, row, value, theme.series_colour(colour))
            self._whisker(row, gap)
            text = told(value * unit, bars.axis.unit or "1")
            self.say(max(value, gap[1] if gap else 0.0), row, text, (0, 0.5))
        self._name([f"{theme.series_mark(colour)} {label}" for label, colour in zip(bars.labels, colours, strict=True)])
        self.legend.setText(WHISKERS)
        self.legend.setVisible(any(intervals))
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, ROOM * most), yRange=(-0.6, max(len(values), 1) - 0.4), padding=0.0)

    def _name(self, names: Sequence[str]) -> None:
        metrics, axis = self.fontMetrics(), self.plot.getAxis("left")
        shown = [metrics.elidedText(name, Qt.TextElideMode.ElideRight, NAMES) for name in names]
        axis.setTicks([list(enumerate(shown))])
        axis.setWidth(max(map(metrics.horizontalAdvance, shown), default=0) + GAP)

    def _whisker(self, row: int, interval: Interval) -> None:
        if interval is not None:
            low, high = interval
            middle, half = np.array([(low + high) / 2]), (high - low) / 2
            pen = pg.mkPen(theme.current().text, width=theme.line())
            self.plot.addItem(pg.ErrorBarItem(x=middle, y=np.array([row]), left=half, right=half, beam=0.2, pen=pen))
