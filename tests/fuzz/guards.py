"""Whether an input does harm: one that ends in a traceback, takes long or much memory, or is refused without words."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import resource
import signal
from collections.abc import Callable, Iterator
from typing import Any

from models.problem import ProblemError, RefusalError

SECONDS = 5.0
"""Processor time that an input may take."""
MEMORY = 2**30
"""Bytes that an input may take beside those of the process."""
NO_ROOM = "deallocated bytearray object has exported buffers"
"""What Python 3.11 may print where a bytearray finds no room: it then frees one whose fields it has not filled in."""
LEAST = 10
"""Letters of a message below which it says nothing."""


class Hang(BaseException):
    """An input has taken its time; no `except Exception` may hold it up."""


def harm(
    action: Callable[[str], object], text: str, on_error: Callable[[BaseException], object] = lambda _: None
) -> tuple[str, str] | None:
    """Return what harm an input does, as its kind and in words; None if it is taken, or refused in words.

    `on_error` is told what ends in a traceback. What Python prints meanwhile counts as one: exceptions that it cannot
    raise, as in finalizers.
    """
    printed, unclear = io.StringIO(), None
    try:
        with contextlib.redirect_stderr(printed), _limited():
            action(text)
    except Hang as error:
        on_error(error)
        return "hang", f"more than {SECONDS:g} s"
    except MemoryError:
        return "memory", f"more than {MEMORY >> 20} MiB"
    except RefusalError as error:
        unclear = _unclear(error)
    except Exception as error:
        on_error(error)
        return "traceback", f"{type(error).__name__}: {error}"[:300]
    if words := printed.getvalue():
        return "memory" if NO_ROOM in words else "traceback", f"printed: {words}"[:300]
    return unclear


def _unclear(error: RefusalError) -> tuple[str, str] | None:
    """Return a refusal of which a problem names neither file nor key, or says nothing."""
    problems = error.problems if isinstance(error, ProblemError) else error.reasons
    for problem in problems:
        has_place = bool(problem.key or getattr(problem, "file", "") or not isinstance(error, ProblemError))
        if len(problem.message) < LEAST or not (has_place or "problems, these are the first" in problem.message):
            return "unclear", str(problem)[:300]
    return None


@functools.cache
def _sizes(of: int) -> int:
    """Return the file in which the system says how much memory a process, this one, has: to open it is slow."""
    return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Raise `Hang` after `SECONDS` of processor time, and MemoryError where more than `MEMORY` is asked for."""

    def ended(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGPROF, ended)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(os.pread(_sizes(os.getpid()), 200, 0).split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, hard))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        signal.signal(signal.SIGPROF, before)
