"""What stands around the page: the keys of the profile, what is known of one, problems, notes, help.

In a small window they do not stand around the page but lie over it, and only those that the user asks for.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget

from app.gui.keys.model import ProfileModel
from app.gui.keys.view import ProfileTree
from app.gui.pages import BY_TITLE, Beside
from app.gui.session.session import Session
from app.gui.shell.help_view import HelpView
from app.gui.shell.inspector import Inspector
from app.gui.shell.jobs_view import JobsView
from app.gui.shell.problems_view import ProblemsView
from app.gui.shell.project_files import Notes

WORDS = 480  # logical pixels: the place of a problem and the beginning of what is wrong
NARROWEST = 250  # logical pixels: keys beside the first letters of their values
ROOMY = (1100, 620)  # logical pixels of a window in which a page has room beside docks
PATIENCE = 300
"""Milliseconds without a change until the problems come or go, so that the page stays where it is under what is typed.
Assumption: who types pauses less."""
OVER = (280, 130)  # logical pixels of a dock that lies over the page: width at a side, height below
Area = Qt.DockWidgetArea
Feature = QDockWidget.DockWidgetFeature


class Docks(QObject):
    """Makes the docks, and shows those that are of use on a page unless the user has asked otherwise."""

    def __init__(self, window: QMainWindow, session: Session, notes: Notes) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        model = ProfileModel.of(session)
        self._asked: dict[str, bool] = {}
        self._over: dict[QDockWidget, Area] = {}  # docks that lie over the page, and where they stood
        self.tree = ProfileTree(session, model, columns=(0, 1))
        self.inspector = Inspector(session, model)
        self.problems = ProblemsView(session)
        self.help = HelpView()
        self.jobs = JobsView(session)
        self._page = ""
        self._keys = self._dock("Profile keys", self.tree, Area.LeftDockWidgetArea)
        self._inspector = self._dock("Inspector", self.inspector, Area.RightDockWidgetArea)
        self._problems = self._dock("Problems", self.problems, Area.BottomDockWidgetArea)
        self._jobs = self._dock("Jobs", self.jobs, Area.BottomDockWidgetArea)
        self._notes = self._dock("Notes", notes, Area.RightDockWidgetArea)
        self._help = self._dock("Help", self.help, Area.RightDockWidgetArea)
        self._jobs.hide()
        self.jobs.listed.connect(lambda: self.arrange(self._page))
        self._later = QTimer(self, singleShot=True, interval=PATIENCE)
        self._later.timeout.connect(lambda: self.arrange(self._page))
        session.problems_changed.connect(self._on_problems_changed)
        for dock in (self._notes, self._help):
            window.tabifyDockWidget(self._inspector, dock)
            dock.hide()
        self.tree.setMinimumWidth(NARROWEST)
        self.problems.setMinimumWidth(WORDS)  # beside the jobs it had room for the place of a problem alone
        self._share()
        window.installEventFilter(self)

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        """All docks, in the order of the View menu."""
        return (self._keys, self._inspector, self._problems, self._jobs, self._notes, self._help)

    def arrange(self, page: str) -> None:
        """Show the docks that are of use on a page, and those that the user has asked for."""
        self._page = page
        self._later.stop()
        self._count()
        beside = BY_TITLE[page].beside
        of_use = {
            self._keys: Beside.KEYS in beside,
            self._inspector: Beside.INSPECTOR in beside,
            self._problems: bool(self._session.problems),
            self._jobs: any(job.page != page for job in self.jobs.jobs),  # a page shows its own
        }
        for dock, is_of_use in of_use.items():
            dock.setVisible(self._asked.get(dock.objectName(), is_of_use and not self._over))
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.installEventFilter(self)

    def _on_problems_changed(self) -> None:
        if self._page:
            self._count()
            self._later.start()

    def _count(self) -> None:
        """Say how many problems there are."""
        count = len(self._session.problems)
        self._problems.setWindowTitle(f"Problems ({count})" if count else "Problems")

    def show_help(self) -> None:
        """Bring the help to the front."""
        self._help.show()
        self._help.raise_()
        self.help.setEnabled(True)  # before Qt has told that it lies in front
        self.help.text.setFocus()

    def forget(self) -> None:
        """Forget what the user has asked for."""
        self._asked.clear()

    def stand(self) -> None:
        """Let the docks stand around the page, as they do in a window with room."""
        if not self._over:
            return
        places, self._over = self._over, {}
        features = Feature.DockWidgetClosable | Feature.DockWidgetMovable | Feature.DockWidgetFloatable
        beside: QDockWidget | None = None
        for dock, area in places.items():
            is_shown = dock.isVisible()
            dock.setFeatures(features)
            self._window.addDockWidget(area, dock)
            if area == Area.RightDockWidgetArea:
                if beside is not None:
                    self._window.tabifyDockWidget(beside, dock)
                beside = beside or dock
            dock.setVisible(is_shown)
        self._share()

    def lie_over(self) -> None:
        """Let the docks lie over the page, at the sides at which they stood."""
        if self._over:
            return
        docked = [dock for dock in self.all if not dock.isFloating()]
        self._over = {dock: self._window.dockWidgetArea(dock) for dock in docked}
        for dock in docked:
            self._window.removeDockWidget(dock)  # it stays a child of the window
            dock.setFeatures(Feature.DockWidgetClosable)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QTabBar):
            if event.type() in {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show}:
                _let_tab_reach(watched, self._window.rect())
        elif event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Let the docks stand or lie as the window has room, and lie where the page is."""
        window = self._window
        is_roomy = window.width() >= ROOMY[0] and window.height() >= ROOMY[1]
        if is_roomy == bool(self._over):
            (self.stand if is_roomy else self.lie_over)()
            self.arrange(self._page)
        centre = window.centralWidget()
        page = centre.geometry() if centre else window.rect()
        for dock, area in self._over.items():
            dock.setGeometry(_beside(page, area))
            dock.raise_()

    def _share(self) -> None:
        """Give the docks the room that they have at first."""
        self._window.resizeDocks([self._keys, self._inspector], [280, 280], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self._problems], [110], Qt.Orientation.Vertical)

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(title)
        dock.setAutoFillBackground(True)  # nothing shines through one that lies over the page
        dock.setWidget(widget)
        dock.visibilityChanged.connect(widget.setEnabled)  # Tab passes by what lies behind another dock
        dock.toggleViewAction().triggered.connect(lambda is_shown: self._asked.update({title: is_shown}))
        self._window.addDockWidget(area, dock)
        return dock


def _let_tab_reach(bar: QTabBar, window: QRect) -> None:
    """Let Tab reach the titles of docks that share a place while they are seen: Qt hides them outside of the window."""
    bar.setAccessibleName("Views at the side")
    bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if window.intersects(bar.geometry()) else Qt.FocusPolicy.NoFocus)


def _beside(page: QRect, area: Qt.DockWidgetArea) -> QRect:
    """Return the part of the page over which a dock of an area lies."""
    width, height = OVER
    if area == Area.LeftDockWidgetArea:
        return QRect(page.left(), page.top(), width, page.height())
    if area == Area.RightDockWidgetArea:
        return QRect(page.right() - width + 1, page.top(), width, page.height())
    return QRect(page.left(), page.bottom() - height + 1, page.width(), height)
