"""Copies of slow tasks: when they start, and how many there may be."""

from __future__ import annotations

import math

from models.values import value


@value()
class Speculation:
    """When a copy of a slow task starts on another node; the first of both to end ends the task.

    Once the part `quantile` of a stage's tasks has ended, an attempt is slow that runs for `multiplier` times the
    median time of those. A look comes no sooner than `interval` s after another, or `pause` s after one that started
    copies, `at_once` of them at most. There are up to `least` copies of running tasks, or one for each of the part
    `of_all` of the stage's tasks, or `of_running` of those that run, whichever is most.
    """

    quantile: float
    multiplier: float
    interval: float
    pause: float
    at_once: float = math.inf
    least: float = math.inf
    of_all: float = 0.0
    of_running: float = 0.0

    def most(self, tasks: int, running: int) -> float:
        """Return how many copies there may be of a stage with so many tasks, so many of which run."""
        return max(self.least, self.of_all * tasks, self.of_running * running)
