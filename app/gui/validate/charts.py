"""Simulated over documented values on logarithmic axes: every error is a distance from the diagonal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.chart import Chart
from app.gui.look import theme
from app.gui.validate.jobs import OutcomeRow

BAND = 0.10  # what the band reaches from the diagonal, as in the picture of the documentation
MARGIN = 0.15  # decades around the points
FEW = 3  # decades that have room for two more numbers each
MARKERS = ("o", "s", "t", "d", "star", "p", "t1")
"""Markers of the families: one more than there are colours, so that no two families look the same."""
LETTERS = "●■▼◆★⬟▲"
"""The markers as characters."""
RING = 20  # pixels around the point that is chosen
EMPTY = "Nothing is simulated yet: press Validate."


class ParityChart(Chart):
    """One point an outcome, a colour and a marker a family; a click chooses it."""

    def __init__(self, on_chosen: Callable[[OutcomeRow], None]) -> None:
        super().__init__("Simulated over documented, band of 10 %", "documented, each in its unit", "simulated")
        self.chosen = on_chosen
        self.marked: OutcomeRow | None = None
        self._ring = pg.ScatterPlotItem()
        self._ring.setZValue(-1)  # below the points, which take the clicks

    def show_outcomes(self, outcomes: Sequence[OutcomeRow], families: Sequence[str]) -> None:
        """Draw the outcomes that have been simulated; the place of a family chooses its marker."""
        self.draw(
            lambda: self._points(
                [outcome for outcome in outcomes if outcome.simulated and outcome.middle > 0], families
            )
        )

    def mark(self, outcome: OutcomeRow | None) -> None:
        """Draw a ring around an outcome, if it has been simulated."""
        self.marked = outcome
        if outcome is None or not outcome.simulated or outcome.middle <= 0:
            self._ring.clear()
        else:
            at = [math.log10(outcome.middle)], [math.log10(outcome.simulated)]
            self._ring.setData(
                *at, symbol="o", size=RING, brush=None, pen=pg.mkPen(theme.current().text, width=theme.line())
            )

    def _points(self, outcomes: Sequence[OutcomeRow], families: Sequence[str]) -> None:
        for side in ("bottom", "left"):
            self.plot.showAxis(side, bool(outcomes))
        if not outcomes:
            self.say(0.5, 0.5, EMPTY, (0.5, 0.5))
            self.plot.setRange(xRange=(0, 1), yRange=(0, 1))
            self.legend.hide()
            return
        values = [
            math.log10(value) for outcome in outcomes for value in (outcome.middle, outcome.simulated or outcome.middle)
        ]
        low, high = min(values) - MARGIN, max(values) + MARGIN
        self._band(low, high)
        labels = []
        for index, family in enumerate(families):
            members = [outcome for outcome in outcomes if outcome.family == family]
            if members:
                self.plot.addItem(self._scatter(index, members))
                mark, colour = LETTERS[index % len(LETTERS)], theme.series_colour(index).name()
                labels.append(f'<span style="color:{colour}">{mark}</span>&nbsp;{family}')
        self.plot.addItem(self._ring)
        self.mark(next((outcome for outcome in outcomes if self.marked and outcome.id == self.marked.id), None))
        self.legend.setText(" &nbsp; ".join(labels))
        self.legend.show()
        for side in ("bottom", "left"):
            self.plot.getAxis(side).setTicks([_ticks(low, high)])
        self.plot.setRange(xRange=(low, high), yRange=(low, high), padding=0.0)

    def _scatter(self, index: int, members: Sequence[OutcomeRow]) -> pg.ScatterPlotItem:
        colour = theme.series_colour(index)
        dots = pg.ScatterPlotItem(
            x=[math.log10(member.middle) for member in members],
            y=[math.log10(member.simulated or member.middle) for member in members],
            data=list(members),
            symbol=MARKERS[index % len(MARKERS)],
            size=10,
            brush=colour,
            pen=pg.mkPen(theme.current().base),
            hoverable=True,
            tip=lambda x, y, data: f"{data.id}: {100 * (data.error or 0):+.1f} %",
        )
        dots.sigClicked.connect(lambda item, points, event: self.chosen(points[0].data()))
        return dots

    def _band(self, low: float, high: float) -> None:
        ends = [low, high]
        above, below = (pg.PlotCurveItem(ends, [end + math.log10(f) for end in ends]) for f in (1 + BAND, 1 - BAND))
        grey = QColor(theme.current().muted)
        grey.setAlpha(60)
        for curve in (above, below):
            curve.setPen(pg.mkPen(None))
        self.plot.addItem(pg.FillBetweenItem(above, below, brush=grey))
        self.plot.plot(ends, ends, pen=pg.mkPen(theme.current().muted))


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return where to write numbers between two powers of ten: each power, and where there are few, 2 and 5 of it."""
    steps = (1, 2, 5) if high - low < FEW else (1,)
    values = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for step in steps]
    return [(math.log10(value), _short(value)) for value in values if low <= math.log10(value) <= high]


def _short(value: float) -> str:
    return f"{value:g}" if value < 1000 else f"{value / 1000:g}k"
