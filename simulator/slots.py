"""Which task a free slot runs next: one whose data is on the node, else in its rack, else the oldest one.

Every task is offered once, and once more when it is put back. Cost: O(1) a task, whatever the size of the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

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
        self._any = _Cursor(np.arange(stage.tasks, dtype=np.int64))
        self._on_node: dict[int, _Cursor] = {}
        self._in_rack: dict[int, _Cursor] = {}
        if stage.preferred is not None:
            self._on_node = _by_place(stage.preferred)
            if len(set(racks)) > 1:
                self._in_rack = _by_place(np.asarray(racks, dtype=np.int32)[stage.preferred])

    def take(self, node: int) -> int | None:
        """Return the next task for a node, or None when none waits."""
        if not self.left:
            return None
        for cursor in (self._on_node.get(node), self._in_rack.get(self._racks[node]), self._any):
            task = None if cursor is None else cursor.next(self._waiting)
            if task is not None:
                self._waiting[task] = 0
                self.left -= 1
                return task
        self.left -= 1
        return self._returned.popleft()

    def put_back(self, task: int) -> None:
        """Let a task that was taken wait again, behind all others."""
        self._returned.append(task)
        self.left += 1


class _Cursor:
    """A list of tasks read once from the front; tasks already taken elsewhere are passed over."""

    __slots__ = ("_tasks",)

    def __init__(self, tasks: NDArray[np.int64]) -> None:
        self._tasks = iter(memoryview(tasks))  # type: ignore[arg-type]  # whole numbers of Python, made when read

    def next(self, waiting: bytearray) -> int | None:
        for task in self._tasks:
            if waiting[task]:
                return task
        return None


def _by_place(places: NDArray[np.int32]) -> dict[int, _Cursor]:
    """Return for each place the tasks that prefer it; `places` has shape (tasks, choices)."""
    tasks = np.repeat(np.arange(len(places), dtype=np.int64), places.shape[1])
    flat = places.reshape(-1)
    order = np.lexsort((tasks, flat))
    found, starts = np.unique(flat[order], return_index=True)
    return {
        int(place): _Cursor(part)
        for place, part in zip(found, np.split(tasks[order], starts[1:]), strict=True)
        if place >= 0
    }
