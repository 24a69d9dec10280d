"""The main window: a bar of pages on the left, docks around the page, menus, one tool bar, the status bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QMessageBox, QStackedWidget

from app.gui.ahead import Ahead, steps
from app.gui.look import boxes, theme
from app.gui.look.words import sentence
from app.gui.page import Page
from app.gui.pages import BY_TITLE, CLUSTER, PAGES, RUN, START
from app.gui.session.command_line import run_command
from app.gui.session.project_file import SUFFIX
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.session.studies import OpenedStudy, is_study
from app.gui.shell.actions import Actions
from app.gui.shell.docks import Docks
from app.gui.shell.no_profile import NoProfileBar, above_each_other
from app.gui.shell.palette import Palette
from app.gui.shell.profile_files import ProfileFiles
from app.gui.shell.project_files import ProjectFiles
from app.gui.shell.unsaved import may_end
from app.reports.media import line
from models.problem import Problem, ProblemError
from profiles.loading.catalog import PROFILES, SHIPPED

MESSAGE_TIME = 8000  # milliseconds that a message stays in the status bar
FIRST_SIZE, LEAST_SIZE = QSize(1360, 860), QSize(800, 500)  # logical pixels
TEXT_STEP, TEXT_SIZES = 10, (70, 200)  # percent of the platform's letters: a step, the least and the most
OF_SCREEN = 0.9  # of what a screen has free, which a window takes at most at first
OURS = (".toml", SUFFIX)  # what a file is called that was written to be opened


class MainWindow(QMainWindow):
    """One session on the screen."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.pages: dict[str, Page] = {}
        self.setMinimumSize(LEAST_SIZE)
        self.setAcceptDrops(True)
        self.files, self.projects = ProfileFiles(self, session), ProjectFiles(self, session)
        self._stack, self._no_profile = QStackedWidget(), NoProfileBar(session)
        self.setCentralWidget(above_each_other(self._no_profile, self._stack))
        self.docks = Docks(self, session, self.projects.notes)
        self.tree, self.inspector, self.problems = self.docks.tree, self.docks.inspector, self.docks.problems
        self.actions_ = Actions(self, self)
        self.save_action, self.undo_action = self.actions_.save, self.actions_.undo
        self.run_action, self.cancel_action = self.actions_.run, self.actions_.cancel
        self.keep_action = self.actions_.keep
        self.replications, self.seed = self.actions_.replications, self.actions_.seed
        self._state = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.statusBar().addPermanentWidget(self._state)
        self._listen()
        self._first_layout = self.saveState()
        self._restore()
        self._list_recent()
        self.actions_.recolour()
        self.show_page(START.title)
        self.refresh()

    # Pages

    @property
    def page(self) -> str:
        """The title of the page that is shown."""
        return next(title for title, page in self.pages.items() if page is self._stack.currentWidget())

    @property
    def commands(self) -> list[QAction]:
        """All actions of the window and of its pages."""
        pages = [self.make_page(entry.title) for entry in PAGES]
        return [*self.actions_.all, *(action for page in pages for action in page.actions())]

    def show_page(self, title: str) -> Page:
        """Show a page and return it."""
        page = self.make_page(title)
        self.actions_.pages[title].setChecked(True)
        self.docks.arrange(title)  # before the page, which is laid out once, in the room that they leave
        self._stack.setCurrentWidget(page)
        self._no_profile.show_for(BY_TITLE[title])
        page.setFocus()
        return page

    def make_page(self, title: str) -> Page:
        """Return a page, which is made when it is asked for the first time."""
        if title not in self.pages:
            page = self.pages[title] = BY_TITLE[title].make(self.session)
            self._stack.addWidget(page)
            self.actions_.take_page(title, page.actions())
        return self.pages[title]

    def make_pages(self) -> None:
        """Make the pages that have not been shown, and what they need, in steps: a search of commands needs all."""
        Ahead(steps(self.make_page), self)

    # Files

    def open(self, name_or_path: str) -> bool:
        """Open a profile, a study or a project, and show it; asks first where changes would be lost.

        With no name, the user is asked for a file.
        """
        if not name_or_path:
            return self.choose_file()
        if Path(name_or_path).suffix == SUFFIX:
            return self.projects.open(Path(name_or_path))
        if SHIPPED.find(name_or_path, PROFILES) is None and is_study(name_or_path):
            return self.open_study(name_or_path)
        is_open = self.files.open(name_or_path)
        if is_open:
            self.show_page(CLUSTER.title)
        else:
            self._list_recent()  # what was asked for may be gone
        return is_open

    def take(self, names: Sequence[str]) -> None:
        """Open a file of ours that was dropped, or import what is none; one is opened at a time."""
        ours = [name for name in names if Path(name).suffix in OURS]
        if ours:
            self.open(ours[0])
        else:
            self.session.ask_import(names)

    def open_study(self, name: str) -> bool:
        """Open a study, by the name of one that ships or as a file, ready to run; asks as `open` does."""
        return self.files.open_study(name)

    def open_scenario(self, opens: Callable[[], None]) -> None:
        """Show a scenario of a comparison, which `opens` opens, as a profile; asks as `open` does."""
        if self.files.open_by(opens):
            self.show_page(CLUSTER.title)

    def choose_file(self) -> bool:
        """Ask for a file and open it."""
        name = self.files.choose()
        return bool(name) and self.open(name)

    def say(self, title: str, error: ProblemError) -> None:
        """Show a mistake without stopping anything."""
        boxes.tell(boxes.Icon.Warning, str(error), self, title)

    # Commands

    def keep(self) -> None:
        """Keep the last run as a scenario."""
        kept = self.session.keep()
        self.tell(f"Kept as scenario: {kept.label}" if kept else "Six scenarios are kept: drop one first")

    def play_back(self) -> None:
        """Show the last run over its time."""
        self.show_page(RUN.title)
        self.session.playback_asked.emit()

    def find_key(self) -> None:
        """Put the cursor into the search of keys."""
        if self.tree.isVisible():
            self.tree.focus_search()
        else:
            self.show_page(CLUSTER.title)
            self.session.search_asked.emit()

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self.session
        name = str(session.document.path or session.document.name)
        text = run_command(name, session.changes(), seed=session.seed, replications=session.replications)
        QGuiApplication.clipboard().setText(text)
        self.tell(text)

    def show_palette(self) -> Palette:
        """Open the palette of commands over the window."""
        palette = Palette(self.commands, self)
        palette.move(self.mapToGlobal(self.rect().center()) - palette.rect().center())
        palette.show()
        palette.line.setFocus()
        return palette

    def set_theme(self, name: str) -> None:
        """Show the window in light or dark colours, or as the system does."""
        self.settings.theme = name
        theme.apply(name)

    def resize_text(self, step: int) -> None:
        """Show larger letters, or smaller ones; those of the platform for no step."""
        percent = self.settings.text_size + TEXT_STEP * step if step else 100
        self.settings.text_size = min(max(percent, TEXT_SIZES[0]), TEXT_SIZES[1])
        theme.resize_text(self.settings.text_size)
        self.tell(f"Text at {self.settings.text_size} %")

    def reset_layout(self) -> None:
        """Put docks and bars where they were at first."""
        self.docks.stand()
        self.restoreState(self._first_layout)
        self.docks.forget()
        self.docks.arrange(self.page)

    def help_here(self) -> None:
        """Show the help on the key that has the focus, or else on the page."""
        widget = QApplication.focusWidget()
        while widget is not None and not hasattr(widget, "help_key"):
            widget = widget.parentWidget()
        page = self.inspector.page(widget.help_key()) if widget is not None else ""
        if page:
            self.docks.help.show_html(page)
            self.docks.show_help()
        else:
            self.help_on_page()

    def help_on_page(self) -> None:
        """Show the help on the page that is shown."""
        self.docks.help.show_page(self.page, self.pages[self.page].actions())
        self.docks.show_help()

    def search_help(self) -> None:
        """Put the cursor into the search of the help."""
        self.docks.show_help()
        self.docks.help.search.setFocus()
        self.docks.help.search.selectAll()

    def about(self) -> None:
        """Say what this is and whose."""
        text = (
            "Headroom simulates a cluster: how long a workload takes, what limits it, and why.<br><br>"
            "Apache-2.0. The window uses Qt (The Qt Company, LGPL-3.0) through PySide6, and pyqtgraph (MIT).<br><br>"
            "All that a packaged program holds, and how to replace it: THIRD-PARTY-NOTICES.txt beside it."
        )
        QMessageBox.about(self, "About Headroom", text)

    # What follows the session

    def refresh(self) -> None:
        """Let title, actions and status say how things are."""
        session = self.session
        document = session.document
        self.setWindowTitle(self._title())
        self.setWindowModified(document.is_changed and not self.projects.model.holds_profile)
        self.save_action.setEnabled(document.is_open or self.projects.model.has_work)
        self.run_action.setEnabled(session.is_valid and not session.is_running)
        self.cancel_action.setEnabled(session.is_running)
        self.keep_action.setEnabled(session.last_run is not None and not session.last_run.is_kept)
        self._state.setText(self._said())

    def tell(self, text: str) -> None:
        """Say something in the status bar for a while."""
        self.statusBar().showMessage(line(text), MESSAGE_TIME)

    def _title(self) -> str:
        """Return the names of the project and of the profile, those that there are."""
        project, document = self.projects.model.path, self.session.document
        names = [project.stem if project else "", document.name if document.is_open else ""]
        joined = line(" – ".join(dict.fromkeys(filter(None, names))))
        return f"{joined}[*] – Headroom" if joined else "Headroom"

    def _said(self) -> str:
        session = self.session
        if not session.document.is_open:
            return "No profile is open"
        count = len(session.problems)
        state = f"{'running' if session.is_running else 'can be run'}  |  {len(session.changed_keys())} changed"
        kept = f"{len(session.runs)} scenario{'' if len(session.runs) == 1 else 's'} kept"
        # a text that cannot be read says nothing of what is changed
        told = f"{count} problem{'s' if count > 1 else ''}" if count else state
        return f"{told}  |  seed {session.seed}  |  {kept}"

    def _listen(self) -> None:
        session = self.session
        for signal in (session.document_opened, session.problems_changed, session.runs_changed):
            signal.connect(self.refresh)
        session.document.stack.cleanChanged.connect(self.refresh)
        stack = session.document.stack
        self.undo_action.triggered.connect(lambda: self.tell(f"Undone: {stack.redoText()}"))
        self.actions_.redo.triggered.connect(lambda: self.tell(f"Done again: {stack.undoText()}"))
        session.run_started.connect(self._on_run_started)
        session.run_finished.connect(self._on_run_finished)
        session.answer_found.connect(self._on_answer_found)
        session.run_failed.connect(lambda reason: self._on_run_ended(sentence(reason)))
        session.run_cancelled.connect(lambda: self._on_run_ended("Cancelled; the profile was not changed."))
        session.file_opened.connect(self._on_file_opened)
        session.page_asked.connect(self.show_page)
        session.open_asked.connect(self.open)
        session.opening_asked.connect(self.open_scenario)
        self.problems.chosen.connect(self._on_problem_chosen)
        self.inspector.link_followed.connect(self._on_link_followed)
        self.files.study_opened.connect(self._on_study_opened)
        self.projects.taken.connect(self._on_project_taken)
        self.projects.model.changed.connect(self.refresh)
        for source in (self.files, self.projects, self.tree.of_key):
            source.refused.connect(self.say)
        for source in (self.files, self.projects):
            source.told.connect(self.tell)
        for box in (self.seed, self.replications):
            box.valueChanged.connect(self._on_numbers_changed)

    def _on_run_started(self) -> None:
        self.refresh()
        self.show_page(RUN.title)

    def _on_run_finished(self, run: Run) -> None:
        self._on_answer_found(run.ran.headline, self.session.document.path)
        self._on_run_ended(f"Done: {run.label}")

    def _on_answer_found(self, answer: str, file: Path | None) -> None:
        for path in (file, self.projects.model.path):
            if path is not None:
                self.settings.remember_answer(path, answer)
        self._list_recent()

    def _on_run_ended(self, text: str) -> None:
        self.tell(text)
        self.refresh()

    def _on_file_opened(self, path: Path) -> None:
        self.settings.remember(path)
        self._list_recent()

    def _list_recent(self) -> None:
        self.session.set_recent(self.settings.answers)
        self.actions_.list_recent(self.settings.recent)

    def _on_study_opened(self, opened: OpenedStudy) -> None:
        self.actions_.take_seed(opened.study.seed, self.tell)
        self.replications.setValue(opened.replications)

    def _on_project_taken(self) -> None:
        seed, replications = self.session.seed, self.session.replications
        self.actions_.take_seed(seed, self.tell)
        self.replications.setValue(replications)
        self.refresh()
        self.show_page((RUN if self.session.last_run else CLUSTER).title)

    def _on_problem_chosen(self, problem: Problem) -> None:
        self.show_page(CLUSTER.title)
        self.session.select_key(problem.key)
        self.session.problem_asked.emit(problem)

    def _on_link_followed(self, link: QUrl) -> None:
        self.docks.help.follow(link)
        self.docks.show_help()

    def _on_numbers_changed(self) -> None:
        self.session.seed, self.session.replications = self.seed.value(), self.replications.value()
        self.refresh()

    # What Qt asks

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "actions_"):
            self.actions_.recolour()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        names = dropped(event.mimeData().urls())
        event.acceptProposedAction()
        QTimer.singleShot(0, lambda: self.take(names))

    def closeEvent(self, event: QCloseEvent) -> None:
        running = [job.title for job in self.docks.jobs.jobs]
        if not (may_end(self, running) and self.projects.may_close(self.files)):
            event.ignore()
            return
        self.docks.stand()
        self.settings.keep_window(self.saveGeometry(), self.saveState())
        self.projects.close()
        self.hide()  # processes that must end others first take a while
        owners = (self.session.worker, self.session.certainties, self.session.studies)
        for step in (*(owner.end for owner in owners), *(owner.close for owner in owners)):
            step()
        event.accept()

    def _restore(self) -> None:
        kept = self.settings.window()
        if kept is None:
            self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() * OF_SCREEN).expandedTo(LEAST_SIZE))
            return
        geometry, state = kept
        self.restoreGeometry(geometry)
        self.restoreState(state)


def dropped(urls: list[QUrl]) -> list[str]:
    """Return the files and folders that were dropped."""
    return [url.toLocalFile() for url in urls if url.isLocalFile()]
