"""What ships as cards: studies of many runs first, then profiles: studies, then benchmarks by family."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from profiles.catalog import Entry, StudyEntry, describe, studies

CARD = Qt.ItemDataRole.UserRole + 1
FAMILY = Qt.ItemDataRole.UserRole + 2
SEARCHED = Qt.ItemDataRole.UserRole + 3
KINDS = {"compare": "comparison"}
"""Families of the studies that a page of the window shows, by their kind."""


class HomeModel(QAbstractListModel):
    """One row a shipped study or profile."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        profiles = sorted(describe(), key=lambda card: (card.folder != "studies", card.family, card.name))
        self._cards = [*(study for study in studies() if study.kind in KINDS), *profiles]

    @property
    def families(self) -> list[str]:
        """The families of the cards, in their order."""
        return list(dict.fromkeys(map(family, self._cards)))

    def card(self, row: int) -> Entry | StudyEntry:
        """Return what ships in a row."""
        return self._cards[row]

    def row_of(self, name: str) -> int:
        """Return the row of a profile or a study.

        Raises:
            StopIteration: none has that name.
        """
        return next(row for row, card in enumerate(self._cards) if card.name == name)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._cards)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        card = self._cards[index.row()]
        said = {
            Qt.ItemDataRole.DisplayRole: card.title,
            Qt.ItemDataRole.ToolTipRole: f"{card.title}\n{card.name}",
            Qt.ItemDataRole.AccessibleTextRole: f"{card.title}, {family(card)}",
            CARD: card,
            FAMILY: family(card),
            SEARCHED: f"{card.title} {card.name} {family(card)}",
        }
        return said.get(role)


def family(card: Entry | StudyEntry) -> str:
    """Return what a card belongs to: the family of a profile, the kind of a study."""
    return KINDS[card.kind] if isinstance(card, StudyEntry) else card.family
