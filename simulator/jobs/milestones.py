"""Milestones of the stages of a job: parts of their tasks that have ended, for which later stages wait."""

from __future__ import annotations

import math
from collections import Counter

from models.work import ROUNDS
from simulator.engine import Engine


class Milestones:
    """The milestones of one run, whose names begin with those of its place.

    Where outputs of a stage are lost, its milestones are to be reached once more, under other names.
    """

    def __init__(self, engine: Engine, place: str) -> None:
        self._engine, self._place = engine, place
        self._losses = Counter[str]()

    def after(self, stage: str, part: float) -> str:
        """Return the milestone at which all tasks of a stage have ended, or the next one after a part of them."""
        return self._name(stage, self._losses[stage], math.floor(part * ROUNDS + 1e-9) + 1)

    def reach(self, stage: str, part: int = ROUNDS) -> None:
        """Reach a milestone of a stage, and those that were to come before its outputs were lost."""
        for loss in range(self._losses[stage] + 1):
            self._engine.milestone(self._name(stage, loss, part))

    def lose(self, stage: str) -> None:
        """Take notice that outputs of a stage are lost."""
        self._losses[stage] += 1

    def _name(self, stage: str, losses: int, part: int) -> str:
        name = f"{self._place}{stage}/{losses}" if losses else f"{self._place}{stage}"
        return name if part >= ROUNDS else f"{name}@{part}"
