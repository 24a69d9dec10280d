"""Who uses the resources of a run with many workloads at a time. Knows no Qt.

A result says how much of a group of like resources each workload used; each resource of it is taken to be used by them
in the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.reports.run.workload_series import NOTICEABLE, Lane, lanes, users
from simulator.result import Result

Floats = NDArray[np.float64]


class Users:
    """The workloads of a run, `names`, when each ran, `lanes`, and their parts of each group; none of a single one.

    `groups` are the groups of resources, `means` their utilizations of shape (groups, bins), and `group_of` the number
    of the group of each resource.
    """

    def __init__(self, result: Result, groups: Sequence[str], means: Floats, group_of: NDArray[np.intp]) -> None:
        self.names = tuple(workload.name for workload in result.workloads)
        self.lanes: tuple[Lane, ...] = tuple(lanes(result)) if self.names else ()
        self._numbers = {group: number for number, group in enumerate(groups)}
        self._means, self._group_of = means, group_of
        self._used: dict[str, Floats] = {}
        for group, whole in zip(groups, means, strict=True) if self.names else ():
            for name, used in users(result, group, whole):
                table = self._used.setdefault(name, np.zeros_like(means))
                table[self._numbers[group], : len(used)] = used[: means.shape[1]]

    def parts(self, name: str, at: int) -> Floats:
        """Return the part, 0 to 1, that a workload has in what is used of each resource in a bin."""
        if name not in self._used:
            return np.zeros(len(self._group_of))
        whole = self._means[:, at]
        part = np.divide(self._used[name][:, at], whole, out=np.zeros_like(whole), where=whole > 0)
        return np.asarray(np.minimum(part, 1.0)[self._group_of])

    def of(self, group: str, at: int) -> list[tuple[str, float]]:
        """Return the part of a group that each uses in a bin, 0 to 1, the one that uses most first."""
        number = self._numbers[group]
        parts = [(name, float(table[number, at])) for name, table in self._used.items()]
        return sorted((part for part in parts if part[1] >= NOTICEABLE), key=lambda part: -part[1])

    def running(self, time: float) -> list[str]:
        """Return the names of those that run at a time (s)."""
        return [lane.name for lane in self.lanes if any(start <= time < end for start, end, _ in lane.spans)]
