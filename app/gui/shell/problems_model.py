"""The problems of the open profile as a table: where, and what."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.gui.session.session import Session
from app.reports.media import shown
from models.problem import Problem

HEADERS = ("Where", "Key", "What is wrong, and the way out", "")
SAID, FIX = 2, 3


class ProblemsModel(QAbstractTableModel):
    """Follows `session.problems`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: tuple[Problem, ...] = ()
        session.problems_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Take the problems of the text as it stands."""
        if self._rows != self._session.problems:
            self.beginResetModel()
            self._rows = self._session.problems
            self.endResetModel()

    def problem(self, row: int) -> Problem:
        """Return the problem of a row."""
        return self._rows[row]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADERS[section]
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        problem = self._rows[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return shown(str(problem))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        where = f"{problem.file}:{problem.line}" if problem.line else problem.file
        return shown((where, problem.key, problem.message, "")[index.column()])
