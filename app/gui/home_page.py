"""Home: what one can start from. Cards of what ships by question, recent files, and a place to drop a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QListView, QPushButton, QVBoxLayout, QWidget

from app.gui.home_cards_view import MARGIN, CardsView
from app.gui.home_model import QUESTION, Card, HomeModel, QuestionsModel
from app.gui.session import Session

EXAMPLE = "hdfs-terasort"
SIDE = 250  # logical pixels of the column beside the cards
DROP = "Drop a profile, a study or a project anywhere on this window."
NONE_YET = "None yet: what you open or save is listed here."


class HomePage(QWidget):
    """The first page; what is chosen here is opened by the window."""

    title = "Home"
    icon = "home"
    profile_chosen = Signal(str)
    study_chosen = Signal(str)
    open_asked = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.model = HomeModel(self)
        self.search = QLineEdit(placeholderText="Search studies, profiles and benchmarks", clearButtonEnabled=True)
        self.search.setAccessibleName("Search what ships")
        self.questions = _list("Questions")
        self._question_rows = QuestionsModel(self.model.questions, self)
        self.questions.setModel(self._question_rows)
        self.questions.setCurrentIndex(self.questions.model().index(0, 0))
        self.cards = CardsView(self.model)
        self.recent = QStringListModel(self)
        self.recent_view = _list("Recent files")
        self.recent_view.setModel(self.recent)
        self.recent_view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._lay_out()
        self.search.textChanged.connect(self._on_searched)
        self.search.returnPressed.connect(self.cards.open_first)
        self.questions.selectionModel().currentChanged.connect(self._on_question_chosen)
        self.cards.chosen.connect(self._on_card_chosen)
        for signal in (self.recent_view.activated, self.recent_view.clicked):
            signal.connect(lambda index: self.profile_chosen.emit(str(Path(index.data()))))
        self.setFocusProxy(self.search)

    def show_question(self, question: str) -> None:
        """Show the cards of a question."""
        rows = self._question_rows
        self.questions.setCurrentIndex(rows.index(rows.row_of(question), 0))

    def set_recent(self, names: list[str]) -> None:
        """Show the files that were opened last."""
        self.recent.setStringList(names)
        self.recent_view.setVisible(bool(names))
        self._no_recent.setVisible(not names)

    def showEvent(self, event: QShowEvent) -> None:
        """Let Tab go on from the cards to the buttons: Qt forgets such an order when a page joins its window."""
        super().showEvent(event)
        order = (self.search, self.questions, self.cards, self.open_button, self.example_button, self.recent_view)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _lay_out(self) -> None:
        shipped = QVBoxLayout()
        shipped.addWidget(self.search)
        shipped.addWidget(self.cards, 1)
        side = QWidget()
        side.setFixedWidth(SIDE)
        side.setLayout(self._side())
        layout = QHBoxLayout(self)
        layout.addWidget(side)
        layout.addLayout(shipped, 1)

    def _side(self) -> QVBoxLayout:
        self.open_button = QPushButton("&Open a profile…")
        self.open_button.clicked.connect(self.open_asked)
        self.example_button = QPushButton("&Try the example")
        self.example_button.setToolTip("TeraSort of 1 TB on twelve HDFS servers")
        self.example_button.clicked.connect(lambda: self.profile_chosen.emit(EXAMPLE))
        drop = QLabel(DROP, wordWrap=True, margin=MARGIN, alignment=Qt.AlignmentFlag.AlignCenter)
        drop.setFrameShape(QFrame.Shape.StyledPanel)
        self._no_recent = QLabel(NONE_YET, wordWrap=True)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(_heading("What do you want to know?"))
        column.addWidget(self.questions, 3)
        column.addSpacing(MARGIN)
        column.addWidget(_heading("Your own"))
        for widget in (self.open_button, self.example_button, drop):
            column.addWidget(widget)
        column.addSpacing(MARGIN)
        column.addWidget(_heading("Recent"))
        column.addWidget(self._no_recent)
        column.addWidget(self.recent_view, 1)
        return column

    def _on_searched(self, text: str) -> None:
        if text:
            self.questions.setCurrentIndex(self.questions.model().index(0, 0))  # words are looked for everywhere
        self.cards.show_matching(text)

    def _on_question_chosen(self, index: QModelIndex) -> None:
        question = index.data(QUESTION)
        if question:
            self.search.clear()
        self.cards.show_question(question)

    def _on_card_chosen(self, card: Card) -> None:
        (self.study_chosen if card.is_study else self.profile_chosen).emit(card.name)


def _list(name: str) -> QListView:
    view = QListView()
    view.setAccessibleName(name)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    return view


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = QFont(label.font())
    font.setBold(True)
    label.setFont(font)
    return label
