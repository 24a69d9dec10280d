"""Import: what the user's own files say, measured beside simulated, and the profile that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.importing import model
from app.gui.importing.jobs import FOLDER, Imported, draw, read_files, run_beside
from app.gui.keys.toml_editor import TomlText
from app.gui.session.session import Session
from app.gui.studies.base import JobPage
from app.gui.studies.export import ExportButton
from app.gui.studies.widgets import add_action, ask_for_paths, show_once
from app.gui.tables.view import TableView
from app.planning.files import written
from app.reports.import_document import Made
from profiles.imports.reading import COLLECTOR

EMPTY = (
    "<b>Drop files of your own systems here.</b><br><br>What servers say of themselves (lscpu -J, lsblk -J, the"
    " collector's archive), storage systems (mc admin info, hdfs dfsadmin, ceph osd), benchmarks (fio, iperf3, warp,"
    " COSBench), histories of Spark, logs of requests, counters of sadf: told by their content, packed or not, many"
    " together. They become a profile in which each measured number names its file and line, and are put beside its"
    " simulation.<br><br>The collector is a page of sh that gathers what servers say: it only reads, and leaves names,"
    " serial numbers and addresses out."
)
WIDEST = 640  # logical pixels: wider lines are hard to read
WAITING = "The profile is not simulated yet: press Run. Below are rates of drives and networks, by what was fitted."
ONLY_KEPT = "Data is only kept here, and nothing runs. Below are rates of drives and networks, by what was fitted."


class ImportPage(JobPage):
    """Files above, what to know of them below; what they come to on tabs."""

    title = "Import"
    cancelled = "Cancelled: what was read before stays."

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.imported: Imported | None = None
        self._ran: Imported | None = None  # the last run, and that before something was added
        self._ran_before: Imported | None = None
        self._asked: tuple[str, ...] = ()
        self.files_button, self.folder_button = QPushButton("Add f&iles…"), QPushButton("Add a f&older…")
        self.collector_button, self.clear_button = QPushButton("Save the collec&tor…"), QPushButton("&Start over")
        self.run_button, self.accept_button = QPushButton("R&un"), QPushButton("&Accept")
        self.export_button = ExportButton("import")
        self.profiles, self.answer = QComboBox(), QLabel(WAITING, wordWrap=True)
        self.files = TableView("Files", model.FILES)
        self.asides = TableView("What to know of the files", model.ASIDES, wraps=True)
        self.beside = TableView("Measured beside simulated", model.BESIDE)
        self.numbers = TableView("Numbers", model.NUMBERS)
        self.text = TomlText("TOML text of the profile", "")
        self.tabs, self._views = QTabWidget(), QStackedWidget()
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()

    @property
    def made(self) -> Made | None:
        """The profile that is shown."""
        return self.imported.report.profiles[self.profiles.currentIndex()] if self.imported else None

    # What can be done

    def add(self, paths: Sequence[str]) -> None:
        """Read files and folders, together with those that were read before."""
        self.cancel()
        self._asked = tuple(dict.fromkeys([*self._asked, *paths]))
        self.begin(read_files, self._asked)

    def add_files(self) -> None:
        """Ask for files, and read them."""
        ask_for_paths(self, QFileDialog.FileMode.ExistingFiles, "Files of your own systems", self.add)

    def add_folder(self) -> None:
        """Ask for a folder, and read all that is in it."""
        title = "A folder with files of your own systems"
        ask_for_paths(self, QFileDialog.FileMode.Directory, title, self.add)

    def run(self) -> None:
        """Simulate what was made, beside what was measured."""
        if self.imported is not None:
            self.begin(run_beside, self.imported, self._session.seed)

    def accept(self) -> None:
        """Open the profile that is shown, as one that is not saved yet."""
        made = self.made
        if made is not None and self.imported is not None:
            name = FOLDER if len(self.imported.report.profiles) == 1 else Path(made.file).stem
            self._session.opening_asked.emit(lambda: self._session.open_new(made.text, name))

    def export(self, path: Path) -> None:
        """Write what was found to a file, in the form of its suffix, whole or not at all."""
        if self.imported is not None:
            self.write(path, draw, self.imported, path.suffix.lower())

    def clear(self) -> None:
        """Forget all files."""
        self.cancel()
        self._asked, self.imported, self._ran, self._ran_before = (), None, None, None
        self._views.setCurrentIndex(0)
        self.message.say("")
        self.refresh()

    def save_collector(self) -> None:
        """Ask for a file, and write the script there that gathers what servers say of themselves."""
        dialog = QFileDialog(self.window(), "Save the collector", "", "Scripts (*.sh)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(COLLECTOR.name)
        dialog.fileSelected.connect(lambda name: self.write_collector(Path(name)))
        show_once(dialog)

    def write_collector(self, path: Path) -> None:
        """Write the script to a file."""
        if self.may_write(path):
            text, is_wrong = written(path, COLLECTOR.read_bytes())
            self.message.say(text, is_wrong=is_wrong)

    def inputs(self) -> tuple[str, ...]:
        return self._asked

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        if self.imported is not None:
            self.copy(self.imported.command)

    # What is shown

    def refresh(self) -> None:
        """Let the buttons say what can be done."""
        super().refresh()
        is_there = self.imported is not None
        can_run = is_there and self.study.is_free
        self.run_button.setEnabled(can_run)
        self.run_action.setEnabled(can_run)
        self.export_button.let(can_run)
        for control in (self.accept_button, self.accept_action, self.clear_button, self.copy_action):
            control.setEnabled(is_there)

    def take(self, answer: Imported) -> tuple[str, bool]:
        self.imported = answer
        if answer.is_run:
            if self._ran is not None and self._ran.paths != answer.paths:
                self._ran_before = self._ran
            self._ran = answer
        chosen = max(self.profiles.currentIndex(), 0)
        self.profiles.clear()
        self.profiles.addItems([profile.title for profile in answer.report.profiles])
        self.profiles.setCurrentIndex(min(chosen, self.profiles.count() - 1))
        self.profiles.setVisible(self.profiles.count() > 1)
        self.files.show_rows(model.files(answer.report))
        asides = model.said(answer.report)
        self.asides.setVisible(bool(asides))
        self.asides.show_rows(asides)
        self._views.setCurrentIndex(1)
        self.tabs.setCurrentWidget(self._beside_tab if answer.is_run else self._files_tab)
        return model.summary(answer)

    def said_of_failure(self, reason: str) -> str:
        self._forget()
        return reason

    def said_of_cancel(self) -> str:
        self._forget()
        return super().said_of_cancel()

    def _forget(self) -> None:
        """Ask no more for files that were not read."""
        self._asked = self.imported.paths if self.imported else ()

    def _show_profile(self) -> None:
        imported, made = self.imported, self.made
        if imported is None or made is None:
            return
        wrong = "\n".join(map(str, made.problems))
        before = model.before(self._ran_before.report, made) if self._ran_before is not None else ""
        nothing = ONLY_KEPT if imported.is_run else WAITING
        self.answer.setText(wrong or (f"Simulated: {made.answer}{before}" if made.answer else nothing))
        self.beside.show_rows(model.beside(imported.report, made))
        self.numbers.show_rows(model.numbers(imported, made))
        self.text.setPlainText(made.text)

    # Building

    def _name(self) -> None:
        self.profiles.setAccessibleName("Profile")
        self.profiles.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.text.setReadOnly(True)
        self.answer.setTextFormat(Qt.TextFormat.PlainText)
        self.run_button.setToolTip("Simulate the profile beside what was measured (Ctrl+Return)")
        self.accept_button.setToolTip("Open it as a profile, to be changed, run, compared and saved with the project")

    def _lay_out(self) -> None:
        above, layout = QHBoxLayout(), QVBoxLayout(self)
        for button in (self.files_button, self.folder_button, self.run_button, self.accept_button):
            above.addWidget(button)
        for button in (self.export_button, self.cancel_button, self.clear_button):
            above.addWidget(button)
        above.addStretch()
        self._files_tab, self._beside_tab = QSplitter(Qt.Orientation.Vertical), QWidget()
        self._files_tab.addWidget(self.files)
        self._files_tab.addWidget(self.asides)
        beside = QVBoxLayout(self._beside_tab)
        beside.addWidget(self.answer)
        beside.addWidget(self.beside, 1)
        tabs = (self._files_tab, self._beside_tab, self.numbers, self.text)
        for tab, name in zip(tabs, ("Files", "Measured beside simulated", "Numbers", "Profile"), strict=True):
            self.tabs.addTab(tab, name)
        results = QWidget()
        column = QVBoxLayout(results)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.profiles)
        column.addWidget(self.tabs, 1)
        self._views.addWidget(self._empty())
        self._views.addWidget(results)
        layout.addLayout(above)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addWidget(self._views, 1)
        self.setFocusProxy(self.files_button)

    def _empty(self) -> QWidget:
        empty = QWidget()
        column = QVBoxLayout(empty)
        words = QLabel(EMPTY, wordWrap=True)
        words.setMaximumWidth(WIDEST)
        column.addWidget(words)
        column.addWidget(self.collector_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        return empty

    def _add_actions(self) -> None:
        add_action(self, "Add f&iles…", self.add_files)
        add_action(self, "Add a f&older…", self.add_folder)
        self.run_action = add_action(self, "&Run the import", self.run, "Ctrl+Return")
        self.accept_action = add_action(self, "&Accept the import as profile", self.accept)
        self.copy_action = add_action(self, "Copy the import as command &line", self.copy_command)
        add_action(self, "Save the collec&tor…", self.save_collector)
        self.addActions(self.export_button.forms)

    def _listen(self) -> None:
        for button, slot in (
            (self.files_button, self.add_files),
            (self.folder_button, self.add_folder),
            (self.collector_button, self.save_collector),
            (self.run_button, self.run),
            (self.accept_button, self.accept),
            (self.clear_button, self.clear),
        ):
            button.clicked.connect(slot)
        self.export_button.file_chosen.connect(self.export)
        self.profiles.currentIndexChanged.connect(self._show_profile)
        self._session.import_asked.connect(self.add)
