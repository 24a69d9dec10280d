"""Start: the ways to begin, and what was opened last."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListView, QPushButton, QVBoxLayout, QWidget

from app.gui.page import Page
from app.gui.pages import EXAMPLE
from app.gui.session.session import Session
from app.gui.start.recent_model import FILE, RecentModel
from app.gui.start.tile import Tile

NONE_YET = "Nothing yet: files that you open or save are listed here, with the answer that they came to."
DROP = "A profile, a study, a plan, a project, or files of your own systems can be dropped anywhere on this window."
WIDEST = 1000  # logical pixels: wider lines are hard to read
MARGIN = 16  # logical pixels


class StartPage(Page):
    """The first page; what is chosen here is opened by the window."""

    title = "Start"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.size_tile = Tile("size", "Size a cluster", "Say what has to be met, by which candidates: find the least.")
        self.compare_tile = Tile("compare", "Compare my quotes", "Offers side by side: what each meets and costs.")
        self.import_tile = Tile("import", "Import my cluster", "From files of your servers: measured beside simulated.")
        self.example_tile = Tile("run", "Explore an example", "TeraSort of 1 TB on twelve HDFS servers, ready to run.")
        self.tiles = (self.size_tile, self.compare_tile, self.import_tile, self.example_tile)
        self.library_button = QPushButton("Browse the &library: studies, profiles, benchmarks…")
        self.recent = RecentModel(self)
        self.recent_view = QListView()
        self.recent_view.setAccessibleName("Recent files")
        self.recent_view.setModel(self.recent)
        self.recent_view.setWordWrap(True)  # the verdict of a plan is two sentences
        self.recent_view.setResizeMode(QListView.ResizeMode.Adjust)
        self._no_recent = QLabel(NONE_YET, wordWrap=True)
        self._lay_out()
        self._listen()
        self._list_recent()
        self.setFocusProxy(self.size_tile)

    def showEvent(self, event: QShowEvent) -> None:
        """Let Tab go from tile to tile: Qt forgets such an order when a page joins its window."""
        super().showEvent(event)
        for before, after in pairwise((*self.tiles, self.library_button, self.recent_view)):
            QWidget.setTabOrder(before, after)

    def _listen(self) -> None:
        session = self._session
        self.size_tile.clicked.connect(lambda: session.ask_plan("Requirements"))
        self.compare_tile.clicked.connect(lambda: session.ask_plan("Candidates"))
        self.import_tile.clicked.connect(lambda: session.page_asked.emit("Import"))
        self.example_tile.clicked.connect(lambda: session.open_asked.emit(EXAMPLE))
        self.library_button.clicked.connect(lambda: session.page_asked.emit("Library"))
        for signal in (self.recent_view.activated, self.recent_view.clicked):
            signal.connect(lambda index: session.open_asked.emit(index.data(FILE)))
        session.recent_changed.connect(self._list_recent)

    def _list_recent(self) -> None:
        self.recent.show(self._session.recent)
        self.recent_view.setVisible(bool(self._session.recent))
        self._no_recent.setVisible(not self._session.recent)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(MARGIN // 2)
        column.addWidget(_heading("What do you want to do?"))
        row = QHBoxLayout()
        for tile in self.tiles:
            row.addWidget(tile)
        column.addLayout(row)
        column.addWidget(self.library_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(MARGIN)
        column.addWidget(_heading("Recent"))
        column.addWidget(self._no_recent)
        column.addWidget(self.recent_view, 1)
        column.addStretch()
        column.addWidget(QLabel(DROP, wordWrap=True))
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        inside.setLayout(column)
        layout = QHBoxLayout(self)
        layout.addWidget(inside, 1)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = QFont(label.font())
    font.setBold(True)
    label.setFont(font)
    return label
