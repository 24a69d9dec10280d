"""Cells over two axes of words: in the shade of a number, or in the colour of a name."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.painter import Painter, colour_at
from app.gui.charts.scale import MOST_TICKS
from app.gui.look import theme
from app.reports.document import OTHER
from app.reports.pictures import Field, HeatMap
from app.reports.scales import told

C = TypeVar("C", bound=Field | HeatMap)

SHADES, LEVELS = "viridis", 256
MIDDLE = 0.5  # up to which share of the way from dark to bright letters are white
TINT = 0.35  # opacity of a colour behind words that are to be read


class CellsPainter(Painter[C]):
    """Draws cells over two axes of words, and says what stands in one, or in all of a column."""

    says_of_points = True

    def places(self) -> list[float]:
        return [float(column) for column in range(len(self.drawing.columns))]

    def said_at(self, x: float, y: float | None = None) -> str:
        columns, rows = self.drawing.columns, self.drawing.rows
        column = round(x)
        if not 0 <= column < len(columns):
            return ""
        place = f"{self.drawing.x} {columns[column]}"
        if y is None:
            return "\n".join([place, *(f"{name}: {self.told(row, column)}" for row, name in enumerate(rows))])
        row = round(y)
        return f"{place}, {rows[row]}: {self.told(row, column)}" if 0 <= row < len(rows) else ""

    @abstractmethod
    def told(self, row: int, column: int) -> str:
        """Return what is said of a cell."""

    def frame(self) -> None:
        """Name the chart and its axes, and show all cells."""
        drawing, columns, rows = self.drawing, self.drawing.columns, self.drawing.rows
        self.chart.name(drawing.name, drawing.x)
        self.chart.label("left", drawing.y)
        self.plot.getAxis("bottom").setTicks([_thinned(columns)])
        self.plot.setRange(xRange=(-0.5, len(columns) - 0.5), yRange=(-0.5, len(rows) - 0.5), padding=0.0)

    def write(self, row: int, column: int, text: str, colour: str) -> None:
        """Write a text into a cell."""
        item = pg.TextItem(text, color=colour, anchor=(0.5, 0.5))
        item.setPos(column, row)
        self.plot.addItem(item, ignoreBounds=True)

    def show_shades(self, image: pg.ImageItem) -> None:
        """Draw the colours of all cells."""
        image.setRect(-0.5, -0.5, len(self.drawing.columns), len(self.drawing.rows))
        self.plot.addItem(image)


class FieldPainter(CellsPainter[Field]):
    """Draws cells brighter where they have more, with their numbers where there is room."""

    def paint(self) -> None:
        chart = self.drawing
        self.frame()
        self.plot.getAxis("left").setTicks([_thinned(chart.rows)])
        shares = np.array([[np.nan if share is None else share for share in row] for row in chart.shares()])
        shades = pg.colormap.get(SHADES)
        if np.isfinite(shares).any():
            image = pg.ImageItem(shares.T, levels=(0.0, 1.0))
            image.setLookupTable(shades.getLookupTable(nPts=LEVELS))
            self.show_shades(image)
        texts = chart.texts()
        for row, column in zip(*np.nonzero(np.isfinite(shares)), strict=True):
            if texts[row][column]:
                colour = "#FFFFFF" if shares[row][column] < MIDDLE else "#000000"
                self.write(row, column, texts[row][column], colour)
        ends = [shades.mapToQColor(share) for share in (0.0, 1.0)]
        entries = [(text, colour, "") for text, colour in zip(chart.key, ends, strict=True)]
        self.tell_legend(entries if chart.ends else [], ["■"] * len(entries))

    def told(self, row: int, column: int) -> str:
        value = self.drawing.cells[row][column]
        return "nothing was run" if value is None else told(value, self.drawing.axis.unit or "1")


class HeatMapPainter(CellsPainter[HeatMap]):
    """Draws cells in the colour of their name, with their words; that of the case asked about has a frame."""

    def paint(self) -> None:
        chart = self.drawing
        self.frame()
        self.plot.invertY(True)
        self.name_rows(list(enumerate(chart.rows)))
        shades = np.zeros((len(chart.columns), len(chart.rows), 4), dtype=np.ubyte)
        for row, cells in enumerate(chart.cells):
            for column, (number, text) in enumerate(cells):
                tint = QColor(colour_at(number))
                tint.setAlphaF(0.0 if number == OTHER else TINT)
                shades[column, row] = (tint.red(), tint.green(), tint.blue(), tint.alpha())
                mark = "" if number == OTHER else f"{theme.series_mark(number)} "
                self.write(row, column, f"{mark}{text}".replace(", ", "\n", 1), theme.current().text)
        image = pg.ImageItem(shades)
        image.setZValue(-1)
        self.show_shades(image)
        if chart.asked is not None:
            row, column = chart.asked
            xs, ys = (np.array([-1, 1, 1, -1, -1]) / 2 + column, np.array([-1, -1, 1, 1, -1]) / 2 + row)
            self.plot.plot(xs, ys, pen=pg.mkPen(theme.current().text, width=theme.line()))
        numbers = range(len(chart.names))
        entries = [(name, colour_at(number), "") for number, name in enumerate(chart.names)]
        self.tell_legend(entries, [theme.series_mark(number) for number in numbers])

    def told(self, row: int, column: int) -> str:
        number, text = self.drawing.cells[row][column]
        name = "no candidate" if number == OTHER else self.drawing.names[number]
        return f"{name}, {text}{', as asked' if self.drawing.asked == (row, column) else ''}"


def _thinned(labels: Sequence[str]) -> list[tuple[float, str]]:
    """Return ticks for labels, as many as have room."""
    step = -(-len(labels) // MOST_TICKS) or 1
    return [(float(place), label) for place, label in enumerate(labels)][::step]
