"""The main window: a bar of pages on the left, docks around the page, menus, one tool bar, the status bar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QDockWidget,
    QFileDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QSpinBox,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from app.gui import theme
from app.gui.command_line import changes, run_command
from app.gui.icons import icon
from app.gui.inspector_view import Inspector
from app.gui.pages import PAGES, PageEntry
from app.gui.palette import Palette
from app.gui.problems_view import ProblemsView
from app.gui.profile_model import ProfileModel
from app.gui.profile_view import ProfileTree
from app.gui.project_file import SUFFIX
from app.gui.project_view import ProjectFiles
from app.gui.session import Session
from app.gui.settings import Settings
from app.gui.studies import open_study
from app.planning.studies import study_model
from models.problem import Problem, ProblemError
from profiles.catalog import PROFILES, SHIPPED

FILES = "Profiles and studies (*.toml);;All files (*)"
MESSAGE_TIME = 8000  # milliseconds that a message stays in the status bar
Standard = QKeySequence.StandardKey


class MainWindow(QMainWindow):
    """One session on the screen."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.pages: dict[str, QWidget] = {}
        self._icons: list[tuple[QAction, str]] = []
        self._commands: list[QAction] = []
        self.setMinimumSize(1024, 640)
        self.setAcceptDrops(True)
        self.model = ProfileModel.of(session)
        self.projects = ProjectFiles(self, session)
        self._stack = QStackedWidget()
        self.setCentralWidget(self._stack)
        self._add_docks()
        self._add_actions()
        self._add_page_bar()
        self._add_tool_bar()
        self._add_status_bar()
        self._listen()
        self._first_layout = self.saveState()
        self._restore()
        self.show_page("Home")
        self.refresh()

    # Pages

    def show_page(self, title: str) -> QWidget:
        """Show a page, making it if it has not been shown yet, and return it."""
        entry = next(each for each in PAGES if each.title == title)
        if title not in self.pages:
            self._make_page(entry)
        self._page_actions[title].setChecked(True)
        self._stack.setCurrentWidget(self.pages[title])
        self.pages[title].setFocus()
        self._arrange_docks()
        return self.pages[title]

    @property
    def page(self) -> str:
        """The title of the page that is shown."""
        return next(title for title, page in self.pages.items() if page is self._stack.currentWidget())

    @property
    def commands(self) -> list[QAction]:
        """All actions of the window and of the pages made so far."""
        return [*self._commands, *(action for page in self.pages.values() for action in page.actions())]

    def _make_page(self, entry: PageEntry) -> None:
        page = entry.make(self.session)
        self.pages[entry.title] = page
        self._stack.addWidget(page)
        if entry.title in {"Home", "Validate"}:
            page.profile_chosen.connect(self.open)
        if entry.title == "Compare":
            page.scenario_chosen.connect(self._on_scenario_chosen)
        if entry.title == "Home":
            page.study_chosen.connect(self.open_study)
            page.open_asked.connect(self.choose_file)
            page.set_recent(self.settings.recent)
        if page.actions():
            menu = QMenu(f"&{entry.title}", self)
            menu.addActions(page.actions())
            self.menuBar().insertMenu(self._help_menu.menuAction(), menu)

    # Files

    def open(self, name_or_path: str) -> bool:
        """Open a profile, a study or a project, and show it; asks first where changes would be lost."""
        if Path(name_or_path).suffix == SUFFIX:
            return self.projects.open(Path(name_or_path))
        if SHIPPED.find(name_or_path, PROFILES) is None and study_model(name_or_path):
            return self.open_study(name_or_path)
        if not self._may_drop_changes():
            return False
        try:
            self.session.open(name_or_path)
        except ProblemError as error:
            self.say("Cannot open the profile", error)
            return False
        self.show_page("Profile")
        return True

    def open_study(self, name: str) -> bool:
        """Open a study, by the name of one that ships or as a file, on the page that carries it out, ready to run."""
        if not self._may_drop_changes():
            return False
        try:
            opened = open_study(name)
            if opened is None:
                return False
            self.session.open_study(opened)
        except ProblemError as error:
            self.say("Cannot open the study", error)
            return False
        self.seed.setValue(opened.study.seed)
        self.replications.setValue(opened.replications)
        if Path(name).is_file():
            self._on_file_opened(Path(name))
        return True

    def _on_scenario_chosen(self, opens: Callable[[], None]) -> None:
        """Show a scenario of a comparison as a profile; asks first where changes would be lost."""
        if not self._may_drop_changes():
            return
        try:
            opens()
        except ProblemError as error:
            self.say("Cannot open the scenario", error)
            return
        self.show_page("Profile")

    def choose_file(self) -> None:
        """Ask for a file and open it."""
        name, _ = QFileDialog.getOpenFileName(self, "Open a profile or a study", "", FILES)
        if name:
            self.open(name)

    def save(self) -> bool:
        """Save the profile; one without a file of its own asks for one."""
        path = self.session.document.path
        return self.save_as() if path is None else self._save(path)

    def save_as(self) -> bool:
        """Ask for a file and save the profile there."""
        proposed = str(self.session.document.path or f"{self.session.document.name}.toml")
        name, _ = QFileDialog.getSaveFileName(self, "Save the profile", proposed, FILES)
        return bool(name) and self._save(Path(name))

    def _save(self, path: Path) -> bool:
        try:
            self.session.save(path)
        except ProblemError as error:
            self.say("Cannot save the profile", error)
            return False
        self.statusBar().showMessage(f"Saved {path}", MESSAGE_TIME)
        return True

    def _may_drop_changes(self) -> bool:
        """Ask where there are changes that are in no file; True to go on."""
        if not self.session.document.is_changed:
            return True
        button = QMessageBox.StandardButton
        asked = f"Save the changes to {self.session.document.name}?"
        answer = QMessageBox.question(self, "Headroom", asked, button.Save | button.Discard | button.Cancel)
        return self.save() if answer == button.Save else answer == button.Discard

    def say(self, title: str, error: ProblemError) -> None:
        """Show a mistake without stopping anything."""
        box = QMessageBox(QMessageBox.Icon.Warning, title, str(error), QMessageBox.StandardButton.Ok, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    # Building

    def _add_docks(self) -> None:
        self.tree = ProfileTree(self.session, self.model, columns=(0, 1))
        self.inspector = Inspector(self.session, self.model)
        self.problems = ProblemsView(self.session)
        self._profile_dock = self._dock("Profile keys", self.tree, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._inspector_dock = self._dock("Inspector", self.inspector, Qt.DockWidgetArea.RightDockWidgetArea)
        self._problems_dock = self._dock("Problems", self.problems, Qt.DockWidgetArea.BottomDockWidgetArea)
        self._notes_dock = self._dock("Notes", self.projects.notes, Qt.DockWidgetArea.RightDockWidgetArea)
        self._notes_dock.hide()
        self._asked: dict[str, bool] = {}
        self.resizeDocks([self._profile_dock, self._inspector_dock], [280, 240], Qt.Orientation.Horizontal)
        self.resizeDocks([self._problems_dock], [110], Qt.Orientation.Vertical)

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(title)
        dock.setWidget(widget)
        dock.toggleViewAction().triggered.connect(lambda is_shown: self._asked.update({title: is_shown}))
        self.addDockWidget(area, dock)
        return dock

    def _add_actions(self) -> None:
        stack, session = self.session.document.stack, self.session
        file_, edit, view, run = (self.menuBar().addMenu(name) for name in ("&File", "&Edit", "&View", "&Run"))
        self._add(file_, "&Open…", self.choose_file, Standard.Open, "open", "Open a profile from a file")
        self._recent_menu = file_.addMenu("Open &recent")
        self._list_recent()
        self.save_action = self._add(file_, "&Save", self.save, Standard.Save, "save", "Save the profile")
        self._add(file_, "Save &as…", self.save_as, Standard.SaveAs)
        file_.addSeparator()
        projects = self.projects
        self._add(file_, "Open p&roject…", projects.choose, "Ctrl+Alt+O", "open", "Open profile, kept runs and notes")
        self._add(file_, "Save pro&ject", projects.save, "Ctrl+Alt+S", "save", "Save profile, kept runs and notes")
        self._add(file_, "Save project as…", projects.save_as)
        file_.addSeparator()
        self._add(file_, "&Quit", self.close, Standard.Quit)
        self.undo_action = self._adopt(edit, stack.createUndoAction(self, "&Undo"), Standard.Undo, "undo")
        self.redo_action = self._adopt(edit, stack.createRedoAction(self, "&Redo"), Standard.Redo, "redo")
        edit.addSeparator()
        self._add(edit, "&Find a key", self._find_key, Standard.Find, "search", "Search the keys of the profile")
        self._add(edit, "&Next problem", self.problems.choose_next, "F8", "problem", "Go to the next problem")
        self._add(edit, "&Copy as command line", self.copy_command, "Ctrl+Shift+C", tip="For a terminal")
        self.run_action = self._add(run, "&Simulate", self._run, "Ctrl+R", "run", "Simulate the profile")
        self.cancel_action = self._add(run, "&Cancel", session.cancel, "Esc", "stop", "End the simulation")
        self.keep_action = self._add(run, "&Keep as scenario", self._keep, "Ctrl+D", "keep", "Keep the run to compare")
        self._add(run, "&Play back", self._play_back, "Ctrl+Shift+P", "playback", "Watch the cluster over the run")
        self._add_view_menu(view)
        self._help_menu = self.menuBar().addMenu("&Help")
        self._add(self._help_menu, "Help on the chosen &key", self._help, "F1", tip="Show what the key means")
        self._add(self._help_menu, "&About Headroom", self._about)

    def _add_view_menu(self, view: QMenu) -> None:
        self._page_menu = view.addMenu("&Page")
        view.addSeparator()
        for dock in (self._profile_dock, self._inspector_dock, self._problems_dock, self._notes_dock):
            self._commands.append(dock.toggleViewAction())
            view.addAction(dock.toggleViewAction())
        view.addSeparator()
        themes = view.addMenu("&Theme")
        for name in ("system", "light", "dark"):
            self._add(themes, f"{name.capitalize()} theme", lambda checked=False, name=name: self.set_theme(name))
        self._add(view, "&Reset layout", self._reset_layout)
        self._add(view, "&Command palette…", self.show_palette, "Ctrl+K", "search", "Find any command")

    def _add(
        self,
        menu: QMenu,
        text: str,
        slot: Callable[..., object],
        keys: Standard | str = "",
        icon_name: str = "",
        tip: str = "",
    ) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda *_: slot())
        action.setToolTip(tip or text.replace("&", ""))
        return self._adopt(menu, action, keys, icon_name)

    def _adopt(self, menu: QMenu, action: QAction, keys: Standard | str = "", icon_name: str = "") -> QAction:
        if icon_name:
            action.setIconText(action.text().replace("&", "").removesuffix("…"))
        if keys:
            action.setShortcut(QKeySequence(keys))
        if icon_name:
            self._icons.append((action, icon_name))
        menu.addAction(action)
        self._commands.append(action)
        return action

    def _add_page_bar(self) -> None:
        bar = QToolBar("Pages", movable=False)
        bar.setObjectName("Pages")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, bar)
        group, self._page_actions = QActionGroup(self), {}
        for entry in PAGES:
            action = QAction(entry.title, self, checkable=True)
            action.setToolTip(f"{entry.title} (Ctrl+{entry.number})")
            action.triggered.connect(lambda checked=False, title=entry.title: self.show_page(title))
            group.addAction(action)
            bar.addAction(self._adopt(self._page_menu, action, f"Ctrl+{entry.number}", entry.icon))
            self._page_actions[entry.title] = action

    def _add_tool_bar(self) -> None:
        bar = self.addToolBar("Main")
        bar.setObjectName("Main")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.addActions([self.save_action, self.undo_action, self.redo_action])
        bar.addSeparator()
        bar.addActions([self.run_action, self.cancel_action, self.keep_action])
        bar.addSeparator()
        self.replications = self._number(bar, " Runs ", 1, 1000, "Runs, each with its own chances: give an interval")
        self.seed = self._number(bar, " Seed ", 0, 2**31 - 1, "Seed of all chances")

    def _number(self, bar: QToolBar, label: str, least: int, most: int, tip: str) -> QSpinBox:
        box = QSpinBox(minimum=least, maximum=most, value=least)
        box.setAccessibleName(label.strip())
        box.setToolTip(tip)
        box.valueChanged.connect(self._on_numbers_changed)
        bar.addWidget(QLabel(label))
        bar.addWidget(box)
        return box

    def _add_status_bar(self) -> None:
        self._state = QLabel()
        self.statusBar().addPermanentWidget(self._state)

    def _listen(self) -> None:
        session = self.session
        for signal in (session.document_opened, session.problems_changed, session.runs_changed):
            signal.connect(self.refresh)
        session.document.stack.cleanChanged.connect(self.refresh)
        session.problems_changed.connect(self._on_problems_changed)
        session.run_started.connect(self._on_run_started)
        session.run_finished.connect(lambda run: self._on_run_ended(f"Done: {run.label}"))
        session.run_failed.connect(self._on_run_ended)
        session.run_cancelled.connect(lambda: self._on_run_ended("Cancelled; the profile is as it was."))
        session.file_opened.connect(self._on_file_opened)
        session.page_asked.connect(self.show_page)
        self.problems.chosen.connect(self._on_problem_chosen)
        self.projects.taken.connect(self._on_project_taken)
        self.projects.refused.connect(self.say)
        self.projects.told.connect(self.statusBar().showMessage)

    # What follows the session

    def refresh(self) -> None:
        """Let title, actions and status say how things are."""
        session = self.session
        document = session.document
        self.setWindowTitle(f"{document.name}[*] – Headroom" if document.is_open else "Headroom")
        self.setWindowModified(document.is_changed)
        self.save_action.setEnabled(document.is_open)
        self.run_action.setEnabled(session.is_valid and not session.is_running)
        self.cancel_action.setEnabled(session.is_running)
        self.keep_action.setEnabled(session.last_run is not None and not session.last_run.is_kept)
        self._state.setText(self._said())
        for action, name in self._icons:
            if action.icon().isNull():
                action.setIcon(icon(name))
        self._problems_dock.setWindowTitle(f"Problems ({len(session.problems)})" if session.problems else "Problems")

    def _said(self) -> str:
        session = self.session
        if not session.document.is_open:
            return "Open a profile to begin"
        count, changed = len(session.problems), len(session.changed_keys())
        state = "running" if session.is_running else "can be run"
        problems = f"{count} problem{'s' if count > 1 else ''}" if count else state
        return f"{problems}  |  {changed} changed  |  seed {session.seed}  |  {len(session.runs)} scenarios kept"

    def _arrange_docks(self) -> None:
        """Show the docks that are of use on a page, and those that the user has asked for."""
        page, has_problems = self.page, bool(self.session.problems)
        of_use = {
            self._profile_dock: page not in {"Home", "Profile", "Compare", "Validate"},
            self._inspector_dock: page == "Profile",
            self._problems_dock: has_problems,
        }
        for dock, is_of_use in of_use.items():
            dock.setVisible(self._asked.get(dock.objectName(), is_of_use))

    def _on_problems_changed(self) -> None:
        if self.pages:
            self._arrange_docks()

    def _on_run_started(self) -> None:
        self.refresh()
        self.show_page("Run")

    def _on_run_ended(self, said: str) -> None:
        self.statusBar().showMessage(said, MESSAGE_TIME)
        self.refresh()

    def _on_file_opened(self, path: Path) -> None:
        self.settings.remember(path)
        if "Home" in self.pages:
            self.pages["Home"].set_recent(self.settings.recent)
        self._list_recent()

    def _list_recent(self) -> None:
        self._recent_menu.clear()
        for name in self.settings.recent:
            self._recent_menu.addAction(name, lambda name=name: self.open(name))

    def _on_project_taken(self) -> None:
        self.refresh()
        self.show_page("Run" if self.session.last_run else "Profile")

    def _on_problem_chosen(self, problem: Problem) -> None:
        page = self.show_page("Profile")
        self.session.select_key(problem.key)
        if problem in page.editor.problems_here():
            page.editor.go_to(problem.line)

    def _on_numbers_changed(self) -> None:
        self.session.seed, self.session.replications = self.seed.value(), self.replications.value()
        self.refresh()

    # Commands

    def _run(self) -> None:
        self.session.run()

    def _keep(self) -> None:
        kept = self.session.keep()
        said = f"Kept as scenario: {kept.label}" if kept else "Six scenarios are kept: drop one first"
        self.statusBar().showMessage(said, MESSAGE_TIME)

    def _play_back(self) -> None:
        page = self.show_page("Run")
        page.views.setCurrentWidget(page.playback)
        page.playback.scrubber.setFocus()

    def _find_key(self) -> None:
        tree = self.tree if self.page not in {"Home", "Profile"} else self.show_page("Profile").tree
        tree.search.setFocus()
        tree.search.selectAll()

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self.session
        name = str(session.document.path or session.document.name)
        said = run_command(
            name, changes(session.loaded, session.baseline), seed=session.seed, replications=session.replications
        )
        QGuiApplication.clipboard().setText(said)
        self.statusBar().showMessage(said, MESSAGE_TIME)

    def show_palette(self) -> Palette:
        """Open the palette of commands over the window."""
        found = Palette(self.commands, self)
        found.move(self.mapToGlobal(self.rect().center()) - found.rect().center())
        found.show()
        found.line.setFocus()
        return found

    def set_theme(self, name: str) -> None:
        """Show the window in light or dark colours, or as the system does."""
        self.settings.theme = name
        theme.apply(name)

    def _reset_layout(self) -> None:
        self.restoreState(self._first_layout)
        self._asked.clear()
        self._arrange_docks()

    def _help(self) -> None:
        self._inspector_dock.show()
        self._inspector_dock.raise_()
        self.inspector.text.setFocus()

    def _about(self) -> None:
        text = (
            "Headroom simulates a cluster: how long a workload takes, what limits it, and why.<br><br>"
            "Apache-2.0. The window uses Qt (The Qt Company, LGPL-3.0) through PySide6, and pyqtgraph (MIT)."
        )
        QMessageBox.about(self, "About Headroom", text)

    # What Qt asks

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for action, name in self._icons:
                action.setIcon(icon(name))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        name = _dropped(event.mimeData().urls())
        event.acceptProposedAction()
        QTimer.singleShot(0, lambda: self.open(name))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_drop_changes():
            event.ignore()
            return
        self.settings.keep_window(self.saveGeometry(), self.saveState())
        self.projects.close()
        self.session.worker.close()
        self.session.studies.close()
        event.accept()

    def _restore(self) -> None:
        kept = self.settings.window()
        if kept is None:
            self.resize(1360, 860)
            return
        geometry, state = kept
        self.restoreGeometry(geometry)
        self.restoreState(state)


def _dropped(urls: list[QUrl]) -> str:
    """Return the first file that was dropped, "" if there is none."""
    return next((url.toLocalFile() for url in urls if url.isLocalFile()), "")
