"""The price of certainty: what an option takes against the part of the cases in which it meets the targets."""

from __future__ import annotations

import pyqtgraph as pg

from app.gui.charts.chart import Chart
from app.gui.look import theme
from app.gui.size.jobs import Sized


class CertaintyChart(Chart):
    """The options of which it is known in how many cases they meet the targets, hidden where there are none."""

    def __init__(self) -> None:
        super().__init__("What certainty costs", "met in (% of the cases)", " ")
        self.hide()

    def show_options(self, sized: Sized) -> None:
        """Draw the options of a sizing."""
        self.setVisible(bool(sized.weighed))
        if sized.weighed:
            self.draw(lambda: self._options(sized))

    def _options(self, sized: Sized) -> None:
        unit = "" if sized.unit == "1" else f" ({sized.unit})"
        self.label("left", f"{sized.minimize.replace('_', ' ')}{unit}")
        shares, costs = [100 * share for share, _ in sized.weighed], [cost for _, cost in sized.weighed]
        colour = theme.series_colour(0)
        pen = pg.mkPen(colour, width=theme.line(2))
        self.plot.plot(shares, costs, pen=pen, symbol="o", symbolSize=9, symbolBrush=colour, symbolPen=colour)
        self.plot.setRange(xRange=(min(*shares, 50.0), 100.0), yRange=(0.0, max(costs)), padding=0.06)
