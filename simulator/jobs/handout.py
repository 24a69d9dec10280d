"""Containers that a job gets at the heartbeats of nodes.

A node that a heartbeat has brought what it may, to tasks without data there or in all, waits for its next. A node with
room whose waiting tasks all wish for others counts as missed, once each heartbeat, until so many are missed that a task
of them goes to the node that has waited longest. One that finds its data, or goes to a rack that it wishes for, ends
the count.

A heartbeat comes when a node has something to give, and then no sooner than an interval later: waits for it are part of
what a container takes to start. Source: Apache Hadoop, CapacityScheduler.allocateContainersToNode and canAllocateMore,
RegularContainerAllocator; FairScheduler.attemptScheduling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from models.handout import HANDED, Handout
from models.work import Job
from simulator.engine import Engine
from simulator.jobs.heartbeats import ROUNDING, Heartbeats
from simulator.jobs.slots import Slots
from simulator.jobs.stages import StageRun

Run = TypeVar("Run")


class Handing:
    """Hands the waiting tasks of a job to nodes with room; `fill` lets it try a node again."""

    def __init__(
        self,
        engine: Engine,
        handout: Handout,
        stages: Sequence[StageRun],
        heartbeats: Heartbeats,
        racks: int,
        fill: Callable[[int], None],
        headroom: Callable[[], int],
    ) -> None:
        self._engine, self._clock = engine, engine.env
        self._handout, self._stages, self._heartbeats = handout, stages, heartbeats
        self._racks, self._fill, self._headroom = racks, fill, headroom
        self._idle, self._since = 0, 0.0
        self._delays: dict[StageRun, Delayed] = {}

    @classmethod
    def of(cls, engine: Engine, job: Job, stages: Sequence[StageRun], slots: Slots[Run], run: Run) -> Handing | None:
        """Return what hands out the tasks of a job's run, None where slots that fall free are filled at once."""
        if job.handout is None:
            return None
        fill, headroom = partial(slots.fill, run), partial(slots.headroom, run)
        return cls(engine, job.handout, stages, slots.heartbeats, len(set(job.racks)), fill, headroom)

    def take(self, run: StageRun, node: int) -> int | None:
        """Return the next task of a stage for a node with room; None where its next heartbeat is to come first."""
        now = self._clock.now
        free = None  # which no refusal changes
        if self._idle and now > self._since:
            free = self._free(run)
            self._engine.keep(run.tag, HANDED, (now - self._since) * min(self._idle, free))
        task = self._take(run, node, now)
        delayed = self._delays.get(run)
        is_kept = run.queue.left and (
            self._heartbeats.awaited
            or (delayed is not None and delayed.nodes)
            or self._heartbeats.opens(node, now, self._handout) > now
        )
        if not is_kept:
            free = 0
        elif free is None or task is not None:
            free = self._free(run)
        self._idle, self._since = free, now
        return task

    def _free(self, run: StageRun) -> int:
        """Return how many waiting tasks of a stage have a slot that is free, but for the one that is to begin.

        Where several jobs share them, it is what this one may have of those that are left: what others have taken since
        it asked last was not kept for it.
        """
        if slots := self._heartbeats.slots:
            free = slots - sum(stage.running + stage.silent for stage in self._stages)
        else:
            free = self._headroom()
        return min(max(free, 0), run.queue.left)

    def waits(self, node: int) -> bool:
        """Tell whether a node brings nothing before its next heartbeat, and try it again then."""
        now = self._clock.now
        opens = self._heartbeats.opens(node, now, self._handout)
        if opens > now:
            self._await(node, opens)
        return opens > now

    def _take(self, run: StageRun, node: int, now: float) -> int | None:
        if self.waits(node):
            return None
        if not run.stage.wishes or self._handout.delay < 0:
            self._heartbeats.give(node, now, self._handout)
            return run.queue.take(node)
        delayed = self._delays.get(run)
        if delayed is None:
            delayed = self._delays[run] = Delayed(self._engine, self._handout, run, self._racks, self._fill)
        task = run.queue.take_here(node)
        if task is not None:
            delayed.begin_anew()
            self._heartbeats.give(node, now, self._handout, is_here=True)
        elif delayed.allows(node):
            self._heartbeats.give(node, now, self._handout, is_here=delayed.is_in_rack)
            task = run.queue.take(node)
        return task

    def _await(self, node: int, opens: float) -> None:
        """Try a node again at its next heartbeat: once, for all jobs that wait for it."""
        awaited = self._heartbeats.awaited
        if (node, opens) not in awaited:
            awaited.add((node, opens))
            self._engine.call_at(opens, partial(self._wake, node, opens))

    def _wake(self, node: int, opened: float) -> None:
        """Let a node begin tasks; one whose heartbeat another job has just used has been tried, and waits for more."""
        self._heartbeats.awaited.remove((node, opened))
        opens = self._heartbeats.opens(node, self._engine.now, self._handout)
        if opens <= self._engine.now:
            self._fill(node)
        elif any(stage.queue.left for stage in self._stages):
            self._await(node, opens)


