"""The shipped profiles as cards: studies first, then benchmarks by family."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from profiles.catalog import Entry, describe

CARD = Qt.ItemDataRole.UserRole + 1
FAMILY = Qt.ItemDataRole.UserRole + 2
SEARCHED = Qt.ItemDataRole.UserRole + 3


class HomeModel(QAbstractListModel):
    """One row a shipped profile."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards = sorted(describe(), key=lambda card: (card.folder != "studies", card.family, card.name))

    @property
    def families(self) -> list[str]:
        """The families of the cards, in their order."""
        return list(dict.fromkeys(card.family for card in self._cards))

    def card(self, row: int) -> Entry:
        """Return the shipped profile of a row."""
        return self._cards[row]

    def row_of(self, name: str) -> int:
        """Return the row of a profile.

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
            Qt.ItemDataRole.AccessibleTextRole: f"{card.title}, {card.family}",
            CARD: card,
            FAMILY: card.family,
            SEARCHED: f"{card.title} {card.name} {card.family}",
        }
        return said.get(role)
