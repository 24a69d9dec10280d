"""What stands around the page: the keys of the profile, what is known of one, problems, notes, help."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.gui.help_view import HelpView
from app.gui.inspector_view import Inspector
from app.gui.jobs_view import JobsView
from app.gui.problems_view import ProblemsView
from app.gui.profile_model import ProfileModel
from app.gui.profile_view import ProfileTree
from app.gui.project_view import Notes
from app.gui.session import Session

WITHOUT_KEYS = {"Home", "Profile", "Compare", "Report", "Study", "Validate"}
"""Pages beside which the keys of the profile are of no use, or stand already."""
NARROWEST = 250  # logical pixels: keys beside the first letters of their values
Area = Qt.DockWidgetArea


class Docks(QObject):
    """Makes the docks, and shows those that are of use on a page unless the user has asked otherwise."""

    def __init__(self, window: QMainWindow, session: Session, notes: Notes) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        model = ProfileModel.of(session)
        self._asked: dict[str, bool] = {}
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
        for dock in (self._notes, self._help):
            window.tabifyDockWidget(self._inspector, dock)
            dock.hide()
        self.tree.setMinimumWidth(NARROWEST)
        window.resizeDocks([self._keys, self._inspector], [280, 280], Qt.Orientation.Horizontal)
        window.resizeDocks([self._problems], [110], Qt.Orientation.Vertical)

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        """All docks, in the order of the View menu."""
        return (self._keys, self._inspector, self._problems, self._jobs, self._notes, self._help)

    def arrange(self, page: str) -> None:
        """Show the docks that are of use on a page, and those that the user has asked for."""
        self._page, count = page, len(self._session.problems)
        self._problems.setWindowTitle(f"Problems ({count})" if count else "Problems")
        of_use = {
            self._keys: page not in WITHOUT_KEYS,
            self._inspector: page == "Profile",
            self._problems: count > 0,
            self._jobs: any(job.page != page for job in self.jobs.jobs),  # a page shows its own
        }
        for dock, is_of_use in of_use.items():
            dock.setVisible(self._asked.get(dock.objectName(), is_of_use))

    def show_help(self) -> None:
        """Bring the help to the front."""
        self._help.show()
        self._help.raise_()
        self.help.text.setFocus()

    def forget(self) -> None:
        """Forget what the user has asked for."""
        self._asked.clear()

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(title)
        dock.setWidget(widget)
        dock.toggleViewAction().triggered.connect(lambda is_shown: self._asked.update({title: is_shown}))
        self._window.addDockWidget(area, dock)
        return dock
