"""Study: questions whose answer is a report. What does it depend on? When is it full? The study's text beside it."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QVBoxLayout,
)

from app.gui.jobs.study import BUSY
from app.gui.keys.toml_editor import TomlText
from app.gui.session.session import Session
from app.gui.session.setups import StudySetup
from app.gui.session.studies import OpenedStudy, shipped_studies
from app.gui.studies.base import JobPage
from app.gui.studies.export import FORMS
from app.gui.studies.paper_view import PaperView
from app.gui.studies.place_view import cores
from app.gui.studies.widgets import add_action
from app.gui.study.jobs import KINDS, Studied, carry_out, draw_study
from app.gui.study.trials import Trials
from app.planning.studies import study_of_text
from models.planning.study import COMMANDS, FOLDER
from profiles.loading.catalog import SHIPPED
from profiles.text.files import why_not
from profiles.text.toml import text_of

CHOOSE = "Choose a study…"
PAUSE = 200  # milliseconds without a change of the text before it is checked
EMPTY = (
    "<h3>No answer yet</h3><p>Choose a study above: its text appears on the left, with the ranges of what is not known"
    " exactly, the choices, the targets. Change what you like, then press <b>Run study</b>.</p>"
)
OLD = "The text has changed since: run the study again."
PLACEHOLDER = "Choose a study above, or write one: kind, title, profile, and what the kind needs."


class StudyPage(JobPage):
    """The text of a study on the left, its report on the right."""

    title = "Study"
    setup_field = "study"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._base = Path.cwd() / "study.toml"
        self._as_read = self._asked = ""
        self._trials = Trials(self)
        self.studied: Studied | None = None
        self.source = QComboBox()
        self.text = TomlText("TOML text of the study", PLACEHOLDER)
        self.preview = PaperView("Answer")
        self.run_button = QPushButton("R&un study")
        self.export_button, self.copy_button = QPushButton("E&xport…"), QPushButton("Copy as command &line")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()

    # What can be done

    def take_study(self, opened: OpenedStudy) -> None:
        """Show the text of a study, ready to run."""
        if opened.page != self.title:
            return
        if self.source.findData(opened.name) < 0:
            self.source.addItem(opened.study.title, opened.name)
        self.source.setCurrentIndex(self.source.findData(opened.name))

    def show_file(self, path: Path) -> None:
        """Show the text of a study's file."""
        try:
            self._as_read, self._base = text_of(path), path
        except (OSError, UnicodeDecodeError) as error:
            self.message.say(f"{path.name} cannot be read: {why_not(error)}", is_wrong=True)
            return
        self.cancel()
        self.studied = None
        self.preview.show_page(EMPTY)
        self.text.setPlainText(self._as_read)
        self.refresh()

    def run(self) -> None:
        """Carry out the study as its text says."""
        if self.check() and self.study.is_free:
            self._asked = self.text.toPlainText()
            self.begin(carry_out, self._asked, self._base, cores())

    def choose_file(self) -> None:
        """Ask for a file, whose suffix chooses the form, and export the report."""
        forms = ";;".join(f"{name} (*{suffix})" for name, suffix in FORMS.items())
        name, _ = QFileDialog.getSaveFileName(self, "Export the answer", f"{self._base.stem}.html", forms)
        if name:
            self.export(Path(name))

    def export(self, path: Path) -> None:
        """Write the report to a file, whole or not at all."""
        if self.studied is not None and self.study.is_free:
            self.write(path, draw_study, self.studied, path.suffix.lower())

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        text = self.text.toPlainText()
        command = COMMANDS[type(study_of_text(text, self._base))]
        is_shipped = self._base.parent == SHIPPED.root / FOLDER
        name = self._base.stem if is_shipped else str(self._base)
        line = shlex.join(["simulate", command, "--study", name])
        if text != self._as_read:
            line = f"cat > study.toml <<'END'\n{text}END\nsimulate {command} --study study.toml"
        self.copy(line)

    # What is shown

    def refresh(self) -> None:
        """Let marks, buttons and words follow the text and the study."""
        super().refresh()
        self.check()

    def check(self) -> bool:
        """Tell whether the study can be run, and mark what is wrong with its text."""
        text, is_running = self.text.toPlainText(), self.study.is_running
        problems = self._trials.problems(text, self._base) if text.strip() else ()
        self.text.show_problems([problem for problem in problems if problem.line])
        is_right = bool(text.strip()) and not problems
        self.run_button.setEnabled(is_right and self.study.is_free)
        self.export_button.setEnabled(self.studied is not None and not is_running)
        self.copy_button.setEnabled(is_right)
        self.run_action.setEnabled(self.run_button.isEnabled())
        self.export_action.setEnabled(self.export_button.isEnabled())
        self.copy_action.setEnabled(is_right)
        is_taken = not self.study.is_free and not is_running
        is_old = self.studied is not None and not is_running and text != self._asked
        in_the_way = "; ".join(map(str, problems)) or (BUSY if is_taken else OLD if is_old else "")
        self.message.say_in_the_way(in_the_way, is_wrong=bool(problems))
        return is_right

    # What the study tells

    def take(self, answer: Studied) -> tuple[str, bool]:
        self.studied = answer
        self.preview.show_page(answer.page)
        return "", False

    def take_setup(self, setup: StudySetup) -> None:
        if Path(setup.base).is_file():
            self.show_file(Path(setup.base))
        self.text.setPlainText(setup.text)

    def setup(self) -> StudySetup:
        text = self.text.toPlainText()
        return StudySetup(text=text, base=str(self._base)) if text else StudySetup()

    def _on_chosen(self) -> None:
        name = self.source.currentData()
        if name:
            self.show_file(SHIPPED.find(name, [FOLDER]) or Path(name))

    # Building

    def _name(self) -> None:
        self.source.addItem(CHOOSE, "")
        for study in shipped_studies():
            if study.kind in KINDS:
                self.source.addItem(study.title, study.name)
        self.source.setAccessibleName("Study")
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.setToolTip("Studies that ship, and those that you opened")
        self.preview.show_page(EMPTY)

    def _lay_out(self) -> None:
        above, body, layout = QHBoxLayout(), QSplitter(Qt.Orientation.Horizontal), QVBoxLayout(self)
        above.addWidget(self.source, 1)
        for button in (self.run_button, self.cancel_button, self.export_button, self.copy_button):
            above.addWidget(button)
        body.addWidget(self.text)
        body.addWidget(self.preview)
        body.setSizes([420, 620])
        layout.addLayout(above)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addWidget(body, 1)

    def _add_actions(self) -> None:
        self.run_action = add_action(self, "&Run the study", self.run, "Ctrl+Return")
        self.export_action = add_action(self, "&Export the answer…", self.choose_file)
        self.copy_action = add_action(self, "Copy the study as command &line", self.copy_command)

    def _listen(self) -> None:
        self.source.currentIndexChanged.connect(self._on_chosen)
        self.text.textChanged.connect(self._pause.start)
        self._pause.timeout.connect(self.refresh)
        self._trials.failed.connect(self.check)
        self.text.textChanged.connect(self.keep_setup)
        self.run_button.clicked.connect(self.run)
        self.export_button.clicked.connect(self.choose_file)
        self.copy_button.clicked.connect(self.copy_command)
        self._session.study_asked.connect(self.take_study)
