"""What would change the decision: who wins as two numbers change, a cell a case, in the colours of the candidates."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QComboBox, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from app.gui.charts.chart import legend
from app.gui.look import theme
from app.gui.session.plan_answer import ShownMap, ShownPlan

Index = QModelIndex | QPersistentModelIndex
SHADE = 90  # of 255: a colour behind words that are to be read
NONE_YET = "No map: it takes growth or a job, and prices."


class MapModel(QAbstractTableModel):
    """The cells of one map; `order` are all candidates, in the order of their colours."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: ShownMap | None = None
        self._order: list[str] = []

    def show(self, shown: ShownMap | None, order: list[str]) -> None:
        """Take another map."""
        self.beginResetModel()
        self._shown, self._order = shown, order
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._shown is None else len(self._shown.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._shown is None else len(self._shown.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> str | None:
        if self._shown is None or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self._shown.columns if orientation == Qt.Orientation.Horizontal else self._shown.rows)[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self._shown is None:
            return None
        number, text = self._shown.cells[index.row()][index.column()]
        names = self._shown.names
        name = names[number] if 0 <= number < len(names) else ""
        at = self._order.index(name) if name in self._order else None
        if role == Qt.ItemDataRole.DisplayRole:
            return text if at is None else f"{theme.series_mark(at)} {text}"
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return f"{name or 'no candidate'}: {text}"
        if role == Qt.ItemDataRole.FontRole and self._shown.asked == (index.row(), index.column()):
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.BackgroundRole and at is not None:
            colour = theme.series_colour(at)
            colour.setAlpha(SHADE)
            return QBrush(colour)
        return int(Qt.AlignmentFlag.AlignCenter) if role == Qt.ItemDataRole.TextAlignmentRole else None


class MapView(QWidget):
    """One of the maps of an answer, with what it shows in a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What would change the decision")
        self._shown: ShownPlan | None = None
        self.model = MapModel(self)
        self.choice = QComboBox()
        self.choice.setAccessibleName("Numbers that change")
        self.choice.currentIndexChanged.connect(self._draw)
        plain = Qt.TextFormat.PlainText
        self.axes, self.said = QLabel(textFormat=plain), QLabel(wordWrap=True, textFormat=plain)
        self.legend = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Who wins by the numbers that change")
        self.table.setTabKeyNavigation(False)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setHighlightSections(False)
        layout = QVBoxLayout(self)
        for widget in (self.choice, self.axes, self.table, self.legend, self.said):
            layout.addWidget(widget, 1 if widget is self.table else 0)

    def show_answer(self, shown: ShownPlan | None) -> None:
        """Show the first map of an answer."""
        self._shown = shown
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([shown_map.name for shown_map in shown.maps] if shown else [])
        self.choice.blockSignals(False)
        self.choice.setVisible(self.choice.count() > 1)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "legend"):
            self._draw()  # signs have the colours of the theme

    def _draw(self) -> None:
        shown, index = self._shown, max(self.choice.currentIndex(), 0)
        shown_map = shown.maps[index] if shown and index < len(shown.maps) else None
        order = sorted(candidate.name for candidate in shown.candidates) if shown else []
        self.model.show(shown_map, order)
        self.table.setVisible(shown_map is not None)
        self.axes.setText(f"down: {shown_map.y}; across: {shown_map.x}; bold: as asked" if shown_map else "")
        self.said.setText(shown_map.said if shown_map else NONE_YET)
        entries = [(name, theme.series_colour(i), "") for i, name in enumerate(order)]
        self.legend.setText(legend(entries, [theme.series_mark(i) for i in range(len(order))]) if shown_map else "")
