"""Home: what one can start from. Cards of what ships, recent files, and a place to drop a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import (
    QModelIndex,
    QRect,
    QRegularExpression,
    QSize,
    QSortFilterProxyModel,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.gui import theme
from app.gui.home_model import CARD, FAMILY, SEARCHED, HomeModel, family
from app.gui.session import Session
from profiles.catalog import StudyEntry

ALL = "All families"
EXAMPLE = "hdfs-terasort"
MARGIN = 10
CARD_WIDTH = 40  # letters that find room beside each other on a card, at least


class HomePage(QWidget):
    """The first page; what is chosen here is opened by the window."""

    title = "Home"
    icon = "home"
    profile_chosen = Signal(str)
    open_asked = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.model = HomeModel(self)
        self.search = QLineEdit(placeholderText="Search studies and benchmarks", clearButtonEnabled=True)
        self.search.setAccessibleName("Search studies and benchmarks")
        self.family = QComboBox()
        self.family.setAccessibleName("Family")
        self.family.addItems([ALL, *self.model.families])
        self.cards = _Cards(self.model)
        self.recent = QStringListModel(self)
        self._recent_view = self._listed_recent()
        self.search.textChanged.connect(self.cards.show_matching)
        self.family.currentTextChanged.connect(lambda name: self.cards.show_family("" if name == ALL else name))
        self.cards.chosen.connect(self.profile_chosen)
        self.cards.study_chosen.connect(session.open_study)
        layout = QHBoxLayout(self)
        layout.addLayout(self._shipped(), 3)
        layout.addLayout(self._own(), 1)

    def set_recent(self, names: list[str]) -> None:
        """Show the files that were opened last."""
        self.recent.setStringList(names)
        self._recent_view.setVisible(bool(names))
        self._no_recent.setVisible(not names)

    def _shipped(self) -> QVBoxLayout:
        row, column = QHBoxLayout(), QVBoxLayout()
        row.addWidget(self.search, 1)
        row.addWidget(self.family)
        column.addWidget(_heading("Start from a study or a documented benchmark"))
        column.addLayout(row)
        column.addWidget(self.cards, 1)
        return column

    def _own(self) -> QVBoxLayout:
        open_ = QPushButton("&Open a profile…")
        open_.clicked.connect(self.open_asked)
        example = QPushButton("&Try the example")
        example.setToolTip("TeraSort of 1 TB on twelve HDFS servers")
        example.clicked.connect(lambda: self.profile_chosen.emit(EXAMPLE))
        self._no_recent = QLabel("None yet. Open a TOML file, or drop one anywhere on this window.", wordWrap=True)
        column = QVBoxLayout()
        column.addWidget(_heading("Your own"))
        column.addWidget(open_)
        column.addWidget(example)
        column.addSpacing(2 * MARGIN)
        column.addWidget(_heading("Recent"))
        column.addWidget(self._no_recent)
        column.addWidget(self._recent_view, 1)
        column.addStretch()
        return column

    def _listed_recent(self) -> QListView:
        view = QListView()
        view.setAccessibleName("Recent files")
        view.setModel(self.recent)
        view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        view.activated.connect(lambda index: self.profile_chosen.emit(str(Path(index.data()))))
        view.clicked.connect(lambda index: self.profile_chosen.emit(str(Path(index.data()))))
        return view


class _Cards(QListView):
    """A grid of cards. Enter or a click opens one."""

    chosen = Signal(str)
    study_chosen = Signal(str, str)

    def __init__(self, model: HomeModel) -> None:
        super().__init__()
        self.setAccessibleName("Shipped profiles")
        self._by_family = QSortFilterProxyModel(self, filterRole=FAMILY)
        self._by_family.setSourceModel(model)
        self._by_words = QSortFilterProxyModel(self, filterRole=SEARCHED)
        self._by_words.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._by_words.setSourceModel(self._by_family)
        self.setModel(self._by_words)
        self.setItemDelegate(_CardDelegate(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width among as many cards as find room."""
        metrics = self.fontMetrics()
        room = self.viewport().width() - 2
        columns = max(1, room // (metrics.averageCharWidth() * CARD_WIDTH))
        self.setGridSize(QSize(room // columns, metrics.lineSpacing() * 4 + 3 * MARGIN))
        super().resizeEvent(event)

    def show_matching(self, text: str) -> None:
        """Show the cards that say all words of a text, in any order."""
        words = (f"(?=.*{QRegularExpression.escape(word)})" for word in text.split())
        self._by_words.setFilterRegularExpression("".join(words))

    def show_family(self, name: str) -> None:
        """Show the cards of one family, of all for ""."""
        self._by_family.setFilterRegularExpression(f"^{name}$" if name else "")

    def _on_chosen(self, index: QModelIndex) -> None:
        card = index.data(CARD)
        if isinstance(card, StudyEntry):
            self.study_chosen.emit(card.kind, card.name)
        else:
            self.chosen.emit(card.name)


class _CardDelegate(QStyledItemDelegate):
    """Draws a card: its title in two lines, its name and family below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return self.parent().gridSize() - QSize(4, 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        card, scheme, box = index.data(CARD), theme.current(), option.rect.adjusted(2, 2, -2, -2)
        is_marked = bool(option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(scheme.highlight if is_marked else scheme.button))
        painter.setBrush(QColor(scheme.alternate))
        painter.drawRoundedRect(box, 6, 6)
        inside = box.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        _draw_title(painter, inside, option.font, card.title)
        painter.setFont(option.font)
        painter.setPen(QColor(scheme.muted))
        metrics = QFontMetrics(option.font)
        said = metrics.elidedText(f"{family(card)} · {card.name}", Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, said)
        painter.restore()


def _draw_title(painter: QPainter, inside: QRect, font: QFont, title: str) -> None:
    """Draw a title in bold on two lines at most."""
    bold = QFont(font)
    bold.setBold(True)
    metrics = QFontMetrics(bold)
    room = QRect(inside.left(), inside.top(), inside.width(), 2 * metrics.lineSpacing())
    flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
    said = title
    while len(said) > 1 and metrics.boundingRect(room, flags, said).height() > room.height():
        said = said.removesuffix("…").rpartition(" ")[0] + "…"
    painter.setFont(bold)
    painter.setPen(QColor(theme.current().text))
    painter.drawText(room, flags, said)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = QFont(label.font())
    font.setBold(True)
    label.setFont(font)
    return label
