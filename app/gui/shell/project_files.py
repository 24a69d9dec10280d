"""Projects in the window: open and save with dialogs, notes, and what was left behind by a program that was killed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPlainTextEdit, QWidget

from app.gui.look.boxes import Button, Icon, box_of, show, tell
from app.gui.session.inputs import check_save
from app.gui.session.opening import holds
from app.gui.session.project import ProjectModel
from app.gui.session.project_file import SUFFIX
from app.gui.session.project_reading import Opened, read_here
from app.gui.session.session import Session
from app.gui.shell.autosave import Autosave, Leftover, drop, folder, leftovers
from app.gui.shell.profile_files import ProfileFiles
from app.gui.shell.reading import Reading
from app.gui.shell.seen_file import SeenFile
from app.gui.shell.unsaved import may_go_on, take_what_is_typed
from models.problem import ProblemError

PROJECTS = f"Projects (*{SUFFIX});;All files (*)"


class ProjectFiles(QObject):
    """What the File menu does with projects; `taken`: the session has become another."""

    taken = Signal()
    told = Signal(str)
    refused = Signal(str, object)

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self.model = ProjectModel(session, self)
        self.notes = Notes(self.model)
        self._autosave: Autosave | None = None
        self._offered: list[Leftover] = []
        self._seen = SeenFile(window)

    def choose(self) -> None:
        """Ask for a project and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a project", "", PROJECTS)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a project; asks first where work would be lost to one that can be read."""
        try:
            is_taken = self.model.open(path, self._may_replace, self._read)
        except ProblemError as error:
            self.refused.emit("Cannot open the project", error)
            return False
        if is_taken:
            self._seen.look(path)
            self.taken.emit()
        if is_taken and self.model.elsewhere:
            self.told.emit(f"Saving the profile asks for a file: {self.model.elsewhere} is not beside the project")
        if is_taken and self._is_another_by_now:
            file = self._session.document.path
            self.told.emit(f"{file} has changed since the project was saved: what is shown is the project's")
        return is_taken

    def save(self) -> bool:
        """Save the project; one without a file asks for one."""
        return self.save_as() if self.model.path is None else self._save(self.model.path)

    def save_as(self) -> bool:
        """Ask for a file and save the project there; beside its profile it finds that again."""
        document = self._session.document
        beside = document.path.with_suffix(SUFFIX) if document.path else f"{document.name or 'project'}{SUFFIX}"
        proposed = str(self.model.path or beside)
        name, _ = QFileDialog.getSaveFileName(self._window, "Save the project", proposed, PROJECTS)
        return bool(name) and self._save(Path(name if Path(name).suffix else name + SUFFIX))

    def begin(self, place: Path | None = None) -> None:
        """Keep recovery copies from now on, and offer what was left behind."""
        place = place or folder()
        self._offered, unread = leftovers(place)
        self._autosave = Autosave(self.model, place)
        self._autosave.failed.connect(self.told)
        for text in unread:
            tell(Icon.Warning, text, self._window)
        if self._offered:
            self._offer()

    def may_close(self, files: ProfileFiles) -> bool:
        """Ask where changes of a profile are in no file, the project's neither; then where more than it is unsaved.

        Of kept runs, notes and a plan a copy waits for the next start, where one can be written.
        """
        take_what_is_typed()
        self._session.setups_wanted.emit()
        if not (self.model.holds_profile or files.may_drop_changes()):
            return False
        if self._autosave is None or self._autosave.holds_all():
            return True
        unsaved = self.model.project().summary
        asked = f"Save the project first? No copy for the next start can be written. Unsaved: {unsaved}."
        return may_go_on(self._window, asked, self.save)

    def close(self) -> None:
        """End, with the window."""
        if self._autosave is not None:
            self._autosave.close()
            self._autosave = None

    def restore(self) -> None:
        """Take back the latest work that was left behind."""
        latest = self._offered[0]
        try:
            self.model.restore(latest.project)
        except ProblemError as error:
            self.refused.emit("Cannot restore the work", error)
            return
        if self._autosave is not None:
            self._autosave.write_if_due()
            if self._autosave.path.exists():
                drop(self._offered.pop(0))
        self.taken.emit()

    def forget(self) -> None:
        """Delete the latest work that was left behind, and offer the one before it."""
        drop(self._offered.pop(0))
        if self._offered:
            self._offer()

    @property
    def _is_another_by_now(self) -> bool:
        """Whether the file of a profile that was opened with its project as it was saved holds something else."""
        document = self._session.document
        file = document.path
        return file is not None and file.is_file() and not document.is_changed and not holds(file, document.text)

    def _offer(self) -> None:
        latest = self._offered[0]
        when = datetime.fromtimestamp(latest.written).strftime("%-d %B, %H:%M")
        asked = f"There is unsaved work of {when}: {latest.project.summary}."
        box = box_of(Icon.Question, asked, self._window, Button.NoButton)
        for text, role, slot in (
            ("&Restore", QMessageBox.ButtonRole.AcceptRole, self.restore),
            ("&Delete it", QMessageBox.ButtonRole.DestructiveRole, self.forget),
            ("&Later", QMessageBox.ButtonRole.RejectRole, lambda: None),
        ):
            box.addButton(text, role).clicked.connect(slot)
        show(box)  # with its buttons: Qt finds out what Escape presses when a box is shown

    def _save(self, path: Path) -> bool:
        if not self._seen.may_be_written(path):
            return False
        try:
            check_save(self._session, path, self.model.path)
            self.model.save(path)
        except ProblemError as error:
            self.refused.emit("Cannot save the project", error)
            return False
        self._seen.look(path)
        self.told.emit(f"Saved {path}")
        return True

    def _read(self, path: Path) -> Opened | None:
        """Return a project; None where reading it takes a while and the user gives it up."""
        return read_here(path) or Reading(self._window, self._session.studies, path).wait()

    def _may_replace(self) -> bool:
        """Ask where kept runs, notes, a plan or changes are unsaved; True to go on."""
        if not self.model.has_work:
            return True
        asked = f"Save the project first? Unsaved: {self.model.project().summary}."
        return may_go_on(self._window, asked, self.save)


class Notes(QPlainTextEdit):
    """Free text that goes with the project."""

    def __init__(self, model: ProjectModel) -> None:
        super().__init__()
        self._model = model
        self.setAccessibleName("Notes")
        self.setTabChangesFocus(True)
        self.setPlaceholderText("Notes: what was asked, what was decided. Saved with the project.")
        self.textChanged.connect(lambda: model.set_notes(self.toPlainText()))
        model.notes_changed.connect(self._on_notes_changed)

    def _on_notes_changed(self) -> None:
        if self.toPlainText() != self._model.notes:
            self.setPlainText(self._model.notes)
