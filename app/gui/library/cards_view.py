"""A grid of cards, each with its title, its question and its name, drawn in the colours of the theme."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRegularExpression,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.library import picture
from app.gui.library.model import CARD, FRAMEWORK, GROUPS, QUESTION, SEARCHED, STORAGE, Card, LibraryModel
from app.gui.look import theme

MARGIN = 10
CARD_WIDTH = 45  # letters that find room beside each other on a card, at least
LINES = 4  # of a title
NOTHING = "No shipped study or profile has these words. Try others, such as 'minio', 'sort' or 'servers'."


class CardsView(QListView):
    """Cards that can be narrowed by words and by a question. Enter or a click opens one."""

    chosen = Signal(object)

    def __init__(self, model: LibraryModel) -> None:
        super().__init__()
        self.setAccessibleName("Studies and profiles that ship")
        self._by_part: dict[int, QSortFilterProxyModel] = {}
        self._by_question, self._by_words = QSortFilterProxyModel(self), QSortFilterProxyModel(self)
        self._by_question.setSourceModel(model)
        self._by_question.setFilterRole(QUESTION)
        last: QSortFilterProxyModel = self._by_question
        for role in (STORAGE, FRAMEWORK):
            self._by_part[role] = proxy = QSortFilterProxyModel(self, filterRole=role)
            proxy.setSourceModel(last)
            last = proxy
        self._by_words.setSourceModel(last)
        self._by_words.setFilterRole(SEARCHED)
        self._by_words.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setModel(self._by_words)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_CardDelegate(self))
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def open_first(self) -> None:
        """Open the first card that is shown."""
        index = self.model().index(0, 0)
        if index.isValid():
            self._on_chosen(index)

    def show_matching(self, text: str) -> None:
        """Show the cards that say all words of a text, in any order."""
        words = (f"(?=.*{QRegularExpression.escape(word)})" for word in text.split())
        self._by_words.setFilterRegularExpression("".join(words))

    def show_with(self, role: int, value: str) -> None:
        """Show the cards that have a storage system or a framework, all for ""."""
        pattern = f"^{QRegularExpression.escape(value)}$" if value else ""
        self._by_part[role].setFilterRegularExpression(pattern)
        self.scrollToTop()

    def show_question(self, question: str) -> None:
        """Show the cards of one question, of all for ""."""
        self._by_question.setFilterRegularExpression(f"^{QRegularExpression.escape(question)}$" if question else "")
        self.scrollToTop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give all cards the same width, as many beside each other as find room."""
        metrics = self.fontMetrics()
        bar = self.verticalScrollBar()
        kept = 0 if bar.isVisible() else bar.sizeHint().width()  # Qt keeps it free for a bar that may come
        room = self.viewport().width() - kept - 2
        columns = max(1, room // (metrics.averageCharWidth() * CARD_WIDTH))
        self.setGridSize(QSize(room // columns, metrics.lineSpacing() * (LINES + 1) + 4 * MARGIN))
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(theme.current().muted))
            inside = self.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, NOTHING)
            painter.end()

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(CARD))


class _CardDelegate(QStyledItemDelegate):
    """Draws a card: its picture at the left, its title above, its question and name below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return cast(CardsView, self.parent()).gridSize() - QSize(4, 4)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        card: Card = index.data(CARD)
        scheme, box = theme.current(), option.rect.adjusted(2, 2, -2, -2)
        is_marked = bool(option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(scheme.highlight if is_marked else scheme.button))
        painter.setBrush(QColor(scheme.alternate))
        painter.drawRoundedRect(box, 6, 6)
        inside = box.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        place = inside.topLeft().toPointF()
        if card.kind:
            picture.draw_sign(painter, place, card.kind)
        else:
            picture.draw_servers(painter, place, index.data(GROUPS))
        _draw_title(painter, inside.adjusted(picture.SIZE.width() + MARGIN, 0, 0, 0), option.font, card.title)
        painter.setFont(option.font)
        painter.setPen(QColor(scheme.muted))
        text = f"{card.question} · {card.name}"
        shortened = QFontMetrics(option.font).elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, shortened)
        painter.restore()


def _draw_title(painter: QPainter, inside: QRect, font: QFont, title: str) -> None:
    """Draw a title in bold on as many lines as a card has for it."""
    bold = QFont(font)
    bold.setBold(True)
    metrics = QFontMetrics(bold)
    room = QRect(inside.left(), inside.top(), inside.width(), LINES * metrics.lineSpacing())
    flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
    text = title
    while len(text) > 1 and metrics.boundingRect(room, flags, text).height() > room.height():
        text = text.removesuffix("…").rpartition(" ")[0] + "…"
    painter.setFont(bold)
    painter.setPen(QColor(theme.current().text))
    painter.drawText(room, flags, text)
