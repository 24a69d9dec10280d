"""Ctrl+K: every action of the window by a few letters of its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QVBoxLayout, QWidget

from app.gui.look.words import name_of


class CommandModel(QAbstractListModel):
    """The actions that fit what is typed, those that can be used first."""

    def __init__(self, actions: Sequence[QAction], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all = sorted(actions, key=lambda action: (not action.isEnabled(), name_of(action)))
        self._shown = list(self._all)

    def narrow(self, text: str) -> None:
        """Keep the actions in whose name all words stand, those that can be used and are called so first."""
        wanted = text.casefold().split()
        self.beginResetModel()
        self._shown = [command for command in self._all if all(word in name_of(command).casefold() for word in wanted)]
        self._shown.sort(key=lambda command: (not command.isEnabled(), _distance(command, " ".join(wanted))))
        self.endResetModel()

    def action(self, row: int) -> QAction:
        """Return the action of a row."""
        return self._shown[row]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags if self._shown[index.row()].isEnabled() else flags & ~Qt.ItemFlag.ItemIsEnabled

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        action = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            return f"{name_of(action)}    {keys}" if keys else name_of(action)
        return action.toolTip() if role == Qt.ItemDataRole.ToolTipRole else None


def _distance(command: QAction, text: str) -> int:
    """Return how far an action's name is from a text: it is the text, begins with it, has a word that does, or not."""
    name = name_of(command).casefold()
    fits = (name == text, name.startswith(text), f" {text}" in name)
    return next((place for place, is_fit in enumerate(fits) if is_fit), len(fits))


class Palette(QDialog):
    """A line to type in, and the actions that fit it."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Commands")
        self.model = CommandModel(actions, self)
        self.line = QLineEdit(placeholderText="Type a command")
        self.line.setAccessibleName("Command")
        self.line.textChanged.connect(self._on_text_changed)
        self.line.returnPressed.connect(self._carry_out)
        self.line.installEventFilter(self)
        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setAccessibleName("Commands")
        self.view.clicked.connect(self._carry_out)
        layout = QVBoxLayout(self)
        layout.addWidget(self.line)
        layout.addWidget(self.view)
        self.resize(520, 360)
        self.view.setCurrentIndex(self.model.index(0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in keys:
            self.view.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _on_text_changed(self, text: str) -> None:
        self.model.narrow(text)
        self.view.setCurrentIndex(self.model.index(0, 0))

    def _carry_out(self) -> None:
        index = self.view.currentIndex()
        if index.isValid() and self.model.action(index.row()).isEnabled():
            action = self.model.action(index.row())
            self.close()
            action.trigger()
