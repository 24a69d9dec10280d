"""The same function on many items in worker processes, of which Ctrl+C leaves none behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_all(
    function: Callable[[Item], Answer], items: Sequence[Item], workers: int, on_done: Callable[[], None]
) -> list[Answer]:
    """Return the answers in the order of the items; `on_done` is called as each comes in."""
    if workers == 1 or len(items) <= 1:
        return [_noted(function(item), on_done) for item in items]
    pool = ProcessPoolExecutor(min(workers, len(items)), get_context("spawn"))
    try:
        with _interrupts_ignored():
            futures = [pool.submit(function, item) for item in items]
        for future in as_completed(futures):
            _noted(future.result(), on_done)
        return [future.result() for future in futures]
    except BaseException:
        for process in pool._processes.values():  # a public way exists from Python 3.14 on
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _noted(answer: Answer, on_done: Callable[[], None]) -> Answer:
    on_done()
    return answer


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl+C; processes started meanwhile ignore it for good, so it reaches their parent alone."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
