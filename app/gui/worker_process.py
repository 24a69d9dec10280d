"""The child process: takes jobs from a pipe, one after the other, and sends back what becomes of them.

It ends with the window, however that ends: at once when the pipe closes between two jobs or the parent is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from models.problem import RefusalError

MOST_MEMORY = 250e6
"""Bytes that a process may have held to go on. Assumption: twice what it holds before its first job."""
PERIOD = 0.05  # seconds between two reports: twenty a second. Assumption: more than an eye follows


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a study that is cancelled ends its own processes first
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _take_jobs(connection)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # nothing is left that would have to be ended first


def _take_jobs(connection: Connection) -> None:
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        ended = _carried_out(connection, function, arguments)
        is_last = _highest_memory() > MOST_MEMORY
        connection.send(replace(ended, is_last=is_last))
        if is_last:
            return


class _Reporter:
    """Passes on what a job reports: how much is done, at most so often, and every part of its answer."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last = float("-inf")

    def __call__(self, fraction: float, doing: str = "") -> None:
        now = time.monotonic()
        if now - self._last >= PERIOD:
            self._last = now
            self._connection.send(Progressed(fraction, doing))

    def tell(self, part: object) -> None:
        """Send a part of the answer."""
        self._connection.send(Told(part))


def _carried_out(connection: Connection, function: Any, arguments: tuple[Any, ...]) -> Finished | Failed:
    try:
        return Finished(function(_Reporter(connection), *arguments))
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
