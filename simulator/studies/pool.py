"""The same function on many items in worker processes, of which neither Ctrl+C nor a killed parent leaves any behind.

Ctrl+C is for the parent: workers do not meet it, and the parent ends them on its way out.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Answer = TypeVar("Answer")
OnDone = Callable[[int, int], None]
"""Is told how many of how many are done: (0, 10) at the start, (10, 10) at the end."""


def cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def unheeded(done: int, total: int) -> None:
    """Take no notice."""


class Pool:
    """Worker processes that stay from one call to the next; a single worker is this process itself."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if self._executor is None:
            return
        if kind is not None:
            for process in list(self._executor._processes.values()):  # Python 3.14 has a public way
                process.terminate()
        self._executor.shutdown(cancel_futures=True)

    def run_all(
        self, function: Callable[[Item], Answer], items: Sequence[Item], on_done: OnDone = unheeded
    ) -> list[Answer]:
        """Return the answers in the order of the items."""
        on_done(0, len(items))
        if self._workers == 1 or len(items) <= 1:
            return [_noted(function(item), i + 1, len(items), on_done) for i, item in enumerate(items)]
        return self._in_workers(function, items, on_done)

    def _in_workers(self, function: Callable[[Item], Answer], items: Sequence[Item], on_done: OnDone) -> list[Answer]:
        from concurrent.futures import as_completed

        executor = self._started()
        with _interrupts_held():
            futures: list[Future[Answer]] = [executor.submit(function, item) for item in items]
        for done, future in enumerate(as_completed(futures), 1):
            _noted(future.result(), done, len(items), on_done)
        return [future.result() for future in futures]

    def _started(self) -> ProcessPoolExecutor:
        """Return the executor; it starts a process when it is given work and has none idle."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        if self._executor is None:
            self._executor = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_prepare_worker)
        return self._executor


def _noted(answer: Answer, done: int, total: int, on_done: OnDone) -> Answer:
    on_done(done, total)
    return answer


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl+C back: this process meets it when the block ends, processes started meanwhile never do."""
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # the first worker would start it otherwise, which lets Ctrl+C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare_worker() -> None:
    """Let this worker ignore Ctrl+C, and end when its parent does: one that is killed ends nothing itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
