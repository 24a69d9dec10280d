"""What ships as cards, by the question that each answers: studies of many runs, then profiles, then benchmarks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.gui.studies import shipped_studies
from profiles.catalog import Entry, describe

CARD = Qt.ItemDataRole.UserRole + 1
QUESTION = Qt.ItemDataRole.UserRole + 2
SEARCHED = Qt.ItemDataRole.UserRole + 3
OF_STUDIES = {
    "compare": "Which is faster?",
    "size": "How many servers?",
    "sweep": "How far does it scale?",
    "growth": "When is it full?",
    "sensitivity": "What does it depend on?",
}
"""The question of a study, by its kind."""
OF_TABLES = {"growth": OF_STUDIES["growth"], "failures": "What if something fails?"}
"""The question of a profile that states a table; the first that it states."""
FAST = "How fast is it?"
MEASURED = "Measured: {}"
QUESTIONS = (*OF_STUDIES.values(), OF_TABLES["failures"], FAST)
"""All questions, in their order; benchmarks follow by family."""
ALL = "Everything"


@dataclass(frozen=True, slots=True)
class Card:
    """A study or a profile that ships."""

    name: str
    title: str
    question: str
    is_study: bool


def cards() -> list[Card]:
    """Return all cards, by question and then by name, studies first."""
    found = [Card(each.name, each.title, OF_STUDIES[each.kind], True) for each in shipped_studies()]
    found += [Card(each.name, each.title, _question(each), False) for each in describe()]
    order = {question: number for number, question in enumerate(QUESTIONS)}
    return sorted(found, key=lambda card: (order.get(card.question, len(order)), card.question, not card.is_study))


def _question(entry: Entry) -> str:
    if entry.folder != "studies":
        return MEASURED.format(entry.family)
    return next((question for table, question in OF_TABLES.items() if table in entry.states), FAST)


class HomeModel(QAbstractListModel):
    """One row a card."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards = cards()

    @property
    def questions(self) -> dict[str, int]:
        """How many cards each question has, in their order."""
        return dict(Counter(card.question for card in self._cards))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._cards)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        card = self._cards[index.row()]
        said = {
            Qt.ItemDataRole.DisplayRole: card.title,
            Qt.ItemDataRole.ToolTipRole: f"{card.title}\n{card.name}",
            Qt.ItemDataRole.AccessibleTextRole: f"{card.title}. {card.question}",
            CARD: card,
            QUESTION: card.question,
            SEARCHED: f"{card.title} {card.name} {card.question}",
        }
        return said.get(role)


class QuestionsModel(QAbstractListModel):
    """Everything, then each question, with the number of its cards."""

    def __init__(self, questions: dict[str, int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = [(ALL, sum(questions.values())), *questions.items()]

    def row_of(self, question: str) -> int:
        """Return the row of a question."""
        return [each for each, _ in self._rows].index(question)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        question, count = self._rows[index.row()]
        if role == QUESTION:
            return "" if question == ALL else question
        return f"{question}  {count}" if role == Qt.ItemDataRole.DisplayRole else None
