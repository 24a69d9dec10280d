"""Columns as wide as what they hold, but for those to which somebody has given a width by hand."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QTableView

EDGE = 5  # logical pixels of a header at either side of its words
ROWS = 40  # beside those in sight that the width of a column goes by: to ask hundreds takes a tenth of a second


class ColumnWidths(QObject):
    """Fits the columns of a table. A column is known by its title, so that it keeps its width among others, too."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._by_hand: dict[str, int] = {}
        self._is_fitting = False
        header = view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(ROWS)
        header.sectionResized.connect(self._on_resized)
        model = view.model()
        model.modelAboutToBeReset.connect(lambda: self._take_turn(True))
        model.modelReset.connect(lambda: self._take_turn(False))
        header.sectionHandleDoubleClicked.connect(self._on_handle_double_clicked)

    def fit(self) -> None:
        """Give each column the width of its words, or the one that it was given by hand."""
        view, header = self._view, self._view.horizontalHeader()
        self._is_fitting = True
        view.resizeColumnsToContents()
        self._tighten()
        for column in self._columns():
            width = self._by_hand.get(self._title(column))
            if width is not None:
                view.setColumnWidth(column, width)
        header.setStretchLastSection(False)
        header.setStretchLastSection(True)
        self._is_fitting = False

    def _tighten(self) -> None:
        """Where columns want more room than there is, take it from that for the arrow of sorting in their headers."""
        view, metrics = self._view, self._view.horizontalHeader().fontMetrics()
        wanted = [view.columnWidth(column) for column in self._columns()]
        if sum(wanted) <= view.viewport().width():
            return
        titles = [metrics.horizontalAdvance(self._title(column)) + 2 * EDGE for column in self._columns()]
        spare = [
            max(width - max(view.sizeHintForColumn(column), title), 0)
            for column, width, title in zip(self._columns(), wanted, titles, strict=True)
        ]
        part = min((sum(wanted) - view.viewport().width()) / max(sum(spare), 1), 1.0)
        for column in self._columns():
            view.setColumnWidth(column, wanted[column] - math.ceil(part * spare[column]))

    def _take_turn(self, is_fitting: bool) -> None:
        """Take no width that the header gives new columns for one that was given by hand."""
        self._is_fitting = is_fitting

    def _columns(self) -> range:
        return range(self._view.model().columnCount())

    def _title(self, column: int) -> str:
        return str(self._view.model().headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))

    def _on_resized(self, column: int, old: int, new: int) -> None:
        is_last = column == len(self._columns()) - 1  # which takes the room that is left
        if not self._is_fitting and not is_last and column in self._columns():
            self._by_hand[self._title(column)] = new

    def _on_handle_double_clicked(self, column: int) -> None:
        """Let a column follow its words again, as a double click on its edge asks."""
        self._by_hand.pop(self._title(column), None)
