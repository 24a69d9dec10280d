"""A comparison as one table: the inputs that differ on top, then the results, one column per scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QIcon, QPainter, QPixmap

from app.gui.compare.jobs import Comparison, Side
from app.gui.look import theme
from app.reports.differing import differing, summarised
from app.reports.document import Bars, Document, Paragraph, Table
from app.reports.leading import PHRASES

MISSING = "–"
SWATCH = 14  # logical pixels
SHARP = 2  # pixels of a swatch for each logical one, for screens of up to 200 %
INPUTS, OUTCOMES = "What differs", "Results"
GAP = "against the baseline"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; one without cells is a heading."""

    label: str
    cells: tuple[str, ...] = ()


class CompareModel(QAbstractTableModel):
    """Rows of a comparison; the first column says what a row is about."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()
        self._names: Sequence[str] = ()
        self._colours: Sequence[int] = ()

    def show(self, comparison: Comparison | None) -> None:
        """Take a comparison, run or not, or none."""
        self.beginResetModel()
        self._rows = rows(comparison) if comparison else ()
        self._names = [side.name for side in comparison.sides] if comparison else ()
        self._colours = [side.colour for side in comparison.sides] if comparison else ()
        self.endResetModel()

    def is_heading(self, row: int) -> bool:
        """Tell whether a row is a heading over the rows below."""
        return not self._rows[row].cells

    def texts(self) -> list[tuple[str, ...]]:
        """Return what stands in each row, cell by cell; in a heading there is one."""
        return [(row.label, *row.cells) for row in self._rows]

    def recolour(self) -> None:
        """Take the colours of the palette."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._names))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() or not self._names else 1 + len(self._names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        name = "" if section == 0 else self._names[section - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name} (baseline)" if section == 1 else name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{name}: the others are measured against it" if section == 1 else name
        if role == Qt.ItemDataRole.DecorationRole and section:
            return swatch(self._colours[section - 1])
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], index.column()
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return row.label if column == 0 else row.cells[column - 1] if row.cells else ""
        if role == Qt.ItemDataRole.FontRole and not row.cells:
            bold = QFont()
            bold.setBold(True)
            return bold
        if role == Qt.ItemDataRole.BackgroundRole and not row.cells:
            return QBrush(QColor(theme.current().button))
        return None


def rows(comparison: Comparison) -> list[Row]:
    """Return the inputs that differ and, once it has been run, the measures of a comparison, each below a heading."""
    told = inputs(comparison.sides)
    if comparison.document is None:
        return told
    return [*told, Row(OUTCOMES), *_outcomes(comparison.document)]


def inputs(sides: Sequence[Side]) -> list[Row]:
    """Return what differs between scenarios, below a heading."""
    values = [side.loaded.values for side in sides]
    listed = [Row(key, _cells(texts)) for key, texts in summarised(differing(values), values).items()]
    return [Row(INPUTS), *listed] if listed else [Row(f"{INPUTS}: nothing")]


def _outcomes(document: Document) -> list[Row]:
    section = next(section for section in document.sections if section.key == "comparison")
    table = next(block for block in section.blocks if isinstance(block, Table) and not block.for_sheets)
    lines = [Row(str(label), _cells(cells)) for label, *cells in table.rows]
    gaps = Row(GAP, tuple(_gap(scenario["leading"]) for scenario in document.data["scenarios"]))
    return [*lines[:1], gaps, *lines[1:]]  # what leads stands on top


def _cells(texts: Sequence[object]) -> tuple[str, ...]:
    return tuple(MISSING if text is None else f"{text}" for text in texts)


def _gap(leading: Mapping[str, Any]) -> str:
    """Return by how much a scenario differs from the baseline in what leads, with the interval of that."""
    difference, unit = leading["difference"], PHRASES[leading["measure"]].unit
    if difference is None:
        return "the baseline"
    if difference["is_noise"] or not difference["value"]:
        return "no difference beyond noise" if difference["interval"] else "no difference"
    text = f"{difference['value']:+z,.1f} {unit}"
    if difference["interval"] is None:
        return f"{text} (one run: noise not known)"
    low, high = difference["interval"]
    return f"{text} (95 %: {low:+z,.1f} to {high:+z,.1f} {unit})"


def verdicts(document: Document) -> list[str]:
    """Return what the report says of each scenario, in the order of its columns, then of settings that limit some."""
    answer = next(section for section in document.sections if section.key == "answer")
    return [block.text for block in answer.blocks if isinstance(block, Paragraph)]


def bars(sides: Sequence[Side], document: Document) -> list[Bars]:
    """Return the charts of a comparison: what leads, and the cost of a job where everything has a price.

    A scenario has the colour that it has on all pages.
    """
    section = next(section for section in document.sections if section.key == "comparison")
    hues = [side.colour for side in sides]
    return [replace(block, hues=hues) for block in section.blocks if isinstance(block, Bars)]


def swatch(colour: int) -> QIcon:
    """Return the marker of a scenario in its colour."""
    pixmap = QPixmap(SHARP * SWATCH, SHARP * SWATCH)
    pixmap.setDevicePixelRatio(SHARP)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(theme.series_colour(colour))
    painter.drawText(QRectF(0, 0, SWATCH, SWATCH), Qt.AlignmentFlag.AlignCenter, theme.series_mark(colour))
    painter.end()
    return QIcon(pixmap)
