"""A large button with an icon, a title and what it leads to."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from app.gui.look import theme
from app.gui.look.icons import icon

PADDING, GAP, ICON = 12, 8, 32  # logical pixels
LEAST = QSize(180, 132)  # logical pixels
LARGER = 1.15  # times the size of letters, of the title


class Tile(QAbstractButton):
    """One way to begin; Enter, Space or a click takes it."""

    def __init__(self, icon_name: str, title: str, about: str) -> None:
        super().__init__()
        self._icon, self._title, self._about = icon_name, title, about
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(about)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return LEAST.expandedTo(QSize(0, 2 * PADDING + ICON + 2 * GAP + 6 * self.fontMetrics().lineSpacing()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = theme.current()
        is_marked = self.underMouse() or self.hasFocus() or self.isDown()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(scheme.highlight if is_marked else scheme.frame))
        painter.setBrush(QColor(scheme.alternate if self.isDown() else scheme.base))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)
        inside = self.rect().adjusted(PADDING, PADDING, -PADDING, -PADDING)
        icon(self._icon).paint(painter, QRect(inside.topLeft(), QSize(ICON, ICON)))
        left = self._draw(painter, inside.adjusted(0, ICON + GAP, 0, 0), self._title, _bold(self.font()), scheme.text)
        self._draw(painter, left.adjusted(0, GAP // 2, 0, 0), self._about, self.font(), scheme.muted)
        painter.end()

    def _draw(self, painter: QPainter, room: QRect, text: str, font: QFont, colour: str) -> QRect:
        """Draw words on as many lines as they take, and return the room below."""
        flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(room, flags, text)
        return room.adjusted(0, QFontMetrics(font).boundingRect(room, flags, text).height(), 0, 0)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    bold.setPointSizeF(LARGER * font.pointSizeF())
    return bold
