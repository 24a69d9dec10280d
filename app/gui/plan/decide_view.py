"""Step 5: the verdict, what stands on the cover of the report, the report itself, and what to do with it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.gui.plan.fields import TextField
from app.gui.plan.model import PlanModel
from app.gui.session.plan_answer import ShownPlan
from app.gui.studies.export import ExportButton
from app.gui.studies.paper_view import PaperView
from app.reports.media import rich

LOCALES = ("en", "en-GB", "de", "de-AT", "de-CH", "es", "fr", "it", "nl", "pl", "pt-BR", "sv")
"""Locales that are offered; any other can be typed."""
PICTURES = "Pictures (*.png *.jpg *.jpeg)"
COVER = (
    ("Customer", "customer", "ACME"),
    ("Author", "author", "your name"),
    ("Version of the offer", "offer", "1.0"),
    ("Date", "date", "2026-12-01"),
)
BUTTON = 32  # logical pixels of a button of one sign
ACROSS, FIELD = 3, 30  # fields beside each other at most, and the letters that one has room for with its label
LEAST = 160  # logical pixels of the report

WRITING = "<p>The report is being written.</p>"


class DecideView(QScrollArea):
    """The decision; `logo_chosen` is the file of a picture, `locale_chosen` says how numbers are to be written."""

    logo_chosen = Signal(Path)
    locale_chosen = Signal()

    def __init__(self, model: PlanModel) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName("Decide")
        self.verdict, self.page = QLabel(wordWrap=True), PaperView("Report of the plan")
        self.verdict.setAccessibleName("Verdict")
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open_button = QPushButton("Open the best as a &profile")
        self.export_button = ExportButton("report of the plan")
        self.numbers = QComboBox(editable=True)
        self.numbers.addItems(LOCALES)
        self.numbers.setAccessibleName("Numbers as in")
        self.numbers.setToolTip("Language, or language and country, by which numbers of the report are written")
        self.numbers.textActivated.connect(lambda text: self.locale_chosen.emit())
        line = self.numbers.lineEdit()
        assert line is not None  # it can be typed into
        line.setAccessibleName("Numbers as in")
        line.editingFinished.connect(self.locale_chosen)
        self.logo_button = QPushButton("…")
        self.logo_button.setMaximumWidth(BUTTON)
        self.logo_button.setToolTip("Choose a picture")
        self.logo_button.setAccessibleName("Choose a logo")
        self.logo_button.clicked.connect(self._ask_logo)
        self.page.setMinimumHeight(LEAST)
        inside = QWidget()
        column, row = QVBoxLayout(inside), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.verdict)
        self._grid, self._fields = QGridLayout(), self._cover(model)
        column.addLayout(self._grid)
        self._arrange()  # Tab goes in the order in which Qt gets to know the parts
        row.addWidget(self.open_button)
        row.addWidget(self.export_button)
        row.addStretch()
        column.addLayout(row)
        column.addWidget(self.page, 1)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def show_answer(self, shown: ShownPlan | None) -> None:
        """Show an answer."""
        self.verdict.setText(f"<b>{rich(shown.verdict)}</b>" if shown else "")
        self.page.show_page((shown.page or WRITING) if shown else "")

    def _arrange(self) -> None:
        """Put as many fields beside each other as there is room for in letters of this size."""
        room = self.viewport().width() // (FIELD * self.fontMetrics().averageCharWidth())
        across = min(max(room, 1), ACROSS)
        for number, pair in enumerate(self._fields):
            at, column = divmod(number, across)
            for i, widget in enumerate(pair):
                self._grid.removeWidget(widget)
                self._grid.addWidget(widget, at, 2 * column + i)
            self._grid.setColumnStretch(2 * number + 1, int(number < across))

    def _cover(self, model: PlanModel) -> list[tuple[QLabel, QWidget]]:
        """Return the fields of what stands on the cover."""
        logo = QWidget()
        row = QHBoxLayout(logo)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(TextField(model, ("logo",), "Logo", "logo.png", "A picture beside the plan, PNG or JPEG"), 1)
        row.addWidget(self.logo_button)
        fields: list[tuple[str, QWidget]] = [
            (label, TextField(model, (key,), label, example)) for label, key, example in COVER
        ]
        fields += [("Logo", logo), ("Numbers as in", self.numbers)]
        return [(QLabel(label), field) for label, field in fields]

    def _ask_logo(self) -> None:
        dialog = QFileDialog(self.window(), "Choose a logo", "", PICTURES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.logo_chosen.emit(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
