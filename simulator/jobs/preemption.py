"""Tasks that wait for the output of others, and make room for these where they hold all that their job has.

Reduces begin while maps run. In a cluster that others share what a map leaves may go to another job, until only reduces
run, which fetch from maps that find no room. The application master looks for that at its heartbeats.
Source: Apache Hadoop, RMContainerAllocator.preemptReducesIfNeeded and preemptReducer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from simulator.engine import Engine
from simulator.jobs.stages import StageRun

HEARTBEAT = 1.0
"""Seconds between two looks; the first comes as long after the last map has ended. Source: Apache Hadoop,
yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms, default."""
LIMIT = 0.5
"""Part of what a job may hold that makes room at a look, one task at least. Source: Apache Hadoop,
yarn.app.mapreduce.am.job.reduce.preemption.limit, default."""
PATIENCE = 300.0
"""Seconds that tasks wait at most while there is room somewhere, but not for them. Source: Apache Hadoop,
mapreduce.job.reducer.unconditional-preempt.delay.sec, default; without any room they wait for a look alone, as
mapreduce.job.reducer.preempt.delay.sec is 0."""


class Preemption:
    """Looks whether stages of a job starve: tasks of them wait, none runs, and others that wait for these do.

    `headroom` tells how many more tasks the job may run now, `stop` ends so many that wait for a stage.
    """

    def __init__(
        self,
        engine: Engine,
        stages: Iterable[StageRun],
        headroom: Callable[[], int],
        stop: Callable[[StageRun, int], None],
    ) -> None:
        self._engine, self._headroom, self._stop = engine, headroom, stop
        self._later: dict[StageRun, list[StageRun]] = {}
        stages = tuple(stages)
        for run in stages:
            self._later[run] = [other for other in stages if run.stage.name in other.stage.inputs]
        self._awaited: set[StageRun] = set()

    def look_out(self, run: StageRun) -> None:
        """Look at a stage at the next heartbeat if it starves now."""
        if run not in self._awaited and self._starves(run):
            self._awaited.add(run)
            self._engine.call_after(HEARTBEAT, lambda: self._look(run))

    def _starves(self, run: StageRun) -> bool:
        return run.is_starved and any(later.running for later in self._later[run])

    def _look(self, run: StageRun) -> None:
        self._awaited.remove(run)
        if not self._starves(run):
            return
        room = self._headroom()
        if not room or self._engine.now - run.asked > PATIENCE:
            held = sum(later.running for later in self._later[run])
            self._stop(run, min(max(math.ceil(LIMIT * (room + held)), 1), run.queue.left))
        self.look_out(run)


def preempted(counts: Iterable[int]) -> tuple[str, ...]:
    """Return in words how many tasks of runs made room, nothing where none did."""
    many = sum(counts)
    why = "what they had fetched is fetched anew; reduces that begin later (slowstart) spare that"
    return (f"tasks that made room for others of their job: {many:,}; {why}",) if many else ()
