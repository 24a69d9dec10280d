"""The chart of a sweep: a measure over one key, a heat map over two, or cost against what leads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.gui.charts.chart import Chart
from app.gui.look import theme
from app.gui.sweep.charts import (
    MOST_CURVES,
    Curve,
    Field,
    Front,
    cost_measure,
    curves,
    field,
    front,
    is_logarithmic,
    numeric,
    readable,
)
from app.gui.sweep.jobs import VariedKey
from app.gui.sweep.model import SweepModel
from app.reports import words
from app.reports.media import rich
from app.reports.scales import told

CURVES, HEAT, FRONT = "Curves over a key", "Heat map over two keys", "Cost against {}"
MOST_TICKS = 9  # Assumption: texts that an axis has room for
MOST_WORDS = 80  # Assumption: cells of a heat map that have room for a number
MOST_MARKERS = 20  # Assumption: large markers that a curve has room for
SHADE = 0.15  # Assumption: opacity of a band that leaves what lies under it to be seen
MOST_NAMES = 8  # Assumption: names that points have room for


class SweepChartView(QWidget):
    """Draws the points of a sweep as they come."""

    def __init__(self, model: SweepModel) -> None:
        super().__init__()
        self._model = model
        self.kind, self.measure = QComboBox(), QComboBox()
        self.kind.setAccessibleName("Kind of chart")
        self.measure.setAccessibleName("Measure of the chart")
        self.chart = _Points()
        self.hint = QLabel(wordWrap=True)
        bar = QHBoxLayout()
        bar.addWidget(self.kind)
        bar.addWidget(self.measure)
        bar.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(bar)
        layout.addWidget(self.hint)
        layout.addWidget(self.chart, 1)
        self.kind.currentTextChanged.connect(self.draw)
        self.measure.currentTextChanged.connect(self.draw)
        self.refresh()

    def refresh(self) -> None:
        """Offer the charts that the points can be drawn in, and draw the chosen one."""
        model = self._model
        has_points = bool(model.measures) and any(point.duration is not None for point in model.points)
        kinds = [CURVES] if has_points and numeric(model.keys) else []
        kinds += [HEAT] if has_points and len(model.keys) > 1 else []
        kinds += [FRONT.format(model.measures[0][0])] if has_points and cost_measure(model.points) else []
        _offer(self.kind, kinds)
        _offer(self.measure, [name for name, _ in model.measures] if has_points else [])
        self.draw()

    def draw(self) -> None:
        """Draw the chosen chart."""
        kind = self.kind.currentText()
        self.kind.setVisible(self.kind.count() > 1)
        self.measure.setVisible(self.measure.count() > 1 and kind in (CURVES, HEAT))
        self.setVisible(bool(self._model.points))
        self.chart.setVisible(bool(kind))
        self.hint.setVisible(not kind and bool(self._model.points))
        self.hint.setText("No chart: none of the varied keys has numbers, or no point could be run. See the table.")
        if kind:
            {CURVES: self._draw_curves, HEAT: self._draw_field}.get(kind, self._draw_front)()

    def _draw_curves(self) -> None:
        model, measure = self._model, self.measure.currentText()
        key = model.keys[numeric(model.keys)[0]]
        sure = model.sure
        lines = curves(model.keys, model.points, measure, is_leading=sure is not None and sure.measure == measure)
        lines, unit = readable(lines, self._unit(measure))
        self.chart.show_curves(key, lines, _titled(measure, unit), sure.level if sure else 0.0)

    def _draw_field(self) -> None:
        measure = self.measure.currentText()
        grid, unit = field(self._model.keys, self._model.points, measure), self._unit(measure)
        self.chart.show_field(grid, unit, _titled(measure, unit))

    def _draw_front(self) -> None:
        edge = front(self._model.points, self._model.measures[0][0])
        edge, x, y = edge.readable(self._unit(edge.leading), self._unit(edge.measure))
        self.chart.show_front(edge, _titled(edge.leading, x), _titled(edge.measure, y))

    def _unit(self, measure: str) -> str:
        return dict(self._model.measures).get(measure, "1")


def _titled(measure: str, unit: str) -> str:
    """Return what an axis of a measure shows."""
    return measure.replace("_", " ") + ("" if unit == "1" else f" ({unit})")


class _Points(Chart):
    """A plot whose axes are named by what it shows."""

    def __init__(self) -> None:
        super().__init__("Points in a chart", " ", " ")
        self.legend.setMinimumHeight(self.fontMetrics().height())
        self.legend.show()

    def show_curves(self, key: VariedKey, lines: Sequence[Curve], y: str, level: float) -> None:
        """Draw curves over the numbers of a key, each with colour, marker and a band that holds `level` of cases."""
        self.draw(lambda: self._curves(key, lines, y, level))

    def show_field(self, grid: Field, unit: str, title: str) -> None:
        """Draw a heat map, its cells labelled where there is room."""
        self.draw(lambda: self._field(grid, unit, title))

    def show_front(self, edge: Front, x: str, y: str) -> None:
        """Draw what leads against cost; a line joins the points that no other beats."""
        self.draw(lambda: self._front(edge, x, y))

    def _curves(self, key: VariedKey, lines: Sequence[Curve], y: str, level: float) -> None:
        scale = math.log10 if is_logarithmic(key) else float
        self._name(key.name, y)
        self._tick("bottom", [(scale(number), text) for number, text in zip(key.numbers, key.values, strict=True)])
        self._tick("left", None)
        labels = []
        for index, curve in enumerate(lines):
            self._band(index, [(scale(x), low, high) for x, low, high in curve.band])
            self._curve(curve.name, index, [(scale(x), value) for x, value in curve.points], len(lines) - 1 - index)
            labels.append(f"{_mark(theme.series_colour(index), index)} {_linked(curve.name)}" if curve.name else "")
        bands = [end for curve in lines for _, *ends in curve.band for end in ends]
        labels.append(f"band: {words.percent(level)} of the cases" if bands else "")
        more = " – the table has more" if len(lines) == MOST_CURVES else ""
        self.legend.setText(" &nbsp; ".join(filter(None, labels)) + more)
        xs = [scale(x) for curve in lines for x, _ in curve.points]
        ys = [value for curve in lines for _, value in curve.points]
        self._fit(xs, [0.0, *ys, *bands])

    def _band(self, index: int, ends: Sequence[tuple[float, float, float]]) -> None:
        """Draw between what a curve lies."""
        colour = QColor(theme.series_colour(index))
        colour.setAlphaF(SHADE)
        edges = [
            pg.PlotDataItem([x for x, *_ in ends], [end[place] for end in ends], pen=pg.mkPen(colour))
            for place in (1, 2)
        ]
        for edge in edges if ends else ():
            self.plot.addItem(edge)
        if ends:
            self.plot.addItem(pg.FillBetweenItem(*edges, brush=colour))

    def _curve(self, name: str, index: int, places: Sequence[tuple[float, float]], under: int) -> None:
        """Draw a curve wide enough to be seen `under` so many others that run along it."""
        colour = theme.series_colour(index)
        self.plot.plot(
            [x for x, _ in places],
            [y for _, y in places],
            pen=pg.mkPen(colour, width=theme.line(2 + 2 * under)),
            symbol=theme.SYMBOLS[index % len(theme.SYMBOLS)],
            symbolSize=(9 if len(places) <= MOST_MARKERS else 4) + 4 * under,
            symbolBrush=colour,
            symbolPen=colour,
            name=name,
        )

    def _field(self, grid: Field, unit: str, title: str) -> None:
        self._name(grid.x.name, grid.y.name, f"{_bare(title)} over {grid.x.name} and {grid.y.name}")
        values = np.array([[math.nan if cell is None else cell for cell in row] for row in grid.cells])
        self._tick("bottom", list(enumerate(grid.x.values)))
        self._tick("left", list(enumerate(grid.y.values)))
        self._fit([-0.5, len(grid.x.values) - 0.5], [-0.5, len(grid.y.values) - 0.5], padding=0.0)
        if np.isnan(values).all():
            return
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        image = pg.ImageItem(values.T, levels=(low, high if high > low else low + 1))
        image.setLookupTable(pg.colormap.get("viridis").getLookupTable(nPts=256))
        image.setRect(-0.5, -0.5, len(grid.x.values), len(grid.y.values))
        self.plot.addItem(image)
        if values.size <= MOST_WORDS:
            self._label_cells(values, unit, (low + high) / 2)
        ends = f"{told(low, unit)} (dark) to {told(high, unit)} (bright)"
        self.legend.setText(f"{rich(_bare(title))}: {ends}; empty cells have not been run")

    def _label_cells(self, values: np.ndarray, unit: str, middle: float) -> None:
        for (row, column), value in np.ndenumerate(values):
            if not math.isnan(value):
                text = pg.TextItem(
                    told(float(value), unit), color="#FFFFFF" if value < middle else "#000000", anchor=(0.5, 0.5)
                )
                text.setPos(column, row)
                self.plot.addItem(text, ignoreBounds=True)

    def _front(self, edge: Front, x: str, y: str) -> None:
        self._name(x, y)
        self._tick("bottom", None)
        self._tick("left", None)
        muted, colour = QColor(theme.current().muted), theme.series_colour(0)
        self.plot.plot(
            [x for x, _ in edge.others],
            [y for _, y in edge.others],
            pen=None,
            symbol="o",
            symbolSize=8,
            symbolBrush=None,
            symbolPen=muted,
        )
        self._curve_of_front(edge.front, colour)
        xs = [x for x, _ in (*edge.others, *edge.front)]
        middle = (min(xs) + max(xs)) / 2 if xs else 0.0
        for (place, value), name in list(zip(edge.front, edge.names, strict=True))[:MOST_NAMES]:
            self.say(place, value, name, (0, 1) if place <= middle else (1, 0))  # a front falls: room beside it
        joined = f"{_mark(colour, 3)} no other point is both better and cheaper &nbsp; <span>○</span> others"
        self.legend.setText(joined if edge.front else f"No point has both a {edge.leading} and a cost")
        places = [*edge.others, *edge.front]
        self._fit([x for x, _ in places], [value for _, value in places], padding=0.15)

    def _curve_of_front(self, places: Sequence[tuple[float, float]], colour: QColor) -> None:
        self.plot.plot(
            [x for x, _ in places],
            [y for _, y in places],
            pen=pg.mkPen(colour, width=theme.line(1.5)),
            symbol="d",
            symbolSize=11,
            symbolBrush=colour,
            symbolPen=colour,
        )

    def _name(self, x: str, y: str, title: str = "") -> None:
        self.heading.setText(f"<b>{rich(title or f'{_bare(y)} over {_bare(x)}')}</b>")
        self.plot.setAccessibleName(title or f"{_bare(y)} over {_bare(x)}")
        self.plot.showGrid(x=not title, y=not title, alpha=0.15)  # lines would cross the numbers in the cells
        self.label("bottom", x)
        self.label("left", y)

    def _tick(self, side: str, ticks: Sequence[tuple[float, str]] | None) -> None:
        """Name places of an axis by texts, as many as have room; None for numbers of its own."""
        step = -(-len(ticks) // MOST_TICKS) if ticks else 1
        self.plot.getAxis(side).setTicks(None if ticks is None else [list(ticks)[::step]])

    def _fit(self, xs: Sequence[float], ys: Sequence[float], padding: float = 0.06) -> None:
        if xs and ys:
            self.plot.setRange(xRange=_span(xs), yRange=_span(ys), padding=padding)


def _bare(label: str) -> str:
    """Return the label of an axis without its unit."""
    return label.partition(" (")[0]


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1))


def _mark(colour: QColor, index: int) -> str:
    shape = {"o": "●", "s": "■", "t": "▼", "d": "◆", "+": "✚", "x": "✖"}[theme.SYMBOLS[index % len(theme.SYMBOLS)]]
    return f'<span style="color:{colour.name()}">{shape}</span>'


def _offer(box: QComboBox, names: Sequence[str]) -> None:
    """Let a box offer names, keeping the chosen one where it is among them."""
    if [box.itemText(i) for i in range(box.count())] != list(names):
        chosen = box.currentText()
        box.blockSignals(True)
        box.clear()
        box.addItems(names)
        box.setCurrentText(chosen)
        box.blockSignals(False)


def _linked(name: str) -> str:
    """Return a name that shows its curve alone when it is clicked."""
    return f'<a href="{rich(name)}" style="color: {theme.current().text}; text-decoration: none">{rich(name)}</a>'
