"""Heartbeats of nodes, of which each brings few containers to tasks without data there."""

from __future__ import annotations

import math

from models.handout import Handout

ROUNDING = 1e-9
"""Heartbeats and seconds that are lost in sums. Assumption: far below a heartbeat."""


class Heartbeats:
    """What the last heartbeats of nodes brought to tasks without data there, of whatever job.

    `slots` are those of all nodes where one job has them all, else 0.
    """

    def __init__(self, slots: int = 0) -> None:
        self.slots = slots
        self._last: dict[int, tuple[float, int]] = {}

    def opens(self, node: int, now: float, handout: Handout) -> float:
        """Return when a node may get a container: now, or with its next heartbeat."""
        since, given = self._last.get(node, (-math.inf, 0))
        next_one = since + handout.interval
        return now if given < handout.off_switch or next_one <= now + ROUNDING else next_one

    def give(self, node: int, now: float, handout: Handout) -> None:
        """Note that a task without data on a node has got a container there."""
        since, given = self._last.get(node, (-math.inf, 0))
        is_next = since + handout.interval <= now + ROUNDING
        self._last[node] = (now, 1) if is_next else (since, given + 1)
