"""The one child process as the window sees it: start a job, cancel it, and hear of it in signals.

A simulation in a thread would hold the interpreter's lock and make the window stutter; in a process it cannot.
A thread does nothing but read the pipe; what it makes there sets off no collection of garbage (`app.gui.garbage`).
Cancelling ends the process; the next one is started at once, so that it has imported what it needs when it is asked.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from app.gui.jobs.run import prepare
from app.gui.jobs.worker_process import NOTHING_FOUND, Failed, Finished, Progressed, Stop, Told, serve

GRACE = 0.5  # seconds that a process is given to end before it is killed, so that a user waits for less than one


class Worker(QObject):
    """Carries out one job at a time in a child process."""

    progressed = Signal(float, str)
    told = Signal(object)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._child: _Child | None = None
        self._ending: list[_Child] = []
        self._preparing = self._stops = False
        self._waiting: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
        self.is_busy = False
        self._is_closed = False

    def warm(self) -> None:
        """Start the process, so that it is ready when there is a job; not once this is closed."""
        if self._child is None and not self._is_closed:
            self._child = _Child(self)
            self._child.heard.connect(self._on_heard)
            self._child.ended.connect(self._on_ended)
            self._preparing = True
            self._child.send((prepare, ()))

    def start(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Carry out `function(report, *arguments)`; both are sent to the process, so they must be importable.

        Who asks for a job after the worker was closed opens it again.
        """
        if self.is_busy:
            raise RuntimeError("a job is running: cancel it first")
        self._is_closed = False
        self.warm()
        self.is_busy = True
        if self._preparing:
            self._waiting, self._stops = (function, arguments), False
        else:
            self._send(function, arguments)

    def stop(self) -> None:
        """Ask the job to end with what it has found; it may take a while, and may have found nothing.

        One that waits for its process to be ready is not begun.
        """
        if self.is_busy and self._preparing:
            self._stops = True
        elif self.is_busy and self._child is not None:
            self._child.send(Stop())

    def cancel(self) -> None:
        """End the job at once; nothing more is heard of it."""
        if self.is_busy:
            self.is_busy, self._waiting = False, None
            self._drop()
            self.warm()

    def rest(self) -> None:
        """End the process if it has nothing to do; the next job starts one."""
        if not self.is_busy:
            self._drop()

    def end(self) -> None:
        """Tell the process to end; only a job starts another. Who closes several tells all of them first."""
        self.is_busy, self._waiting, self._is_closed = False, None, True
        self._drop()

    def close(self) -> None:
        """End the process, and wait until it and those before it are gone."""
        self.end()
        for child in self._ending:
            child.wait_for_end()
        self._forget_ended()

    @property
    def process_id(self) -> int | None:
        """The process's id, None while there is none."""
        return self._child.process.pid if self._child else None

    def _send(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        assert self._child is not None  # warm() has been called
        self._child.send((function, arguments))

    def _drop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.heard.disconnect(self._on_heard)
            child.ended.disconnect(self._on_ended)
            self._ending.append(child)
            child.finished.connect(self._forget_ended)
            child.end()
            self._forget_ended()  # where it has ended by itself, nothing more is heard of it

    def _forget_ended(self) -> None:
        for child in [ending for ending in self._ending if ending.isFinished()]:
            self._ending.remove(child)
            _OPEN.discard(child)
            child.deleteLater()

    def _on_heard(self, child: _Child, event: object) -> None:
        if child is not self._child:
            return  # said before it was dropped, and delivered since
        if isinstance(event, Progressed):
            if self.is_busy and not self._preparing:
                self.progressed.emit(event.fraction, event.doing)
        elif isinstance(event, Told):
            if self.is_busy:
                self.told.emit(event.part)
        elif self._preparing:
            self._preparing = False
            (waiting, self._waiting), self._stops, stops = (self._waiting, None), False, self._stops
            if waiting is not None and stops:
                self.is_busy = False
                self.failed.emit(NOTHING_FOUND)
            elif waiting is not None:
                self._send(*waiting)
        else:
            self.is_busy = False
            if isinstance(event, (Finished, Failed)) and event.is_last:
                self._drop()
                self.warm()
            if isinstance(event, Finished):
                self.finished.emit(event.answer)
            elif isinstance(event, Failed):
                self.failed.emit(event.reason)

    def _on_ended(self, child: _Child) -> None:
        if child is not self._child:
            return
        was_busy, code = self.is_busy, child.exit_code()
        self.is_busy, self._waiting = False, None
        self._drop()
        if was_busy:
            self.failed.emit(
                f"the simulation process was ended from outside (exit status {code}), perhaps because memory ran out;"
                " the profile is intact: run it again"
            )


class _Child(QThread):
    """A process and the thread that reads its pipe."""

    heard = Signal(object, object)
    ended = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self.process = context.Process(target=serve, args=(theirs,), name="headroom-simulation")
        self.process.start()
        theirs.close()
        _OPEN.add(self)
        self.start()

    def send(self, asked: tuple[Callable[..., Any], tuple[Any, ...]] | Stop) -> None:
        try:
            self._connection.send(asked)
        except OSError:
            return  # the process has ended, which the thread notices

    def run(self) -> None:
        """Read until the process ends."""
        while True:
            try:
                event = self._connection.recv()  # of our own process
            except (EOFError, OSError):
                self._connection.close()
                self.ended.emit(self)
                return
            self.heard.emit(self, event)

    def exit_code(self) -> int | None:
        self.process.join(GRACE)
        return self.process.exitcode

    def end(self) -> None:
        """Ask the process to end, and see to it; does not wait."""
        self.process.terminate()
        QTimer.singleShot(round(1000 * GRACE), self, self._kill)

    def wait_for_end(self) -> None:
        """Wait until process and thread are gone."""
        self.process.join(GRACE)
        self._kill()
        self.process.join()
        self.wait()

    def _kill(self) -> None:
        if self.process.is_alive():
            self.process.kill()


_OPEN: WeakSet[_Child] = WeakSet()


@atexit.register
def _end_what_is_left() -> None:
    """End processes that nobody closed: at the end of a program `multiprocessing` waits for each of them for ever."""
    for child in list(_OPEN):
        child.process.terminate()
        child.wait_for_end()
