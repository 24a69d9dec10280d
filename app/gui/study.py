"""One study of a page under way in the child process: its parts as they come, the time that is left, how it ended.

Pages share the process of studies, one study at a time; each hears of its own alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.worker import Worker

BUSY = "Another study is running: wait for it, or cancel it on its page."


class Study(QObject):
    """Starts jobs of one page. `progressed` is (0 to 1, what is being done, seconds left or infinity)."""

    started = Signal()
    told = Signal(object)
    progressed = Signal(float, str, float)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._since = 0.0
        self.is_running = False
        worker.told.connect(self._on_told)
        worker.progressed.connect(self._on_progressed)
        worker.finished.connect(self._on_finished)
        worker.failed.connect(self._on_failed)

    @property
    def is_free(self) -> bool:
        """Whether a study may be started."""
        return not self._worker.is_busy

    def start(self, job: Callable[..., Any], *arguments: Any) -> None:
        """Carry out a job in the child process, which must be free."""
        self._worker.start(job, *arguments)
        self.is_running, self._since = True, time.monotonic()
        self.started.emit()

    def cancel(self) -> None:
        """End the study at once; what it has told stays told."""
        if self.is_running:
            self.is_running = False
            self._worker.cancel()
            self.cancelled.emit()

    def _on_told(self, part: object) -> None:
        if self.is_running:
            self.told.emit(part)

    def _on_progressed(self, fraction: float, doing: str) -> None:
        if self.is_running:
            passed = time.monotonic() - self._since
            left = passed * (1 - fraction) / fraction if fraction > 0 else float("inf")
            self.progressed.emit(fraction, doing, left)

    def _on_finished(self, answer: object) -> None:
        if self.is_running:
            self.is_running = False
            self.finished.emit(answer)

    def _on_failed(self, reason: str) -> None:
        if self.is_running:
            self.is_running = False
            self.failed.emit(reason)
