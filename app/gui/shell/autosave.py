"""Recovery copies: what is unsaved, written aside while one works, and found again at the next start.

Each window has a file of its own in the user's data folder, with a lock that ends with the process: a file whose lock
no program holds was left behind by a program that was killed, or closed with kept runs that are in no project.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from platformdirs import user_data_path
from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from app.gui.session.project import ProjectModel
from app.gui.session.project_file import SUFFIX, Project, read, write
from models.problem import ProblemError

SOON = 2_000  # milliseconds after a change. Assumption: so much work anybody can do again
AGAIN = 60_000  # milliseconds after which a copy that could not be written is tried again


def folder() -> Path:
    """Return where copies lie."""
    return user_data_path("headroom", appauthor=False) / "autosave"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A copy that no program holds, and when it was written (s since 1970)."""

    path: Path
    project: Project
    written: float


class Autosave(QObject):
    """Writes the copy of one window."""

    failed = Signal(str)

    def __init__(self, model: ProjectModel, place: Path) -> None:
        super().__init__(model)
        self._model = model
        self.path = place / f"{uuid4().hex}{SUFFIX}"
        self._lock = _lock(self.path)
        self._is_due, self._has_failed = False, False
        self._soon = QTimer(self, singleShot=True, interval=SOON)
        self._again = QTimer(self, interval=AGAIN)
        for timer in (self._soon, self._again):
            timer.timeout.connect(self.write_if_due)
        model.changed.connect(self._on_changed)
        self._again.start()
        self._on_changed()

    def write_if_due(self) -> None:
        """Write the copy if anything has changed since, or take it away if all is in files."""
        if self._is_due:
            try:
                self._write()
            except (ProblemError, OSError) as error:
                self._tell(str(error))
            else:
                self._is_due = self._has_failed = False

    def holds_all(self) -> bool:
        """Write what is due, and tell whether all that is in no file would be there at the next start."""
        if self._has_more_to_keep:
            self.write_if_due()
            return not self._is_due
        return True

    @property
    def _has_more_to_keep(self) -> bool:
        """Whether kept runs, notes or a plan are unsaved."""
        return self._model.has_work and self._model.has_more_than_a_profile

    def close(self) -> None:
        """End; the copy stays if kept runs, notes or a plan are unsaved: for a changed profile the window has asked.

        What changes afterwards is not heard: a run may still end, and the session may be gone when a timer does.
        """
        self._model.changed.disconnect(self._on_changed)
        self._soon.stop()
        self._again.stop()
        if self._has_more_to_keep:
            self._is_due = True
            self.write_if_due()
        else:
            self.path.unlink(missing_ok=True)
        self._lock.unlock()

    def _write(self) -> None:
        if not self._model.has_work:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._lock.isLocked():
            self._lock.tryLock(0)
        write(self.path, self._model.project())

    def _tell(self, why: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(f"No recovery copy can be written, save your work: {why}")

    def _on_changed(self) -> None:
        self._is_due = True
        if not self._soon.isActive():
            self._soon.start()


def leftovers(place: Path) -> tuple[list[Leftover], list[str]]:
    """Return the copies that no program holds, the latest first, and in words which cannot be read.

    Those that cannot be read are set aside under another name, so that they are told of once.
    """
    left, unread = [], []
    for path in sorted(place.glob(f"*{SUFFIX}")):
        lock = _lock(path)
        if not lock.tryLock(0):
            continue
        try:
            left.append(Leftover(path, read(path), path.stat().st_mtime))
        except ProblemError as error:
            aside = path.rename(path.with_suffix(".unread"))
            unread.append(f"A recovery copy of unsaved work cannot be read: {error}\nIt is kept as {aside}.")
        finally:
            lock.unlock()
    return sorted(left, key=lambda leftover: -leftover.written), unread


def drop(leftover: Leftover) -> None:
    """Delete a copy that is restored, or no longer wanted."""
    leftover.path.unlink(missing_ok=True)


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # it is stale when its process has ended, not when it is old
    return lock
