"""The open profile: TOML text on one undo stack, whoever changes it, the form or the keyboard.

Typing in one go is one step of the stack, as is one value of the form.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.gui.session.steps import BESIDE
from models.scenario import Scenario
from profiles.editing.edit import set_value
from profiles.loading.usual import usual_for

TYPING = 1  # the id by which Qt asks whether two steps may become one
LONG = 10_000  # letters of a text that is checked at rest: it takes some 30 ms. The longest that ships has 4,100
REST = 300  # milliseconds without a change. Assumption: who types pauses less


class ProfileDocument(QObject):
    """A profile's text; `path` is its file, None for one that has not been saved; `name` is what it is called.

    A shipped profile is a template: `base` is where its relative names start, and saving asks for a file.
    """

    changed = Signal()
    opened = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stack = QUndoStack(self)
        self.text = ""
        self.path: Path | None = None
        self.name = ""
        self.base = Path.cwd() / "profile.toml"

    @property
    def is_open(self) -> bool:
        """Whether there is a profile."""
        return bool(self.name)

    @property
    def is_changed(self) -> bool:
        """Whether there is something to save: a step since then that is one of the text."""
        stack = self.stack
        saved, now = stack.cleanIndex(), stack.index()
        return saved < 0 or any(stack.command(i).id() != BESIDE for i in range(min(saved, now), max(saved, now)))

    def open(self, text: str, name: str, *, path: Path | None, base: Path) -> None:
        """Take a profile in place of the open one."""
        self.text, self.name, self.path, self.base = text, name, path, base
        self.stack.clear()
        self.opened.emit()
        self.changed.emit()

    def set_text(self, text: str, what: str = "typing") -> None:
        """Change the text by a step that can be undone."""
        if text != self.text:
            self.stack.push(_Change(self, text, what, is_typing=what == "typing"))

    def set_value(self, key: str, value: str, *, is_text: bool = False) -> None:
        """Change one value, and one line of the text.

        Raises:
            ProblemError: one line cannot do that.
        """
        usual = usual_for(key, self.text, Scenario, path=self.base)
        self.set_text(set_value(self.text, key, value, is_text=is_text, usual=usual), f"{key} = {value}")

    def saved_as(self, path: Path) -> None:
        """Take notice that the text is in a file."""
        self.path = self.base = path
        self.name = path.stem
        self.stack.setClean()
        self.opened.emit()

    def take(self, text: str) -> None:
        """Take the text of a step."""
        self.text = text
        self.changed.emit()


class _Change(QUndoCommand):
    """From one text to another. Typing joins the typing before it while it goes on at the same line."""

    def __init__(self, document: ProfileDocument, text: str, what: str, *, is_typing: bool) -> None:
        super().__init__(what)
        self._document = document
        self._before, self._after = document.text, text
        self._is_typing = is_typing

    def id(self) -> int:
        return TYPING if self._is_typing else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or _line(other._before, other._after) != _line(self._before, self._after):
            return False
        self._after = other._after
        return True

    def redo(self) -> None:
        self._document.take(self._after)

    def undo(self) -> None:
        self._document.take(self._before)


def _line(before: str, after: str) -> int:
    """Return the line in which two texts begin to differ."""
    return before[: common(before, after)].count("\n")


def common(one: str, other: str) -> int:
    """Return with how many characters both texts begin."""
    known, most = 0, min(len(one), len(other))
    while known < most:  # halves are compared at once, each character in turn takes a hundred times as long
        half = (known + most + 1) // 2
        if one[known:half] == other[known:half]:
            known = half
        else:
            most = half - 1
    return known
