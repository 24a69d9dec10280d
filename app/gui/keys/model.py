"""The tree form of a profile as Qt asks for it. Editing a value is a change of the text: one step, one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor, QFont

from app.gui.look import theme
from app.gui.session.profile_tree import UNSET, Entry, changed_parts, tree
from app.gui.session.session import Session
from models.problem import ProblemError
from models.scenario import Scenario
from models.units import convert
from profiles.loading.loader import Loaded

Index = QModelIndex | QPersistentModelIndex
HEADERS = ("Key", "Value", "Unit", "Source")
VALUE, UNIT = 1, 2
ENTRY = Qt.ItemDataRole.UserRole + 1
SEARCHED = Qt.ItemDataRole.UserRole + 2
NEITHER, READ = Qt.ItemFlag.NoItemFlags, Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
EDITED = READ | Qt.ItemFlag.ItemIsEditable


class ProfileModel(QAbstractItemModel):
    """The last profile that was right, with the problems of the text as it stands."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._root = Entry("", "", is_leaf=False)
        self._by_key: dict[str, Entry] = {}
        self._changed: frozenset[str] = frozenset()
        self._wrong: dict[str, str] = {}
        self._shown: Loaded[Scenario] | None = None
        self._was_opened = False
        self._answers: dict[int, Callable[[Entry, int], Any]] = {
            Qt.ItemDataRole.DisplayRole: self._text,
            Qt.ItemDataRole.EditRole: self._edited,
            Qt.ItemDataRole.ToolTipRole: self._tool_tip,
            Qt.ItemDataRole.AccessibleDescriptionRole: self._tool_tip,
            Qt.ItemDataRole.FontRole: self._font,
            Qt.ItemDataRole.ForegroundRole: self._brush,
            SEARCHED: lambda entry, column: f"{entry.key} {entry.description}",
            ENTRY: lambda entry, column: entry,
        }
        session.document_opened.connect(self._on_opened)
        session.problems_changed.connect(self.refresh)
        self.refresh()

    @classmethod
    def of(cls, session: Session) -> ProfileModel:
        """Return the model of a session, which its views share."""
        return session.findChild(cls) or cls(session, session)

    def refresh(self) -> None:
        """Take the session's profile and its problems."""
        session, marked = self._session, self._marked()
        taken = self._take(session.loaded) if session.loaded != self._shown else set()
        self._shown = session.loaded
        self._changed = session.changed_keys()
        self._wrong = {problem.key: problem.message for problem in session.problems}
        self._tell(taken | (marked ^ self._marked()))

    def _take(self, loaded: Loaded[Scenario] | None) -> set[str]:
        """Take a profile; return the keys that say something else. Keeps the indices while the keys are the same."""
        if loaded is not None and self._shown is not None and not self._is_another(loaded):
            parts = changed_parts(self._shown, loaded)
            known = _by_key(tree(loaded, parts))
            if list(known) == [key for key in self._by_key if key.partition(".")[0] in parts]:
                return {key for key, entry in known.items() if self._by_key[key].take(entry)}
        self.beginResetModel()
        self._root = tree(loaded) if loaded else Entry("", "", is_leaf=False)
        self._by_key = _by_key(self._root)
        self.endResetModel()
        return set()

    def _is_another(self, loaded: Loaded[Scenario]) -> bool:
        """Tell whether a profile has just been opened that has other keys, of which no index would stay."""
        was_opened, self._was_opened = self._was_opened, False
        return was_opened and self._shown is not None and loaded.values.keys() != self._shown.values.keys()

    def _on_opened(self) -> None:
        self._was_opened = True

    def entry(self, index: Index) -> Entry:
        """Return what stands at an index."""
        return index.internalPointer() if index.isValid() else self._root

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield each key, and what stands for it in the tree."""
        return ((entry.key, self._text(entry, 0)) for entry in self._by_key.values())

    def index_of(self, key: str, column: int = 0) -> QModelIndex:
        """Return the index of a key, or of the nearest above it; an invalid one if there is none."""
        while key and key not in self._by_key:
            key = key.rpartition(".")[0]
        entry = self._by_key.get(key)
        return self.createIndex(entry.row, column, entry) if entry else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.column() > 0 else len(self.entry(parent).children)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return len(HEADERS)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        children = self.entry(parent).children
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    @overload
    def parent(self) -> QObject | None: ...
    @overload
    def parent(self, index: Index) -> QModelIndex: ...
    def parent(self, index: Index | None = None) -> QObject | QModelIndex | None:
        if index is None:
            return super().parent()
        above = self.entry(index).parent
        return QModelIndex() if above is None or above is self._root else self.createIndex(above.row, 0, above)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADERS[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return NEITHER
        entry, column = self.entry(index), index.column()
        is_edited = (column == VALUE and entry.is_leaf) or (column == UNIT and len(entry.units) > 1)
        return EDITED if is_edited else READ

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        answer = self._answers.get(role)
        return answer(index.internalPointer(), index.column()) if answer and index.isValid() else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        entry, typed = self.entry(index), f"{value}".strip()
        if role != Qt.ItemDataRole.EditRole or not typed:
            return False
        if index.column() == UNIT:
            typed = convert(entry.typed, typed) if typed in entry.units else ""
        if not typed or typed in {entry.typed, UNSET}:
            return False
        is_switch = entry.choices == ("true", "false")
        try:
            self._session.set_value(entry.key, typed, is_text=entry.is_text and not is_switch)
        except ProblemError as error:
            self._session.run_failed.emit(str(error))
            return False
        return True

    def is_changed(self, entry: Entry) -> bool:
        """Tell whether a value differs from the profile as it was opened or saved."""
        return entry.key in self._changed or any(child.key in self._changed for child in entry.children)

    def problem(self, entry: Entry) -> str:
        """Return what is wrong with a key, "" for nothing."""
        return self._wrong.get(entry.key, "")

    def _text(self, entry: Entry, column: int) -> str:
        if column == 0:
            return f"● {entry.name}" if entry.key in self._changed else entry.name
        if column == VALUE:
            return entry.typed
        return entry.typed_unit or entry.unit if column == UNIT else entry.source

    def _edited(self, entry: Entry, column: int) -> str:
        return "" if column == VALUE and entry.typed == UNSET else self._text(entry, column)

    def _tool_tip(self, entry: Entry, column: int) -> str:
        lines = [self.problem(entry), entry.description, f"Unit: {entry.unit}" if entry.unit else ""]
        lines += [f"Allowed: {entry.bounds}" if entry.bounds else "", f"Source: {entry.source}" if entry.source else ""]
        lines.append(f"Range: {entry.range}" if entry.range else "")
        lines.append(f"Stated in {entry.place}" if entry.place else "")
        return "\n".join([entry.key, *filter(None, lines)])

    def _font(self, entry: Entry, column: int) -> QFont | None:
        font = QFont()
        font.setBold(column < 2 and self.is_changed(entry))
        font.setUnderline(column < 2 and entry.key in self._wrong)
        return font if font.bold() or font.underline() else None

    def _brush(self, entry: Entry, column: int) -> QBrush | None:
        if entry.key in self._wrong:
            return QBrush(QColor(theme.current().error))
        is_quiet = column > VALUE or (column == VALUE and not entry.is_stated)
        return QBrush(QColor(theme.current().muted)) if is_quiet else None

    def _marked(self) -> set[str]:
        """Return the keys that stand out, and those above them."""
        keys = self._changed | self._wrong.keys()
        return {key for other in keys for key in (other, other.rpartition(".")[0]) if key in self._by_key}

    def _tell(self, keys: set[str]) -> None:
        """Say that the entries of some keys are others."""
        for key in keys:
            self.dataChanged.emit(self.index_of(key), self.index_of(key, len(HEADERS) - 1))


def _by_key(root: Entry) -> dict[str, Entry]:
    """Return all entries of a tree by their keys, in its order."""
    return {entry.key: entry for entry in root.walk()}
