"""From a job that has ended to a result, as `simulator.requests.answer` has it for requests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from models.hardware.bays import unlinked
from models.hardware.cluster import Layout
from models.plan import Plan
from models.scenario import Scenario
from models.symmetry import likeness
from models.work import COMMIT, SETUP, Metrics
from simulator.asked import Asked
from simulator.engine import Books, Engine
from simulator.jobs.run import JobRun
from simulator.jobs.slowest import slowest_tasks
from simulator.jobs.speculation import copies
from simulator.jobs.stages import StageRun, decided
from simulator.limits import added, worst
from simulator.readings import Busy, PlanAccount, groups_of, metrics_of, next_of, resources_of
from simulator.result import Bottleneck, Result, StageResult

MOVED = ("nic-in", "nic-out")
"""Kinds of resources that bytes pass before they count as copied: no cache stands between."""


def result_of_job(scenario: Scenario, asked: Asked, plan: Plan, engine: Engine, run: JobRun) -> Result:
    """Return what a job came to that has ended on an engine, which is closed."""
    reading = _Reading.of(plan, engine, run)
    books, stages = reading.books, reading.stages()
    account = reading.account(stages)
    resources = resources_of(plan.layout.resources, books)
    groups = groups_of(plan.layout, books, resources)
    bottleneck = worst(reading.decided())
    return Result(
        profile=asked.profile,
        seed=asked.seed,
        version=version("headroom"),
        duration=books.time,
        interval=None,
        bottleneck=bottleneck or Bottleneck("nothing", 0.0),
        next_bottleneck=next_of(groups, bottleneck, books.time),
        stages=(*stages, *reading.commit()),
        resources=resources,
        groups=groups,
        bin_width=books.bin_width,
        metrics={"duration": (books.time, "s"), **_metrics(plan, account)},
        capacity=scenario.capacity(),
        warnings=(
            *_merged(asked, engine),
            *unlinked(plan.layout.whole),
            *likeness(plan.layout),
            *plan.notes(account),
            *copies(stage.watch for stage in run.stages),
        ),
        leading={"duration": (books.time,)},
        works=engine.activities.ended,
        tasks=slowest_tasks(run.slowest.values(), plan.layout, books, reading.clock),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """A job that has ended, and the times of what it stands for.

    `begun` is when its first task started (s); all that comes later takes `longer` times as long as in the engine,
    where some of the tasks stand for all.
    """

    plan: Plan
    engine: Engine
    run: JobRun
    books: Books
    begun: float
    longer: float
    busy: Busy

    @classmethod
    def of(cls, plan: Plan, engine: Engine, run: JobRun) -> _Reading:
        """Close an engine and read it."""
        known = plan.layout.resources
        simulated = engine.close()
        if plan.layout.caches_hold:
            simulated = simulated.without(_earlier(plan.layout, engine))
        begun = min((stage.start for stage in run.stages), default=0.0)
        moved = np.array([resource.kind in MOVED for resource in known], np.bool_)
        books = simulated.scaled(begun, plan.scale, _steady(plan, run, simulated), moved, plan.tail or 0.0)
        longer = (books.time - begun) / (simulated.time - begun) if plan.scale != 1 else 1.0
        return cls(plan, engine, run, books, begun, longer, Busy(known, books))

    def clock(self, time: float) -> float:
        """Return the time (s) in the books from that in the engine."""
        return self.begun + self.longer * (time - self.begun) if self.plan.scale != 1 else time

    def stages(self) -> list[StageResult]:
        """Return each stage of the job, as far as it came."""
        deciding = decided(self.run.stages, self.engine.now)
        return [
            self._stage(stage, self.longer * seconds) for stage, seconds in zip(self.run.stages, deciding, strict=True)
        ]

    def _stage(self, stage: StageRun, deciding: float) -> StageResult:
        end, count = self.clock(stage.ended_by(self.engine.now)), stage.stage.stands_for or stage.stage.tasks
        held_up = self._held_up(stage.tag, stage.start, end)
        return StageResult(stage.stage.name, stage.start, end, count, worst(held_up), deciding)

    def commit(self) -> Iterator[StageResult]:
        """Yield the commit of the job after its last stage, if there is one."""
        if self.run.stages and self.books.time > (last := self._last()):
            held_up = self._held_up(self.run.tag, last, self.books.time)
            yield StageResult(COMMIT, last, self.books.time, 1, worst(held_up))

    def decided(self) -> dict[str, float]:
        """Return the seconds in which each limit decided the end of the job."""
        path = self.run.decided(
            self.engine.now, lambda start, end: self.busy.between(self.clock(start), self.clock(end)), self.busy.shared
        )
        path = {limit: self.longer * seconds for limit, seconds in path.items()}
        return added([path, {SETUP: self.begun, COMMIT: self.books.time - self._last()}])

    def account(self, stages: Sequence[StageResult]) -> PlanAccount:
        """Return what metrics are told from."""
        times = {stage.stage.name: [self.longer * time for time in stage.times] for stage in self.run.stages}
        ends = {stage.name: stage.end for stage in stages}
        return PlanAccount(self.books.time, self.books, ends, times, self.plan.layout.alike)

    def _last(self) -> float:
        ends = (self.clock(stage.ended_by(self.engine.now)) for stage in self.run.stages)
        return max(ends, default=self.begun)

    def _held_up(self, tag: int, start: float, end: float) -> dict[str, float]:
        return self.busy.held_up(self.engine.held_up(tag), start, end)


def _earlier(layout: Layout, engine: Engine) -> dict[int, float]:
    """Return the bytes of each resource that page caches held before the run and drained in it."""
    moved, held = dict[int, float](), engine.steps.held
    for page in layout.pages.values():
        for row, amount in page.earlier(held):
            moved[row] = moved.get(row, 0.0) + amount
    return moved


def _metrics(plan: Plan, account: PlanAccount) -> Metrics:
    return {name: (metric.of(account), metric.unit) for name, metric in metrics_of(plan).items()}


def _merged(asked: Asked, engine: Engine) -> tuple[str, ...]:
    """Return what a reader must know of a run with a tolerance."""
    if not asked.tolerance:
        return ()
    part = engine.activities.merged / max(engine.activities.ended, 1)
    left = f"{100 * asked.tolerance:g}% of it or less"
    return (f"not exact: a step of a task counts as done when {left} is left and another ends; {part:.0%} ended so",)


def _steady(plan: Plan, run: JobRun, simulated: Books) -> slice:
    """Return the bins in which a sample goes as the rest does, of those in which all slots have work.

    Before, tasks start; after, single tasks end late by chance.
    """
    if plan.tail is None or len(run.stages) != 1 or (end := run.stages[0].thinned) is None:
        return slice(0, 0)
    start = run.stages[0].start
    first = math.ceil((start + plan.settles * (end - start)) / simulated.bin_width)
    return slice(first, max(math.floor(end / simulated.bin_width), first))
