"""When the tasks of a MapReduce job begin on their servers, and how unequally they compute there.

A container starts in `container_start`, give or take `container_spread`. Where servers are given tasks at heartbeats,
each waits for its own, which come at an interval of some seconds, and gets maps of its first wave at each, but never
more than one reduce. Who ends a task waits for the next, too, half an interval on average, or asks at once. A JVM may
run several tasks of a job, as in Hadoop 1: all but its first do without its start.

Source: Apache Hadoop 0.20 and 1.2, JobTracker.getNextHeartbeatInterval, TaskTracker.offerService,
JobQueueTaskScheduler, JvmManager; 0.19, TaskTracker.reportTaskFinished; Apache Hadoop 3, RMContainerAllocator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence as Series

from models.handout import Master
from models.hardware.cluster import Layout, Node
from models.jobs.compute_spread import dealt
from models.jobs.last_wave import crowded
from models.jobs.mapreduce import MapReduce
from models.jobs.starts import starts
from models.plan import by_node
from models.problem import refusal
from models.storage.flow import compute
from models.storage.placement import mixed
from models.work import Delay, Step

PHASES = 64
"""Moments of an interval between which heartbeats of servers are dealt. Assumption: detail of the model only."""


def master_of(job: MapReduce, layout: Layout) -> Master | None:
    """Return the container of the application master of a job, None where there is none.

    Where servers stand for others it is one of so many that it is left out.

    Raises:
        RefusalError: it leaves no container to tasks.
    """
    nodes = layout.groups[job.framework.servers]
    taken = {node.index: job.master_on(node.server) for node in nodes}
    _, memory, step = taken[nodes[0].index]
    if layout.alike > 1 or not memory:
        return None
    master = Master([taken[node.index][0] if node.index in taken else 0.0 for node in layout.nodes], memory, step)
    slots = by_node(layout, nodes, (job.framework_on(node.server).containers for node in nodes))
    if master.place(slots) is None or not any(master.beside(slots)):
        way_out = "state more containers, a smaller am_memory, or node_memory if a server has room beside them"
        text = "the application master of a job takes all that the servers have for containers: no task would run"
        raise refusal("workload.framework.containers", text, way_out)
    return master


def slots_of(job: MapReduce, layout: Layout, master: Master | None) -> list[list[int]]:
    """Return how many maps (first) and reduces each server runs at a time beside the master of the job."""
    nodes = layout.groups[job.framework.servers]
    frameworks = {node.index: job.framework_on(node.server) for node in nodes}
    slots = by_node(layout, nodes, (framework.containers for framework in frameworks.values()))
    left = slots if master is None else master.beside(slots)
    return [[min(on.running[stage], left[index]) for index, on in frameworks.items()] for stage in range(2)]


class Starts:
    """How maps (stage 0) and reduces (stage 1) of a job begin on `nodes`, each with so many slots of either kind.

    The nodes may be a part of so many `servers`; without a number they are all.
    """

    def __init__(
        self,
        job: MapReduce,
        nodes: Series[Node],
        slots: Series[Series[int]],
        tasks: tuple[int, int],
        salt: int,
        servers: int | None = None,
    ) -> None:
        self._job, self._framework, self._tasks, self._salt = job, job.framework, tasks, salt
        self._kept = job.engine is not None and job.engine.keeps_processes
        self._spent = job.task_cpu
        self._interval = job.framework.interval(servers or len(nodes))
        self._running = slots
        self._slots = [{node.index: max(many, 1) for node, many in zip(nodes, counts, strict=True)} for counts in slots]
        self._phases = mixed(salt, max(node.index for node in nodes) + 1, len(tasks)) % PHASES
        self._drawn: dict[int, list[float]] = {}
        self._waits: dict[int, list[int]] = {}
        self._times: dict[int, list[float]] = {}
        self._begun: tuple[Counter[int], ...] = tuple(Counter() for _ in tasks)
        self._delays: dict[float, Delay] = {}
        self._processes: dict[int, Step] = {}

    def steps(self, task: int, stage: int, node: Node) -> tuple[Step, ...]:
        """Return the start of a task: its container, drawn with those of its stage, and what its process computes.

        Few tasks start alike, so they are steps for others to have among theirs, not a sequence of their own.
        """
        drawn = self._drawn.get(stage)
        if drawn is None:
            drawn = self._drawn[stage] = self._starts(stage)
        number, slots = self._begun[stage][node.index], self._slots[stage][node.index]
        self._begun[stage][node.index] = number + 1
        wave, framework = number // slots, self._framework
        seconds, spent = drawn[task], self._spent
        if self._kept and (stage or wave):
            seconds, spent = 0.0, 0.0
        if framework.jvm_tasks < 0 < wave or (framework.jvm_tasks > 0 and wave % framework.jvm_tasks):
            seconds, spent = max(seconds - framework.jvm_start, 0.0), 0.0
        if self._interval and wave == 0:
            at_once = 1 if stage else framework.heartbeat_tasks or slots
            turn = float(self._phases[node.index]) / PHASES + number // at_once
            seconds += turn * self._interval
        elif self._interval and not framework.heartbeat_at_end:
            seconds += self._wait(task, stage)
        delay = self._delays.get(seconds)
        if delay is None:
            delay = self._delays[seconds] = Delay(seconds, "container starts")
        if not spent:
            return (delay,)
        process = self._processes.get(node.index)
        if process is None:
            process = self._processes[node.index] = compute(node, 1.0).move(spent)
        return delay, process

    def times(self, task: int, stage: int) -> float:
        """Return how many times as long as the tasks of its stage in the mean a task computes."""
        if stage not in self._times:
            drawn = mixed(self._salt, self._tasks[stage], 2 * len(self._tasks) + 1 + stage)
            self._times[stage] = dealt(self._framework.compute_spread, drawn)
        return self._times[stage][task]

    def crowded(self, whole: Callable[[int], int]) -> Iterator[str]:
        """Yield in words which stages few servers ended, each standing for a `whole` number; none that began anew."""
        for name, tasks, slots, begun in zip(("maps", "reduces"), self._tasks, self._running, self._begun, strict=True):
            if begun.total() == tasks and (
                told := crowded(name, slots, [begun[node] for node in self._slots[0]], whole)
            ):
                yield told

    def _wait(self, task: int, stage: int) -> float:
        """Return the seconds from the end of one task to the heartbeat that brings another: any part of an interval."""
        if stage not in self._waits:
            drawn = mixed(self._salt, self._tasks[stage], len(self._tasks) + 1 + stage) % PHASES
            self._waits[stage] = drawn.tolist()
        return (self._waits[stage][task] + 0.5) / PHASES * self._interval

    def _starts(self, stage: int) -> list[float]:
        """Return the seconds in which the containers of a stage start."""
        framework, tasks = self._framework, self._tasks[stage]
        return starts(framework.container_start, framework.container_spread, mixed(self._salt, tasks, stage))
