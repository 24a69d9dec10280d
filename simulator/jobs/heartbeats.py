"""Heartbeats of nodes, of which each brings few containers, and fewer to tasks without data there."""

from __future__ import annotations

import math
from collections.abc import Mapping

from models.handout import Handout

ROUNDING = 1e-9
"""Heartbeats and seconds that are lost in sums. Assumption: far below a heartbeat."""


class Heartbeats:
    """What the last heartbeats of nodes brought, to tasks without data there and to all, of whatever job.

    `slots` are those of all nodes where one job has them all, else 0. `awaited` are the heartbeats for which tasks
    wait: the node, and when it opens (s).
    """

    def __init__(self, slots: int = 0) -> None:
        self.slots = slots
        self.awaited: set[tuple[int, float]] = set()
        self._off: dict[int, tuple[float, int]] = {}
        self._all: dict[int, tuple[float, int]] = {}

    def opens(self, node: int, now: float, handout: Handout) -> float:
        """Return when a node may get a container: now, or with its next heartbeat."""
        opens = _opens(self._off, node, now, handout.interval, handout.off_switch)
        if handout.most == math.inf:
            return opens
        return max(opens, _opens(self._all, node, now, handout.interval, handout.most))

    def give(self, node: int, now: float, handout: Handout, *, is_here: bool = False) -> None:
        """Note that a node has got a container, for a task that `is_here` with its data, or for one without."""
        if not is_here:
            _count(self._off, node, now, handout.interval)
        if handout.most < math.inf:
            _count(self._all, node, now, handout.interval)


def _opens(last: Mapping[int, tuple[float, int]], node: int, now: float, interval: float, most: float) -> float:
    since, given = last.get(node, (-math.inf, 0))
    next_one = since + interval
    return now if given < most or next_one <= now + ROUNDING else next_one


def _count(last: dict[int, tuple[float, int]], node: int, now: float, interval: float) -> None:
    since, given = last.get(node, (-math.inf, 0))
    last[node] = (now, 1) if since + interval <= now + ROUNDING else (since, given + 1)
