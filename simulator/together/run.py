"""Many workloads on one clock: their runs come and go on one engine, share its resources, and wait for containers.

Each run of a workload is a job of its own, with its plan, its data and its chances. What comes later is built when its
time has come.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from models.build import build, intakes, kept
from models.jobs.lakehouse_plan import LakehousePlan
from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.schedule import DEFAULT_QUEUE, Schedule, Scheduled
from models.jobs.scheduler import Scheduler
from models.plan import Plan
from models.problem import refusal
from models.rebalance import serving
from models.scenario import Scenario
from models.streams import PLACEMENT, Streams
from models.symmetry import layout_of
from models.units import DAY, HOUR
from models.work import Job, Moment, Stage, Step
from simulator.asked import Asked
from simulator.engine import SIDES, Engine, StuckError
from simulator.events import Event, OnEvent, Progress, StageFinished, StageStarted
from simulator.faults import Faults, Party
from simulator.jobs.claim import Claim
from simulator.jobs.containers import Containers
from simulator.jobs.run import JobRun, Place
from simulator.jobs.slowest import Slowest
from simulator.readings import members_of
from simulator.rebalance import Rebalancing
from simulator.together.loads import Known, Load, load, parts
from simulator.together.usage import Usage

NOTHING: Mapping[str, Known] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class Pass:
    """One run of a workload: when it comes, is due and has ended (s), and what it is on the engine."""

    entry: Schedule
    number: int
    start: float
    due: float
    plan: Plan
    run: JobRun
    claim: Claim | None = None
    end: float | None = None

    @property
    def name(self) -> str:
        """Name of the workload, with the number of the run from the second on."""
        return self.entry.name if self.number == 0 else f"{self.entry.name} {self.number + 1}"


@dataclass(slots=True, eq=False)
class Beside:
    """One workload beside the others: its first plan, when it runs (s), and the slowest tasks of all its runs."""

    entry: Schedule
    scenario: Scenario
    plan: Plan
    starts: tuple[float, ...]
    passes: list[Pass] = field(default_factory=list)
    slowest: dict[str, Slowest] = field(default_factory=dict)

    @property
    def tasks(self) -> int:
        """The tasks of a run of it; all have as many as the first."""
        return sum(stage.tasks for stage in self.plan.job.stages)


class Together:
    """The simulation of many workloads: `run` it once; `engine`, `usage` and `workloads` then say how it went.

    `known` is what one before told of loads, by their names. How far it is it tells as a part of all `tasks`, of which
    are those of workloads that are simulated `alone` behind it, too.
    """

    def __init__(
        self, scenario: Scenario, asked: Asked, known: Mapping[str, Known] = NOTHING, alone: Container[str] = ()
    ) -> None:
        self.scenario, self._asked = scenario, asked
        self._streams = Streams(asked.seed)
        self.layout = layout_of(scenario, asked.detail)
        self.workloads: list[Beside] = []
        self.loads: list[Load] = []
        for entry in scenario.workloads:
            self._add(entry, known.get(entry.name))
        for source in self.loads:
            if source.entry.while_others_run and any(workload.starts for workload in self.workloads):
                source.last()
        taken_in = intakes(scenario, self.layout, self._salt("rebalance", is_first=True))
        is_failing = scenario.failures is not None and scenario.failures.is_in_run
        self._kept = kept(scenario, self.layout) if is_failing else None  # it may have resources of its own
        self.engine = Engine(self.layout.resources, should_stop=asked.should_stop, tolerance=asked.tolerance)
        self.rebalancing = Rebalancing(self.engine, taken_in)
        self.members = serving(self.layout, members_of(self.layout.resources))
        self.usage = Usage(self.engine, len(self.owners))
        jobs = [workload.plan.job for workload in self.workloads if _queue(workload.entry) is not None]
        self.containers = Containers(
            self.engine,
            scenario.scheduler or Scheduler(),
            [job.slots for job in jobs] or [[0] * len(self.layout.nodes)],
        )
        self.faults = self._scheduled()
        self._done = self.engine.env.event()
        self._left = sum(len(workload.starts) for workload in self.workloads) + len(self._set_ends)
        self.own_tasks = sum(len(workload.starts) * workload.tasks for workload in self.workloads)
        later = sum(workload.tasks for workload in self.workloads if workload.entry.name in alone)
        self.tasks = self.own_tasks + later
        self._ended, self._tags = 0, 1  # tag 0 is of nobody
        self._under_way: dict[str, tuple[float, float]] = {}  # tasks of each run that have ended, and that are shown
        self._busy, self._follows = 0.0, True

    @property
    def owners(self) -> list[str]:
        """The names of those who use resources, in the order of `usage`."""
        nobody = "rebuild" if self.scenario.rebalance is None else "rebalance"
        return [nobody, *(entry.name for entry in self.scenario.workloads)]

    def run(self) -> None:
        """Let all workloads run to their ends.

        Raises:
            RefusalError: a workload cannot end.
            Cancelled: the run was stopped from outside.
        """
        self.rebalancing.start()
        for workload in self.workloads:
            for number, start in enumerate(workload.starts):
                self.engine.call_at(start, partial(self._begin, workload, number, start))
        for time in sorted({time for source in self.loads for time in source.changes()}):
            self.engine.call_at(time, partial(self._reserve, time))
        if any(source.follows_hours for source in self.loads):
            self.engine.call_at(DAY, self._follow)
        for end in self._set_ends:
            self.engine.call_at(end, self._leave)
        if not self._left:
            return
        try:
            self.engine.run(self._done)
        except StuckError as error:
            raise refusal("workloads", f"not all can end, too few servers or containers are left ({error})") from error
        for source in self.loads:
            source.end(self.engine.now)

    @property
    def _set_ends(self) -> list[float]:
        """When loads of requests end (s), whatever becomes of the other workloads."""
        return [end for source in self.loads for end in source.set_ends()]

    @property
    def set_end(self) -> float:
        """When the last load of requests ends (s), whatever becomes of the other workloads; 0 without any."""
        return max(self._set_ends, default=0.0)

    def passes(self) -> Iterator[Pass]:
        """Yield all runs, workload by workload."""
        return chain.from_iterable(workload.passes for workload in self.workloads)

    def parts(self, time: float) -> NDArray[np.float64]:
        """Return the part of each resource that loads of requests have at a time (s)."""
        return parts(self.loads, self.members, len(self.layout.resources), time)

    def _reserve(self, time: float) -> None:
        self.engine.reserve(self.parts(time))

    def _follow(self) -> None:
        """Reserve the rates of this hour, and of the next ones.

        Once nothing was under way for as long as all before and no run is to come, this ends until a task begins, so
        that the engine tells where nothing can happen any more.
        """
        now = self.engine.now
        self._reserve(now)
        if len(self.engine.activities):
            self._busy = now
        last = max(chain.from_iterable(workload.starts for workload in self.workloads))
        self._follows = now <= max(2 * self._busy, last, DAY)
        if self._follows:
            self.engine.call_at((now // HOUR + 1) * HOUR, self._follow)

    def _wake(self) -> None:
        """Sample who uses what, and follow the hours, from now on."""
        self.usage.wake()
        if not self._follows:
            self._follow()

    def _add(self, entry: Scheduled, known: Known | None) -> None:
        name = entry.name
        scenario = self.scenario.alone(name, is_whole=True)
        plan = self._plan(scenario, entry, 0)
        arrivals = self._streams.generator(f"workloads/{name}/arrivals")
        if isinstance(plan, ObjectLoadPlan):
            asked = self._asked
            self.loads.append(load(entry, plan, entry.starts(arrivals), asked.seed, asked.should_stop, known))
            return
        assert isinstance(plan, Plan)  # others have been refused
        has_tasks = any(stage.tasks for stage in plan.job.stages)
        starts = entry.starts(arrivals) if has_tasks else ()
        self.workloads.append(Beside(entry, scenario, plan, starts))

    def _plan(self, scenario: Scenario, entry: Schedule, number: int) -> Plan | LakehousePlan | ObjectLoadPlan:
        self.layout.workload = entry.name
        salt = self._salt(f"workloads/{entry.name}/{number}", is_first=number == 0)
        return build(scenario, salt, self.layout, is_alone=False)

    def _salt(self, owner: str, *, is_first: bool) -> int:
        """Return what chooses where the data of an owner lie: for the only workload as in a profile of its own."""
        is_lone = is_first and len(self.scenario.workloads) == 1
        return self._streams.salt(PLACEMENT if is_lone else f"{owner}/{PLACEMENT}")

    def _scheduled(self) -> Faults | None:
        failures = self.scenario.failures
        if failures is None or not failures.is_in_run:
            return None
        faults = Faults(self.engine, self.layout, failures, self._kept)
        faults.schedule(self._streams.generator("failures"))
        return faults

    def _begin(self, workload: Beside, number: int, start: float) -> None:
        entry = workload.entry
        plan = workload.plan if number == 0 else self._plan(workload.scenario, entry, number)
        assert isinstance(plan, Plan)  # as the first one is
        job, is_queued = plan.job, _queue(entry) is not None
        title = f"{entry.name}/" if number == 0 else f"{entry.name} {number + 1}/"
        place = Place(f"{entry.name}/{number}/", self._tags, title)
        self._tags += len(job.stages) + 1
        owner = self.owners.index(entry.name)
        tags = (place.tag(i) + behind for i in range(len(job.stages) + 1) for behind in range(SIDES))
        self.usage.own(tags, owner)
        run = JobRun(
            self.engine,
            self._watched(job),
            self._named(title, workload.tasks),
            may_fail=plan.outage.may_fail or plan.horizon is not None,
            slots=self.containers if is_queued else None,
            place=place,
            slowest=workload.slowest,
        )
        one_pass = Pass(entry, number, start, entry.due(start, workload.starts[0]), plan, run)
        workload.passes.append(one_pass)
        if is_queued:
            one_pass.claim = self.containers.join(run, entry)
        if self.faults is not None:
            self.faults.join(Party(run, plan.outage, plan.repairs), entry.name)
        run.done.callbacks.append(lambda event: self._end(one_pass, workload.tasks))
        if plan.horizon is not None:
            self.engine.call_after(plan.horizon, lambda: self._end(one_pass, workload.tasks))
        if is_queued:
            self.containers.begin(run)
        else:
            run.start()

    def _watched(self, job: Job) -> Job:
        """Return a job whose tasks wake what sleeps while nothing is under way."""

        def woken(stage: Stage) -> Stage:
            def plan(task: int, node: int, moment: Moment) -> Step:
                self._wake()
                return stage.plan(task, node, moment)

            return replace(stage, plan=plan)

        return replace(job, stages=tuple(map(woken, job.stages)))

    def _end(self, one_pass: Pass, tasks: int) -> None:
        if one_pass.end is not None:
            return
        one_pass.end = self.engine.now
        if one_pass.plan.horizon is not None:
            one_pass.run.halt()
        if one_pass.claim is not None:
            self.containers.leave(one_pass.run)
        self._under_way.pop(f"{one_pass.name}/", None)
        self._ended += tasks
        self._leave()

    def _leave(self) -> None:
        self._left -= 1
        if not self._left:
            self._done.succeed()

    def _named(self, prefix: str, tasks: int) -> OnEvent:
        """Return what hears the events of one run of so many tasks, and tells them as those of all."""

        def hear(event: Event) -> None:
            match event:
                case StageStarted(stage) | StageFinished(stage):
                    self._asked.on_event(replace(event, stage=prefix + stage))
                case Progress(fraction, time, shown):
                    self._under_way[prefix] = fraction * tasks, shown * tasks
                    ended, known = map(sum, zip(*self._under_way.values(), strict=True))
                    told = Progress((self._ended + ended) / self.tasks, time, (self._ended + known) / self.tasks)
                    self._asked.on_event(told)

        return hear


def _queue(entry: Schedule) -> str | None:
    """Return the queue that gives a workload containers, None where its tools run beside all queues."""
    if entry.queue is not None:
        return entry.queue
    return DEFAULT_QUEUE if "framework" in type(entry).model_fields else None
