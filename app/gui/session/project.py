"""The open project: what is in it, whether it is saved, and how a file, or a recovery copy, becomes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.gui.session.opening import holds, values_of
from app.gui.session.project_file import ProfileText, Project, kept, write
from app.gui.session.project_reading import Opened, read_all, runs_of
from app.gui.session.runs import Run
from app.gui.session.session import Session


class ProjectModel(QObject):
    """The session's work as one file; `path` is None until it is saved."""

    changed = Signal()
    notes_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.notes = ""
        self.is_changed = False
        self.elsewhere: str | None = None  # where the project that was opened would have its profile saved
        self._opened = session.document.text
        self._in_file: str | None = None  # the profile that the project's file has
        session.document_opened.connect(self._on_document_opened)
        session.document_changed.connect(self._on_document_changed)
        session.document.stack.cleanChanged.connect(self._on_clean_changed)
        session.runs_changed.connect(self._on_changed)
        session.run_finished.connect(self._on_changed)
        session.setups_changed.connect(self._on_changed)

    @property
    def path(self) -> Path | None:
        """The file of the project."""
        return self._session.project

    @property
    def has_work(self) -> bool:
        """Whether there is something unsaved that a user would miss."""
        return self.is_changed and (self._session.document.is_changed or self.has_more_than_a_profile)

    @property
    def holds_profile(self) -> bool:
        """Whether the file of the project has the profile as it stands: closing loses nothing of it."""
        return self.path is not None and self._session.document.text == self._in_file

    @property
    def has_more_than_a_profile(self) -> bool:
        """Whether there are kept runs, notes or a plan of one's own: one does not ask for them with the profile."""
        plan = self._session.setups.plan
        is_own = bool(plan.text) and not holds(Path(plan.base), plan.text)
        return bool(self._session.runs or self.notes.strip()) or is_own

    def set_notes(self, text: str) -> None:
        """Take the notes as they are typed."""
        if text != self.notes:
            self.notes = text
            self._on_changed()

    def project(self) -> Project:
        """Return all that the open project holds."""
        session, document = self._session, self._session.document
        session.setups_wanted.emit()
        profile = ProfileText(
            name=document.name,
            text=document.text,
            path=None if document.path is None else str(document.path),
            base=str(document.base),
            is_changed=document.is_changed,
        )
        last = session.last_run
        runs = session.runs if last is None or last.is_kept else (*session.runs, last)
        return Project(
            profiles=(profile,) if document.is_open else (),
            runs=tuple(map(kept, runs)),
            notes=self.notes,
            setups=session.setups,
            seed=session.seed,
            replications=session.replications,
        )

    def save(self, path: Path) -> None:
        """Write the project to a file.

        Raises:
            ProblemError: it cannot be written; the file is as it was, and so is the work.
        """
        write(path, self.project())
        self._session.project, self.is_changed = path, False
        self._in_file = self._session.document.text
        self._session.file_opened.emit(path)
        self.changed.emit()

    def open(
        self,
        path: Path,
        may_replace: Callable[[], bool] = lambda: True,
        reads: Callable[[Path], Opened | None] = read_all,
    ) -> bool:
        """Take a project's content in place of the open one, if one that is read may replace it.

        Raises:
            ProblemError: it cannot be read; the open one stays.
        """
        opened = reads(path)
        if opened is None or not may_replace():
            return False
        self._take(opened.project, opened.runs)
        self._session.project, self.is_changed = path, False
        self._in_file = self._session.document.text if opened.project.profiles else None
        self.elsewhere = None if self._session.document.path else opened.named
        self._session.file_opened.emit(path)
        self.changed.emit()
        return True

    def restore(self, project: Project) -> None:
        """Take back what was unsaved when the program ended.

        Raises:
            ProblemError: this program refuses one of its scenarios; the open one stays.
        """
        self._take(project, tuple(runs_of(project, "")))
        self._session.project, self._in_file, self.is_changed = None, None, True
        self.changed.emit()

    def _take(self, project: Project, runs: Sequence[Run]) -> None:
        for profile in project.profiles[:1]:
            self._open_profile(profile)
        self._session.take_runs(tuple(run for run in runs if run.is_kept), runs[-1] if runs else None)
        self._session.seed, self._session.replications = project.seed, project.replications
        self._session.take_setups(project.setups)
        self.notes = project.notes
        self.notes_changed.emit()

    def _open_profile(self, profile: ProfileText) -> None:
        path = None if profile.path is None else Path(profile.path)
        self._session.open_text(profile.text, profile.name, path=path, base=Path(profile.base))
        if profile.is_changed:
            self._session.document.stack.resetClean()  # it differs from its file
            self._session.baseline = values_of(self._session.document.base) or self._session.baseline
            self._session.problems_changed.emit()

    def _on_document_opened(self) -> None:
        self._opened = self._session.document.text

    def _on_document_changed(self) -> None:
        if self._session.document.text != (self._opened if self._in_file is None else self._in_file):
            self._on_changed()

    def _on_clean_changed(self, is_clean: bool) -> None:
        if not is_clean:
            self._on_changed()

    def _on_changed(self) -> None:
        self.is_changed = True
        self.changed.emit()
