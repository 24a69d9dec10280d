"""The catalogue of the parts that may stand at a place: names with what they are, narrowed by words."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QListView, QVBoxLayout, QWidget

from profiles.loading.catalog import SHIPPED

NAME = Qt.ItemDataRole.UserRole + 1
SIZE = (520, 420)  # logical pixels


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
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._proxy.setSourceModel(_parts(folder, self))
        self.list.setModel(self._proxy)
        self.filter.textChanged.connect(self._narrow)
        self.list.activated.connect(self.accept)
        self.filter.returnPressed.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.filter, self.list, buttons):
            layout.addWidget(widget)
        self._choose(current)

    @property
    def chosen(self) -> str:
        """The name of the part, "" for none."""
        return str(self.list.currentIndex().data(NAME) or "")

    def _narrow(self, text: str) -> None:
        self._proxy.setFilterFixedString(text)
        self.list.setCurrentIndex(self._proxy.index(0, 0))

    def _choose(self, name: str) -> None:
        rows = [self._proxy.index(row, 0) for row in range(self._proxy.rowCount())]
        self.list.setCurrentIndex(next((row for row in rows if row.data(NAME) == name), self._proxy.index(0, 0)))


def _parts(folder: str, parent: QWidget) -> QStandardItemModel:
    model = QStandardItemModel(parent)
    for name in SHIPPED.names(folder):
        about = _about(folder, name)
        item = QStandardItem(f"{name}  –  {about}" if about else name)
        item.setData(name, NAME)
        model.appendRow(item)
    return model


def _about(folder: str, name: str) -> str:
    """Return what the file of a part says in its first line; "" for one that is a row of a table."""
    path = SHIPPED.find(name, [folder])
    first = path.read_text(encoding="utf-8").partition("\n")[0] if path else ""
    return first.removeprefix("#").strip() if first.startswith("#") else ""
