"""Delivery: what the delivered cluster has to reach and what came out, and months later the forecast beside reality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QTabWidget, QVBoxLayout

from app.gui.delivery.jobs import Answered, Asked, Kit, Question, answer, draw, make_kit
from app.gui.look import theme
from app.gui.session.session import Session
from app.gui.session.setups import DeliverySetup, MeasuredSetup
from app.gui.studies.base import JobPage
from app.gui.studies.export import ExportButton
from app.gui.studies.paper_view import PaperView
from app.gui.studies.widgets import add_action, ask_for_paths
from app.planning.files import obstacle_to_folder, refused, written
from app.reports.media import shown
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.text.files import why_not

ACCEPT = (
    "<h3>The acceptance of the delivered cluster</h3><p><b>Work out bands</b> says what each part of the open"
    " profile's cluster, and the whole of it, has to reach: bands for the contract. <b>Write the kit</b> writes the"
    " scripts that measure it, to be run on the delivered cluster. <b>Add files</b> takes what came out, or drop it"
    " here: pass or fail of each test, and which part is to blame.</p>"
)
TRACK = (
    "<h3>The forecast beside reality</h3><p><b>Add files</b>, or drop them here: reports that the cluster wrote since"
    " (hdfs dfsadmin -report, hdfs fsck, ceph df, mc admin info, ranges of Prometheus, access logs, sadf), each named"
    " after its day. The answer is a new date for full, and which assumption of the open profile broke.</p>"
)
EMPTY: Mapping[Question, str] = {"accept": ACCEPT, "track": TRACK}
TITLES: Mapping[Question, str] = {"accept": "Acceptance", "track": "Forecast beside reality"}
STALE = "This is the answer of another profile, or of this one before it was changed. Work it out again."
AGAIN = "Add again what does not lie beside the project: "


class DeliveryPage(JobPage):
    """Two questions on tabs, each with the files that were measured and its report."""

    title = "Delivery"
    setup_field = "delivery"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.answered: dict[Question, Answered] = {}
        self._measured: dict[Question, MeasuredSetup] = {"accept": MeasuredSetup(), "track": MeasuredSetup()}
        self._used: dict[Question, tuple[str, ...]] = {}  # the files that the pages are of
        self._folder: Path | None = None
        self.tabs = QTabWidget()
        self.views = {question: PaperView(title) for question, title in TITLES.items()}
        self.run_button, self.kit_button = QPushButton("&Work out bands"), QPushButton("Write the &kit…")
        self.files_button, self.folder_button = QPushButton("Add f&iles…"), QPushButton("Add a f&older…")
        self.clear_button, self.export_button = QPushButton("&Start over"), ExportButton("answer")
        self.banner = QLabel(STALE, wordWrap=True)
        self.setAcceptDrops(True)
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()

    @property
    def question(self) -> Question:
        """The question whose tab is shown."""
        return tuple(TITLES)[self.tabs.currentIndex()]

    @property
    def asked(self) -> Asked:
        """The question about the profile as it stands."""
        document = self._session.document
        is_shipped = SHIPPED.find(document.name, PROFILES) == document.base
        return Asked(
            question=self.question,
            profile=document.name if is_shipped else str(document.base),
            changes=self._session.changes(),
            text=document.text,
            base=document.base,
            seed=self._session.seed,
            files=self._measured[self.question].files,
        )

    # What can be done

    def run(self) -> None:
        """Answer the question that is shown, with the files that were added."""
        if self._can_run:
            self.begin(answer, self.asked)

    def add(self, paths: Sequence[str]) -> None:
        """Take files and folders, together with those that were taken before, and answer."""
        question, before = self.question, self._measured[self.question]
        files = tuple(dict.fromkeys([*before.files, *paths]))
        left = tuple(place for place in before.elsewhere if place not in {Path(path).name for path in paths})
        self._keep(question, before.model_copy(update={"files": files, "elsewhere": left}))
        self.refresh()
        self.run()

    def add_files(self) -> None:
        """Ask for files, and answer with them."""
        ask_for_paths(self, QFileDialog.FileMode.ExistingFiles, "What was measured", self.add)

    def add_folder(self) -> None:
        """Ask for a folder, and answer with all that is in it."""
        ask_for_paths(self, QFileDialog.FileMode.Directory, "A folder with what was measured", self.add)

    def clear(self) -> None:
        """Forget the files of the question that is shown, and its answer."""
        self.cancel()
        self.answered.pop(self.question, None)
        self._used.pop(self.question, None)
        self._keep(self.question, MeasuredSetup())
        self.views[self.question].show_page(EMPTY[self.question])
        self.message.say("")
        self.refresh()

    def ask_for_kit(self) -> None:
        """Ask for a new folder, and write the kit into it."""
        title = "A new folder for the acceptance kit"
        ask_for_paths(self, QFileDialog.FileMode.Directory, title, lambda names: self.write_kit(Path(names[0])))

    def write_kit(self, folder: Path) -> None:
        """Write the kit into a folder that is new or empty."""
        if self._can_begin and self._may_fill(folder):
            self._folder = folder
            self.begin(make_kit, self.asked)

    def write_nothing(self) -> None:
        super().write_nothing()
        self._folder = None

    def export(self, path: Path) -> None:
        """Write the answer that is shown to a file, in the form of its suffix; one of a project is found anew."""
        if self.question in self.answered:
            self.write(path, draw, self.answered[self.question], path.suffix.lower())
        elif self._can_run and self.may_write(path, self.suffixes):
            self._exports = path
            self.run()

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        self.copy(self.asked.command)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.add([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])

    # What is shown

    @property
    def _can_begin(self) -> bool:
        return self._session.is_valid and self.study.is_free

    @property
    def _can_run(self) -> bool:
        return self._can_begin and (self.question == "accept" or bool(self._measured["track"].files))

    def refresh(self) -> None:
        """Let the buttons and the words say how things are."""
        super().refresh()
        self.run_button.setText("&Work out bands" if self.question == "accept" else "Com&pare with the plan")
        measured = self._measured[self.question]
        self.run_button.setEnabled(self._can_run)
        self.run_action.setEnabled(self._can_run)
        for control in (self.kit_button, self.kit_action):
            control.setEnabled(self._can_begin and self.question == "accept")
        for button in (self.files_button, self.folder_button):
            button.setEnabled(self._can_begin)
        self.clear_button.setEnabled(measured != MeasuredSetup())
        self.copy_action.setEnabled(self._session.is_valid)
        self.banner.setVisible(bool(measured.page) and measured.asked != self._session.document.text)
        is_at_hand = self.question in self.answered or self._can_run
        self.export_button.let(bool(measured.page) and is_at_hand and self.study.is_free)
        self.export_button.proposed = f"{self._session.document.name or 'cluster'}-{self.question}"
        lacking = self.why_not() or (f"{AGAIN}{shown(', '.join(measured.elsewhere))}" if measured.elsewhere else "")
        self.message.say_in_the_way(lacking)

    def take(self, answer: Answered | Kit) -> tuple[str, bool]:
        if isinstance(answer, Kit):
            return self._write(answer)
        question = answer.asked.question
        self.answered[question] = answer
        self.views[question].show_page(answer.page)
        kept = self._measured[question]
        asked = answer.asked
        self._used[question] = asked.files
        self._keep(question, kept.model_copy(update={"files": asked.files, "page": answer.page, "asked": asked.text}))
        if self._exports is not None:
            path, self._exports = self._exports, None
            QTimer.singleShot(0, lambda: self.export(path))
        names = ", ".join(Path(name).name for name in answer.asked.files)
        return (f"Measured: {names}." if names else "Nothing is measured yet: these are the bands."), False

    def said_of_failure(self, reason: str) -> str:
        """Return the reason; files that could not be used are not asked for again."""
        kept, self._exports = self._measured[self.question], None
        self._keep(self.question, kept.model_copy(update={"files": self._used.get(self.question, ())}))
        return reason

    def setup(self) -> DeliverySetup:
        return DeliverySetup(question=self.question, **self._measured)

    def take_setup(self, setup: DeliverySetup) -> None:
        self.answered.clear()
        self._measured = {"accept": setup.accept, "track": setup.track}
        self._used = {question: measured.files for question, measured in self._measured.items()}
        for question, view in self.views.items():
            view.show_page(self._measured[question].page or EMPTY[question])
        self.tabs.setCurrentIndex(tuple(TITLES).index(setup.question))
        self.message.say("")
        self.refresh()

    def _keep(self, question: Question, measured: MeasuredSetup) -> None:
        """Know what was measured for a question, and let the project know."""
        self._measured[question] = measured
        self.keep_setup()

    def _on_tab_changed(self) -> None:
        self.keep_setup()
        self.refresh()

    def _may_fill(self, folder: Path) -> bool:
        """Tell whether a kit can be written into a folder, and say so if it cannot, before anything is done for it."""
        why = obstacle_to_folder(folder)
        if why:
            self.message.say(refused(folder, why), is_wrong=True)
        return not why

    def _write(self, kit: Kit) -> tuple[str, bool]:
        folder, self._folder = self._folder, None
        assert folder is not None  # as a kit was asked for by it
        if why := obstacle_to_folder(folder):  # others may have written into it since
            return refused(folder, why), True
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            return refused(folder, why_not(error)), True
        for name, content in kit.files.items():
            text, is_wrong = written(folder / name, content)
            if is_wrong:
                return text, True
        return f"Written: {folder}: {len(kit.files)} files, with the contract", False

    # Building

    def _lay_out(self) -> None:
        above, layout = QHBoxLayout(), QVBoxLayout(self)
        self.tabs.setAccessibleName("Questions")
        self.tabs.tabBar().setAccessibleName("Questions")
        for button in (self.run_button, self.kit_button, self.files_button, self.folder_button):
            above.addWidget(button)
        for button in (self.export_button, self.cancel_button, self.clear_button):
            above.addWidget(button)
        above.addStretch()
        theme.warn(self.banner)
        for question, view in self.views.items():
            view.show_page(EMPTY[question])
            self.tabs.addTab(view, TITLES[question])
        layout.addLayout(above)
        layout.addWidget(self.progress)
        layout.addWidget(self.banner)
        layout.addWidget(self.message)
        layout.addWidget(self.tabs, 1)
        self.setFocusProxy(self.run_button)

    def _add_actions(self) -> None:
        self.run_action = add_action(self, "&Run the comparison with the plan", self.run, "Ctrl+Return")
        self.kit_action = add_action(self, "Write the acceptance &kit…", self.ask_for_kit)
        add_action(self, "Add measured &files…", self.add_files)
        add_action(self, "Add a f&older of measurements…", self.add_folder)
        self.copy_action = add_action(self, "Copy the delivery as command &line", self.copy_command)
        self.addActions(self.export_button.forms)

    def _listen(self) -> None:
        for button, slot in (
            (self.run_button, self.run),
            (self.kit_button, self.ask_for_kit),
            (self.files_button, self.add_files),
            (self.folder_button, self.add_folder),
            (self.clear_button, self.clear),
        ):
            button.clicked.connect(slot)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.export_button.file_chosen.connect(self.export)
        self._session.problems_changed.connect(self.refresh)
        self._session.document_changed.connect(self.refresh)
