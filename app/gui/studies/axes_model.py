"""The keys that a study varies, one a row: key, values as typed, and how many they are or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor

from app.gui.look import theme
from app.gui.session.points import Plan, in_words, is_blank, misfits, planned, proposal
from app.gui.session.profile_tree import Entry, tree
from app.gui.session.session import Session
from app.gui.session.steps import Step, take_rows
from models.problem import Problem
from profiles.loading.overrides import canonical

HEADERS = ("Key", "Values", "Points")
KEY, VALUES, COUNT = range(3)
FORMS = "Values as in a profile: 4,8,12, or 4..64:4 (low..high:step), or 1..1000:log7 (seven at equal ratios)"
PATIENCE = 200  # milliseconds after a change of the profile at which the keys are looked at again
Index = QModelIndex | QPersistentModelIndex
Rows = list[tuple[str, str]]


class AxesModel(QAbstractTableModel):
    """Rows of keys and values; `plan` is what they ask for, or what is wrong with them.

    Changes are steps of the session's undo stack; `page` is the title of the page on which they are seen.
    """

    changed = Signal()

    def __init__(self, session: Session, page: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._page = session, page
        self._rows: list[tuple[str, str]] = []
        self._refused: dict[int, str] = {}
        self.is_zipped = False
        self.plan = Plan()
        self._again = QTimer(self, singleShot=True, interval=PATIENCE)
        self._again.timeout.connect(self.refresh)
        session.problems_changed.connect(self._again.start)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Keys and values as typed."""
        return tuple(self._rows)

    @property
    def entries(self) -> dict[str, Entry]:
        """The keys of the open profile that have values."""
        loaded = self._session.loaded
        return {entry.key: entry for entry in tree(loaded).walk() if entry.is_leaf} if loaded else {}

    def add(self, key: str = "", values: str = "") -> int:
        """Add a row, with proposed values where none are given, and return its number; a key that is there keeps it."""
        known = [canonical(used) for used, _ in self._rows]
        if key and canonical(key) in known:
            return known.index(canonical(key))
        entry = self.entries.get(key)
        typed = values or (proposal(entry.typed, entry.choices) if entry else "")
        self._change(f"add {key or 'a key'}", [*self._rows, (key, typed)])
        return len(self._rows) - 1

    def show(self, rows: Iterable[tuple[str, str]]) -> None:
        """Take other rows."""
        self._change("keys of a study", list(rows))

    def restore(self, rows: Iterable[tuple[str, str]], *, is_zipped: bool = False) -> None:
        """Take the rows of a project, which is no step that can be undone."""
        self._set((list(rows), is_zipped))

    def remove(self, row: int) -> None:
        """Drop a row."""
        if 0 <= row < len(self._rows):
            key = self._rows[row][0] or "a key"
            self._change(f"remove {key}", [*self._rows[:row], *self._rows[row + 1 :]])

    def zip(self, is_zipped: bool) -> None:
        """Take values side by side, or in all combinations."""
        if is_zipped != self.is_zipped:
            self._change("pairs of values", self._rows, is_zipped=is_zipped)

    def refresh(self) -> None:
        """Read the rows again."""
        self._refused = {}
        plan, session = planned(self._rows, zipped=self.is_zipped), self._session
        if plan.axes and session.is_valid:
            refused = misfits(plan.axes, session.document.text, session.document.base)
            right = [i for i, row in enumerate(self._rows) if i not in plan.wrong and not is_blank(row)]
            wrong = {right[i]: text for i, text in refused.items()}
            plan = replace(plan, wrong={**plan.wrong, **wrong})
        self._take(plan)

    @property
    def complaint(self) -> str:
        """What is wrong, with the key that it is about; "" for nothing."""
        complaints = (f"{self._rows[row][0] or 'A new row'}: {text}" for row, text in self.plan.wrong.items())
        return self.plan.clash or next(complaints, "")

    def refuse(self, problems: tuple[Problem, ...]) -> str:
        """Show problems at the keys that they name, and return what is said of none."""
        rest = []
        for problem in problems:
            at = [i for i, (key, _) in enumerate(self._rows) if canonical(key) == problem.key]
            if at:
                self._refused[at[0]] = "; ".join(filter(None, (self._refused.get(at[0]), problem.message)))
            else:
                rest.append(problem)
        self._take(replace(self.plan, wrong={**self.plan.wrong, **self._refused}))
        return in_words(rest)

    def _change(self, what: str, rows: Rows, *, is_zipped: bool | None = None) -> None:
        before = (list(self._rows), self.is_zipped)
        after = (list(rows), self.is_zipped if is_zipped is None else is_zipped)
        if before != after:
            show = partial(self._session.page_asked.emit, self._page)
            self._session.document.stack.push(Step(what, (before, after), self._set, show))

    def _set(self, state: tuple[Rows, bool]) -> None:
        rows, self.is_zipped = state
        take_rows(self, self._rows, rows)
        self.refresh()

    def _take(self, plan: Plan) -> None:
        self.plan = plan
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, COUNT))
        self.changed.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() != COUNT else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        texts: dict[int, str] = {
            Qt.ItemDataRole.DisplayRole: HEADERS[section],
            Qt.ItemDataRole.ToolTipRole: FORMS,
        }
        return texts.get(role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        wrong = self.plan.wrong.get(row, "")
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return self._rows[row][column] if column != COUNT else wrong or self._count(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return wrong or self._meaning(row, column)
        if role == Qt.ItemDataRole.ForegroundRole and wrong:
            return QBrush(QColor(theme.current().error))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() == COUNT:
            return False
        row, typed = index.row(), f"{value}".strip()
        key, values = self._rows[row]
        if index.column() == KEY:
            named = self._named(typed)
            entry = self.entries.get(named)
            key, values = named, values or (proposal(entry.typed, entry.choices) if entry else "")
        else:
            values = typed
        self._change(f"{key} = {values}", [*self._rows[:row], (key, values), *self._rows[row + 1 :]])
        return True

    def _named(self, typed: str) -> str:
        """Return the key that is meant: the one nearest to the root that ends so, or the only one that says it."""
        keys = list(self.entries)
        ends = [key for key in keys if f".{key}".endswith(f".{typed}")]
        nearest = [key for key in ends if key.count(".") == min(end.count(".") for end in ends)]
        has = [key for key in keys if typed.lower() in key.lower()] if typed else []
        return next((side[0] for side in (nearest, has) if len(side) == 1), typed)

    def _count(self, row: int) -> str:
        axis = next((known for known in self.plan.axes if known.key == self._rows[row][0]), None)
        if axis is None:
            return ""
        shown = ", ".join(axis.values[:3])
        return f"{len(axis.values)}: {shown}{f' … {axis.values[-1]}' if len(axis.values) > 3 else ''}"

    def _meaning(self, row: int, column: int) -> str:
        entry = self.entries.get(self._rows[row][0]) if column == KEY else None
        return f"{entry.key}\n{entry.description}" if entry else FORMS
