"""What is known of the chosen key: meaning, unit, limits, value, source, and where it stands."""

from __future__ import annotations

from html import escape

from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

from app.gui.profile_model import ENTRY, ProfileModel
from app.gui.session import Session

EMPTY = "Choose a key of the profile to see what it means, its unit, its limits and where its value comes from."


class Inspector(QWidget):
    """Follows the chosen key."""

    def __init__(self, session: Session, model: ProfileModel) -> None:
        super().__init__()
        self._session = session
        self._model = model
        self.text = QTextBrowser()
        self.text.setAccessibleName("Chosen key")
        self.text.setPlaceholderText(EMPTY)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.text)
        session.key_selected.connect(self.refresh)
        session.estimate_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the chosen key."""
        entry = self._model.index_of(self._session.selected_key).data(ENTRY) if self._session.selected_key else None
        if entry is None:
            self.text.clear()
            return
        rows = (
            ("Value", entry.typed),
            ("Unit", entry.unit),
            ("Allowed", entry.bounds or " or ".join(entry.choices[:8])),
            ("Source", entry.source),
            ("Stated in", entry.place),
        )
        said = "".join(f"<p><b>{label}</b><br>{escape(words)}</p>" for label, words in rows if words)
        wrong = self._model.problem(entry)
        mistake = f"<p><b>Problem</b><br>{escape(wrong)}</p>" if wrong else ""
        name = escape(entry.key).replace(".", ".<wbr>")
        self.text.setHtml(f"<p><b>{name}</b></p><p>{escape(entry.description)}</p>{mistake}{said}")
