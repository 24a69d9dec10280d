"""Report: the planning report of the open profile, previewed, exported in every form, and printed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
)

from app.gui.report.jobs import Asked, Made, draw, make
from app.gui.report.model import TITLES, SectionsModel
from app.gui.session.session import Session
from app.gui.studies.base import JobPage
from app.gui.studies.export import ExportButton
from app.gui.studies.paper_view import PaperView
from app.gui.studies.widgets import add_action
from profiles.loading.catalog import PROFILES, SHIPPED, describe

ALONE = "nothing"
SIDE = 250  # logical pixels of the list of sections
PAUSE = 300  # milliseconds after a click on a section before the preview follows
EMPTY = (
    "<h3>No report yet</h3><p>Press <b>Build report</b>: the open profile is simulated and the report stands here, from"
    " the question to the source of every number. Sections follow their check boxes.</p><p>Or press <b>Export</b>: the"
    " report is built and written at once.</p>"
)


class ReportPage(JobPage):
    """Sections on the left, the page on the right."""

    title = "Report"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.made: Made | None = None
        self.model = SectionsModel(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.build)
        self.model.chosen.connect(lambda: self._pause.start() if self.made else None)
        self._lay_out()
        for text, slot, keys in (
            ("&Build report", self.build, "Ctrl+Return"),
            ("&Print…", self.print_page, "Ctrl+P"),
            ("&Copy report as command line", self.copy_command, ""),
        ):
            add_action(self, text, slot, keys)
        self.addActions(self.export_button.forms)
        session.problems_changed.connect(self.refresh)
        session.chances_changed.connect(self.refresh)
        self.connect_all()

    @property
    def asked(self) -> Asked:
        """The report of the profile as it stands, with the chosen sections."""
        session, other = self._session, self.against.currentText()
        document = session.document
        is_shipped = SHIPPED.find(document.name, PROFILES) == document.base
        return Asked(
            profile=document.name if is_shipped else str(document.base),
            changes=session.changes(),
            text=document.text,
            base=document.base,
            sections=self.model.sections,
            against=() if other == ALONE else (other,),
            seed=session.seed,
            replications=session.replications,
        )

    def build(self) -> None:
        """Build the report, or what it lacks, in the child process."""
        if not self._session.is_valid:
            return
        if not self.study.is_free:
            self._pause.start()  # the preview follows when the running study is done
            return
        self.begin(make, self.asked, self.made)

    def cancel(self) -> None:
        """End what is being built."""
        self._pause.stop()
        self._target = None
        super().cancel()

    def export(self, path: Path) -> None:
        """Write the report of the profile as it stands to a file, in the form of its suffix, whole or not at all."""
        self._pause.stop()
        if self.made is None or self.made.asked != self.asked:
            self.write(path, make, self.asked, self.made)
        else:
            self.write(path, draw, self.made, path.suffix.lower())

    def print_page(self) -> None:
        """Ask for a printer and print the page."""
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if QPrintDialog(printer, self).exec():
            self.preview.print_(printer)

    def copy_command(self) -> None:
        """Put the command that writes the same report on the clipboard."""
        self.copy(self.asked.command(tuple(TITLES)))

    def refresh(self) -> None:
        """Let the buttons and the note say how things are."""
        super().refresh()
        is_valid, has_report = self._session.is_valid, self.made is not None
        self.build_button.setEnabled(is_valid and not self.study.is_running)
        self.export_button.let(is_valid and not self.study.is_running)
        self.export_button.proposed = self._session.document.name or "report"
        self.print_button.setEnabled(has_report)
        self.message.say_in_the_way(self._in_the_way())

    def _in_the_way(self) -> str:
        if not self._session.document.is_open:
            return "Open a profile first: the library has some (Ctrl+L)."
        if not self._session.is_valid:
            return "The profile has problems: the report is that of before."
        if self.made is not None and not self.asked.is_of_same_run(self.made.asked):
            return "The profile, seed or runs have changed since: build the report again."
        return ""

    def _lay_out(self) -> None:
        self.sections = QListView()
        self.sections.setModel(self.model)
        self.sections.setAccessibleName("Sections")
        self.against = QComboBox()
        self.against.setAccessibleName("Compare with")
        self.against.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.against.addItems([ALONE, *(entry.name for entry in describe())])
        self.against.textActivated.connect(self._on_against_chosen)
        self.preview = PaperView("Preview")
        self.preview.show_page(EMPTY)
        names, slots = ("&Build report", "Pr&int…"), (self.build, self.print_page)
        buttons = [QPushButton(name) for name in names]
        self.build_button, self.print_button = buttons
        self.export_button = ExportButton("report")
        self.export_button.file_chosen.connect(self.export)
        row, layout, columns, side = QHBoxLayout(), QVBoxLayout(self), QHBoxLayout(), QVBoxLayout()
        for button, slot in zip(buttons, slots, strict=True):
            button.clicked.connect(lambda checked=False, slot=slot: slot())
            row.addWidget(button)
        row.insertWidget(1, self.export_button)
        row.addWidget(self.cancel_button)
        row.addStretch()
        label = QLabel("Compare &with")
        label.setBuddy(self.against)
        for widget in (self.sections, label, self.against):
            widget.setMaximumWidth(SIDE)
            side.addWidget(widget)
        columns.addLayout(side)
        columns.addWidget(self.preview, 1)
        layout.addLayout(row)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addLayout(columns, 1)

    def take(self, answer: Made) -> tuple[str, bool]:
        self.made = answer
        self.preview.show_page(answer.page)
        if self._target is not None:
            self.begin(draw, answer, self._target.suffix.lower())
        return "", False

    def _on_against_chosen(self, name: str) -> None:
        if name != ALONE:
            self.model.want("comparison")
        if self.made is not None:
            self._pause.start()
