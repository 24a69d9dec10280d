"""What lies over a part of a page that is not filled, or not drawn, yet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


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
