"""What `headroom --check` does: it opens the window and all its pages, has a shipped profile simulated, and closes.

For whoever installed the program, or packed it. What the user keeps, settings and autosaves, is left alone.
"""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from PySide6.QtCore import QObject, QTimer, qVersion

from app.gui.application import create
from app.gui.jobs.worker import Worker
from app.gui.pages import PAGES
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.window import MainWindow

PROFILE = "hdfs-terasort"
LIMIT = 300  # seconds. Assumption: the slowest machine in use compiles the kernels and simulates in less


def run() -> int:
    """Check the program and return the exit status: 0 it works, 1 it does not, and stderr says why."""
    with TemporaryDirectory() as place:
        settings = Settings(Path(place) / "window.ini")
        application = create(settings)
        check = Check(MainWindow(Session(Worker()), settings), application.exit)
        sys.excepthook = check.fail_by_fault
        QTimer.singleShot(0, check.start)
        return application.exec()


class Check(QObject):
    """The check of one window; `on_end` is told the exit status when the window is closed."""

    def __init__(self, window: MainWindow, on_end: Callable[[int], object]) -> None:
        super().__init__(window)
        self._window = window
        self._on_end = on_end
        self._limit = QTimer(self, singleShot=True, interval=1000 * LIMIT)
        self._limit.timeout.connect(lambda: self._fail(f"no answer within {LIMIT} s"))
        window.session.run_finished.connect(self._on_finished)
        window.session.run_failed.connect(self._fail)

    def start(self) -> None:
        """Open everything and start the simulation."""
        print(f"Headroom {version('headroom')}, Python {platform.python_version()}, Qt {qVersion()}")
        self._limit.start()
        self._window.show()
        self._window.session.open(PROFILE)
        for entry in PAGES:
            self._window.show_page(entry.title)
        print("Pages:", ", ".join(self._window.pages))
        self._window.run_action.trigger()

    def fail_by_fault(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """End the check by a fault of the program, as `sys.excepthook`."""
        self._fail("".join(traceback.format_exception(kind, error, trace)))

    def _on_finished(self, run: Run) -> None:
        print(f"{run.request.title}:")
        for label, words in run.ran.answer:
            print(f"  {label}: {words}")
        self._end(0)

    def _fail(self, reason: str) -> None:
        print(f"headroom: the check failed: {reason}", file=sys.stderr)
        self._end(1)

    def _end(self, status: int) -> None:
        self._limit.stop()
        self._window.close()
        self._on_end(status)
