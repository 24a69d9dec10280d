"""A job on servers that fail: tasks of a dead server start elsewhere, and what a lost drive held is made again.

As YARN and MapReduce do: attempts on a dead server count as lost once it has been silent for the job's `expiry`; ended
tasks whose output later stages still need run again; where no slot is free for them, the youngest attempts of those
later stages make room. Source: Apache Hadoop, JobImpl.actOnUnusableNode and RMContainerAllocator.preemptReduces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from models.work import Job
from simulator.events import Event
from simulator.failing import Attempt, FailingEngine
from simulator.jobs import JobRun, StageRun

PREEMPTED = 0.5
"""Part of the running attempts that may have to make room. Source: Apache Hadoop,
yarn.app.mapreduce.am.job.reduce.preemption.limit, default."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One attempt at a task: where it runs since when (s), and the resource that will hold what it leaves, if any."""

    run: StageRun
    task: int
    node: int
    output: int | None
    began: float


class FailingJobRun(JobRun):
    """One job on an engine on which resources go down."""

    def __init__(self, engine: FailingEngine, job: Job, on_event: Callable[[Event], None]) -> None:
        super().__init__(engine, job, on_event)
        self.redone = 0  # tasks that were started once more
        self._failing = engine
        self._lost_at = 0.0
        self._trials: dict[Attempt, Trial] = {}
        self._ended_trials: list[Trial] = []
        self._losses: dict[str, int] = {}

    def milestone(self, stage: str) -> str:
        """Return the milestone at which all tasks of a stage have ended, those that are redone included."""
        return _milestone(stage, self._losses.get(stage, 0))

    def lose(self, nodes: set[int], resources: set[int]) -> None:
        """Take notice that nodes and resources are down, before the engine does."""
        if self._ended == self._tasks:
            return
        self._lost_at = self._engine.now
        for node in nodes:
            self._free[node] = 0
        missing = self._withdraw_outputs(resources)
        stopped = [attempt for attempt, trial in self._trials.items() if trial.node in nodes]
        missing += [self._stop(attempt) for attempt in stopped]
        delay = self._job.expiry if nodes else 0.0
        self._engine.call_after(delay, partial(self._redo, missing))

    def _reach(self, stage: str) -> None:
        """Reach the milestone of a stage, and those that were to come before its outputs were lost."""
        for loss in range(self._losses.get(stage, 0) + 1):
            self._engine.milestone(_milestone(stage, loss))

    def _begin(self, run: StageRun, task: int, node: int) -> None:
        output = run.stage.output(task, node) if run.stage.output else None
        attempt = Attempt(self._failing, self._on_failure)
        self._trials[attempt] = Trial(run, task, node, output, self._engine.now)
        step = run.stage.plan(task, node, self)
        attempt.execute(step, partial(self._on_attempt_end, attempt), run.tag)

    def _on_attempt_end(self, attempt: Attempt) -> None:
        trial = self._trials.pop(attempt, None)
        if trial is None:  # it was stopped in the instant in which it ended
            return
        if trial.output is not None:
            self._ended_trials.append(trial)
        self._on_task_end(trial.run, trial.node)

    def _on_failure(self, attempt: Attempt) -> None:
        """Try a task again; a server where even what began after the last loss fails has no drive left for tasks."""
        trial = self._stop(attempt)
        self._free[trial.node] = self._free[trial.node] + 1 if trial.began < self._lost_at else 0
        self._engine.call_after(0.0, partial(self._redo, [trial]))

    def _stop(self, attempt: Attempt) -> Trial:
        if attempt.is_alive:
            self._failing.end(attempt)
        return self._trials.pop(attempt)

    def _withdraw_outputs(self, resources: set[int]) -> list[Trial]:
        """Return the ended tasks whose output is lost while a later stage needs it, and count them as not ended."""
        needed = {run.stage.after for run in self.stages if run.fraction < 1}
        lost = [trial for trial in self._ended_trials if trial.output in resources and trial.run.stage.name in needed]
        self._ended_trials = [trial for trial in self._ended_trials if trial.output not in resources]
        for trial in lost:
            trial.run.ended -= 1
            self._ended -= 1
        for name in dict.fromkeys(trial.run.stage.name for trial in lost):
            self._losses[name] = self._losses.get(name, 0) + 1
        self._active = [run for run in self.stages if run.open and run.ended < run.stage.tasks]
        return lost

    def _redo(self, trials: list[Trial]) -> None:
        """Let tasks wait again, and give them slots."""
        self.redone += len(trials)
        for trial in trials:
            trial.run.queue.put_back(trial.task)
        for name in dict.fromkeys(trial.run.stage.name for trial in trials):
            self._make_room(self._named[name])
        for node in range(len(self._free)):
            if self._free[node] > 0:
                self._fill(node)

    def _make_room(self, run: StageRun) -> None:
        """Stop the youngest attempts of a stage that waits for another whose tasks find no slot."""
        later = [attempt for attempt, trial in self._trials.items() if trial.run.stage.after == run.stage.name]
        room = min(run.queue.left - sum(self._free), int(PREEMPTED * len(later)))
        for attempt in later[len(later) - max(room, 0) :]:
            trial = self._stop(attempt)
            self._free[trial.node] += 1
            trial.run.queue.put_back(trial.task)
            self.redone += 1


def _milestone(stage: str, losses: int) -> str:
    return f"{stage}/{losses}" if losses else stage
