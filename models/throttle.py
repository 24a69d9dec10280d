"""A limit on the bytes a second that all tasks of a workload together move: one more resource that their works use.

What the page cache writes behind a task's back is not held up: its bytes have been counted when they came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from models.work import (
    Deferred,
    Demand,
    Failover,
    Hold,
    Job,
    Moment,
    Parallel,
    Repeat,
    Resource,
    Sequence,
    Step,
    Use,
    Work,
    demand,
)

Planned = Callable[[int, int, Moment], Step]


class Throttle:
    """The limit of one workload; `resource` carries so many bytes a second."""

    def __init__(self, resource: Resource) -> None:
        self._resource = resource
        self._demands: dict[tuple[object, ...], Demand] = {}

    def job(self, job: Job) -> Job:
        """Return a job whose tasks keep within the limit."""
        return replace(job, stages=[replace(stage, plan=self._planned(stage.plan)) for stage in job.stages])

    def _planned(self, plan: Planned) -> Planned:
        return lambda task, node, moment: self.step(plan(task, node, moment))

    def step(self, step: Step) -> Step:
        """Return a step that keeps within the limit."""
        match step:
            case Failover(amount, uses, again):
                return Failover(amount, self._limited(uses), lambda left: self.step(again(left)))
            case Work(amount, uses):
                return Work(amount, self._limited(uses))
            case Sequence(steps):
                return Sequence(tuple(map(self.step, steps)))
            case Parallel(steps):
                return Parallel(tuple(map(self.step, steps)))
            case Hold(pool, amount, inside):
                return Hold(pool, amount, self.step(inside))
            case Deferred(plan):
                return Deferred(lambda: self.step(plan()))
            case Repeat(turn):
                return Repeat(lambda: None if (found := turn()) is None else self.step(found))
            case _:
                return step

    def _limited(self, known: Demand) -> Demand:
        """Return a demand that uses the limit, too, byte by byte, where it moves any."""
        if not any(use.bytes for use in known.uses):
            return known
        if known.key not in self._demands:
            uses = (*known.uses, Use(self._resource, 1.0, 1.0))
            made = demand(uses, max_rate=known.max_rate, weight=known.weight, cap=known.cap)
            self._demands[known.key] = made
        return self._demands[known.key]
