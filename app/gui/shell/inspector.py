"""What is known of the chosen key: meaning, unit, limits, value, source, where it stands, and where to read on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from app.gui.keys.actions import KeyActions, button_of
from app.gui.keys.model import ENTRY, VALUE, ProfileModel
from app.gui.session.session import Session
from app.gui.shell.key_help import key_page

EMPTY = "Choose a key of the profile to see what it means, its unit, its limits and where its value comes from."


class Inspector(QWidget):
    """Follows the chosen key; `link_followed` is where the help is to be opened."""

    link_followed = Signal(QUrl)

    def __init__(self, session: Session, model: ProfileModel) -> None:
        super().__init__()
        self._session = session
        self._model = model
        self.text = QTextBrowser(openLinks=False)
        self.text.setAccessibleName("Chosen key")
        self.text.setPlaceholderText(EMPTY)
        self.text.anchorClicked.connect(self.link_followed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.text)
        layout.addLayout(self._buttons(KeyActions.of(session, model)))
        session.key_selected.connect(self.refresh)
        session.estimate_changed.connect(self.refresh)

    def help_key(self) -> str:
        """Return the key that help is wanted for."""
        return self._session.selected_key

    def page(self, key: str) -> str:
        """Return what is known of a key as HTML, "" for nothing."""
        entry = self._model.index_of(key).data(ENTRY) if key else None
        return "" if entry is None else key_page(entry, self._model.problem(entry), self._typed)

    def refresh(self) -> None:
        """Show the chosen key."""
        page = self.page(self._session.selected_key)
        if page:
            self.text.setHtml(page)
        else:
            self.text.clear()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "text"):
            self.refresh()  # links have the colour that was theirs when the text was set

    def _buttons(self, of_key: KeyActions) -> QHBoxLayout:
        row = QHBoxLayout()
        for action in (of_key.reset, of_key.convert, of_key.sweep):
            row.addWidget(button_of(action))
        row.addStretch()
        return row

    def _typed(self, key: str) -> str:
        return str(self._model.index_of(key, VALUE).data() or "")
