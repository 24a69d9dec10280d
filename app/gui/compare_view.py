"""The table of a comparison: a column a scenario, headings across."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.gui.compare_model import CompareModel

WIDEST = 260  # logical pixels of a column before it is cut; the tool tip has the whole


class CompareTable(QTableView):
    """Shows a comparison."""

    def __init__(self, model: CompareModel) -> None:
        super().__init__(showGrid=False, alternatingRowColors=True)
        self._rows = model
        self.setModel(model)
        self.setAccessibleName("Scenarios side by side")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setHighlightSections(False)

    def fit(self) -> None:
        """Fit the columns to what they hold; headings run across all."""
        self.clearSpans()
        columns = self._rows.columnCount()
        for row in range(self._rows.rowCount()):
            if self._rows.is_heading(row) and columns > 1:
                self.setSpan(row, 0, 1, columns)
        self.resizeColumnsToContents()
        for column in range(columns):
            self.setColumnWidth(column, min(self.columnWidth(column) + 8, WIDEST))
