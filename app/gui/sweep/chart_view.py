"""The chart of a sweep: a measure over one key, a heat map over two, or cost against what leads."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.sweep.model import SweepModel
from app.reports.document import Lines
from app.reports.pictures import Field
from app.reports.sweep import sweep_charts

CURVES, HEAT, FRONT = "Curves over a key", "Heat map over two keys", "Cost against {}"


class SweepChartView(QWidget):
    """Draws the points of a sweep as they come."""

    def __init__(self, model: SweepModel) -> None:
        super().__init__()
        self._model = model
        self.kind, self.measure = QComboBox(), QComboBox()
        self.kind.setAccessibleName("Kind of chart")
        self.measure.setAccessibleName("Measure of the chart")
        self.chart = DrawnChart("Points in a chart")
        self.chart.legend.setMinimumHeight(self.fontMetrics().height())
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
        kinds = [CURVES] if has_points and sweep_charts.numeric(model.keys) else []
        kinds += [HEAT] if has_points and len(model.keys) > 1 else []
        kinds += [FRONT.format(model.measures[0][0])] if has_points and sweep_charts.cost_measure(model.points) else []
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
            self.chart.show_drawing(self._drawing(kind))

    def _drawing(self, kind: str) -> Lines | Field:
        model, measure = self._model, self.measure.currentText()
        if kind == CURVES:
            return sweep_charts.curves(model.keys, model.points, measure, model.sure)
        if kind == HEAT:
            return sweep_charts.field(model.keys, model.points, measure)
        return sweep_charts.front(model.points, model.measures[0][0])


def _offer(box: QComboBox, names: Sequence[str]) -> None:
    """Let a box offer names, keeping the chosen one where it is among them."""
    if [box.itemText(i) for i in range(box.count())] != list(names):
        chosen = box.currentText()
        box.blockSignals(True)
        box.clear()
        box.addItems(names)
        box.setCurrentText(chosen)
        box.blockSignals(False)
