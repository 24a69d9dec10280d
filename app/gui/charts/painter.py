"""What the painters of the window's charts share: one for each kind of drawing that reports describe."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.gui.charts.chart import Chart, legend
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports.document import OTHER, Mark

D = TypeVar("D")

GAP = 16  # logical pixels that an axis adds to its names
NAMES = 190  # logical pixels that they take at most


class Painter(ABC, Generic[D]):
    """Draws one drawing into a chart, and says what stands where one points."""

    says_of_places = True
    """Whether there is something to be said of all that lies at one place of the axis."""
    says_of_points = False
    """Whether there is something else to be said of a single place of the plot."""

    def __init__(self, chart: Chart, drawing: D) -> None:
        self.chart, self.drawing, self.plot = chart, drawing, chart.plot
        self.whole: set[str] = set()  # sides whose axes count what has no halves
        self.ticks: dict[str, list[tuple[float, str]]] = {}  # of logarithmic sides, as long as all is seen

    @abstractmethod
    def paint(self) -> None:
        """Draw it."""

    @abstractmethod
    def places(self) -> list[float]:
        """Return the places of the axis where there is something to be said, in their order."""

    @abstractmethod
    def said_at(self, x: float, y: float | None = None) -> str:
        """Return what is said of a place of the plot, or of all that lies there at x; "" where nothing is."""

    def unit(self) -> str | None:
        """Return the unit of the lower axis, None for one without."""
        return None

    def name_at(self, x: float) -> str:
        """Return the name of the point at a place of the axis that one can choose, "" for none."""
        return ""

    def mark(self, name: str) -> bool:
        """Draw a ring around the point of a name, or around none; tell whether there is one."""
        return False

    # What several of them draw

    def begin(self, name: str, x: Scale, y: Scale | None, values: tuple[Sequence[float], Sequence[float]]) -> None:
        """Name the chart and its axes, which have some values."""
        self.whole = {side for side, scale in (("bottom", x), ("left", y)) if scale and scale.axis.is_whole}
        self.chart.name(name, x.title)
        self._tick("bottom", x, values[0])
        if y is not None:
            self.chart.label("left", y.title)
            self._tick("left", y, values[1])

    def _tick(self, side: str, scale: Scale, values: Sequence[float]) -> None:
        ticks = scale.ticks(values)
        self.plot.getAxis(side).setTicks(levels(ticks))
        if ticks and scale.axis.is_log and not scale.axis.named:
            self.ticks[side] = ticks

    def across(self, mark: Mark, scale: Scale) -> None:
        """Draw a line across; it is named below the plot, where it lies on nothing."""
        style = Qt.PenStyle.DashLine if mark.colour is None or mark.is_upright else Qt.PenStyle.DotLine
        pen = pg.mkPen(colour_of(mark), width=theme.line(1.0), style=style)
        line = pg.InfiniteLine(float(scale.place(mark.at)), angle=90 if mark.is_upright else 0, pen=pen)
        self.plot.addItem(line, ignoreBounds=True)

    def tell_legend(
        self, entries: Sequence[tuple[str, QColor, str]], signs: Sequence[str], *, is_linked: bool = False
    ) -> None:
        """Name below the plot what has which colour and sign."""
        self.chart.legend.setText(legend(entries, signs, is_linked=is_linked))
        self.chart.legend.setVisible(bool(entries))
        self.chart.legend.link(is_linked=is_linked and bool(entries))

    def name_rows(self, names: Sequence[tuple[int, str]]) -> None:
        """Name rows at the axis on the left, which takes the width that they need, and its own name beside them."""
        metrics, axis = self.chart.fontMetrics(), self.plot.getAxis("left")
        shown = [(row, metrics.elidedText(name, Qt.TextElideMode.ElideRight, NAMES)) for row, name in names]
        axis.setTicks([shown])
        widest = max((metrics.horizontalAdvance(name) for _, name in shown), default=0)
        axis.setWidth(self.chart.left or widest + GAP + (metrics.height() if axis.labelText else 0))


def told_once(marks: Sequence[Mark]) -> list[Mark]:
    """Return the lines across that are named: one of each name."""
    return list({(mark.name, mark.is_upright): mark for mark in marks}.values())


def sign(mark: Mark) -> str:
    """Return how a line across looks, as a letter."""
    return "┆" if mark.is_upright else "┄"


def colour_at(number: int) -> QColor:
    """Return the colour of a number."""
    return QColor(theme.current().muted) if number == OTHER else theme.series_colour(number)


def colour_of(mark: Mark) -> QColor:
    """Return the colour of a line across."""
    return QColor(theme.current().error) if mark.colour is None else colour_at(mark.colour)


def pen_of(number: int) -> QPen:
    """Return the line of the series of a number."""
    pen: QPen = pg.mkPen(colour_at(number), width=theme.line(), style=theme.STYLES[number % len(theme.STYLES)])
    return pen


def levels(ticks: list[tuple[float, str]] | None) -> list[list[tuple[float, str]]] | None:
    """Return ticks as an axis takes them."""
    return None if ticks is None else [ticks]
