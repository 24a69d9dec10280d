"""What lies over a part of a page that is not filled, or not drawn, yet, or that tells of something else by now."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

THIN = 0.45
"""How much of the colour behind a widget lies over it where it is dim: its words can still be read."""


class Curtain(QWidget):
    """Covers a widget in the colour behind it, so that neither the run before nor another page is seen there."""

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self.setAutoFillBackground(True)
        self.resize(covered.size())
        self.hide()
        covered.installEventFilter(self)

    def fall(self) -> None:
        """Cover the widget."""
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.resize(watched.size())
        return super().eventFilter(watched, event)


class Veil(Curtain):
    """Dims a widget of which the numbers are of something else by now; it can be used as before."""

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self.setAutoFillBackground(False)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = self.palette().window().color()
        colour.setAlphaF(THIN)
        QPainter(self).fillRect(event.rect(), colour)
