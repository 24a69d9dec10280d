"""One study of a page under way in a child process: its parts as they come, the time that is left, how it ended.

Each study that runs has a process of its own, and hears of that one alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.jobs.processes import AT_ONCE, Processes
from app.gui.jobs.worker import Worker

BUSY = f"{AT_ONCE} studies are running: wait for one, or cancel it in Jobs."
NAMELESS, STARTING = "Trial", "starting"


class Study(QObject):
    """Starts jobs of one page, listed as `what` of it.

    `progressed` is (0 to 1, what is being done, seconds left or infinity). A job that does one thing after the other
    begins at 0 with each: what is left is that of the one thing.
    """

    started = Signal()
    told = Signal(object)
    progressed = Signal(float, str, float)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, processes: Processes, parent: QObject | None = None, what: str = "") -> None:
        super().__init__(parent)
        self._processes = processes
        self._worker: Worker | None = None
        self._began = self._since = 0.0
        self.page = str(getattr(parent, "title", NAMELESS))
        self.title = f"{self.page}: {what}" if what else self.page
        self.progress: tuple[float, str, float] = (0.0, "", float("inf"))

    @property
    def is_running(self) -> bool:
        """Whether a job of this page goes on."""
        return self._worker is not None

    @property
    def process_id(self) -> int | None:
        """The id of the process that carries a job out, None while there is none."""
        return self._worker.process_id if self._worker else None

    @property
    def is_free(self) -> bool:
        """Whether a job may be started."""
        return not self.is_running and self._processes.is_free

    @property
    def passed(self) -> float:
        """Seconds since the job was started."""
        return time.monotonic() - self._began

    def start(self, job: Callable[..., Any], *arguments: Any) -> None:
        """Carry out a job in a child process; `is_free` says whether one may."""
        if self.is_running:
            raise RuntimeError("a study of this page is running: cancel it first")
        self._worker = worker = self._processes.take(self)
        for signal, slot in self._signals(worker):
            signal.connect(slot)
        worker.start(job, *arguments)
        self.progress = (0.0, STARTING, float("inf"))
        self._began = self._since = time.monotonic()
        self.started.emit()
        self._processes.listed.emit()

    def stop(self) -> None:
        """Ask the study to end with what it has found."""
        if self._worker is not None:
            self._worker.stop()

    def cancel(self) -> None:
        """End the study at once; what it has told stays told."""
        worker = self._end()
        if worker is not None:
            worker.cancel()
            self._processes.give_back(self)
            self.cancelled.emit()

    def _signals(self, worker: Worker) -> tuple[tuple[Any, Callable[..., None]], ...]:
        return (
            (worker.told, self._on_told),
            (worker.progressed, self._on_progressed),
            (worker.finished, self._on_finished),
            (worker.failed, self._on_failed),
        )

    def _end(self) -> Worker | None:
        """Hear no more of the process, and return it; None if there is none."""
        worker, self._worker = self._worker, None
        for signal, slot in self._signals(worker) if worker else ():
            signal.disconnect(slot)
        return worker

    def _on_told(self, part: object) -> None:
        self.told.emit(part)

    def _on_progressed(self, fraction: float, doing: str) -> None:
        now = time.monotonic()
        self._since = now if fraction == 0 or fraction < self.progress[0] else self._since
        passed = now - self._since
        left = passed * (1 - fraction) / fraction if fraction > 0 else float("inf")
        self.progress = (fraction, doing, left)
        self.progressed.emit(*self.progress)
        self._processes.progressed.emit()

    def _on_finished(self, answer: object) -> None:
        if self._end() is not None:
            self._processes.give_back(self)
            self.finished.emit(answer)

    def _on_failed(self, reason: str) -> None:
        if self._end() is not None:
            self._processes.give_back(self)
            self.failed.emit(reason)
