"""The pages of the window, in the order of the work. A page is made when it is first shown.

A page is a QWidget that takes the session, with a `title` and the name of an `icon`. Its QActions, added with
`addAction`, appear in a menu of its title and in the palette of commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QWidget

from app.gui.session import Session


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page before it is made: title, icon, its key Ctrl+`number`, and the module that holds its class.

    A page that has actions of its own has a `menu`, with the mark of its key.
    """

    title: str
    icon: str
    number: int
    class_name: str
    module: str
    menu: str = ""

    def make(self, session: Session) -> QWidget:
        """Import and make the page."""
        made: QWidget = getattr(import_module(f"app.gui.{self.module}"), self.class_name)(session)
        made.setAccessibleName(self.title)
        return made


PAGES = (
    PageEntry("Home", "home", 1, "HomePage", "home_page"),
    PageEntry("Profile", "profile", 2, "ProfilePage", "profile_page"),
    PageEntry("Run", "run", 3, "RunPage", "run_page"),
    PageEntry("Sweep", "sweep", 4, "SweepPage", "sweep_page", "&Sweep"),
    PageEntry("Compare", "compare", 5, "ComparePage", "compare_page", "&Compare"),
    PageEntry("Size", "size", 6, "SizePage", "size_page", "Si&ze"),
    PageEntry("Validate", "validate", 7, "ValidatePage", "validate_page", "V&alidate"),
    PageEntry("Report", "report", 8, "ReportPage", "report_page", "Re&port"),
    PageEntry("Study", "study", 9, "StudyPage", "study_page", "S&tudy"),
)
WITH_PROFILES = {"Home", "Validate"}
"""Pages on which a profile is chosen, which they tell by their signal `profile_chosen`."""
