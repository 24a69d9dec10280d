"""The tree form: a search field over a tree of keys, values edited in place."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.gui.keys.actions import KeyActions, button_of
from app.gui.keys.model import ENTRY, SEARCHED, UNIT, VALUE, ProfileModel
from app.gui.session.session import Session

UNFOLDED = 2  # steps of a key whose keys below are seen at first


class ProfileTree(QWidget):
    """The keys of the open profile; `columns` are those that are shown."""

    def __init__(self, session: Session, model: ProfileModel, columns: tuple[int, ...] = (0, 1, 2, 3)) -> None:
        super().__init__()
        self._session = session
        self._model = model
        self._columns = columns
        self.proxy = QSortFilterProxyModel(self, recursiveFilteringEnabled=True, autoAcceptChildRows=True)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setFilterRole(SEARCHED)
        self.proxy.setSourceModel(model)
        self.search = QLineEdit(placeholderText="Search keys", clearButtonEnabled=True)
        self.search.setAccessibleName("Search keys")
        self.search.textChanged.connect(self._on_search)
        self.search.returnPressed.connect(self._edit_first)
        self.view = _view(self.proxy, columns)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.of_key = KeyActions.of(session, model)
        self.vary_action = self.of_key.sweep
        self.view.addActions(self.of_key.all)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        row = QHBoxLayout()
        row.addWidget(self.search)
        row.addWidget(button_of(self.vary_action))
        layout.addLayout(row)
        layout.addWidget(self.view)
        session.key_selected.connect(self._on_key_selected)
        self._is_folded = True
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self.unfold)
        model.modelReset.connect(self._on_reset)

    def help_key(self) -> str:
        """Return the key that help is wanted for."""
        return self._session.selected_key

    def edit(self, key: str) -> None:
        """Open the editor of a key's value."""
        self.unfold()
        index = self.proxy.mapFromSource(self._model.index_of(key, VALUE))
        self.view.setCurrentIndex(index)
        self.view.setFocus()
        self.view.edit(index)

    def unfold(self) -> None:
        """Show the keys below those of the first steps, if that is still to be done."""
        if not (self._is_folded and self.proxy.rowCount()):
            return  # it is done, or there is nothing by which the column could be as wide as its keys
        self._is_folded = False
        self.view.expandToDepth(UNFOLDED)
        self.view.setColumnWidth(0, min(self._widest() + 40, 260 if len(self._columns) > 2 else 170))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_folded:
            self._turn.start()

    def _on_reset(self) -> None:
        """Unfold the keys of another profile once they are seen, in a turn of their own: it takes as long as a page."""
        self._is_folded = True
        if self.isVisible():
            self._turn.start()

    def _widest(self) -> int:
        """Return the width of the longest key that is unfolded, which Qt would find by asking all of them ten times."""
        view, metrics = self.view, self.view.fontMetrics()
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, view) + 1
        step = view.indentation()
        names = ((key.count("."), name) for key, name in self._model.names() if key.count(".") <= UNFOLDED + 1)
        return max(step * (1 + depth) + metrics.horizontalAdvance(name) for depth, name in names) + 2 * margin

    def _edit_first(self) -> None:
        """Open the editor of the first value that is found."""
        self.unfold()
        index = self.proxy.index(0, 0)
        while index.isValid() and not index.data(ENTRY).is_leaf:
            index = self.view.indexBelow(index)
        if index.isValid():
            self.edit(index.data(ENTRY).key)

    def focus_search(self) -> None:
        """Put the cursor into the search of keys."""
        self.search.setFocus()
        self.search.selectAll()

    def _on_search(self, text: str) -> None:
        self.proxy.setFilterFixedString(text)
        if text:
            self.view.expandAll()
        else:
            self.view.expandToDepth(UNFOLDED)

    def _on_current_changed(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY)
        if entry is not None and entry.key != self._session.selected_key:
            self._session.select_key(entry.key)

    def _on_key_selected(self, key: str) -> None:
        index = self.proxy.mapFromSource(self._model.index_of(key))
        current = self.view.currentIndex().data(ENTRY)
        if index.isValid() and (current is None or current.key != key):
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)


class _ValueDelegate(QStyledItemDelegate):
    """A list where there are choices or units, a line of text elsewhere."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        entry = index.data(ENTRY)
        choices = entry.units if index.column() == UNIT else entry.choices
        editor = QComboBox(parent) if choices else super().createEditor(parent, option, index)
        if isinstance(editor, QComboBox):
            editor.addItems(choices)
        editor.setAccessibleName(f"Unit of {entry.key}" if index.column() == UNIT else entry.key)
        editor.setToolTip(index.data(Qt.ItemDataRole.ToolTipRole))
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentText(index.data(Qt.ItemDataRole.EditRole))
        else:
            super().setEditorData(editor, index)

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentText())
        else:
            super().setModelData(editor, model, index)


def _view(model: QSortFilterProxyModel, columns: tuple[int, ...]) -> QTreeView:
    view = QTreeView(uniformRowHeights=True, allColumnsShowFocus=True)
    view.setAlternatingRowColors(True)
    view.setAccessibleName("Profile")
    view.setModel(model)
    view.setItemDelegate(_ValueDelegate(view))
    triggers = QAbstractItemView.EditTrigger
    view.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
    for column in range(model.columnCount()):
        view.setColumnHidden(column, column not in columns)
    view.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    view.header().setStretchLastSection(True)
    view.setColumnWidth(VALUE, 140)
    return view
