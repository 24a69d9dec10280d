"""A file as this window last read or wrote it: what others wrote since is not written over without a question."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.gui.look.boxes import Button, Icon, box_of

UNKNOWN = (-1,)
"""The state of a file that was never read here."""


class SeenFile:
    """The file of the open profile, or of the open project."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._path: Path | None = None
        self._state: tuple[int, ...] = ()

    def look(self, path: Path | None, *, is_known: bool = True) -> None:
        """Take notice of a file that was just read or written, None for none; or of one that holds something else."""
        self._path, self._state = path, _state(path) if is_known else UNKNOWN

    def may_be_written(self, path: Path) -> bool:
        """Ask where others have written the file since; return False to leave it. One that is gone is made anew."""
        state = _state(path)
        if path != self._path or state in ((), self._state):
            return True
        why = "has changed since it was read here: another window or program wrote it"
        if self._state == UNKNOWN:
            why = "holds something else than what was opened here"
        asked = f"{path} {why}. Write over it?"
        box = box_of(Icon.Warning, asked, self._parent, Button.Save | Button.Cancel)
        box.setInformativeText("Cancel and save under another name to keep both.")
        box.setDefaultButton(Button.Cancel)
        answer = box.exec()
        box.deleteLater()
        return answer == Button.Save


def _state(path: Path | None) -> tuple[int, ...]:
    """Return what is another once a file has been written, nothing of one that is not there."""
    try:
        status = path.stat() if path else None
    except (OSError, ValueError):
        return ()
    return (status.st_ino, status.st_size, status.st_mtime_ns) if status else ()
