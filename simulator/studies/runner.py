"""Many points: those that are stored are not run again, and each is stored as it finishes.

A study that is stopped, by Ctrl+C, a power cut or `kill -9`, goes on where it was when it is started again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from simulator import interrupts
from simulator.clock import Cancelled
from simulator.studies.points import Answer, Point, PointFailure, answer
from simulator.studies.pool import OnDone, Pool, cores, never, unheeded

if TYPE_CHECKING:
    from simulator.studies.dask_runner import Scheduler
    from simulator.studies.store import Store

Finished = Answer | PointFailure

LITTLE = 10_000
"""Works of a run that leaves so little behind, some 10 MB, that to collect it is not worth 50 ms. Assumption."""


class Runner:
    """Runs points in worker processes, which stay from one call to the next; a single worker is this process.

    With the address of a `scheduler` (tcp://HOST:PORT) they run on the workers of that Dask cluster instead.
    """

    def __init__(self, *, store: Store | None = None, workers: int | None = None, scheduler: str | None = None) -> None:
        self._store = store
        self._pool = Pool(workers or cores())
        self._address = scheduler
        self._scheduler: Scheduler | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        self._pool.__exit__(kind, *details)
        if self._scheduler is not None:
            self._scheduler.close()

    def run(
        self, points: Sequence[Point], on_done: OnDone = unheeded, should_stop: Callable[[], bool] = never
    ) -> list[Finished]:
        """Return what each point came to, in their order; `on_done` counts those that were not in the store.

        Points of one key are run once. Failures are not stored: the next run tries them again.

        Raises:
            Cancelled: `should_stop` said so; what has finished is stored.
            ProblemError: the store or the scheduler cannot be used.
        """
        answers = dict(self.each(points, on_done, should_stop))
        return [answers[i] for i in range(len(points))]

    def in_order(
        self, points: Sequence[Point], on_done: OnDone = unheeded, should_stop: Callable[[], bool] = never
    ) -> Generator[Finished | None]:
        """Yield what each point came to, in their order, each as soon as it is known; `in_order` and `run` say more.

        Whoever closes the iterator does without the others: they are not started, or left to end unheard.
        """
        with closing(self.each(points, on_done, should_stop, is_search=True)) as finished:
            yield from in_order(len(points), finished)

    def each(
        self,
        points: Sequence[Point],
        on_done: OnDone = unheeded,
        should_stop: Callable[[], bool] = never,
        *,
        is_search: bool = False,
    ) -> Generator[tuple[int, Finished]]:
        """Yield (index, what it came to): those of the store first, the others as they finish. `run` says the rest.

        A search may do without what has not begun, as `Pool.each` says.
        """
        places: dict[str, list[int]] = {}
        for i, point in enumerate(points):
            places.setdefault(point.key, []).append(i)
        known = self._store.find(places) if self._store is not None else {}
        yield from ((i, answer) for key, answer in known.items() for i in places[key])
        missing = [key for key in places if key not in known]
        on_done(0, len(missing))
        first = [points[places[key][0]] for key in missing]
        for done, (number, finished) in enumerate(self._each(first, should_stop, is_search=is_search), 1):
            key = missing[number]
            if self._store is not None and isinstance(finished, Answer):
                self._store.add(key, finished)
            on_done(done, len(missing))
            yield from ((i, finished) for i in places[key])

    def _each(
        self, points: Sequence[Point], should_stop: Callable[[], bool], *, is_search: bool
    ) -> Iterator[tuple[int, Finished]]:
        """Yield (index, what it came to) as the points finish."""
        if self._address is not None and points:
            from simulator.studies.dask_runner import Scheduler

            self._scheduler = self._scheduler or Scheduler(self._address)
            return self._scheduler.each(points, should_stop)
        if self._pool.works_here(points):
            return _each_here(points, should_stop)
        return self._pool.each(answer, points, should_stop, is_search=is_search)


def in_order(count: int, finished: Iterator[tuple[int, Finished]]) -> Generator[Finished | None]:
    """Yield so many answers, told by their numbers as they become known, in their order and as soon as that can be.

    When it is stopped, those that are known follow, None for each of the others; then the stop goes on.
    """
    known: dict[int, Finished] = {}
    at = 0
    try:
        for i, answered in finished:
            known[i] = answered
            while at in known:
                at += 1
                yield known[at - 1]
    except (Cancelled, KeyboardInterrupt) as stop:
        try:
            yield from (known.get(i) for i in range(at, count))
        finally:
            raise stop


def _each_here(points: Sequence[Point], should_stop: Callable[[], bool]) -> Iterator[tuple[int, Finished]]:
    for i, point in enumerate(points):
        if should_stop():
            raise Cancelled("cancelled by the user")
        if interrupts.met():  # what it raised was lost
            raise KeyboardInterrupt
        answered = answer(point, should_stop)
        yield i, answered
        if isinstance(answered, Answer) and answered.works > LITTLE:
            gc.collect(1)  # what the run has left, which is young: see `simulate`


def run_points(
    points: Sequence[Point],
    *,
    store: Store | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    on_done: OnDone = unheeded,
    should_stop: Callable[[], bool] = never,
) -> list[Finished]:
    """Return what each point came to, in their order. `Runner.run` says the rest; `workers` default to the cores."""
    with Runner(store=store, workers=workers, scheduler=scheduler) as runner:
        return runner.run(points, on_done, should_stop)
