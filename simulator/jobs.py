"""Job -> stage -> task: fills free slots with waiting tasks until a job has committed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from models.work import Job, Stage
from simulator.engine import BEHIND, Engine
from simulator.events import Event, Progress, StageFinished, StageStarted
from simulator.slots import TaskQueue
from simulator.step_runner import Done

UPDATES = 200
"""Progress events a run emits at most. Assumption: finer than any progress bar shows."""


class StageRun:
    """One stage on its way: its waiting tasks, and how many have ended."""

    def __init__(self, stage: Stage, tag: int, racks: Sequence[int]) -> None:
        self.stage = stage
        self.tag = tag
        self.queue = TaskQueue(stage, racks)
        self.open = False
        self.followers: list[StageRun] = []  # closed ones that open after a part of its tasks
        self.ends: dict[int, Done] = {}  # what the end of a task on a node calls
        self.ended = 0
        self.start = 0.0
        self.end = 0.0

    @property
    def fraction(self) -> float:
        """The part of the tasks that has ended, 0 to 1."""
        return self.ended / self.stage.tasks if self.stage.tasks else 1.0

    def ended_by(self, time: float) -> float:
        """Return when the last task ended, or the time (s) at which the run was ended before it."""
        return self.end if self.fraction == 1 else time


class JobRun:
    """One job on the engine, and the moment that its plans ask about. Earlier stages have the first claim on slots."""

    def __init__(self, engine: Engine, job: Job, on_event: Callable[[Event], None]) -> None:
        self.stages = [StageRun(stage, (i + 1) * (BEHIND + 1), job.racks) for i, stage in enumerate(job.stages)]
        self.done = engine.env.event()
        self._engine, self._job, self._on_event = engine, job, on_event
        self._named = {run.stage.name: run for run in self.stages}
        for run in self.stages:
            if run.stage.after is not None:
                self._named[run.stage.after].followers.append(run)
        self._free = list(job.slots)
        self._closed = list(self.stages)
        self._active: list[StageRun] = []  # those open whose tasks have not all ended
        self._tasks = sum(stage.tasks for stage in job.stages)
        self._ended = 0
        self._step = max(math.ceil(self._tasks / UPDATES), 1)

    def start(self) -> None:
        """Begin with the job's setup; `done` succeeds after its commit."""
        self._engine.execute(self._job.setup, self._advance)

    def finished(self, stage: str) -> float:
        """Return the part of a stage's tasks that has ended, 0 to 1."""
        return self._named[stage].fraction

    def milestone(self, stage: str) -> str:
        """Return the milestone at which all tasks of a stage have ended."""
        return stage

    def _advance(self) -> None:
        """Open the stages whose turn has come, and commit when all have ended."""
        for run in [run for run in self._closed if self._is_due(run.stage)]:
            self._open(run)
        if self._ended == self._tasks:
            self._engine.execute(self._job.commit, self.done.succeed)

    def _is_due(self, stage: Stage) -> bool:
        return stage.after is None or self._named[stage.after].fraction >= stage.slowstart

    def _has_due_follower(self, run: StageRun) -> bool:
        return any(self._is_due(other.stage) for other in run.followers)

    def _open(self, run: StageRun) -> None:
        run.open, run.start = True, self._engine.now
        self._closed.remove(run)
        if run.stage.after is not None:
            self._named[run.stage.after].followers.remove(run)
        self._active = [other for other in self.stages if other.open and other.ended < other.stage.tasks]
        self._on_event(StageStarted(run.stage.name, run.stage.tasks, run.start))
        nodes = [node for node, slots in enumerate(self._free) if slots > 0]
        while nodes and run.queue.left:
            for node in nodes:
                self._fill(node, once=True)
            nodes = [node for node in nodes if self._free[node] > 0]

    def _fill(self, node: int, *, once: bool = False) -> None:
        """Start waiting tasks on a node's free slots."""
        for run in self._active:
            while self._free[node] > 0:
                task = run.queue.take(node)
                if task is None:
                    break
                self._free[node] -= 1
                self._begin(run, task, node)
                if once:
                    return

    def _reach(self, stage: str) -> None:
        self._engine.milestone(self.milestone(stage))

    def _begin(self, run: StageRun, task: int, node: int) -> None:
        end = run.ends.get(node)
        if end is None:
            end = run.ends[node] = partial(self._on_task_end, run, node)
        self._engine.execute(run.stage.plan(task, node, self), end, run.tag)

    def _on_task_end(self, run: StageRun, node: int) -> None:
        self._free[node] += 1
        run.ended += 1
        self._ended += 1
        if self._ended % self._step == 0 or self._ended == self._tasks:
            self._on_event(Progress(self._ended / self._tasks, self._engine.now))
        if run.ended == run.stage.tasks:
            run.end = self._engine.now
            self._on_event(StageFinished(run.stage.name, run.end))
            self._active.remove(run)
            self._reach(run.stage.name)
        self._fill(node)
        if run.ended == run.stage.tasks or (run.followers and self._has_due_follower(run)):
            self._advance()