class Delayed:
    """The tasks of a stage that are kept from nodes that they do not wish for, and the heartbeats missed so far."""

    def __init__(
        self, engine: Engine, handout: Handout, run: StageRun, racks: int, fill: Callable[[int], None]
    ) -> None:
        self._engine, self._handout, self._run, self._fill = engine, handout, run, fill
        self._has_rack = run.stage.preferred is not None or racks <= 1
        self._alike = (run.stage.stands_for or run.stage.tasks) / run.stage.tasks
        self.nodes: dict[int, None] = {}  # with room, the one first that has waited longest
        self._missed, self._since, self._after = 0.0, engine.now, 0.0
        self._allowed: int | None = None
        self._waiting, self._enough = -1, 0.0  # tasks, and the missed heartbeats that are enough for so many
        self._due = math.inf
        self.is_in_rack = False

    def begin_anew(self) -> None:
        """Count no heartbeat any more: a task has found a place that it wishes for."""
        self._missed, self._since, self._after = 0.0, self._engine.now, 0.0

    def allows(self, node: int) -> bool:
        """Tell whether a task may go to a node now; one that may not is kept in mind."""
        if self._has_rack and not self._handout.delay:
            self.is_in_rack = True
            return True
        if node == self._allowed:
            self._allowed = None
            self.is_in_rack = self._has_rack and self._missed + ROUNDING >= self._handout.delay + 1
            if self.is_in_rack:
                self.begin_anew()
            else:
                self._after = self._missed + 1
            return True
        self._count()
        self.nodes[node] = None
        self._look_ahead()
        return False

    def _count(self) -> None:
        """Count the heartbeats that the nodes with room sent since they were counted last."""
        now = self._engine.now
        self._missed += (now - self._since) / self._handout.interval * len(self.nodes)
        self._since = now

    @property
    def _least(self) -> float:
        """The missed heartbeats after which a task may go anywhere.

        Where nodes stand for others, a task here is one of each of them. In a rack the count begins anew after a task,
        so that each here waits for as many; else they wait once, for heartbeats that all nodes send.
        """
        waiting = self._run.queue.left
        if waiting != self._waiting:
            missed = self._handout.missed(waiting * self._alike, self._run.stage.wishes, has_rack=self._has_rack)
            self._waiting, self._enough = waiting, missed if self._has_rack else 1 + (missed - 1) / self._alike
        return max(self._enough, self._after)

    def _look_ahead(self) -> None:
        """Look again when enough heartbeats will be missed."""
        left = max(self._least - self._missed, 0.0)
        due = self._engine.now + left * self._handout.interval / len(self.nodes)
        if due < self._due:
            self._due = due
            self._engine.call_at(due, partial(self._look, due))

    def _look(self, due: float) -> None:
        """Let a task go to the node that has waited longest, unless another look came before or a place was found."""
        if due != self._due:
            return
        self._due = math.inf
        self._count()
        if not self._run.queue.left:
            self.nodes.clear()
        elif self.nodes and self._missed + ROUNDING >= self._least:
            node = next(iter(self.nodes))
            del self.nodes[node]
            self._allowed = node
            self._fill(node)
            self._allowed = None
        if self.nodes:
            self._look_ahead()
