"""The sections of a report as a list with check boxes, in their order. Knows no widget."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.gui.report.jobs import EXPENSIVE
from app.reports.parts import Part

TITLES = {part.key: part.title for part in Part}
"""The sections in the order of the report."""


class SectionsModel(QAbstractListModel):
    """One row a section; those that simulate more are left out until they are wanted."""

    chosen = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted = {name: name not in EXPENSIVE for name in TITLES}

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that are wanted."""
        return tuple(name for name, is_wanted in self._wanted.items() if is_wanted)

    def want(self, name: str) -> None:
        """Take a section, too."""
        index = self.index(list(TITLES).index(name), 0)
        self.setData(index, Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name = list(TITLES)[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return TITLES[name]
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if self._wanted[name] else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"Section '{name}'{': simulates more, which takes a while' if name in EXPENSIVE else ''}"
        return None

    def setData(
        self, index: QModelIndex | QPersistentModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self._wanted[list(TITLES)[index.row()]] = Qt.CheckState(value) == Qt.CheckState.Checked
        self.dataChanged.emit(index, index, [role])
        self.chosen.emit()
        return True
