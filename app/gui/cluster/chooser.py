"""The catalogue of the parts that may stand at a place: names with what they are, narrowed by words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from profiles.loading.catalog import SHIPPED

NAME = Qt.ItemDataRole.UserRole + 1
SIZE = (640, 460)  # logical pixels
OF_THE_LIST = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class PartChooser(QDialog):
    """A list of parts with a filter; `chosen` is the name of the one that is taken."""

    def __init__(self, folder: str, current: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Choose a part")
        self.resize(*SIZE)
        self.filter = QLineEdit(placeholderText="Words of its name or of what it is", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter of the parts")
        self.list = QListView()
        self.list.setAlternatingRowColors(True)
        self.list.setAccessibleName("Parts")
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._proxy = _ByWords(self)
        self._proxy.setSourceModel(_parts(folder, self))
        self.list.setModel(self._proxy)
        self.told = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.filter.textChanged.connect(self._narrow)
        self.filter.installEventFilter(self)
        self.list.activated.connect(self.accept)
        layout = QVBoxLayout(self)
        for widget in (self.filter, self.list, self.told, self.buttons):
            layout.addWidget(widget)
        self._choose(current)
        self._tell()

    @property
    def chosen(self) -> str:
        """The name of the part, "" for none."""
        return str(self.list.currentIndex().data(NAME) or "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in OF_THE_LIST:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.list.scrollTo(self.list.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _narrow(self, text: str) -> None:
        self._proxy.narrow(text)
        self.list.setCurrentIndex(self._proxy.index(0, 0))
        self._tell()

    def _tell(self) -> None:
        """Say how many parts there are to choose from; none can be taken where there is none."""
        count, known = self._proxy.rowCount(), self._proxy.sourceModel().rowCount()
        self.told.setText(f"{count} of {known} parts" if count else f"None of {known} parts has all of these words.")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(count > 0)

    def _choose(self, name: str) -> None:
        rows = [self._proxy.index(row, 0) for row in range(self._proxy.rowCount())]
        self.list.setCurrentIndex(next((row for row in rows if row.data(NAME) == name), self._proxy.index(0, 0)))


class _ByWords(QSortFilterProxyModel):
    """Keeps the parts in which all words stand, wherever."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def narrow(self, text: str) -> None:
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        text = str(self.sourceModel().index(source_row, 0, source_parent).data()).casefold()
        return all(word in text for word in self._words)


def _parts(folder: str, parent: QWidget) -> QStandardItemModel:
    model = QStandardItemModel(parent)
    for name in SHIPPED.names(folder):
        about = SHIPPED.about(folder, name)
        item = QStandardItem(f"{name}  –  {about}" if about else name)
        item.setData(name, NAME)
        model.appendRow(item)
    return model
