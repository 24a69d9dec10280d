"""A large project while a child process reads it: the window answers meanwhile, and Escape gives it up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressDialog, QWidget

from app.gui.jobs.processes import Processes
from app.gui.jobs.study import BUSY, Study
from app.gui.session.project_reading import Opened, read_apart
from app.gui.session.runs import Run
from app.reports.media import shown
from models.problem import Problem, ProblemError


class Reading(QProgressDialog):
    """Says which project is read, how far it is, and has a button that gives it up, as closing it does."""

    title = "Project"

    def __init__(self, window: QWidget, processes: Processes, path: Path) -> None:
        super().__init__(window)
        self._path = path
        self._study = Study(processes, self, "reading")
        self._runs: list[Run] = []
        self._opened: Opened | None = None
        self._refused = ""
        self.setLabel(QLabel(shown(f"Reading {path.name}"), textFormat=Qt.TextFormat.PlainText))
        self.setWindowTitle("Headroom")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAutoReset(False)
        self.setRange(0, 0)
        self.canceled.connect(self.reject)
        self._study.told.connect(self._runs.append)
        self._study.finished.connect(self._on_finished)
        self._study.failed.connect(self._on_failed)

    def wait(self) -> Opened | None:
        """Return the project, None if the user gives it up.

        Raises:
            ProblemError: it cannot be read, or too much is being computed.
        """
        if not self._study.is_free:
            raise ProblemError([Problem(str(self._path), None, "", BUSY)])
        self._study.start(read_apart, self._path)
        self.exec()
        self._study.cancel()  # where it still goes on
        self.deleteLater()
        if self._refused:
            raise ProblemError([Problem("", None, "", self._refused)])
        return self._opened

    def _on_finished(self, rest: Opened) -> None:
        self._opened = Opened(rest.project, tuple(self._runs), rest.named)
        self.accept()

    def _on_failed(self, reason: str) -> None:
        self._refused = reason
        self.accept()
