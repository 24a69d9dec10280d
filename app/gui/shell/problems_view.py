"""The list of problems; choosing one goes to its key and its line, and a button beside it puts it right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QTableView,
    QWidget,
)

from app.gui.session.fixes import Fix, fixes
from app.gui.session.session import Session
from app.gui.shell.problems_model import FIX, SAID, ProblemsModel
from models.problem import ProblemError
from profiles.editing.plain import rewritten, tables_of


class ProblemsView(QWidget):
    """Tells in one line that all is well, or what is not."""

    chosen = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.model = ProblemsModel(session, self)
        self.table = QTableView(showGrid=False, wordWrap=True)
        self.table.setAlternatingRowColors(True)
        self.table.setAccessibleName("Problems")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(SAID, QHeaderView.ResizeMode.Stretch)
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

    def _offer_fixes(self) -> None:
        """Put the ways out of each problem beside it, as buttons."""
        try:
            tables = tables_of(self._session.document.text)
        except ProblemError:
            return  # while it is no TOML, nobody can say what else it is
        for row in range(self.model.rowCount()):
            problem = self.model.problem(row)
            offered = QWidget()
            line = QHBoxLayout(offered)
            line.setContentsMargins(0, 0, 0, 0)
            for fix in fixes(problem, tables):
                button = QPushButton(fix.words)
                button.setAccessibleName(f"{fix.words}: {problem.key}")
                button.clicked.connect(lambda checked=False, fix=fix: self.fix(fix))
                line.addWidget(button)
            self.table.setIndexWidget(self.model.index(row, FIX), offered)
        self.table.resizeColumnToContents(FIX)

    def fix(self, fix: Fix) -> None:
        """Take a way out, by a step that can be undone."""
        document = self._session.document
        document.set_text(rewritten(document.text, fix.tables), fix.words.lower())

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(self.model.problem(index.row()))

    def _on_problems_changed(self) -> None:
        self._offer_fixes()
        self._pages.setCurrentIndex(1 if self.model.rowCount() else 0)
        self.table.resizeColumnToContents(0)
        self.table.resizeColumnToContents(1)
        self.table.resizeRowsToContents()
