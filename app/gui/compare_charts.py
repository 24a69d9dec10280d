"""Bars of a comparison, each in the colour that its scenario has everywhere, with its interval where there is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg

from app.gui import theme
from app.gui.charts import Chart
from app.reports.document import Bars, quantity

Interval = tuple[float, float] | None
WHISKERS = "Each bar is the mean of the runs; the line at its end spans the 95 % interval of that."
ROOM = 1.35  # width of the plot over its longest bar: the value is written behind it


class BarsChart(Chart):
    """One bar a scenario, from the top in the order of the columns."""

    def __init__(self, title: str, x: str) -> None:
        super().__init__(title, x)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.hideAxis("left")

    def show_bars(self, bars: Bars, colours: Sequence[int], intervals: Sequence[Interval]) -> None:
        """Draw the first series of a chart of a report; `colours` and `intervals` are those of its labels."""
        self.draw(lambda: self._bars(bars, colours, intervals))

    def _bars(self, bars: Bars, colours: Sequence[int], intervals: Sequence[Interval]) -> None:
        values = [row[0] or 0.0 for row in bars.values]
        most = max(values, default=0.0) or 1.0
        told = zip(bars.labels, values, colours, intervals, strict=True)
        self.legend.setText(WHISKERS)
        self.legend.setVisible(any(intervals))
        for row, (label, value, colour, interval) in enumerate(told):
            self.bar(0.0, row, value, theme.series_colour(colour), height=0.4)
            self._whisker(row, interval)
            self.say(max(value, interval[1] if interval else 0.0), row, quantity(value, bars.axis.unit), (0, 0.5))
            self.say(0.0, row - 0.2, f"{theme.series_mark(colour)} {label}", (0, 1))
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, ROOM * most), yRange=(-0.75, max(len(values), 1) - 0.6), padding=0.0)

    def _whisker(self, row: int, interval: Interval) -> None:
        if interval is not None:
            low, high = interval
            middle, half = np.array([(low + high) / 2]), (high - low) / 2
            pen = pg.mkPen(theme.current().text, width=2)
            self.plot.addItem(pg.ErrorBarItem(x=middle, y=np.array([row]), left=half, right=half, beam=0.2, pen=pen))
