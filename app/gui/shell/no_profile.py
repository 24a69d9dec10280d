"""What stands above a page that is about a profile while none is open: the ways to one."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.pages import EXAMPLE, PageEntry
from app.gui.session.session import Session


class NoProfileBar(QWidget):
    """A line with a button for each way to a profile."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._is_wanted = session, False
        library, file, example = (QPushButton(text) for text in ("Choose in the library", "Open a file…", "An example"))
        library.clicked.connect(lambda: session.page_asked.emit("Library"))
        file.clicked.connect(lambda: session.open_asked.emit(""))
        example.clicked.connect(lambda: session.open_asked.emit(EXAMPLE))
        row = QHBoxLayout(self)
        row.addWidget(QLabel("This page is about a profile, and none is open."))
        for button in (library, file, example):
            row.addWidget(button)
        row.addStretch()
        session.document_opened.connect(self._refresh)
        self._refresh()

    def show_for(self, page: PageEntry) -> None:
        """Show the ways where a page needs a profile and there is none."""
        self._is_wanted = page.of_profile
        self._refresh()

    def _refresh(self) -> None:
        self.setVisible(self._is_wanted and not self._session.document.is_open)


def above_each_other(*widgets: QWidget) -> QWidget:
    """Return widgets in a column without margins."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for widget in widgets:
        layout.addWidget(widget)
    return column
