"""The points of a sweep as a table that grows while the sweep runs. It is sorted by numbers, not by their texts."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QBrush, QColor, QFont

from app.gui.look import theme
from app.gui.sweep.jobs import Begun, Swept
from app.reports import words
from app.reports.document import quantity
from app.reports.leading import PHRASES
from app.reports.sweep.sweep_points import SurePoints, SweptPoint, VariedKey

RAW = Qt.ItemDataRole.UserRole + 1
POINT = Qt.ItemDataRole.UserRole + 2
BEST, UNBEATEN = "★", "◆"
MEANINGS = {
    "": "",
    UNBEATEN: "No other point{alike} beats it in all of {measure}, cost and power",
    BEST: "{best}{alike}",
}
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: what stands above it, what its cells say of a point and its mark, and by what they are sorted."""

    title: str
    text: Callable[[SweptPoint, str], str]
    raw: Callable[[SweptPoint, str], Any]
    is_number: bool = True
    meaning: str = ""


class SweepModel(QAbstractTableModel):
    """The points told so far, in the order of the study."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys: tuple[VariedKey, ...] = ()
        self.points: list[SweptPoint] = []
        self.firsts: frozenset[int] = frozenset()
        self.front: frozenset[int] = frozenset()
        self.measures: tuple[tuple[str, str], ...] = ()
        self.sure: SurePoints | None = None
        self._columns: list[_Column] = []

    def clear(self) -> None:
        """Forget all points."""
        self.begin(Begun(()))

    def begin(self, begun: Begun) -> None:
        """Start with no points of these keys."""
        self.beginResetModel()
        self.keys, self.points, self.measures = begun.keys, [], ()
        self.firsts = self.front = frozenset()
        self.sure = None
        self._columns = self._made()
        self.endResetModel()

    def take_sure(self, sure: SurePoints | None) -> None:
        """Show between what the measure that leads lies at each point, where something can be said of it."""
        self.beginResetModel()
        self.sure = sure
        self.points = [replace(point, ends=sure.ends.get(point.index) if sure else None) for point in self.points]
        self._columns = self._made()
        self.endResetModel()

    def take(self, swept: Swept) -> None:
        """Add points; the marks of the others follow."""
        known = {point.index for point in self.points}
        new = [point for point in swept.points if point.index not in known]
        if swept.shown != self.measures:
            self.beginResetModel()
            self.measures = swept.shown
            self._columns = self._made()
            self.points = sorted([*self.points, *new], key=_index)
            self.firsts, self.front = swept.firsts, swept.front
            self.endResetModel()
            return
        for point in new:
            row = bisect(self.points, point.index, key=_index)
            self.beginInsertRows(QModelIndex(), row, row)
            self.points.insert(row, point)
            self.endInsertRows()
        self.firsts, self.front = swept.firsts, swept.front
        if self.points:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.points) - 1, 0))

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.points)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.keys[section - 1].key if 0 < section <= len(self.keys) else self._columns[section].meaning
        return self._columns[section].title if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        point, column = self.points[index.row()], self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(point, self._mark(point))
        if role == RAW:
            return column.raw(point, self._mark(point))
        if role == POINT:
            return point
        if role == Qt.ItemDataRole.ToolTipRole:
            return point.reason or self._meaning(self._mark(point))
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and point.index in self.firsts:
            font = QFont()
            font.setBold(True)
            return font
        return (
            QBrush(QColor(theme.current().muted)) if role == Qt.ItemDataRole.ForegroundRole and point.reason else None
        )

    def _meaning(self, mark: str) -> str:
        measure = self.measures[0][0] if self.measures else "duration"
        alike = " of those with as much to do" if len(self.firsts) > 1 else ""
        return MEANINGS[mark].format(measure=measure, best=PHRASES[measure].best.capitalize(), alike=alike)

    def _mark(self, point: SweptPoint) -> str:
        return BEST if point.index in self.firsts else UNBEATEN if point.index in self.front else ""

    def _made(self) -> list[_Column]:
        if not self.keys:
            return []
        keys = [_varied(i, key) for i, key in enumerate(self.keys)]
        shown = [_measured(name, unit) for name, unit in self.measures]
        shown[1:1] = self._ends()
        return [
            _Column("", lambda point, mark: mark, lambda point, mark: list(MEANINGS).index(mark), is_number=False),
            *keys,
            *shown,
            _Column(
                "limited by",
                lambda point, mark: point.reason or point.limit,
                lambda point, mark: point.limit,
                is_number=False,
            ),
        ]

    def _ends(self) -> list[_Column]:
        """Return the columns of the likely low and high of the measure that leads, none before they are known."""
        sure, units = self.sure, dict(self.measures)
        if sure is None or sure.measure not in units:
            return []
        share = (
            f"{sure.measure.capitalize()} is not {{}} than this in {words.percent((1 + sure.level) / 2)} of the cases"
        )
        text = "; ".join(sure.why)
        return [
            _end("low", 0, units[sure.measure], f"{share.format('less')}: {text}"),
            _end("high", 1, units[sure.measure], f"{share.format('more')}: {text}"),
        ]


def _index(point: SweptPoint) -> int:
    return point.index


def _end(title: str, place: int, unit: str, meaning: str) -> _Column:
    return _Column(
        title,
        lambda point, mark: quantity(point.ends[place], unit) if point.ends else "–",
        lambda point, mark: _or_last(point.ends[place] if point.ends else None),
        meaning=meaning,
    )


def _varied(place: int, key: VariedKey) -> _Column:
    numbers = dict(zip(key.values, key.numbers, strict=True)) if key.numbers else {}
    return _Column(
        key.name,
        lambda point, mark: point.values[place][1],
        lambda point, mark: numbers.get(point.values[place][1], point.values[place][1]),
        is_number=bool(numbers),
    )


def _measured(name: str, unit: str) -> _Column:
    def raw(point: SweptPoint, mark: str) -> float:
        return _or_last(point.measures[name][0] if name in point.measures else None)

    def text(point: SweptPoint, mark: str) -> str:
        return quantity(point.measures[name][0], unit) if name in point.measures else "–"

    return _Column(name.replace("_", " "), text, raw)


def _or_last(value: float | None) -> float:
    return float("inf") if value is None else value


def sorted_by_value(model: SweepModel, parent: QObject | None = None) -> QSortFilterProxyModel:
    """Return a model that sorts by numbers; its parent may not be the model that it sorts, which it holds itself."""
    proxy = QSortFilterProxyModel(parent, sortRole=RAW)
    proxy.setSourceModel(model)
    return proxy
