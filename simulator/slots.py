"""Which task a free slot runs next: one whose data is on the node, else in its rack, else the oldest one.

Every task is offered once, and once more when it is put back. Cost: O(1) a task, whatever the size of the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from models.work import Stage


class TaskQueue:
    """The waiting tasks of one stage."""

    def __init__(self, stage: Stage, racks: Sequence[int]) -> None:
        self._waiting = bytearray(b"\1") * stage.tasks
        self._returned: deque[int] = deque()
        self._racks = racks
        self.left = stage.tasks
        self._any = _read_once(np.arange(stage.tasks, dtype=np.int64))
        self._on_node: dict[int, Iterator[int]] = {}
        self._in_rack: dict[int, Iterator[int]] = {}
        self._lists: dict[int, list[Iterator[int]]] = {}  # of each node, the nearest tasks first
        if stage.preferred is not None:
            self._on_node = _by_place(stage.preferred)
            if len(set(racks)) > 1:
                self._in_rack = _by_place(np.asarray(racks, dtype=np.int32)[stage.preferred])

    def take(self, node: int) -> int | None:
        """Return the next task for a node, or None when none waits."""
        if not self.left:
            return None
        self.left -= 1
        waiting = self._waiting
        for tasks in self._lists.get(node) or self._lists_of(node):
            for task in tasks:
                if waiting[task]:
                    waiting[task] = 0
                    return task
        return self._returned.popleft()

    def put_back(self, task: int) -> None:
        """Let a task that was taken wait again, behind all others."""
        self._returned.append(task)
        self.left += 1

    def _lists_of(self, node: int) -> list[Iterator[int]]:
        """Return the lists in which a node looks for tasks; those already taken elsewhere are passed over."""
        near = [self._on_node.get(node), self._in_rack.get(self._racks[node]), self._any]
        found = self._lists[node] = [tasks for tasks in near if tasks is not None]
        return found


def _read_once(tasks: NDArray[np.int64]) -> Iterator[int]:
    """Return tasks as whole numbers of Python, each made when it is read."""
    return iter(memoryview(tasks))  # type: ignore[arg-type]


def _by_place(places: NDArray[np.int32]) -> dict[int, Iterator[int]]:
    """Return for each place the tasks that prefer it; `places` has shape (tasks, choices)."""
    tasks = np.repeat(np.arange(len(places), dtype=np.int64), places.shape[1])
    flat = places.reshape(-1)
    order = np.lexsort((tasks, flat))
    found, starts = np.unique(flat[order], return_index=True)
    return {
        int(place): _read_once(part)
        for place, part in zip(found, np.split(tasks[order], starts[1:]), strict=True)
        if place >= 0
    }
