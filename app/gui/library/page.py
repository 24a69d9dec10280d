"""Library: what ships as cards, by question, storage system and framework."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from app.gui.library.cards_view import CardsView
from app.gui.library.model import FRAMEWORK, QUESTION, STORAGE, Card, LibraryModel, QuestionsModel
from app.gui.page import Page
from app.gui.session.session import Session

SIDE = 250  # logical pixels of the column beside the cards


class LibraryPage(Page):
    """Studies, profiles and benchmarks; what is chosen here is opened by the window."""

    title = "Library"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.model = LibraryModel(self)
        self.search = QLineEdit(placeholderText="Search studies, profiles and benchmarks", clearButtonEnabled=True)
        self.search.setAccessibleName("Search what ships")
        self.questions = QListView()
        self.questions.setAccessibleName("Questions")
        self.questions.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._question_rows = QuestionsModel(self.model.questions, self)
        self.questions.setModel(self._question_rows)
        self.questions.setCurrentIndex(self.questions.model().index(0, 0))
        self.cards = CardsView(self.model)
        self.storage = _choice("Storage system", "Any storage", self.model.values(STORAGE))
        self.framework = _choice("Framework", "Any framework", self.model.values(FRAMEWORK))
        self._lay_out()
        self.search.textChanged.connect(self._on_searched)
        self.search.returnPressed.connect(self.cards.open_first)
        self.storage.currentIndexChanged.connect(lambda: self.cards.show_with(STORAGE, self.storage.currentData()))
        self.framework.currentIndexChanged.connect(
            lambda: self.cards.show_with(FRAMEWORK, self.framework.currentData())
        )
        self.questions.selectionModel().currentChanged.connect(self._on_question_chosen)
        self.cards.chosen.connect(self._on_card_chosen)
        self.setFocusProxy(self.search)

    def show_question(self, question: str) -> None:
        """Show the cards of a question."""
        rows = self._question_rows
        self.questions.setCurrentIndex(rows.index(rows.row_of(question), 0))

    def showEvent(self, event: QShowEvent) -> None:
        """Let Tab go from the search to the cards: Qt forgets such an order when a page joins its window."""
        super().showEvent(event)
        order = (self.search, self.storage, self.framework, self.questions, self.cards)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _lay_out(self) -> None:
        above, below = QHBoxLayout(), QHBoxLayout()
        above.addWidget(self.search, 1)
        above.addWidget(self.storage)
        above.addWidget(self.framework)
        self.questions.setFixedWidth(SIDE)
        below.addWidget(self.questions)
        below.addWidget(self.cards, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addLayout(below, 1)

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
        self._session.open_asked.emit(card.name)


def _choice(name: str, every: str, values: list[str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.addItem(every, "")
    for value in values:
        box.addItem(value, value)
    return box
