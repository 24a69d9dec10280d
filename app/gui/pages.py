"""The registry of pages, in the order of the work: one line a page. A page is imported and made when it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto
from importlib import import_module

from app.gui.page import Page
from app.gui.session.session import Session


class Beside(Flag):
    """What is of use beside a page as long as the user does not say otherwise."""

    NOTHING = 0
    KEYS = auto()
    INSPECTOR = auto()


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page before it is made: title, icon, its `keys`, and where its class is, "MODULE:CLASS".

    A page that has actions of its own has a menu, whose title marks no key: letters with Alt are left to what is on the
    pages. One `of_profile` is about the open one.
    """

    title: str
    icon: str
    keys: str
    place: str
    has_menu: bool = False
    beside: Beside = Beside.NOTHING
    of_profile: bool = False

    @property
    def module(self) -> str:
        """The name of the module that has its class."""
        return f"app.gui.{self.place.partition(':')[0]}"

    def make(self, session: Session) -> Page:
        """Import and make the page."""
        made = getattr(import_module(self.module), self.place.partition(":")[2])(session)
        assert isinstance(made, Page)  # the registry names a page
        return made


EXAMPLE = "hdfs-terasort"
"""The profile that is opened for who has none."""
START = PageEntry("Start", "home", "Ctrl+1", "start.page:StartPage")
PLAN = PageEntry("Plan", "plan", "Ctrl+0", "plan.page:PlanPage", has_menu=True)
CLUSTER = PageEntry("Cluster", "profile", "Ctrl+2", "cluster.page:ClusterPage", has_menu=True, of_profile=True)
RUN = PageEntry("Run", "run", "Ctrl+3", "run.page:RunPage", beside=Beside.KEYS, of_profile=True)
PAGES = (
    START,
    PLAN,
    PageEntry("Library", "library", "Ctrl+L", "library.page:LibraryPage"),
    PageEntry("Import", "import", "Ctrl+I", "importing.page:ImportPage", has_menu=True),
    CLUSTER,
    RUN,
    PageEntry("Sweep", "sweep", "Ctrl+4", "sweep.page:SweepPage", has_menu=True, beside=Beside.KEYS, of_profile=True),
    PageEntry("Compare", "compare", "Ctrl+5", "compare.page:ComparePage", has_menu=True),
    PageEntry("Size", "size", "Ctrl+6", "size.page:SizePage", has_menu=True, beside=Beside.KEYS, of_profile=True),
    PageEntry("Validate", "validate", "Ctrl+7", "validate.page:ValidatePage", has_menu=True),
    PageEntry("Report", "report", "Ctrl+8", "report.page:ReportPage", has_menu=True, of_profile=True),
    PageEntry("Delivery", "delivery", "Ctrl+Shift+D", "delivery.page:DeliveryPage", has_menu=True, of_profile=True),
    PageEntry("Study", "study", "Ctrl+9", "study.page:StudyPage", has_menu=True),
)
BY_TITLE = {entry.title: entry for entry in PAGES}
