"""The same function on many items in worker processes, of which neither Ctrl+C nor a killed parent leaves any behind.

Ctrl+C and SIGTERM are for the parent: workers do not meet them, and the parent ends them on its way out. It meets them
while it holds no lock of a future: its executor would wait for that one for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.clock import Cancelled
from simulator.interrupts import ENDING, held

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Answer = TypeVar("Answer")
OnDone = Callable[[int, int], None]
"""Is told how many of how many are done: (0, 10) at the start, (10, 10) at the end."""


def cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


POLL = 0.1  # Assumption: seconds between two looks at whether to stop, a tenth of the second that a user waits


def unheeded(done: int, total: int) -> None:
    """Take no notice."""


def never() -> bool:
    """Go on to the end."""
    return False


class Pool:
    """Worker processes that stay from one call to the next; a single worker is this process itself."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._unheard: set[Future[Any]] = set()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        with held():
            at_once = kind is not None or not all(future.done() for future in self._unheard)
        self._end(at_once=at_once)

    def works_here(self, items: Sequence[Item]) -> bool:
        """Tell whether the items are for this process, since no other would be of use."""
        return self._workers == 1 or len(items) <= 1

    def run_all(
        self, function: Callable[[Item], Answer], items: Sequence[Item], on_done: OnDone = unheeded
    ) -> list[Answer]:
        """Return the answers in the order of the items."""
        on_done(0, len(items))
        answers: dict[int, Answer] = {}
        for i, answer in self.each(function, items):
            answers[i] = answer
            on_done(len(answers), len(items))
        return [answers[i] for i in range(len(items))]

    def each(
        self,
        function: Callable[[Item], Answer],
        items: Sequence[Item],
        should_stop: Callable[[], bool] = never,
        *,
        is_search: bool = False,
    ) -> Generator[tuple[int, Answer]]:
        """Yield (index, answer) as the items are done, in any order.

        Whoever closes the iterator does without the others: they are not started, or left to end unheard. A search
        often does, so that none of its items waits in the line of the workers, from which nothing is taken back.

        Raises:
            Cancelled: `should_stop` said so; the workers are ended.
        """
        if self.works_here(items):
            return ((i, function(item)) for i, item in enumerate(items))
        return self._in_workers(function, items, should_stop, self._workers if is_search else 2 * self._workers)

    def _in_workers(
        self, function: Callable[[Item], Answer], items: Sequence[Item], should_stop: Callable[[], bool], most: int
    ) -> Generator[tuple[int, Answer]]:
        """Yield (index, answer) as the items are done, of which the workers have so many at most at a time."""
        from concurrent.futures import FIRST_COMPLETED, wait

        executor, left = self._started(), iter(enumerate(items))
        running: dict[Future[Answer], int] = {}
        try:
            while True:
                with _unmet_by_workers():  # a worker may start here
                    for i, item in islice(left, most - len(running)):
                        running[executor.submit(function, item)] = i
                if not running:
                    return
                with held():
                    done = wait(running, POLL, FIRST_COMPLETED).done
                for future in done:
                    with held():
                        answer = future.result()
                    yield running.pop(future), answer
                if should_stop():
                    self._end(at_once=True)
                    raise Cancelled("cancelled by the user")
        finally:
            self._unheard |= {future for future in running if not future.cancel()}

    def _end(self, *, at_once: bool) -> None:
        """End the workers, at once or when they have done what they were given."""
        if self._executor is None:
            return
        if at_once:
            for process in list(self._executor._processes.values()):  # Python 3.14 has a public way
                process.kill()
        self._executor.shutdown(cancel_futures=True)
        self._executor = None

    def _started(self) -> ProcessPoolExecutor:
        """Return the executor; it starts a process when it is given work and has none idle."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        if self._executor is None:
            self._executor = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_prepare_worker)
        return self._executor


@contextmanager
def _unmet_by_workers() -> Iterator[None]:
    """Hold Ctrl+C and SIGTERM back: this process meets them when the block ends, processes started meanwhile never do.

    They inherit the mask. It does not keep this process from them: another thread may be handed a signal, and the main
    one then meets it; so the handlers wait, too.
    """
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # the first worker would start it otherwise, which lets Ctrl+C through again
    with held():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare_worker() -> None:
    """Let this worker ignore the signals, and end when its parent does: one that is killed ends nothing itself."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
