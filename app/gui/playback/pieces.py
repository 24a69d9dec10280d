"""Work of the window's own process a turn at a time: in between it answers whoever uses it."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from app.gui.jobs.steps import Steps

TURN = 0.01
"""Seconds of the processor that work takes in a row. Assumption: with a paint behind it no pause is over 50 ms."""


class Pieces(QObject):
    """Carries out work; its first turn at once, so that what is small is done when `begin` returns."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Steps[None] | None = None
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._turn)

    @property
    def is_busy(self) -> bool:
        """Whether work is left."""
        return self._steps is not None

    def begin(self, steps: Steps[None]) -> None:
        """Begin work in place of what goes on."""
        self._steps = steps
        self._turn()

    def drop(self) -> None:
        """Leave the rest undone."""
        self._steps = None
        self._next.stop()

    def _turn(self) -> None:
        """Do a step at least, and more while there is time."""
        end = time.thread_time() + TURN
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration:
                self._steps = None
            if time.thread_time() >= end:
                break
        if self._steps is not None:
            self._next.start()
