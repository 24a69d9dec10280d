"""The list of problems; choosing one goes to its key and its line."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView, QLabel, QStackedLayout, QTableView, QWidget

from app.gui.problems_model import ProblemsModel
from app.gui.session import Session


class ProblemsView(QWidget):
    """Tells in one line that all is well, or what is not."""

    chosen = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.model = ProblemsModel(session, self)
        self.table = QTableView(showGrid=False, wordWrap=True)
        self.table.setAlternatingRowColors(True)
        self.table.setAccessibleName("Problems")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        self._well = QLabel("No problems.", margin=8)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._well)
        self._pages.addWidget(self.table)
        session.problems_changed.connect(self._on_problems_changed)
        self._on_problems_changed()

    def help_key(self) -> str:
        """Return the key that help is wanted for."""
        row = self.table.currentIndex().row()
        return self.model.problem(row).key if row >= 0 else ""

    def choose_next(self) -> None:
        """Go to the problem after the chosen one, the first after the last."""
        count = self.model.rowCount()
        if count:
            row = (self.table.currentIndex().row() + 1) % count
            self.table.setCurrentIndex(self.model.index(row, 0))
            self.chosen.emit(self.model.problem(row))

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(self.model.problem(index.row()))

    def _on_problems_changed(self) -> None:
        self._pages.setCurrentIndex(1 if self.model.rowCount() else 0)
        self.table.resizeColumnToContents(0)
        self.table.resizeColumnToContents(1)
        self.table.resizeRowsToContents()
