"""The menus and tool bars of the window: every action once, with its keys, its icon and its tip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QSpinBox, QToolBar, QToolButton, QWidget

from app.gui.look.icons import icon
from app.gui.pages import PAGES, PLAN
from app.gui.session.session import Session
from app.gui.shell.docks import Docks
from app.gui.shell.profile_files import ProfileFiles
from app.gui.shell.project_files import ProjectFiles
from app.gui.shell.unsaved import take_what_is_typed
from app.reports.media import line

Standard = QKeySequence.StandardKey
THEMES = ("system", "light", "dark")
PAGE_ICON = QSize(20, 20)  # logical pixels: so the buttons of all pages stand in the smallest window


class Commands(Protocol):
    """What the actions call, and what they find it by: the window has all of it."""

    session: Session
    files: ProfileFiles
    projects: ProjectFiles
    docks: Docks

    def open(self, name_or_path: str) -> bool: ...
    def choose_file(self) -> bool: ...
    def find_key(self) -> None: ...
    def copy_command(self) -> None: ...
    def set_theme(self, name: str) -> None: ...
    def resize_text(self, step: int) -> None: ...
    def reset_layout(self) -> None: ...
    def show_palette(self) -> QWidget: ...
    def keep(self) -> None: ...
    def play_back(self) -> None: ...
    def make_page(self, title: str) -> QWidget: ...
    def show_page(self, title: str) -> QWidget: ...
    def help_here(self) -> None: ...
    def help_on_page(self) -> None: ...
    def search_help(self) -> None: ...
    def about(self) -> None: ...


class Actions(QObject):
    """The actions of the main window itself; `pages` are those that show a page, by its title."""

    def __init__(self, window: QMainWindow, commands: Commands) -> None:
        super().__init__(window)
        self._window, self._commands = window, commands
        self._icons: list[tuple[QAction, str]] = []
        self.all: list[QAction] = []
        self.pages: dict[str, QAction] = {}
        self._add_file_menu(self._menu("&File"))
        self._add_edit_menu(self._menu("&Edit"))
        self._add_view_menu(self._menu("&View"))
        self._add_run_menu(self._menu("&Run"))
        self._add_page_menus()
        self._add_help_menu(self._menu("&Help"))
        self._add_page_bar()
        self._add_tool_bar()

    def list_recent(self, names: Sequence[str]) -> None:
        """Offer the files that were opened last."""
        self._recent.clear()
        for name in names:
            self._recent.addAction(line(name).replace("&", "&&"), partial(self._commands.open, name))
        self._recent.setEnabled(bool(names))

    def recolour(self) -> None:
        """Draw the icons in the colours of the palette, and that of the window, which stands in boxes, too."""
        QGuiApplication.setWindowIcon(icon("size"))
        for action, name in self._icons:
            action.setIcon(icon(name))
        buttons = [self.page_bar.widgetForAction(action) for action in self.pages.values()]
        for button in buttons:
            button.setMinimumWidth(max(widget.sizeHint().width() for widget in buttons))  # icons below each other

    # Menus

    def _add_file_menu(self, menu: QMenu) -> None:
        commands = self._commands
        projects = commands.projects
        self._add(menu, "&Open…", commands.choose_file, Standard.Open, "open", "Open a profile or a study from a file")
        self._recent = menu.addMenu("Open &recent")
        tip = "Save the profile; on the page Plan, and where no profile is open, the project"
        self.save = self._add(menu, "&Save", lambda: self._saved().save(), Standard.Save, "save", tip)
        self._add(menu, "Save &as…", lambda: self._saved().save_as(), Standard.SaveAs)
        menu.addSeparator()
        self._add(menu, "Open p&roject…", projects.choose, "Ctrl+Alt+O", "open", "Open profile, kept runs and notes")
        self._add(menu, "Save pro&ject", self._save_project, "Ctrl+Alt+S", "save", "Save profile, kept runs and notes")
        self._add(menu, "Save project as…", projects.save_as)
        menu.addSeparator()
        self._add(menu, "&Quit", self._window.close, "Ctrl+Q")  # Qt knows no such key everywhere

    def _save_project(self) -> None:
        take_what_is_typed()
        self._commands.projects.save()

    def _saved(self) -> ProfileFiles | ProjectFiles:
        """Return what saves what is shown, what is being typed with it: a plan lies in the project."""
        take_what_is_typed()
        commands = self._commands
        is_profile = commands.session.document.is_open and not self.pages[PLAN.title].isChecked()
        return commands.files if is_profile else commands.projects

    def _add_edit_menu(self, menu: QMenu) -> None:
        commands, stack = self._commands, self._commands.session.document.stack
        self.undo = self._adopt(menu, stack.createUndoAction(self, "&Undo"), Standard.Undo, "undo")
        self.redo = self._adopt(menu, stack.createRedoAction(self, "&Redo"), Standard.Redo, "redo")
        menu.addSeparator()
        self._add(menu, "&Find a key", commands.find_key, Standard.Find, "search", "Search the keys of the profile")
        self._add(menu, "&Next problem", commands.docks.problems.choose_next, "F8", "problem", "Go to the next problem")
        self._add(menu, "&Copy as command line", commands.copy_command, "Ctrl+Shift+C", tip="For a terminal")
        menu.addSeparator()
        of_key = commands.docks.tree.of_key
        menu.addActions(of_key.all)
        self.all += [action for action in of_key.all if action is not of_key.convert]

    def _add_view_menu(self, menu: QMenu) -> None:
        commands = self._commands
        self._page_menu = menu.addMenu("&Page")
        menu.addSeparator()
        for dock in commands.docks.all:
            self._adopt(menu, dock.toggleViewAction())
        menu.addSeparator()
        themes = menu.addMenu("&Theme")
        for name in THEMES:
            self._add(themes, f"{name.capitalize()} theme", partial(commands.set_theme, name))
        self._add(menu, "&Larger text", partial(commands.resize_text, 1), Standard.ZoomIn)
        self._add(menu, "S&maller text", partial(commands.resize_text, -1), Standard.ZoomOut)
        self._add(menu, "&Usual text size", partial(commands.resize_text, 0))
        self._add(menu, "&Reset layout", commands.reset_layout)
        self._add(menu, "&Command palette…", commands.show_palette, "Ctrl+K", "search", "Find any command")

    def _add_run_menu(self, menu: QMenu) -> None:
        commands, session = self._commands, self._commands.session
        self.run = self._add(menu, "&Simulate", session.run, "Ctrl+R", "run", "Simulate the profile")
        self.cancel = self._add(menu, "&Cancel", session.cancel, "Esc", "stop", "End the simulation")
        self.keep = self._add(menu, "&Keep as scenario", commands.keep, "Ctrl+D", "keep", "Keep the run to compare")
        self._add(menu, "&Play back", commands.play_back, "Ctrl+Shift+P", "playback", "Watch the cluster over the run")

    def _add_page_menus(self) -> None:
        """Add a menu for each page, which is filled when the page is made: at the latest when it is looked into."""
        self._menus = {entry.title: self._menu(entry.title) for entry in PAGES if entry.has_menu}
        for title, menu in self._menus.items():
            menu.aboutToShow.connect(lambda title=title: self._commands.make_page(title))

    def take_page(self, title: str, actions: Sequence[QAction]) -> None:
        """Put the actions of a page into its menu."""
        if title in self._menus:
            self._menus[title].addActions(actions)

    def _add_help_menu(self, menu: QMenu) -> None:
        commands = self._commands
        self._add(menu, "&Help", commands.help_here, "F1", tip="Help on the key or the page that has the focus")
        self._add(menu, "Help on this &page", commands.help_on_page, "Shift+F1")
        self._add(menu, "&Search the help…", commands.search_help, "Ctrl+Shift+F", "search")
        menu.addSeparator()
        self._add(menu, "&About Headroom", commands.about)

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(title)

    # Bars

    def _add_page_bar(self) -> None:
        bar = self.page_bar = QToolBar("Pages", movable=False)
        bar.setObjectName("Pages")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setIconSize(PAGE_ICON)
        self._window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, bar)
        group = QActionGroup(self)
        for entry in PAGES:
            action = QAction(entry.title, self, checkable=True)
            action.setToolTip(f"{entry.title} ({entry.keys})")
            action.triggered.connect(lambda checked=False, title=entry.title: self._commands.show_page(title))
            group.addAction(action)
            bar.addAction(self._adopt(self._page_menu, action, entry.keys, entry.icon))
            self.pages[entry.title] = action

    def _add_tool_bar(self) -> None:
        bar = self._window.addToolBar("Main")
        bar.setObjectName("Main")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.addActions([self.save, self.undo, self.redo])
        for action in (self.undo, self.redo):
            button = bar.widgetForAction(action)
            assert isinstance(button, QToolButton)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)  # known everywhere: all fits 800 pixels
        bar.addSeparator()
        bar.addActions([self.run, self.cancel, self.keep])
        bar.addSeparator()
        self.replications = self._number(
            bar, "Ru&ns", 1, 1000, "Runs, each with its own random numbers: give an interval"
        )
        self.seed = self._number(bar, "Seed", 0, 2**31 - 1, "Seed of all random numbers")

    def take_seed(self, seed: int, tell: Callable[[str], None]) -> None:
        """Show a seed; a file may state a larger one than the box holds, which is told."""
        most = self.seed.maximum()
        self.seed.setValue(min(seed, most))
        if seed > most:
            tell(f"The file states seed {seed:,}; the largest here is {most:,}, and taken")

    def _number(self, bar: QToolBar, name: str, least: int, most: int, tip: str) -> QSpinBox:
        box = QSpinBox(minimum=least, maximum=most, value=least)
        box.setToolTip(tip)
        box.setAccessibleName(name.replace("&", ""))
        label = QLabel(f" {name} ")
        label.setBuddy(box)
        bar.addWidget(label)
        bar.addWidget(box)
        return box

    # One action

    def _add(
        self,
        menu: QMenu,
        text: str,
        slot: Callable[[], object],
        keys: Standard | str = "",
        icon_name: str = "",
        tip: str = "",
    ) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda *_: slot())
        action.setToolTip(tip or text.replace("&", "").removesuffix("…"))
        return self._adopt(menu, action, keys, icon_name)

    def _adopt(self, menu: QMenu, action: QAction, keys: Standard | str = "", icon_name: str = "") -> QAction:
        if icon_name:
            action.setIconText(action.text().replace("&", "").removesuffix("…"))
            self._icons.append((action, icon_name))
        if keys:
            action.setShortcut(QKeySequence(keys))
        menu.addAction(action)
        self.all.append(action)
        return action
