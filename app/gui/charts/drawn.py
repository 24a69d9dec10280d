"""A chart of the window that draws what a report draws, from the same description.

What it adds is for the hand: values where the pointer is, curves alone, zoom, ticks as on a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from app.gui.charts.bars import BarsPainter, RangesPainter, WaterfallPainter
from app.gui.charts.chart import SIDES, Chart
from app.gui.charts.curves import CurvesPainter
from app.gui.charts.fields import FieldPainter, HeatMapPainter
from app.gui.charts.painter import Painter
from app.gui.charts.parity import ParityPainter
from app.gui.charts.scale import between
from app.reports.document import Bars, Drawing, Lines, Ranges, Waterfall
from app.reports.media import rich
from app.reports.parity import Parity
from app.reports.pictures import Field, HeatMap
from app.reports.scales import ENOUGH

Spacing = Callable[[float, float, float], list[tuple[float, float]]]
TICKS = {
    "h": (0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 168.0),
    "min": (0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0),
}
"""Steps between two ticks of an axis of time, by its unit."""
TICK = 55.0  # logical pixels between two ticks at least
LIMITS = ("minXRange", "maxXRange", "minYRange", "maxYRange")
CLOSEST, FARTHEST = 1e-5, 20.0
"""Parts of all that is drawn that one may look at, and how many times as much. Assumption: both ends tell nothing."""
FEWEST = 2.0  # whole numbers between which one may look
PAINTERS: Mapping[type[Drawing], type[Painter[Any]]] = {
    Lines: CurvesPainter,
    Ranges: RangesPainter,
    Waterfall: WaterfallPainter,
    Bars: BarsPainter,
    Field: FieldPainter,
    HeatMap: HeatMapPainter,
    Parity: ParityPainter,
}
"""What draws each kind of drawing."""


class DrawnChart(Chart):
    """A chart of what a report describes; `chosen` is told of a point that is clicked, or at which Enter is pressed."""

    def __init__(self, title: str) -> None:
        super().__init__(title, " ")
        self._painter: Painter[Any] | None = None
        self._marked = ""
        self._ends: list[list[float]] = []  # of both axes, from where to where they go while all is seen

    @cached_property
    def plot(self) -> pg.PlotWidget:
        """The plot, whose ticks are those of a clock or of a logarithmic axis where it has one."""
        plot = super().plot
        for side in SIDES:
            axis = plot.getAxis(side)
            axis.tickSpacing = partial(self._spacing, side, axis.tickSpacing)
        plot.getViewBox().sigRangeChanged.connect(lambda _, ranges: self._on_range_changed(ranges))
        return plot

    def show_drawing(self, drawing: Drawing, above: Callable[[], None] = lambda: None) -> None:
        """Draw what a report describes, and what the window alone shows above it."""
        painter = PAINTERS[type(drawing)](self, drawing)
        self._painter = painter
        self.draw(lambda: self._paint(painter, above))

    def show_words(self, text: str) -> None:
        """Say something in place of the plot, where there is nothing to draw."""
        self._painter, self._draw = None, lambda: None
        self.legend.setText(rich(text))
        self.legend.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.legend.show()
        if self.has_plot:
            self.plot.hide()

    def keep_left(self, width: float) -> None:
        """Give the axis on the left a width (logical pixels), so that charts above each other share their axis."""
        self.left = width
        if self.has_plot:
            self.plot.getAxis("left").setWidth(width)

    def mark(self, name: str) -> None:
        """Draw a ring around the point of a name, around none for ""."""
        self._marked = name
        if self._painter is not None:
            self._painter.mark(name)

    # What it says

    def has_places(self) -> bool:
        """Tell whether there is something to be said of places of the axis."""
        return self._painter is not None and self._painter.says_of_places

    def places(self) -> list[float]:
        """Return the places of the axis where there is something to be said, in their order."""
        return self._painter.places() if self._painter is not None else []

    def values_at(self, x: float) -> list[str]:
        """Return what stands at a place of the axis, in words."""
        return self.said_at(x).splitlines() if self.has_places() else []

    def said_at(self, x: float, y: float | None = None) -> str:
        """Return what is said of a place of the plot, or of all that lies there at x; "" where nothing is."""
        return self._painter.said_at(x, y) if self._painter is not None else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = self._painter.name_at(self.at) if self._painter is not None and self.is_pointed_at else ""
        if name and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.chosen.emit(name)
            return
        super().keyPressEvent(event)

    def _on_hovered(self, place: QPointF) -> None:
        super()._on_hovered(place)
        box = self.plot.getViewBox()
        if self._painter is not None and self._painter.says_of_points and box.sceneBoundingRect().contains(place):
            point = box.mapSceneToView(place)
            self.plot.setToolTip(self.said_at(point.x(), point.y()))

    def _spacing(self, side: str, usual: Spacing, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Return the step between ticks from a low to a high value on an axis of a size (pixels), and its start."""
        painter = self._painter
        if painter is not None and side in painter.whole:
            return [(step, start) for step, start in usual(low, high, size) if step >= 1] or [(1.0, 0.0)]
        least = (high - low) * TICK / max(size, 1.0)
        unit = painter.unit() if painter is not None and side == "bottom" else None
        step = next((step for step in TICKS.get(unit or "", ()) if step >= least), None)
        return usual(low, high, size) if step is None or step * ENOUGH > high - low else [(step, 0.0)]

    # How it is drawn

    def _paint(self, painter: Painter[Any], above: Callable[[], None]) -> None:
        self._begin()
        painter.paint()
        painter.mark(self._marked)
        above()
        self._ends = [list(ends) for ends in self.plot.viewRange()]
        self._limit(painter)

    def _limit(self, painter: Painter[Any]) -> None:
        """Let nobody look so close that no two numbers can be told apart, or from so far that nothing is seen."""
        limits: dict[str, float] = {}
        for name, side, (low, high) in zip("XY", SIDES, self._ends, strict=True):
            least = FEWEST if side in painter.whole else (high - low) * CLOSEST
            limits |= {f"min{name}Range": min(least, high - low), f"max{name}Range": (high - low) * FARTHEST}
        self.plot.getViewBox().setLimits(**limits)

    def _on_range_changed(self, ranges: list[list[float]]) -> None:
        """Let ticks of logarithmic axes follow what is seen of them."""
        if self._painter is None or not self._ends:
            return
        for side, now, whole in zip(SIDES, ranges, self._ends, strict=True):
            if side in self._painter.ticks:
                ticks = self._painter.ticks[side] if now == whole else between(*now)
                self.plot.getAxis(side).setTicks([ticks])

    def _begin(self) -> None:
        """Forget what another kind of drawing has changed."""
        self._ends = []
        self.plot.show()
        self.legend.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.plot.getViewBox().setLimits(**dict.fromkeys(LIMITS))
        self.plot.setMouseEnabled(x=True, y=True)
        self.plot.invertY(False)
        self.plot.showGrid(x=False, y=False)
        axis = self.plot.getAxis("left")
        for side in SIDES:
            self.plot.showAxis(side)
            self.plot.getAxis(side).setTicks(None)
        axis.setWidth(self.left or None)
        axis.showLabel(False)
