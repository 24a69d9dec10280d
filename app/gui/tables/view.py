"""A table that is sorted by a click on a header and copied as tab-separated text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.gui.tables.column_widths import ColumnWidths
from app.gui.tables.model import Column, TableModel, sortable
from app.reports.media import cell


class TableView(QTableView):
    """Shows rows of values under columns; one that `wraps` breaks the words of its last column into lines."""

    def __init__(self, name: str, columns: Sequence[Column], *, wraps: bool = False) -> None:
        super().__init__(showGrid=False, wordWrap=wraps)
        self._wraps = wraps
        self.setAlternatingRowColors(True)
        self.rows = TableModel(columns, self)
        self.setModel(sortable(self.rows, self))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self._widths = ColumnWidths(self)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def show_rows(self, rows: Sequence[Sequence[object]]) -> None:
        """Take other rows and fit the columns to them, but for those that were given a width by hand."""
        self.rows.show(rows)
        self.fit()

    def fit(self) -> None:
        """Make columns, and rows that hold several lines, as large as what they hold."""
        self._widths.fit()
        if self._wraps:
            self.resizeRowsToContents()

    def height_of(self, rows: int) -> int:
        """Return the height (logical pixels) in which so many rows are seen without scrolling."""
        row = self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows * row + 2 * self.frameWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():  # the height changes no width of a column
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """Return the chosen rows as tab-separated text."""
        model = self.model()
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        columns = range(model.columnCount())
        return "\n".join("\t".join(cell(str(model.index(row, column).data())) for column in columns) for row in rows)
