"""Steps of undo beside those that change the text of the profile: what a study varies, which runs are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex
from PySide6.QtGui import QUndoCommand

BESIDE = 2  # the id of steps that leave the text as it is
T = TypeVar("T")


class Step(QUndoCommand, Generic[T]):
    """From one state to another; `show` brings to sight what is undone or done again."""

    def __init__(
        self, what: str, states: tuple[T, T], take: Callable[[T], None], show: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(what)
        self._before, self._after = states
        self._take, self._show = take, show
        self._is_first = True

    def id(self) -> int:
        return BESIDE

    def redo(self) -> None:
        self._take(self._after)
        if not self._is_first:
            self._show()
        self._is_first = False

    def undo(self) -> None:
        self._take(self._before)
        self._show()


def take_rows(model: QAbstractTableModel, rows: list[T], wanted: Sequence[T]) -> None:
    """Make the rows of a model those that are wanted, and tell its views as little as possible."""
    old, new = list(rows), list(wanted)
    if len(new) == len(old):
        rows[:] = new
        if new:
            model.dataChanged.emit(model.index(0, 0), model.index(len(new) - 1, model.columnCount() - 1))
        return
    at = next(
        (i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    if new[:at] + new[at + 1 :] == old:
        model.beginInsertRows(QModelIndex(), at, at)
        rows[:] = new
        model.endInsertRows()
    elif old[:at] + old[at + 1 :] == new:
        model.beginRemoveRows(QModelIndex(), at, at)
        rows[:] = new
        model.endRemoveRows()
    else:
        model.beginResetModel()
        rows[:] = new
        model.endResetModel()
