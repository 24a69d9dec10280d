"""What would change the decision: who wins as two numbers change, a cell a case, in the colours of the candidates."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.session.plan_answer import ShownMap, ShownPlan
from app.reports.document import OTHER
from app.reports.pictures import HeatMap

NONE_YET = "No map: it takes growth or a job, and prices."


class MapView(QWidget):
    """One of the maps of an answer, with what it shows in a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What would change the decision")
        self._shown: ShownPlan | None = None
        self.choice = QComboBox()
        self.choice.setAccessibleName("Numbers that change")
        self.choice.currentIndexChanged.connect(self._draw)
        self.chart = DrawnChart("Who wins by the numbers that change")
        self.said = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        layout = QVBoxLayout(self)
        for widget in (self.choice, self.chart, self.said):
            layout.addWidget(widget, 1 if widget is self.chart else 0)

    def show_answer(self, shown: ShownPlan | None) -> None:
        """Show the first map of an answer."""
        self._shown = shown
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([shown_map.name for shown_map in shown.maps] if shown else [])
        self.choice.blockSignals(False)
        self.choice.setVisible(self.choice.count() > 1)
        self._draw()

    def _draw(self) -> None:
        shown, index = self._shown, max(self.choice.currentIndex(), 0)
        shown_map = shown.maps[index] if shown and index < len(shown.maps) else None
        self.chart.setVisible(shown_map is not None)
        self.said.setText(shown_map.said if shown_map else NONE_YET)
        if shown is not None and shown_map is not None:
            self.chart.show_drawing(_drawing(shown_map, shown))


def _drawing(shown_map: ShownMap, shown: ShownPlan) -> HeatMap:
    """Return a map as the report draws it, in the colours that the candidates have on all steps."""
    names = [one.name for one in sorted(shown.candidates, key=lambda candidate: candidate.number)]
    numbers = {number: names.index(name) for number, name in enumerate(shown_map.names) if name in names}
    return HeatMap(
        shown_map.name,
        x=shown_map.x,
        y=shown_map.y,
        columns=shown_map.columns,
        rows=shown_map.rows,
        cells=[[(numbers.get(number, OTHER), text) for number, text in row] for row in shown_map.cells],
        names=names,
        asked=shown_map.asked,
    )
