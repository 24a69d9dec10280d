"""The table of varied keys, with a list of the profile's keys to choose from while one types."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.gui.studies.axes_model import KEY, VALUES, AxesModel
from app.gui.tables.hint_table import HintTable

HINT = "Nothing varies yet: right-click a key in the profile tree and choose 'Vary this key', or press 'Add key'."
HEIGHT = 132  # logical pixels: three rows, a header and the buttons


class AxesView(QWidget):
    """Keys and their values, edited in place."""

    def __init__(self, model: AxesModel, hint: str = HINT) -> None:
        super().__init__()
        self.model = model
        self.table = HintTable("Varied keys", model, hint)
        delegate = _KeyDelegate(model, self.table)
        delegate.commitData.connect(lambda _: QTimer.singleShot(0, self._edit_values))
        self.table.setItemDelegateForColumn(KEY, delegate)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setFixedHeight(HEIGHT)
        self.add_button = QPushButton("&Add key")
        self.add_button.setToolTip("Add a key of the profile that varies")
        self.remove_button = QPushButton("Re&move")
        self.remove_button.setToolTip("Drop the chosen key")
        self.add_button.clicked.connect(lambda: self.edit(model.add()))
        self.remove_button.clicked.connect(lambda: model.remove(self.table.row()))
        self.table.selectionModel().selectionChanged.connect(self._refresh)
        model.changed.connect(self._refresh)
        self.buttons = QHBoxLayout()
        self.buttons.addWidget(self.add_button)
        self.buttons.addWidget(self.remove_button)
        self.buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        layout.addLayout(self.buttons)
        self._refresh()

    def help_key(self) -> str:
        """Return the key that help is wanted for."""
        row = self.table.currentIndex().row()
        return self.model.rows[row][0] if row >= 0 else ""

    def vary(self, key: str) -> None:
        """Add a key and let its values be typed."""
        row = self.model.add(key)
        self.table.selectRow(row)
        self.table.setFocus()
        self.table.setCurrentIndex(self.model.index(row, VALUES))

    def edit(self, row: int) -> None:
        """Open the editor of a row's key."""
        index = self.model.index(row, KEY)
        self.table.setCurrentIndex(index)
        self.table.setFocus()
        self.table.edit(index)

    def _edit_values(self) -> None:
        """Go on with the values once a key of the profile has been typed."""
        row = self.table.row()
        if row >= 0 and self.model.rows[row][0] in self.model.entries:
            index = self.model.index(row, VALUES)
            self.table.setCurrentIndex(index)
            self.table.edit(index)

    def _refresh(self) -> None:
        self.remove_button.setEnabled(self.table.row() >= 0)


class _KeyDelegate(QStyledItemDelegate):
    """A line of text that completes the keys of the profile, by any part of them."""

    def __init__(self, model: AxesModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideLeft  # the end of a key says most

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent, placeholderText="type a part of a key")
        editor.setAccessibleName("Key")
        completer = QCompleter(list(self._model.entries), editor)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        editor.setCompleter(completer)
        return editor
