"""Validate: every documented outcome beside what the simulation makes of it."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
)

from app.gui.charts.drawn import DrawnChart
from app.gui.session.session import Session
from app.gui.studies.base import JobPage
from app.gui.studies.widgets import add_action
from app.gui.tables.column_widths import ROWS
from app.gui.tables.model import sortable
from app.gui.validate.jobs import OutcomeRow, Validated, shipped_outcomes, validate
from app.gui.validate.model import ValidateModel, told
from app.reports.media import rich
from app.reports.parity import Parity, agreements

ALL = "All families"
TARGETS = "Errors and fitted numbers of each family, each with the most that its target allows:"
PARITY = "Simulated over documented values"
NOTHING = "Nothing is simulated yet: press Validate."
BRIEF = 3  # numbers that are said of each family where all are shown: errors and fitted numbers
EMPTY = (
    "Run the documented benchmarks to see how far off each is. One family takes seconds, all take a minute or more."
    " A click on an outcome, in the table or in the picture, says where it is documented."
)


class ValidatePage(JobPage):
    """A table and a picture of the documented outcomes, of one family or of all."""

    title = "Validate"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: dict[str, tuple[str, ...]] = {}
        self._is_unfit = False
        self.model = ValidateModel(shipped_outcomes(), self)
        self._build()
        for text, slot, keys in (
            ("&Validate", self.run, "Ctrl+Return"),
            ("&Copy validation as command line", self.copy_command, ""),
            ("&Open the profile of the outcome", self.open_profile, ""),
            ("&Simulate the profile of the outcome", self.simulate_profile, ""),
        ):
            add_action(self, text, slot, keys)
        self._on_family_changed()
        self.connect_all()

    @property
    def chosen_family(self) -> str:
        """The name of the chosen family, "" for all."""
        return str(self.family.currentData())

    def run(self) -> None:
        """Run the documented outcomes of the chosen family in the child process."""
        self.begin(validate, self.chosen_family or None)

    def copy_command(self) -> None:
        """Put the command that validates the same on the clipboard."""
        words = ["simulate", "validate", *(["--family", self.chosen_family] if self.chosen_family else [])]
        self.copy(" ".join(words))

    @property
    def outcome(self) -> OutcomeRow | None:
        """The outcome that is chosen."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.shown[self._sorted.mapToSource(rows[0]).row()] if rows else None

    def choose(self, outcome: OutcomeRow) -> None:
        """Choose an outcome in the table."""
        index = self._sorted.mapFromSource(self.model.index(self.model.row_of(outcome), 0))
        self.table.selectRow(index.row())
        self.table.scrollTo(index)

    def _on_point_chosen(self, name: str) -> None:
        self.choose(next(row for row in self.model.shown if row.id == name))

    def open_profile(self) -> None:
        """Open the profile of the chosen outcome."""
        if self.outcome is not None:
            self._session.open_asked.emit(self.outcome.profile)

    def simulate_profile(self) -> None:
        """Open the profile of the chosen outcome, and simulate it."""
        if self.outcome is not None:
            name = self.outcome.profile
            self._session.open_asked.emit(name)
            if self._session.document.name == name:
                self._session.run()

    def _build(self) -> None:
        self.family = QComboBox()
        self.family.setAccessibleName("Family")
        self.family.addItem(ALL, "")
        for name in self.model.families:
            self.family.addItem(name, name)
        self.family.currentIndexChanged.connect(self._on_family_changed)
        self.run_button = QPushButton("Va&lidate")
        self.run_button.clicked.connect(self.run)
        self.said = QLabel(EMPTY, wordWrap=True)
        self.said.setAccessibleName("Errors beside their targets")
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        label = QLabel("Famil&y")
        label.setBuddy(self.family)
        for widget in (label, self.family, self.run_button, self.cancel_button):
            row.addWidget(widget)
        row.addStretch()
        layout.addLayout(row)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addWidget(self.said)
        layout.addWidget(self._contents(), 1)
        layout.addLayout(self._details())

    def _contents(self) -> QSplitter:
        self.parity = DrawnChart(PARITY)
        self.parity.chosen.connect(self._on_point_chosen)
        self._sorted = sortable(self.model, self)
        self.table = _table(self._sorted)
        self.table.activated.connect(self.open_profile)
        self.table.doubleClicked.connect(self.open_profile)
        self.table.selectionModel().selectionChanged.connect(self._on_outcome_chosen)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.table)
        splitter.addWidget(self.parity)
        self.parity.setMinimumWidth(360)
        splitter.setSizes([560, 420])
        return splitter

    def _details(self) -> QHBoxLayout:
        self.details = QLabel(wordWrap=True)
        self.details.setAccessibleName("The chosen outcome")
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open_button, self.simulate_button = QPushButton("&Open its profile"), QPushButton("S&imulate it")
        self.open_button.clicked.connect(self.open_profile)
        self.simulate_button.clicked.connect(self.simulate_profile)
        row = QHBoxLayout()
        row.addWidget(self.details, 1)
        for button in (self.open_button, self.simulate_button):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._on_outcome_chosen()
        return row

    def _on_outcome_chosen(self) -> None:
        outcome = self.outcome
        self.details.setText(f"<b>{outcome.id}</b>: {rich(told(outcome))}" if outcome else "")
        for button in (self.open_button, self.simulate_button):
            button.setVisible(outcome is not None)
        self.parity.mark(outcome.id if outcome else "")

    def _on_family_changed(self) -> None:
        self.model.show_family(self.chosen_family)
        self._refresh()

    def take(self, answer: Validated) -> tuple[str, bool]:
        self.model.take(answer)
        self._said.update(answer.families)
        self._refresh()
        return "", False

    def refresh(self) -> None:
        super().refresh()
        self.run_button.setEnabled(not self.study.is_running)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_unfit:
            self._fit()

    def _fit(self) -> None:
        self.table.resizeColumnsToContents()
        self._is_unfit = False

    def _refresh(self) -> None:
        self._is_unfit = True  # to ask all cells for their width takes as long as to make the page
        if self.isVisible():
            self._fit()
        shown_outcomes = agreements(self.model.shown, [row.family for row in self.model.shown])
        points = [point for point in shown_outcomes if point.simulated and point.middle > 0]
        if points:
            self.parity.show_drawing(Parity(PARITY, "each in its unit", points, self.model.families))
        else:
            self.parity.show_words(NOTHING)
        most = None if self.chosen_family else BRIEF
        shown = [(name, texts) for name, texts in self._said.items() if self.chosen_family in ("", name)]
        lines = [f"<b>{name}</b>: {rich('; '.join(texts[:most]))}" for name, texts in shown]
        self.said.setText("<br>".join([TARGETS, *lines]) if lines else EMPTY)


def _table(model: QSortFilterProxyModel) -> QTableView:
    view = QTableView(showGrid=False)
    view.setAlternatingRowColors(True)
    view.setModel(model)
    view.setAccessibleName("Documented outcomes")
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 8)
    view.horizontalHeader().setStretchLastSection(True)
    view.horizontalHeader().setResizeContentsPrecision(ROWS)
    view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    view.setSortingEnabled(True)
    return view
