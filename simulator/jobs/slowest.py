"""The slowest tasks of a run: of each stage some are kept while it runs, with what of their servers was busiest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    servers = [layout.nodes[node].name for _, _, _, node, _, _ in kept]
    spans = [(clock(start), clock(end)) if clock else (start, end) for _, _, _, _, start, end in kept]
    busiest = _busiest(layout, books, servers, spans)
    return tuple(
        TaskResult(stage, number + 1, server, *span, *most)
        for (_, stage, number, _, _, _), server, span, most in zip(kept, servers, spans, busiest, strict=True)
    )


def _busiest(
    layout: Layout, books: Books, servers: Sequence[str], spans: Sequence[tuple[float, float]]
) -> list[tuple[str, float]]:
    """Return for each server and time (s) the resource of it that was busiest in these bins, and how busy; "" for none.

    All times of a server are looked at together.
    """
    rows, places = _rows(layout, set(servers)), dict[str, list[int]]()
    for place, server in enumerate(servers):
        places.setdefault(server, []).append(place)
    busiest = [("", 0.0)] * len(servers)
    for server, asked in places.items():
        sums = np.cumsum(books.utilization[rows[server]], axis=1)
        bins = np.array([spans[place] for place in asked]) / books.bin_width
        last = np.clip(np.ceil(bins[:, 1]), 1, sums.shape[1]).astype(np.int64) - 1
        first = np.minimum(np.floor(bins[:, 0]).astype(np.int64), last)
        busy = (sums[:, last] - np.where(first > 0, sums[:, first - 1], 0.0)) / (last + 1 - first)
        most = busy.argmax(axis=0)
        for place, row, share in zip(asked, most.tolist(), busy.max(axis=0).tolist(), strict=True):
            if share > 0:
                busiest[place] = layout.resources[rows[server][row]].name, min(share, 1.0)
    return busiest


def _rows(layout: Layout, servers: set[str]) -> dict[str, list[int]]:
    """Return the rows of the resources of some servers."""
    rows: dict[str, list[int]] = {}
    for i in range(len(layout.resources) if servers else 0):
        server = layout.resources[i].name.partition("/")[0]
        if server in servers:
            rows.setdefault(server, []).append(i)
    return rows
