"""Ctrl+C and SIGTERM: held back while something must not be cut short, and heard though a library loses them."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

Handler = Callable[[int, FrameType | None], object] | int
ENDING = (signal.SIGINT, signal.SIGTERM)
"""Signals that a terminal, or `timeout`, sends to all processes of a group to end them."""

AGAIN = 0.001
"""Seconds after which a signal that was dropped is met again. Assumption: what dropped it has ended by then."""

_met: list[int] = []


def meet(number: int, frame: FrameType | None) -> NoReturn:
    """Meet a signal as Python meets Ctrl+C, and remember it.

    Libraries in C clear the exception here and there, and pydantic tells it as an error of its own.

    Raises:
        KeyboardInterrupt: always.
    """
    _met.append(number)
    raise KeyboardInterrupt


def meet_dropped(told: sys.UnraisableHookArgs) -> None:
    """Meet a signal again whose exception Python drops, as it does in callbacks and finalizers: a `sys.unraisablehook`.

    Anything else is told as usual.
    """
    if told.exc_type is KeyboardInterrupt and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, meet)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
    else:
        sys.__unraisablehook__(told)


def met() -> bool:
    """Tell whether this process met a signal, be it that its exception was lost: nothing more is to be simulated."""
    return bool(_met)


@contextmanager
def held() -> Iterator[None]:
    """Hold the signals back: this process meets the first of them when the block ends.

    Outside the main thread, which alone meets signals, nothing is held. SIGTERM that nobody handles ends the process,
    and is left to do so.
    """
    late: list[int] = []
    handlers = _handled_by(lambda number, _: late.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in late[:1]:
            signal.raise_signal(number)


def _handled_by(handler: Callable[[int, object], None]) -> dict[int, Handler | None]:
    """Let a function meet the signals and return what met each before."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    handled = [number for number in ENDING if signal.getsignal(number) != signal.SIG_DFL]
    return {number: signal.signal(number, handler) for number in handled}
