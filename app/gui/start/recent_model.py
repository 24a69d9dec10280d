"""What was opened last, each with the answer that it came to and the day of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.gui.session.settings import Recent
from app.reports.media import line

FILE = Qt.ItemDataRole.UserRole + 1


class RecentModel(QAbstractListModel):
    """One row a file, the latest first."""

    _rows: Sequence[Recent] = ()

    def show(self, rows: Sequence[Recent]) -> None:
        """Take other files."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        recent = self._rows[index.row()]
        parts = [Path(recent.file).name, recent.answer, recent.day]
        roles = {
            Qt.ItemDataRole.DisplayRole: line("  ·  ".join(filter(None, parts))),
            Qt.ItemDataRole.ToolTipRole: line(recent.file),
            FILE: recent.file,
        }
        return roles.get(role)
