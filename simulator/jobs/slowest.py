"""The slowest tasks of a run: of each stage some are kept while it runs, with what of their servers was busiest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import itemgetter

import numpy as np

from models.hardware.cluster import Layout
from simulator.fluid.recorder import Books
from simulator.result import TaskResult

MOST = 50
"""Tasks of a stage that are kept. Assumption: nobody reads on behind as many."""
BATCH = 8 * MOST
"""Tasks among which those are looked for at once: one by one takes longer."""


Task = tuple[float, str, int, int, float, float]
"""How long a task ran (s), its stage, its number from 0, its node, and from when to when it ran (s)."""


class Slowest:
    """The tasks of a stage that ran longest, of equal ones those that ended first.

    One that ran no longer than `least` s is not among them.
    """

    __slots__ = ("_kept", "least")

    def __init__(self) -> None:
        self.least = -1.0
        self._kept: list[Task] = []

    def add(self, task: Task) -> None:
        """Keep a task that ran for longer than `least`; it has ended after those that were added before."""
        self._kept.append(task)
        if len(self._kept) == BATCH:
            self._kept = self.tasks
            self.least = self._kept[-1][0]

    @property
    def tasks(self) -> list[Task]:
        """The tasks, the slowest first."""
        return sorted(self._kept, key=itemgetter(0), reverse=True)[:MOST]


def slowest_tasks(
    stages: Iterable[Slowest], layout: Layout, books: Books, clock: Callable[[float], float] | None = None
) -> tuple[TaskResult, ...]:
    """Return the slowest tasks, stage by stage; `clock` tells the time (s) in the books from that of the engine."""
    kept = [task for slowest in stages for task in slowest.tasks]
    busiest = _Busiest(layout, books, {layout.nodes[node].name for _, _, _, node, _, _ in kept})
    tasks = []
    for _, stage, number, node, start, end in kept:
        server = layout.nodes[node].name
        span = (clock(start), clock(end)) if clock else (start, end)
        tasks.append(TaskResult(stage, number + 1, server, *span, *busiest.between(server, *span)))
    return tuple(tasks)


class _Busiest:
    """What of some servers was busiest in a time."""

    def __init__(self, layout: Layout, books: Books, servers: set[str]) -> None:
        self._width, self._names = books.bin_width, dict[str, list[str]]()
        rows: dict[str, list[int]] = {}
        for i in range(len(layout.resources) if servers else 0):
            name = layout.resources[i].name
            server = name.partition("/")[0]
            if server in servers:
                rows.setdefault(server, []).append(i)
                self._names.setdefault(server, []).append(name)
        self._sums = {server: np.cumsum(books.utilization[own], axis=1) for server, own in rows.items()}

    def between(self, server: str, start: float, end: float) -> tuple[str, float]:
        """Return the resource that was busiest in the bins between two times (s), and how busy; "" for none."""
        sums = self._sums[server]
        last = min(max(math.ceil(end / self._width), 1), sums.shape[1]) - 1
        first = min(math.floor(start / self._width), last)
        busy = (sums[:, last] - (sums[:, first - 1] if first else 0.0)) / (last + 1 - first)
        most = int(busy.argmax())
        return (self._names[server][most], min(float(busy[most]), 1.0)) if busy[most] > 0 else ("", 0.0)
