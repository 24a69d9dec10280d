"""The table of targets, with lists to choose measures and senses from."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.gui.size.targets_model import LEAST, MEASURE, MEASURES, SENSE, SENSES, VALUE, TargetsModel
from app.gui.studies.axes_view import HEIGHT
from app.gui.tables.hint_table import HintTable
from app.reports import words

CERTAINTIES = {
    "in the likely case": 0.0,
    "in 80 % of the cases": 0.8,
    "in 90 % of the cases": 0.9,
    "in 95 % of the cases": 0.95,
}
"""In which part of the cases targets are met, and the part; 0 for the likely case."""
HINT = "Nothing has to be met yet: press 'Add target', such as duration <= 15 min."


class TargetsView(QWidget):
    """Targets, edited in place, and what is to be as small as possible."""

    def __init__(self, model: TargetsModel) -> None:
        super().__init__()
        self.model = model
        self.table = HintTable("Targets", model, HINT)
        self.table.setItemDelegateForColumn(MEASURE, _ChoiceDelegate(tuple(MEASURES), self.table, is_open=True))
        self.table.setItemDelegateForColumn(SENSE, _ChoiceDelegate(SENSES, self.table))
        self.table.setColumnWidth(MEASURE, 130)
        self.table.setColumnWidth(SENSE, 60)
        self.table.setColumnWidth(VALUE, 90)
        self.table.setFixedHeight(HEIGHT)
        self.add_button, self.remove_button = QPushButton("Add tar&get"), QPushButton("Rem&ove target")
        self.least = QComboBox()
        self.least.addItems(LEAST)
        self.least.setAccessibleName("Minimize")
        self.least.setToolTip("The measure to minimize")
        self.certainty = QComboBox()
        for title, part in CERTAINTIES.items():
            self.certainty.addItem(title, part)
        self.certainty.setAccessibleName("Certainty")
        self.certainty.setToolTip("In which part of the cases targets for the run are to be met")
        self.add_button.clicked.connect(self._on_add_asked)
        self.remove_button.clicked.connect(lambda: model.remove(self.table.row()))
        self.table.selectionModel().selectionChanged.connect(self._refresh)
        model.changed.connect(self._refresh)
        buttons, asked = QHBoxLayout(), QHBoxLayout()
        for widget in (self.add_button, self.remove_button):
            buttons.addWidget(widget)
        asked.addWidget(self.certainty)
        asked.addWidget(QLabel("Minimize"))
        asked.addWidget(self.least)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        for row in (buttons, asked):
            row.addStretch()
            layout.addLayout(row)
        self._refresh()

    @property
    def confidence(self) -> float:
        """The part of the cases in which targets are to be met; 0: in the likely one."""
        return float(self.certainty.currentData())

    def ask(self, confidence: float) -> None:
        """Choose a part of the cases; one that is not offered is added."""
        if self.certainty.findData(confidence) < 0:
            self.certainty.addItem(f"in {words.percent(confidence)} of the cases", confidence)
        self.certainty.setCurrentIndex(self.certainty.findData(confidence))

    def _on_add_asked(self) -> None:
        index = self.model.index(self.model.add(), VALUE)
        self.table.setCurrentIndex(index)
        self.table.setFocus()
        self.table.edit(index)

    def _refresh(self) -> None:
        self.remove_button.setEnabled(self.table.row() >= 0)


class _ChoiceDelegate(QStyledItemDelegate):
    """A list of choices; `is_open`: others may be typed, too."""

    def __init__(self, choices: tuple[str, ...], parent: QWidget, *, is_open: bool = False) -> None:
        super().__init__(parent)
        self._choices, self._is_open = choices, is_open

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QComboBox(parent, editable=self._is_open)
        editor.addItems(self._choices)
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentText(index.data())

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentText())
