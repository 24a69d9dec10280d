"""Job -> stage -> task: fills free slots with waiting tasks until a job has committed.

Where servers and drives may fail, every task runs as an attempt, which YARN and MapReduce treat so: attempts on a dead
server count as lost once it has been silent for the job's `expiry`; ended tasks whose output later stages still need
run again; where no slot is free for them, the youngest attempts of those later stages make room. So they do where
others share the slots. Where a stage speculates its tasks run as attempts, too, of which a slow one gets a copy: the
first of both to end ends the task. Source: Apache Hadoop, JobImpl.actOnUnusableNode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from functools import partial

from models.values import value
from models.work import SILENT, Job, Stage
from simulator.engine import SIDES, Attempt, Engine
from simulator.events import Event, Progress, StageFinished, StageStarted
from simulator.jobs.handout import Handing
from simulator.jobs.milestones import Milestones
from simulator.jobs.preemption import Preemption
from simulator.jobs.slots import OwnSlots, Slots
from simulator.jobs.slowest import Slowest
from simulator.jobs.speculation import Watch
from simulator.jobs.stages import StageRun, Trial, UnderWay, deciding, shown
from simulator.limits import added, named, spared, within

UPDATES = 200
"""Progress events a run emits at most. Assumption: finer than any progress bar shows."""


@value()
class Place:
    """What tells a run from the others on its engine: what its milestones begin with, and its tag, a row of several.

    Its stages are told of by their names behind the `title`.
    """

    name: str = ""
    row: int = 0
    title: str = ""

    def tag(self, stage: int) -> int:
        """Return the tag of the works of a stage, counted from 1; 0 stands for setup and commit."""
        return (self.row + stage) * SIDES


ALONE = Place()


class JobRun:
    """One job on the engine, and the moment that its plans ask about. Earlier stages have the first claim on slots.

    Where nothing `may_fail`, no stage speculates and nobody shares the slots no attempt is noted: that saves time and
    memory, and runs alike.
    `slowest` are the slowest tasks by stage, to which those of several runs may add.
    """

    def __init__(
        self,
        engine: Engine,
        job: Job,
        on_event: Callable[[Event], None],
        *,
        may_fail: bool = False,
        slots: Slots[JobRun] | None = None,
        place: Place = ALONE,
        slowest: dict[str, Slowest] | None = None,
    ) -> None:
        self.slowest = {} if slowest is None else slowest
        self.stages = [
            StageRun(stage, place.tag(i + 1), job.racks, self.slowest.setdefault(stage.name, Slowest()))
            for i, stage in enumerate(job.stages)
        ]
        self.tag = place.tag(0)  # of setup and commit
        self.done, self.began = engine.env.event(), math.inf
        self.slots: Slots[JobRun] = slots or OwnSlots(job.slots if job.master is None else job.master.beside(job.slots))
        self.handing = Handing.of(engine, job, self.stages, self.slots, self)
        self._place = place
        self._engine, self._clock, self.job, self._on_event = engine, engine.env, job, on_event
        engine.steps.reach_tag(place.tag(len(job.stages)))
        self._named = {run.stage.name: run for run in self.stages}
        for run in self.stages:
            for name in run.follows:
                self._named[name].lead(run)
        self._idle: list[UnderWay] = []  # ready for other tasks
        self._closed = list(self.stages)
        self._ramps = any(stage.ramp for stage in job.stages)
        self._awaited = {name for stage in job.stages if may_fail or stage.slowstart < 1 for name in stage.inputs}
        self._active: list[StageRun] = []  # those open whose tasks have not all ended
        self._tasks = sum(stage.tasks for stage in job.stages)
        self._ended = 0
        self._step = max(math.ceil(self._tasks / UPDATES), 1)
        self._may_fail, self._shares = may_fail, slots is not None
        self.redone = 0  # tasks that were started once more
        self.preempted = 0  # of these the ones that made room
        self._preemption = Preemption(engine, self.stages, lambda: self.slots.headroom(self), self._preempt)
        self._lost_at = 0.0
        self._trials: dict[Attempt, Trial] = {}
        self._twins: dict[Attempt, Attempt] = {}  # of two attempts at a task each the other
        self._ended_trials: list[Trial] = []
        self._gone: list[Trial] = []  # of those the ones whose output is lost
        self._milestones = Milestones(engine, place.name)

    def start(self) -> None:
        """Begin with the job's setup; `done` succeeds after its commit."""
        self.began = self._engine.now
        self._engine.execute(self.job.setup, self._advance, self.tag)

    def finished(self, stage: str) -> float:
        """Return the part of a stage's tasks that has ended, 0 to 1."""
        return self._named[stage].fraction

    def milestone(self, stage: str, after: float = 1.0) -> str:
        """Return the milestone at which all tasks of a stage have ended, or the next one after a part of them."""
        return self._milestones.after(stage, after)

    def mark(self) -> None:
        """Note what has held up the stages under way until this moment, at which one of them opens or ends."""
        for run in self._active:
            run.marks[self._engine.now] = self._engine.held_up(run.tag)

    def decided(
        self, now: float, busy: Callable[[float, float], Mapping[str, float]], shared: Container[str]
    ) -> dict[str, float]:
        """Return the seconds until `now` in which each limit of a stage decided the end of the job.

        `busy` answers the utilization of each group from one moment to another, 0 to 1; those that are `shared` have
        several members. A second of the clock counts as any other, be many tasks under way or one that is waited for.
        """
        self.mark()
        parts = [(part, busy(part.start, part.end)) for turn in deciding(self.stages, now) for part in turn.parts]
        held = [within(named(spared(part.held_up, used), used, shared), part.end - part.start) for part, used in parts]
        return added(held)

    @property
    def waiting(self) -> int:
        """The tasks of open stages that wait for a slot."""
        return sum([run.queue.left for run in self._active])

    def offer(self, node: int) -> bool:
        """Start a waiting task on a node, in a slot that the caller has taken; return whether there was one."""
        active = self._active
        if self._ramps and len(active) > 1:
            active = [*filter(self._has_first_claim, active), *active]
        for run in active:
            if run.queue.left and not run.is_full(node):
                task = run.queue.take(node) if self.handing is None else self.handing.take(run, node)
                if task is not None:
                    self._begin(run, task, node)
                return task is not None  # what comes after tasks that wait for a heartbeat waits, too
        return False

    def _has_first_claim(self, run: StageRun) -> bool:
        """Tell whether a stage may take a slot before the tasks that it waits for; some of these run then."""
        if not run.stage.ramp or not run.queue.left or run.stage.after is None:
            return False
        share = min(self._named[run.stage.after].fraction, run.stage.ramp)
        return run.running + 1 <= share * (sum([other.running for other in self._active]) + 1)

    def halt(self) -> None:
        """End here: all attempts stop, and no task begins any more. Only where something `may_fail`."""
        self.mark()
        for attempt in list(self._trials):
            self._stop(attempt)
        self._active = []

    def lose(self, nodes: set[int], resources: set[int]) -> None:
        """Take notice that nodes and resources are down, before the engine does."""
        if self._ended == self._tasks:
            return
        self._lost_at = self._engine.now
        for node in nodes:
            self.slots.lose(node)
        missing = self._withdraw_outputs(resources)
        for attempt in [attempt for attempt, trial in self._trials.items() if trial.node in nodes]:
            is_alone, trial = attempt not in self._twins, self._stop(attempt)
            missing += [trial] if is_alone else []
        delay = self.job.expiry if nodes else 0.0
        for trial in missing if delay else ():
            trial.run.silent += 1
        self._engine.call_after(delay, partial(self._redo, missing, delay))

    def _advance(self) -> None:
        """Open the stages whose turn has come, and commit when all have ended."""
        for run in [run for run in self._closed if self._is_due(run.stage)]:
            self._open(run)
        if self._ended == self._tasks:
            self._engine.execute(self.job.commit, self.done.succeed, self.tag)

    def _is_due(self, stage: Stage) -> bool:
        is_after = stage.after is None or self._named[stage.after].fraction >= stage.slowstart
        return is_after and all(self._named[name].fraction == 1 for name in stage.joined)

    def _open(self, run: StageRun) -> None:
        run.open, run.start, run.asked = True, self._engine.now, self._engine.now
        self._closed.remove(run)
        for name in run.follows:
            self._named[name].followers.remove(run)
        self._active = [other for other in self.stages if other.open and other.ended < other.stage.tasks]
        self.mark()
        self._on_event(StageStarted(run.stage.name, run.stage.tasks, run.start))
        self.slots.spread(self)

    def _begin(self, run: StageRun, task: int, node: int) -> None:
        run.on[node] += 1
        run.begins(self._clock.now, self.mark)
        if self._may_fail or run.watch is not None or (self._shares and run.stage.slowstart < 1):
            attempt = self._try(run, task, node)
            if run.watch is not None:
                run.watch.begin(attempt, self._engine.now)
            return
        under_way = self._idle.pop() if self._idle else UnderWay(self._on_end)
        under_way.run, under_way.task, under_way.node, under_way.began = run, task, node, self._clock.now
        self._engine.execute(run.stage.plan(task, node, self), under_way.end, run.tag)

    def _on_end(self, under_way: UnderWay) -> None:
        self._idle.append(under_way)
        self._on_task_end(under_way.run, under_way.task, under_way.node, under_way.began)

    def _on_task_end(self, run: StageRun, task: int, node: int, began: float) -> None:
        stage, now = run.stage, self._clock.now
        lasted = now - began
        if lasted > run.slowest.least:
            run.slowest.add((lasted, self._place.title + stage.name, task, node, began, now))
        if stage.is_timed:
            run.times.append(lasted)
        self.slots.give(self, node)
        run.on[node] -= 1
        run.ended += 1
        self._ended += 1
        if run.thinned is None and not run.queue.left:
            run.thinned = now
        is_last = run.ended == stage.tasks
        if run.has_halved:
            run.marks[now] = self._engine.held_up(run.tag)
        if self._ended % self._step == 0 or self._ended == self._tasks:
            self._on_event(Progress(self._ended / self._tasks, now, shown(self.stages) / self._tasks))
        if is_last:
            run.end = now
            self.mark()
            self._on_event(StageFinished(stage.name, now))
            self._active.remove(run)
        if stage.name in self._awaited:
            for part in run.count_rounds():
                self._milestones.reach(stage.name, part)
        if is_last:
            self._milestones.reach(stage.name)
        self.slots.fill(self, node)
        if run.is_starved:
            self._preemption.look_out(run)
        if is_last or (run.fraction >= run.soonest and any(self._is_due(other.stage) for other in run.followers)):
            self._advance()

    def _try(self, run: StageRun, task: int, node: int, *, is_copy: bool = False) -> Attempt:
        """Begin an attempt at a task."""
        output = run.stage.output(task, node) if run.stage.output and self._may_fail else None
        attempt = Attempt(self._engine, self._on_failure)
        self._trials[attempt] = Trial(run, task, node, output, self._engine.now, is_copy)
        attempt.execute(run.stage.plan(task, node, self), partial(self._on_attempt_end, attempt), run.tag)
        return attempt

    def _on_attempt_end(self, attempt: Attempt) -> None:
        trial = self._trials.get(attempt)
        if trial is None:  # it was stopped in the instant in which it ended
            return
        twin = self._twins.get(attempt)
        self._leave(attempt)
        if trial.output is not None:
            self._ended_trials.append(trial)
        if trial.run.watch is not None:
            trial.run.watch.end(self._engine.now - trial.began, is_copy=trial.is_copy)
        slower = self._stop(twin) if twin is not None else None
        if slower is not None:
            self.slots.give(self, slower.node)
        self._on_task_end(trial.run, trial.task, trial.node, trial.began)
        if slower is not None:
            self.slots.fill(self, slower.node)
        self.look_out()

    def look_out(self) -> None:
        """Look for slow attempts as soon as there may be one, where slots have fallen free."""
        watches = [(run, run.watch) for run in self._active if run.watch is not None]
        if not watches or self.waiting:
            return
        for run, watch in watches:
            due = max(watch.due(run.ended), self._engine.now)
            if due < watch.next:
                watch.next = due
                self._engine.call_at(due, partial(self._look, run, watch, due))

    def _look(self, run: StageRun, watch: Watch, due: float) -> None:
        """Start copies of slow attempts, unless another look has come before.

        Where one finds no slot, what falls free brings the next look.
        """
        if due != watch.next or run not in self._active:
            return
        slow = watch.slow(self._engine.now)
        copied = [attempt for attempt in slow if watch.has_room(run.running) and self._copy(watch, attempt)]
        watch.rest(self._engine.now)
        if copied or not slow:
            self.look_out()

    def _copy(self, watch: Watch, attempt: Attempt) -> bool:
        """Start another attempt at the task of one, on another node; return whether there was a slot for it."""
        trial = self._trials[attempt]
        node = self.slots.spare(self, trial.node)
        if node is None:
            return False
        if trial.run.is_full(node):
            self.slots.give(self, node)
            return False
        trial.run.on[node] += 1
        copy = self._try(trial.run, trial.task, node, is_copy=True)
        self._twins[attempt], self._twins[copy] = copy, attempt
        watch.copy(attempt)
        return True

    def _on_failure(self, attempt: Attempt) -> None:
        """Try a task again; a server where even what began after the last loss fails has no drive left for tasks."""
        is_alone = attempt not in self._twins
        trial = self._stop(attempt)
        if trial.began < self._lost_at:
            self.slots.give(self, trial.node)
        else:
            self.slots.lose(trial.node)
        self._engine.call_after(0.0, partial(self._redo, [trial] if is_alone else []))

    def _stop(self, attempt: Attempt) -> Trial:
        if attempt.is_alive:
            self._engine.end(attempt)
        trial = self._leave(attempt)
        trial.run.on[trial.node] -= 1
        return trial

    def _leave(self, attempt: Attempt) -> Trial:
        """Count an attempt no more; one beside it goes on alone."""
        trial = self._trials.pop(attempt)
        twin = self._twins.pop(attempt, None)
        if twin is not None:
            del self._twins[twin]
        if trial.run.watch is not None:
            trial.run.watch.leave(attempt, had_twin=twin is not None)
        return trial

    def _withdraw_outputs(self, resources: set[int]) -> list[Trial]:
        """Return the ended tasks whose output is lost while a later stage needs it, and count them as not ended."""
        self._gone += [trial for trial in self._ended_trials if trial.output in resources]
        self._ended_trials = [trial for trial in self._ended_trials if trial.output not in resources]
        lost: list[Trial] = []
        while trials := self._needed_again():
            lost += trials
        for name in dict.fromkeys(trial.run.stage.name for trial in lost):
            self._milestones.lose(name)
        self._active = [run for run in self.stages if run.open and run.ended < run.stage.tasks]
        return lost

    def _needed_again(self) -> list[Trial]:
        """Return those whose output is gone while a stage needs it; what they need in their turn is found next."""
        needed = {name for run in self.stages if run.fraction < 1 for name in run.stage.inputs}
        trials = [trial for trial in self._gone if trial.run.stage.name in needed]
        self._gone = [trial for trial in self._gone if trial.run.stage.name not in needed]
        for trial in trials:
            trial.run.ended -= 1
            trial.run.count_rounds()
            self._ended -= 1
        return trials

    def _redo(self, trials: list[Trial], silent: float = 0.0) -> None:
        """Let tasks wait again, for whose server nobody looked for `silent` s, and give them slots."""
        self.redone += len(trials)
        for trial in trials:
            trial.run.wait_again(trial.task, self._engine.now)
            if silent:
                trial.run.silent -= 1
                self._engine.keep(trial.run.tag, SILENT, silent)
        self.mark()
        for node in range(len(self.job.slots)):
            self.slots.fill(self, node)
        for run in dict.fromkeys(trial.run for trial in trials):
            self._preemption.look_out(run)
        self.look_out()

    def _preempt(self, run: StageRun, most: int) -> None:
        """Let the youngest attempts of stages that wait for another make room: at most so many, which begin anew."""
        later = [attempt for attempt, trial in self._trials.items() if run.stage.name in trial.run.stage.inputs]
        nodes = dict[int, None]()
        for attempt in later[max(len(later) - most, 0) :]:
            is_alone = attempt not in self._twins
            trial = self._stop(attempt)
            self.slots.give(self, trial.node)
            nodes[trial.node] = None
            if is_alone:
                trial.run.queue.put_back(trial.task)
                self.preempted += 1
                self.redone += 1
        for node in nodes:
            self.slots.fill(self, node)
