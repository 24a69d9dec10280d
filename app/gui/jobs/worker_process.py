"""The child process: takes jobs from a pipe, one after the other, and sends back what becomes of them.

It ends with the window, however that ends: at once when the pipe closes between two jobs or the parent is gone. A job
that is asked to stop hears it as Ctrl+C: one that knows what to do then answers with what it has found.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from models.problem import RefusalError

MOST_MEMORY = 250e6
"""Bytes that a process may have held to go on. Assumption: twice what it holds before its first job."""
PERIOD = 0.05  # seconds between two reports: twenty a second. Assumption: more than an eye follows


NOTHING_FOUND = "Stopped before anything was found."


@dataclass(frozen=True, slots=True)
class Stop:
    """Asks the job that goes on to end with what it has found."""


@dataclass(frozen=True, slots=True)
class Progressed:
    """A job is done to a part, 0 to 1."""

    fraction: float
    doing: str


@dataclass(frozen=True, slots=True)
class Told:
    """A part of a job's answer is there."""

    part: Any


@dataclass(frozen=True, slots=True)
class Finished:
    """A job has an answer; `is_last`: the process takes no more jobs."""

    answer: Any
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """A job has none; `is_fault`: the program failed, not what it was asked; `is_last` as above."""

    reason: str
    is_fault: bool
    is_last: bool = False


def serve(connection: Connection) -> None:
    """Carry out jobs, (function, arguments), until the pipe closes or one has taken much memory, which stays taken."""
    asked = _Asked()
    signal.signal(signal.SIGINT, asked.on_interrupt)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a study that is cancelled ends its own processes first
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=asked.listen, args=(connection,), daemon=True).start()
    _take_jobs(connection, asked)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # nothing is left that would have to be ended first


class _Asked:
    """What comes through the pipe, heard by a thread: jobs, and that the one that goes on is to stop.

    A stop interrupts nothing but the job: neither what is before and after it, nor a message that is being sent, of
    which the window would read the first half and take what follows for the second.
    """

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Any] = SimpleQueue()
        self._is_working = self._is_stopped = self._is_sending = False

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let the job that is carried out meanwhile be interrupted, at once if it was to stop before it began."""
        try:
            self._is_working = True
            self.on_interrupt()
            yield
        finally:
            self._is_working = False

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Let no stop interrupt what is sent meanwhile; one that comes is heard afterwards."""
        self._is_sending = True
        try:
            yield
        finally:
            self._is_sending = False
        self.on_interrupt()

    def listen(self, connection: Connection) -> None:
        """Put jobs into the queue, None for the end of the pipe; interrupt the job that is to stop."""
        while True:
            try:
                heard = connection.recv()
            except (EOFError, OSError):
                self.jobs.put(None)
                return
            if isinstance(heard, Stop):
                self._is_stopped = True
                _interrupt()
            else:
                self._is_stopped = False
                self.jobs.put(heard)

    def on_interrupt(self, *_: object) -> None:
        """Let the job hear Ctrl+C if it is to stop; that of a terminal, which all processes get, is for the window."""
        if self._is_stopped and self._is_working and not self._is_sending:
            self._is_stopped = False
            raise KeyboardInterrupt


def _interrupt() -> None:
    """Let the main thread hear an interrupt, where it waits for something, too."""
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _take_jobs(connection: Connection, asked: _Asked) -> None:
    while (job := asked.jobs.get()) is not None:
        ended = _carried_out(connection, asked, *job)
        is_last = _highest_memory() > MOST_MEMORY
        connection.send(replace(ended, is_last=is_last))
        if is_last:
            return


class _Reporter:
    """Passes on what a job reports: how much is done, at most so often, what begins, and every part of its answer."""

    def __init__(self, connection: Connection, asked: _Asked) -> None:
        self._connection, self._asked = connection, asked
        self._last = float("-inf")

    def __call__(self, fraction: float, doing: str = "") -> None:
        now = time.monotonic()
        if not fraction or now - self._last >= PERIOD:  # that something begins is always told
            self._last = now
            self._send(Progressed(fraction, doing))

    def tell(self, part: object) -> None:
        """Send a part of the answer."""
        self._send(Told(part))

    def _send(self, message: Progressed | Told) -> None:
        with self._asked.sending():
            self._connection.send(message)


def _carried_out(connection: Connection, asked: _Asked, function: Any, arguments: tuple[Any, ...]) -> Finished | Failed:
    try:
        with asked.working():
            return Finished(function(_Reporter(connection, asked), *arguments))
    except KeyboardInterrupt:
        return Failed(NOTHING_FOUND, is_fault=False)
    except RefusalError as error:
        return Failed(str(error), is_fault=False)
    except Exception as error:
        from simulator.fault_log import told

        return Failed(told(error), is_fault=True)


def _highest_memory() -> float:
    """Return the most bytes that this process has held since it is this program, 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux; what `resource` says elsewhere may be that of the window, from which we come
        return 0.0
    return next((1024.0 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0.0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
