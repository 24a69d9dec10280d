"""What the main window asks of a page, and what a page may ask of the main window."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QWidget

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
