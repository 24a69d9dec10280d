"""What is wrong with a study while its text is written: its own mistakes at once, those of its profile soon after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.study.jobs import checked, marked
from app.planning.asking import trials
from models.problem import Problem, ProblemError


class Trials(QObject):
    """Loads the profile of a study with what the study changes, and in each of its choices, until one is wrong.

    Between two of them the window has its turn: one takes 5 to 40 ms. `failed` says that there is a problem more.
    """

    failed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: tuple[str, Path] | None = None
        self._found: tuple[Problem, ...] = ()
        self._left: Iterator[tuple[str, Callable[[], None]]] = iter(())
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._try)

    def problems(self, text: str, path: Path) -> tuple[Problem, ...]:
        """Return what is known to be wrong with the study of a text, as if it stood in the file `path`."""
        if self._asked != (text, path):
            self._asked, self._found, self._left = (text, path), (), iter(())
            self._hear("", self._begin)
        return self._found

    def _begin(self) -> None:
        text, path = self._asked or ("", Path())
        self._left = trials(checked(text, path), path.name)
        self._turn.start()

    def _try(self) -> None:
        if self._hear(*next(self._left, ("", self._turn.stop))):
            self._turn.stop()
            self.failed.emit()

    def _hear(self, choice: str, act: Callable[[], None]) -> bool:
        """Carry out a step, in a choice or in none, and keep what is wrong; tell whether something is."""
        text, path = self._asked or ("", Path())
        try:
            act()
        except ProblemError as error:
            self._found = tuple(marked(problem, text, path, choice) for problem in error.problems)
        return bool(self._found)
