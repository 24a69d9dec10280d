"""A comparison as one table: the inputs that differ on top, then what comes of them, one column a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QIcon, QPixmap

from app.gui import theme
from app.gui.compare_jobs import Comparison
from app.reports.document import Bars, Document, Paragraph, Table

MISSING = "–"
SWATCH = 12  # logical pixels


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; one without cells is a heading."""

    label: str
    cells: tuple[str, ...] = ()
    meaning: str = ""


class CompareModel(QAbstractTableModel):
    """Rows of a comparison; the first column says what a row is about."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()
        self._names: Sequence[str] = ()
        self._colours: Sequence[int] = ()

    def show(self, found: Comparison | None) -> None:
        """Take a comparison, or none."""
        self.beginResetModel()
        self._rows = rows(found.document) if found and found.document else ()
        self._names = [side.name for side in found.sides] if found else ()
        self._colours = [side.colour for side in found.sides] if found else ()
        self.endResetModel()

    def is_heading(self, row: int) -> bool:
        """Tell whether a row is a heading over the rows below."""
        return not self._rows[row].cells

    def recolour(self) -> None:
        """Take the colours of the palette."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._names))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or not self._names else 1 + len(self._names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        name = "" if section == 0 else self._names[section - 1]
        baseline = " (baseline)" if section == 1 else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name}{baseline}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{name}{': the others are measured against it' if baseline else ''}"
        if role == Qt.ItemDataRole.DecorationRole and section:
            return swatch(self._colours[section - 1])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return row.label if column == 0 else row.cells[column - 1] if row.cells else ""
        if role == Qt.ItemDataRole.FontRole and not row.cells:
            bold = QFont()
            bold.setBold(True)
            return bold
        return None


def rows(document: Document) -> list[Row]:
    """Return the inputs that differ and the measures of a comparison's report, each below a heading."""
    found: list[Row] = []
    for key, heading in (("inputs", "What differs"), ("comparison", "What comes of it")):
        section = next(section for section in document.sections if section.key == key)
        table = next(block for block in section.blocks if isinstance(block, Table) and not block.for_sheets)
        lines = [
            Row(str(label), tuple(MISSING if cell is None else str(cell) for cell in cells))
            for label, *cells in table.rows
        ]
        found += [Row(heading), *lines] if lines else [Row(f"{heading}: nothing")]
    return found


def verdicts(document: Document) -> list[str]:
    """Return what the report says of each scenario, in the order of its columns."""
    answer = next(section for section in document.sections if section.key == "answer")
    return [block.text for block in answer.blocks if isinstance(block, Paragraph)]


def bars(document: Document) -> list[Bars]:
    """Return the charts of a comparison: duration, and the cost of a job where everything has a price."""
    section = next(section for section in document.sections if section.key == "comparison")
    return [block for block in section.blocks if isinstance(block, Bars)]


def swatch(colour: int) -> QIcon:
    """Return the mark of a scenario's colour."""
    pixmap = QPixmap(SWATCH, SWATCH)
    pixmap.fill(theme.series_colour(colour))
    return QIcon(pixmap)
