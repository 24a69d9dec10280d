"""A table that says what to do while it is empty."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.gui.tables.column_widths import ColumnWidths

MARGIN = 16


class HintTable(QTableView):
    """A table of whole rows; `hint` stands in it while it has none."""

    def __init__(self, name: str, model: QAbstractItemModel, hint: str) -> None:
        super().__init__(showGrid=False)
        self.setAlternatingRowColors(True)
        self.hint = hint
        self.setModel(model)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._widths = ColumnWidths(self)

    def say(self, hint: str) -> None:
        """Show other words while there are no rows."""
        self.hint = hint
        self.viewport().update()

    def fit(self) -> None:
        """Make columns as wide as what they hold, or were made by hand, the last one as wide as there is room."""
        self._widths.fit()

    def row(self) -> int:
        """Return the row that is chosen, in the model of the view; -1 if there is none."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def chosen(self) -> QModelIndex:
        """Return the first cell of the chosen row, an invalid index if there is none."""
        return self.model().index(self.row(), 0) if self.row() >= 0 else QModelIndex()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            inside = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.hint)
            painter.end()
