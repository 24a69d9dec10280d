"""What ships as cards, by the question that each answers: studies of many runs, then profiles, then benchmarks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from app.gui.library.picture import Drawn, drawn_groups, in_words
from app.gui.session.studies import shipped_studies
from profiles.loading.catalog import Entry, describe

CARD = Qt.ItemDataRole.UserRole + 1
QUESTION = Qt.ItemDataRole.UserRole + 2
SEARCHED = Qt.ItemDataRole.UserRole + 3
STORAGE = Qt.ItemDataRole.UserRole + 4
FRAMEWORK = Qt.ItemDataRole.UserRole + 5
GROUPS = Qt.ItemDataRole.UserRole + 6
OF_STUDIES = {
    "plan": "Which design meets it?",
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
PUBLISHED = {
    "copy": "copies from S3",
    "hepix": "physics jobs",
    "mapreduce": "Hadoop jobs",
    "presto": "SQL with Presto",
    "published": "clusters of others",
    "sizing": "sizes of vendors",
    "tpcds": "TPC-DS",
    "tpch": "TPC-H",
}
"""What was measured, by the family of its benchmarks."""
QUESTIONS = (*OF_STUDIES.values(), OF_TABLES["failures"], FAST)
"""All questions, in their order; benchmarks follow by family."""
ALL = "Everything"


@dataclass(frozen=True, slots=True)
class Card:
    """A study or a profile that ships; `kind` is that of a study, "" of a profile."""

    name: str
    title: str
    question: str
    kind: str = ""
    storage: str = ""
    framework: str = ""
    family: str = ""


def cards() -> list[Card]:
    """Return all cards, by question and then by name, studies first."""
    listed = [Card(study.name, study.title, OF_STUDIES[study.kind], study.kind) for study in shipped_studies()]
    listed += map(_card, describe())
    order = {question: number for number, question in enumerate(QUESTIONS)}
    return sorted(listed, key=lambda card: (order.get(card.question, len(order)), card.question, not card.kind))


def _card(entry: Entry) -> Card:
    return Card(
        name=entry.name,
        title=entry.title,
        question=_question(entry),
        storage=entry.storage,
        framework=entry.framework,
        family=entry.family,
    )


def _question(entry: Entry) -> str:
    if entry.folder != "studies":
        return f"Published: {PUBLISHED.get(entry.family, entry.family)}"
    return next((question for table, question in OF_TABLES.items() if table in entry.states), FAST)


class LibraryModel(QAbstractListModel):
    """One row a card. A profile is read for its picture when somebody looks at its card, one at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards = cards()
        self._groups: dict[int, tuple[Drawn, ...]] = {}
        self._wanted: list[int] = []
        self._reading = QTimer(self, interval=0)
        self._reading.timeout.connect(self._read_next)

    def groups(self, row: int) -> tuple[Drawn, ...]:
        """Return the servers of a card's profile; none before it has been read, which is then seen to."""
        if row not in self._groups and not self._cards[row].kind:
            self._groups[row] = ()
            self._wanted.append(row)
            self._reading.start()
        return self._groups.get(row, ())

    def _read_next(self) -> None:
        row = self._wanted.pop(0)
        self._groups[row] = drawn_groups(self._cards[row].name)
        if not self._wanted:
            self._reading.stop()
        self.dataChanged.emit(self.index(row), self.index(row))

    def values(self, role: int) -> list[str]:
        """Return what the cards have of a storage system or a framework, each once."""
        fields = {STORAGE: "storage", FRAMEWORK: "framework"}
        return sorted({getattr(card, fields[role]) for card in self._cards} - {""})

    @property
    def questions(self) -> dict[str, int]:
        """How many cards each question has, in their order."""
        return dict(Counter(card.question for card in self._cards))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._cards)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        card = self._cards[index.row()]
        if role == GROUPS:
            return self.groups(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (card.title, card.name, in_words(self._groups.get(index.row(), ())))))
        roles = {
            Qt.ItemDataRole.DisplayRole: card.title,
            Qt.ItemDataRole.AccessibleTextRole: f"{card.title}. {card.question}",
            CARD: card,
            QUESTION: card.question,
            STORAGE: card.storage,
            FRAMEWORK: card.framework,
            SEARCHED: f"{card.title} {card.name} {card.question} {card.storage} {card.framework} {card.family}",
        }
        return roles.get(role)


class QuestionsModel(QAbstractListModel):
    """Everything, then each question, with the number of its cards."""

    def __init__(self, questions: dict[str, int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = [(ALL, sum(questions.values())), *questions.items()]

    def row_of(self, question: str) -> int:
        """Return the row of a question."""
        return [text for text, _ in self._rows].index(question)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        question, count = self._rows[index.row()]
        if role == QUESTION:
            return "" if question == ALL else question
        return f"{question}  {count}" if role == Qt.ItemDataRole.DisplayRole else None
