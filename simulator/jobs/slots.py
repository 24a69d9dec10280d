"""The slots of a job, and which task a free one runs next: one whose data is on the node, in its rack, or the oldest.

Every task is offered once, and once more when it is put back. Cost: O(1) a task, whatever the size of the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.work import Stage
from simulator.jobs.heartbeats import Heartbeats


class Tasks(Protocol):
    """Who has tasks that wait for slots."""

    @property
    def waiting(self) -> int:
        """The tasks that wait for a slot."""
        ...

    def offer(self, node: int) -> bool:
        """Start a waiting task on a node, in a slot that the caller has taken; return whether there was one."""
        ...


Run_contra = TypeVar("Run_contra", contravariant=True)


class Slots(Protocol[Run_contra]):
    """The slots in which tasks run: those of one job, or containers that several share, and what heartbeats brought."""

    heartbeats: Heartbeats

    def spread(self, run: Run_contra) -> None:
        """Start waiting tasks of a run, one a node in turn, as long as there are slots."""
        ...

    def fill(self, run: Run_contra, node: int) -> None:
        """Start waiting tasks on a node's free slots."""
        ...

    def give(self, run: Run_contra, node: int) -> None:
        """Take a slot back in which a task of a run has ended."""
        ...

    def lose(self, node: int) -> None:
        """Let a node run nothing any more."""
        ...

    def headroom(self, run: Run_contra) -> int:
        """Return how many more slots a run may have now, wherever they are."""
        ...

    def spare(self, run: Run_contra, other: int) -> int | None:
        """Take a slot that no task waits for, on another node than one; return its node, None where there is none."""
        ...


class OwnSlots:
    """The slots of a job that shares them with nobody."""

    def __init__(self, slots: Sequence[int]) -> None:
        self._free = list(slots)
        self.heartbeats = Heartbeats(sum(slots))

    def spread(self, run: Tasks) -> None:
        """Start waiting tasks, one a node in turn."""
        nodes = [node for node, slots in enumerate(self._free) if slots > 0]
        while nodes and run.waiting:
            nodes = [node for node in nodes if self._start(run, node) and self._free[node] > 0]

    def fill(self, run: Tasks, node: int) -> None:
        """Start waiting tasks on a node."""
        while self._free[node] > 0 and self._start(run, node):
            pass

    def give(self, run: Tasks, node: int) -> None:
        """Take a slot back."""
        self._free[node] += 1

    def lose(self, node: int) -> None:
        """Let a node run nothing any more."""
        self._free[node] = 0

    def headroom(self, run: Tasks) -> int:
        """Return how many slots are free."""
        return sum(self._free)

    def spare(self, run: Tasks, other: int) -> int | None:
        """Take a slot where most are free, the first of several."""
        free = [node for node, slots in enumerate(self._free) if slots > 0 and node != other]
        if run.waiting or not free:
            return None
        node = max(free, key=self._free.__getitem__)
        self._free[node] -= 1
        return node

    def _start(self, run: Tasks, node: int) -> bool:
        self._free[node] -= 1
        if run.offer(node):
            return True
        self._free[node] += 1
        return False


class TaskQueue:
    """The waiting tasks of one stage."""

    def __init__(self, stage: Stage, racks: Sequence[int]) -> None:
        self._waiting = bytearray(b"\1") * stage.tasks
        self._returned: deque[int] = deque()
        self._back: set[int] = set()  # tasks put back that wait
        self._back_on: dict[int, deque[int]] = {}  # by the node that they prefer
        self._preferred, self._racks = stage.preferred, racks
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
        return self._again(self._returned)

    def take_here(self, node: int) -> int | None:
        """Return the next task that prefers a node, or None when none of them waits."""
        waiting = self._waiting
        for task in self._on_node.get(node, ()):
            if waiting[task]:
                waiting[task] = 0
                self.left -= 1
                return task
        back = self._back_on.get(node)
        task_again = self._again(back) if back else None
        self.left -= task_again is not None
        return task_again

    def put_back(self, task: int) -> None:
        """Let a task that was taken wait again, behind all others."""
        self._back.add(task)
        self._returned.append(task)
        for node in () if self._preferred is None else self._preferred[task].tolist():
            self._back_on.setdefault(node, deque()).append(task)
        self.left += 1

    def _again(self, tasks: deque[int]) -> int | None:
        """Return the first of the tasks put back that still waits, or None; those before it are forgotten."""
        while tasks:
            task = tasks.popleft()
            if task in self._back:
                self._back.remove(task)
                return task
        return None

    def _lists_of(self, node: int) -> list[Iterator[int]]:
        """Return the lists in which a node looks for tasks; those already taken elsewhere are passed over."""
        near = [self._on_node.get(node), self._in_rack.get(self._racks[node]), self._any]
        lists = self._lists[node] = [tasks for tasks in near if tasks is not None]
        return lists


def _read_once(tasks: NDArray[np.int64]) -> Iterator[int]:
    """Return tasks as whole numbers of Python, each made when it is read."""
    return iter(tasks.data)


def _by_place(places: NDArray[np.int32]) -> dict[int, Iterator[int]]:
    """Return for each place the tasks that prefer it; `places` has shape (tasks, choices)."""
    tasks = np.repeat(np.arange(len(places), dtype=np.int64), places.shape[1])
    flat = places.reshape(-1)
    order = np.lexsort((tasks, flat))
    servers, starts = np.unique(flat[order], return_index=True)
    return {
        int(place): _read_once(part)
        for place, part in zip(servers, np.split(tasks[order], starts[1:]), strict=True)
        if place >= 0
    }
