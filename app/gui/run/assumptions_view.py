"""The ledger of a run: what it assumes, what part of the interval each number has, and what would measure it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.jobs.run import Certainty
from app.gui.tables.model import Column
from app.gui.tables.view import TableView
from app.planning.effort import RUNS
from app.reports import words

COLUMNS = (
    Column("assumed number", is_number=False, meaning="The end of its key"),
    Column("part", words.percent, "Its part of the interval's variance; a dash where the runs made do not tell"),
    Column("low", is_number=False, meaning="Nine of ten of the world lie between low and high"),
    Column("likely", is_number=False, meaning="What the run takes it for"),
    Column("high", is_number=False, meaning="Nine of ten of the world lie between low and high"),
    Column("measurement that removes it", is_number=False, meaning="The cheapest one"),
    Column("then", is_number=False, meaning="What the measurement does to the interval"),
    Column("kind", is_number=False, meaning="prior: from general sources; assumed: a guess"),
)
PART = 1
TELL = "&Tell the part of each ({} runs)"


class AssumptionsView(QWidget):
    """Shows what a run assumes; `asked` when the part of each number is wanted."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.table = TableView("Assumptions", COLUMNS)
        self.note = QLabel(wordWrap=True)
        self.button = QPushButton(TELL.format(RUNS["full"]))
        self.button.clicked.connect(self._ask)
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        layout.addLayout(row)
        layout.addWidget(self.table)
        self.setAccessibleName("Assumptions")

    def show_certainty(self, sure: Certainty | None) -> None:
        """Show what is assumed, once how sure the run is has been found."""
        told = sure is not None and any(row[PART] is not None for row in sure.ledger)
        self.table.show_rows(sure.ledger if sure else ())
        self.button.setVisible(not told)
        self.button.setEnabled(True)
        self.note.setText("" if told else "The few runs made do not tell these numbers apart.")
        self.note.setVisible(not told)

    def _ask(self) -> None:
        self.button.setEnabled(False)
        self.note.setText("Simulating with other values of these numbers; the answer stays as it is.")
        self.asked.emit()
