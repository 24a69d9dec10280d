"""What the main window asks of a page, and what a page may ask of the main window."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.gui.session.session import Session


class Page(QWidget):
    """A page of the window, made for a session when it is first shown.

    Its QActions, added with `addAction`, appear in a menu of its title and in the palette of commands. It asks the
    window for another page, or for a file to be opened, by the signals of the session that end in `asked`.
    """

    title: ClassVar[str]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName(self.title)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the button that has the keys, as Space does: Qt leaves that to dialogs."""
        focused = QApplication.focusWidget()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(focused, QAbstractButton):
            focused.click()
        else:
            super().keyPressEvent(event)
