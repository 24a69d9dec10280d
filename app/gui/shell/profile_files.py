"""Profiles and studies as files in the window: opened, saved, and never lost without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.session.inputs import check_save
from app.gui.session.opening import holds
from app.gui.session.session import Session
from app.gui.session.studies import OpenedStudy, open_study
from app.gui.shell.seen_file import SeenFile
from app.gui.shell.unsaved import may_go_on, take_what_is_typed
from models.problem import ProblemError

FILES = "Profiles and studies (*.toml);;All files (*)"


class ProfileFiles(QObject):
    """What the File menu does with profiles and studies. Failures are told by `refused`, with a title."""

    told = Signal(str)
    refused = Signal(str, object)
    study_opened = Signal(object)

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._seen = SeenFile(window)
        session.document_opened.connect(self._look)

    def open(self, name_or_path: str) -> bool:
        """Open a profile; asks first where changes would be lost."""
        return self.open_by(lambda: self._session.open(name_or_path))

    def open_by(self, opens: Callable[[], None]) -> bool:
        """Open what `opens` opens; asks first where changes would be lost."""
        if not self.may_drop_changes():
            return False
        try:
            opens()
        except ProblemError as error:
            self.refused.emit("Cannot open the profile", error)
            return False
        return True

    def open_study(self, name: str) -> bool:
        """Open a study, by the name of one that ships or as a file, on the page that carries it out, ready to run.

        Asks first where its profile takes the place of changes; a plan leaves the open profile as it is.
        """
        try:
            opened = open_study(name)
            if opened is not None and opened.profile and not self.may_drop_changes():
                return False
            if opened is not None:
                self._session.open_study(opened)
        except ProblemError as error:
            self.refused.emit("Cannot open the study", error)
            return False
        if opened is not None:
            self._take(opened)
        return opened is not None

    def choose(self) -> str:
        """Ask for a file to open; "" for none."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a profile or a study", "", FILES)
        return name

    def save(self) -> bool:
        """Save the profile; one without a file of its own asks for one."""
        path = self._session.document.path
        return self.save_as() if path is None else self._save(path)

    def save_as(self) -> bool:
        """Ask for a file and save the profile there."""
        document = self._session.document
        proposed = str(document.path or f"{document.name}.toml")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save the profile", proposed, FILES)
        return bool(name) and self._save(Path(name))

    def may_drop_changes(self) -> bool:
        """Ask where there are unsaved changes; True to go on."""
        take_what_is_typed()
        document = self._session.document
        if not document.is_changed:
            return True
        asked = f"Save the changes to {document.path or document.name}?"
        return may_go_on(self._window, asked, self.save)

    def _save(self, path: Path) -> bool:
        if not self._seen.may_be_written(path):
            return False
        session = self._session
        try:
            check_save(session, path, session.document.base)
            session.save(path)
        except ProblemError as error:
            self.refused.emit("Cannot save the profile", error)
            return False
        self.told.emit(f"Saved {path}")
        return True

    def _look(self) -> None:
        """Take notice of the profile's file; a project brings a text of its own, which may be another."""
        document = self._session.document
        self._seen.look(document.path, is_known=document.path is None or holds(document.path, document.text))

    def _take(self, opened: OpenedStudy) -> None:
        if opened.profile:  # seed and runs of a plan are its own, and those of the open profile stay
            self.study_opened.emit(opened)
        path = Path(opened.name)
        if path.is_file():
            self._session.file_opened.emit(path)
