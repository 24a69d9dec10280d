"""Profile: the form and the text of the open profile, side by side on one undo stack."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout, QWidget

from app.gui.profile_model import ProfileModel
from app.gui.profile_view import ProfileTree
from app.gui.session import Session
from app.gui.toml_editor import TomlEditor


class ProfilePage(QWidget):
    """The form on the left, the text on the right, the estimate below the title."""

    title = "Profile"
    icon = "profile"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.model = ProfileModel.of(session)
        self.tree = ProfileTree(session, self.model)
        self.editor = TomlEditor(session)
        self._heading = QLabel(wordWrap=True)
        self.estimate = QLabel(wordWrap=True)
        self.estimate.setAccessibleName("Estimate")
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.editor)
        splitter.setSizes([560, 480])
        layout = QVBoxLayout(self)
        layout.addWidget(self._heading)
        layout.addWidget(self.estimate)
        layout.addWidget(splitter, 1)
        session.estimate_changed.connect(self.refresh)
        session.document_opened.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show title and estimate of the open profile."""
        session = self._session
        self._heading.setText(f"<b>{session.title}</b>" if session.document.is_open else "<b>No profile is open</b>")
        self.estimate.setText(_estimate(session))


def _estimate(session: Session) -> str:
    if not session.document.is_open:
        return "Open one on Home (Ctrl+1), or drop a TOML file here."
    if session.problems:
        count = len(session.problems)
        return f"{count} {'problem' if count == 1 else 'problems'}: the estimate waits for a profile that can be run."
    return f"Estimate: {session.estimate.headline}" if session.estimate else ""
