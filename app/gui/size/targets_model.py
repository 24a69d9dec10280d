"""What a sizing has to meet, one target a row: measure, sense, value, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QUndoStack

from app.gui.look import theme
from app.gui.session.steps import Step, take_rows
from models.problem import RefusalError
from models.target import Target, target

HEADERS = ("Measure", "Sense", "Value", "Means")
MEASURE, SENSE, VALUE, MEANS = range(4)
SENSES = ("<=", ">=")
MEASURES = {
    "duration": ("s", "How long the workload takes, such as 900 s or 15 min"),
    "usable": ("B", "Data that fits, such as 2 PB"),
    "throughput": ("B/s", "What the workload processes a second, such as 5 GB/s"),
    "cost_over_3_years": ("USD", "What is paid within 3 years, such as 500000 USD; name any number of years"),
    "cost_over_5_years": ("USD", "What is paid within 5 years"),
    "cost_per_year": ("USD", "What it costs a year, such as 200000 USD"),
    "power": ("W", "Electric power, such as 20 kW"),
    "servers": ("1", "Servers of all groups"),
    "drives": ("1", "Drives in all servers"),
    "survives_reading_drives": ("1", "Drives that may fail at once while all data can still be read"),
    "survives_reading_servers": ("1", "Servers that may fail at once while all data can still be read"),
    "survives_reading_racks": ("1", "Racks that may fail at once while all data can still be read"),
    "survives_writing_drives": ("1", "Drives that may fail at once while new data can be written, too"),
    "survives_writing_servers": ("1", "Servers that may fail at once while new data can be written, too"),
    "survives_writing_racks": ("1", "Racks that may fail at once while new data can be written, too"),
    "durability": ("1", "Nines of an object's durability, such as 11; the profile needs failure rates"),
}
"""Unit and meaning of what targets are mostly set on; other measures of a run may be typed, too."""
LESS = ("duration", "cost_over_3_years", "cost_over_5_years", "cost_per_year", "power", "servers", "drives")
"""Measures of which less is better, as a rule."""
LEAST = ("servers", "drives", "cost_over_3_years", "cost_over_5_years", "cost_per_year", "power")
"""Measures that may be made as small as possible: known without a run."""
Index = QModelIndex | QPersistentModelIndex
Rows = list[tuple[str, str, str]]


class TargetsModel(QAbstractTableModel):
    """Rows of targets; `texts` are as the command line takes them. Changes are steps of an undo stack."""

    changed = Signal()
    shown_again = Signal()

    def __init__(self, stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack = stack
        self._rows: Rows = []

    @property
    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """Measure, sense and value of each target, as typed."""
        return tuple(self._rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """All targets as text."""
        return tuple(" ".join(row) for row in self._rows)

    @property
    def is_right(self) -> bool:
        """Whether there is a target and nothing is wrong with any."""
        return bool(self._rows) and not any(map(self.wrong, range(len(self._rows))))

    def add(self, measure: str = "duration", sense: str = "", value: str = "") -> int:
        """Add a row and return its number."""
        self._change("add a target", [*self._rows, (measure, sense or SENSES[measure not in LESS], value)])
        return len(self._rows) - 1

    def show(self, targets: Iterable[Target]) -> None:
        """Take other targets."""
        self._change("targets of a study", [(wanted.measure, wanted.sense, wanted.limit) for wanted in targets])

    def restore(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Take the rows of a project, which is no step that can be undone."""
        self._set(list(rows))

    def remove(self, row: int) -> None:
        """Drop a row."""
        if 0 <= row < len(self._rows):
            self._change("remove a target", [*self._rows[:row], *self._rows[row + 1 :]])

    def wrong(self, row: int) -> str:
        """Return what is wrong with a row, "" for nothing."""
        measure, sense, value = self._rows[row]
        unit, meaning = MEASURES.get(measure, ("", ""))
        if not value:
            return f"type a value. {meaning}" if meaning else "type a value"
        try:
            limit = target(f"{measure} {sense} {value}")
            if unit:
                limit.value(unit)
        except RefusalError as error:
            return str(error)
        return ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() != MEANS else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_title = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return HEADERS[section] if is_title else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        wrong = self.wrong(index.row())
        text = wrong or MEASURES.get(row[MEASURE], ("", "a measure of the run"))[1]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return text if column == MEANS else row[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return text
        if role == Qt.ItemDataRole.ForegroundRole and wrong and row[VALUE]:
            return QBrush(QColor(theme.current().error))
        if role == Qt.ItemDataRole.ForegroundRole and column == MEANS:
            return QBrush(QColor(theme.current().muted))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() == MEANS:
            return False
        row, typed = list(self._rows[index.row()]), f"{value}".strip()
        row[index.column()] = typed
        if index.column() == MEASURE and typed in MEASURES:
            row[SENSE] = SENSES[typed not in LESS]
        rows = [*self._rows[: index.row()], (row[0], row[1], row[2]), *self._rows[index.row() + 1 :]]
        self._change(" ".join(row), rows)
        return True

    def _change(self, what: str, rows: Rows) -> None:
        if rows != self._rows:
            self._stack.push(Step(what, (list(self._rows), rows), self._set, self.shown_again.emit))

    def _set(self, rows: Rows) -> None:
        take_rows(self, self._rows, rows)
        self.changed.emit()
