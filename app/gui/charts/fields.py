"""Cells over two axes of words: in the shade of a number, or in the colour of a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.painter import Painter, colour_at
from app.gui.charts.scale import MOST_TICKS
from app.gui.look import theme
from app.reports.document import OTHER
from app.reports.pictures import Field, HeatMap
from app.reports.scales import told

SHADES, LEVELS = "viridis", 256
MIDDLE = 0.5  # up to which share of the way from dark to bright letters are white
TINT = 0.35  # opacity of a colour behind words that are to be read


class FieldPainter(Painter[Field]):
    """Draws cells brighter where they have more, with their numbers where there is room."""

    says_of_points = True

    def paint(self) -> None:
        chart = self.drawing
        _frame(self, chart.name, (chart.x, chart.y), (chart.columns, chart.rows))
        self.plot.getAxis("left").setTicks([_thinned(chart.rows)])
        shares = np.array([[np.nan if share is None else share for share in row] for row in chart.shares()])
        shades = pg.colormap.get(SHADES)
        if np.isfinite(shares).any():
            image = pg.ImageItem(shares.T, levels=(0.0, 1.0))
            image.setLookupTable(shades.getLookupTable(nPts=LEVELS))
            image.setRect(-0.5, -0.5, len(chart.columns), len(chart.rows))
            self.plot.addItem(image)
        texts = chart.texts()
        for row, column in zip(*np.nonzero(np.isfinite(shares)), strict=True):
            if texts[row][column]:
                colour = "#FFFFFF" if shares[row][column] < MIDDLE else "#000000"
                _write(self, (column, row), texts[row][column], colour)
        ends = [shades.mapToQColor(share) for share in (0.0, 1.0)]
        entries = [(text, colour, "") for text, colour in zip(chart.key, ends, strict=True)]
        self.tell_legend(entries if chart.ends else [], ["■"] * len(entries))

    def places(self) -> list[float]:
        return [float(column) for column in range(len(self.drawing.columns))]

    def said_at(self, x: float, y: float | None = None) -> str:
        chart = self.drawing
        return _said((x, y), (chart.columns, chart.rows), f"{chart.x} ", self._told)

    def _told(self, row: int, column: int) -> str:
        value = self.drawing.cells[row][column]
        return "nothing was run" if value is None else told(value, self.drawing.axis.unit or "1")


class HeatMapPainter(Painter[HeatMap]):
    """Draws cells in the colour of their name, with their words; that of the case asked about has a frame."""

    says_of_points = True

    def paint(self) -> None:
        chart = self.drawing
        _frame(self, chart.name, (chart.x, chart.y), (chart.columns, chart.rows))
        self.plot.invertY(True)
        self.name_rows(list(enumerate(chart.rows)))
        shades = np.zeros((len(chart.columns), len(chart.rows), 4), dtype=np.ubyte)
        for row, cells in enumerate(chart.cells):
            for column, (number, text) in enumerate(cells):
                tint = QColor(colour_at(number))
                tint.setAlphaF(0.0 if number == OTHER else TINT)
                shades[column, row] = (tint.red(), tint.green(), tint.blue(), tint.alpha())
                mark = "" if number == OTHER else f"{theme.series_mark(number)} "
                _write(self, (column, row), f"{mark}{text}".replace(", ", "\n", 1), theme.current().text)
        image = pg.ImageItem(shades)
        image.setRect(-0.5, -0.5, len(chart.columns), len(chart.rows))
        image.setZValue(-1)
        self.plot.addItem(image)
        if chart.asked is not None:
            row, column = chart.asked
            xs, ys = (np.array([-1, 1, 1, -1, -1]) / 2 + column, np.array([-1, -1, 1, 1, -1]) / 2 + row)
            self.plot.plot(xs, ys, pen=pg.mkPen(theme.current().text, width=theme.line()))
        numbers = range(len(chart.names))
        entries = [(name, colour_at(number), "") for number, name in enumerate(chart.names)]
        self.tell_legend(entries, [theme.series_mark(number) for number in numbers])

    def places(self) -> list[float]:
        return [float(column) for column in range(len(self.drawing.columns))]

    def said_at(self, x: float, y: float | None = None) -> str:
        chart = self.drawing
        return _said((x, y), (chart.columns, chart.rows), f"{chart.x} ", self._told)

    def _told(self, row: int, column: int) -> str:
        number, text = self.drawing.cells[row][column]
        name = "no candidate" if number == OTHER else self.drawing.names[number]
        return f"{name}, {text}{', as asked' if self.drawing.asked == (row, column) else ''}"


def _frame(
    painter: Painter[Field] | Painter[HeatMap],
    name: str,
    titles: tuple[str, str],
    labels: tuple[Sequence[str], Sequence[str]],
) -> None:
    """Name the chart and its axes, and show all cells."""
    chart, (columns, rows) = painter.chart, labels
    chart.name(name, titles[0])
    chart.label("left", titles[1])
    chart.plot.getAxis("bottom").setTicks([_thinned(columns)])
    chart.plot.setRange(xRange=(-0.5, len(columns) - 0.5), yRange=(-0.5, len(rows) - 0.5), padding=0.0)


def _thinned(labels: Sequence[str]) -> list[tuple[float, str]]:
    """Return ticks for labels, as many as have room."""
    step = -(-len(labels) // MOST_TICKS) or 1
    return [(float(place), label) for place, label in enumerate(labels)][::step]


def _write(painter: Painter[Field] | Painter[HeatMap], place: tuple[int, int], text: str, colour: str) -> None:
    item = pg.TextItem(text, color=colour, anchor=(0.5, 0.5))
    item.setPos(*place)
    painter.plot.addItem(item, ignoreBounds=True)


def _said(
    place: tuple[float, float | None],
    labels: tuple[Sequence[str], Sequence[str]],
    x: str,
    told_of: Callable[[int, int], str],
) -> str:
    """Return what is said of the cell at a place, or of all cells of its column."""
    (columns, rows), column = labels, round(place[0])
    if not 0 <= column < len(columns):
        return ""
    if place[1] is None:
        lines = [f"{name}: {told_of(row, column)}" for row, name in enumerate(rows)]
        return "\n".join([f"{x}{columns[column]}", *lines])
    row = round(place[1])
    return f"{x}{columns[column]}, {rows[row]}: {told_of(row, column)}" if 0 <= row < len(rows) else ""
