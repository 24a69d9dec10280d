"""A table of values with units, which sorts by the values and shows words. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

RAW = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, how a value is put into words, what it means, and the mark of a row beside its value."""

    name: str
    words: Callable[[Any], str] = str
    meaning: str = ""
    is_number: bool = True
    mark: Callable[[int], Any] | None = None


class TableModel(QAbstractTableModel):
    """Rows of values; None is shown as a dash and sorts first."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._rows: Sequence[Sequence[Any]] = ()

    def show(self, rows: Sequence[Sequence[Any]]) -> None:
        """Take other rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def value(self, row: int, column: int) -> Any:
        """Return a value as it is."""
        return self._rows[row][column]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        texts: dict[int, str] = {
            Qt.ItemDataRole.DisplayRole: column.name,
            Qt.ItemDataRole.ToolTipRole: column.meaning,
        }
        return texts.get(role)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value, column = self._rows[index.row()][index.column()], self._columns[index.column()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return "–" if value is None else column.words(value)
        if role == RAW:
            return float("-inf") if value is None and column.is_number else value
        if role == Qt.ItemDataRole.DecorationRole and column.mark is not None:
            return column.mark(index.row())
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


def sortable(model: TableModel, owner: QObject) -> QSortFilterProxyModel:
    """Return a model that sorts by the values; `owner`, a view, holds it, so that it does not end with the model."""
    proxy = QSortFilterProxyModel(owner, sortRole=RAW)
    proxy.setSourceModel(model)
    return proxy
