"""The child processes of studies: each study that runs has one of its own, so that none waits for another.

A process that is done is kept for the next study, and ended when none comes for a while: it takes over 100 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.jobs.worker import Worker

AT_ONCE = 4
"""Studies that may run at the same time. Assumption: what memory of a small computer allows, each with workers."""
IDLE = 60_000
"""Milliseconds after which a process that has nothing to do is ended. Assumption: no further try is to be expected."""


class Running(Protocol):
    """A study that goes on, of a `page`. `progress` is (0 to 1, what is being done, seconds left or infinity)."""

    page: str
    title: str
    progress: tuple[float, str, float]

    @property
    def passed(self) -> float:
        """Seconds since it was started."""

    def cancel(self) -> None:
        """End it at once."""


class Processes(QObject):
    """Lends processes to studies, and knows which studies are running."""

    listed = Signal()
    progressed = Signal()
    ended = Signal()

    def __init__(self, workers: Sequence[Worker] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = list(workers)
        self.running: tuple[Running, ...] = ()
        self._idle = QTimer(self, singleShot=True, interval=IDLE)
        self._idle.timeout.connect(self._end_idle)

    @property
    def is_free(self) -> bool:
        """Whether one more study may be started."""
        return len(self.running) < AT_ONCE

    def take(self, study: Running) -> Worker:
        """Return a process that has nothing to do, for a study that begins."""
        if not self.is_free:
            raise RuntimeError(f"{AT_ONCE} studies are running: cancel one first")
        free = next((worker for worker in self._workers if not worker.is_busy), None)
        if free is None:
            free = Worker(self)
            self._workers.append(free)
        self.running = (*self.running, study)
        self._idle.stop()
        return free

    def give_back(self, study: Running) -> None:
        """Take note that a study has ended, in whichever way."""
        self.running = tuple(running for running in self.running if running is not study)
        if not self.running:
            self._idle.start()
        self.listed.emit()
        self.ended.emit()

    def end(self) -> None:
        """Tell all processes to end."""
        self._idle.stop()
        for worker in self._workers:
            worker.end()

    def close(self) -> None:
        """End all processes, and wait until they are gone."""
        self.end()
        for worker in self._workers:
            worker.close()

    def _end_idle(self) -> None:
        for worker in self._workers:
            if not worker.is_busy:
                worker.rest()
