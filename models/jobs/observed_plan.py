"""What the tasks of observed stages do on a layout and a storage system: the plan that the simulator executes."""

from __future__ import annotations

import math
from collections.abc import Sequence as Series
from functools import partial
from itertools import accumulate

from models.hardware.cluster import Layout, Node
from models.jobs.exchange import Exchange
from models.jobs.observed import Observed, ObservedStage, Portion
from models.outage import Outage
from models.plan import Ground, Plan, by_node, local
from models.storage.clients.mount import Mount, MountPoint
from models.storage.flow import ONE_CORE, Flow, compute
from models.work import Account, Await, Delay, Demand, Job, Metric, Moment, Parallel, Sequence, Stage, Step, Use, Work


class ObservedPlan:
    """Observed stages on a layout and a storage system: input is taken as lying anywhere."""

    def __init__(self, work: Observed, layout: Layout, mount: Mount, outage: Outage) -> None:
        self._work, self._layout, self._mount, self._outage = work, layout, mount, outage
        self._nodes = layout.groups[work.framework.servers]
        self._slots = [work.framework.on(node.server) for node in self._nodes]
        framework = self._slots[0]
        held = framework.memory * framework.executors
        self._exchange = Exchange(layout, self._nodes, framework.local_dirs, held, work.queries, outage)
        size = work.total("input")
        if size > 0:
            places = mount.places(size)
            mount.hold(places, size / places)
        self._files = accumulate((stage.count for stage in work.stages), initial=0)
        self._read: dict[tuple[int, int], Flow] = {}
        self._core: dict[int, Demand] = {}

    def job(self) -> Job:
        """Return the stages with the slots of every node; before a stage with a delay stands a task of the driver."""
        slots = by_node(self._layout, self._nodes, (framework.slots for framework in self._slots))
        racks = [node.rack for node in self._layout.nodes]
        made = [self._stage(stage, first) for stage, first in zip(self._work.stages, self._files, strict=False)]
        drivers = [_driver(stage) for stage in self._work.stages if stage.delay > 0]  # first, for their claim on slots
        return Job("observed stages", drivers + made, slots, racks, expiry=self._slots[0].node_expiry)

    def metrics(self) -> dict[str, Metric]:
        """Return the seconds of each query, by "query" and its name."""
        return {f"query {name}": Metric("s", partial(_seconds, self._work.of(name))) for name in self._work.queries}

    def _stage(self, stage: ObservedStage, file: int) -> Stage:
        """Return a stage whose first task writes the file of that number."""
        after = (_driven(stage),) if stage.delay > 0 else stage.after
        return Stage(
            stage.name,
            stage.count,
            partial(self._task, stage, stage.order(), file, {}),
            after=after[0] if after else None,
            joined=after[1:],
            output=self._exchange.output if stage.total("handed_on") > 0 else None,
            inputs=stage.after if stage.total("fetched") > 0 else (),
            speculation=self._slots[0].speculated,
            width=stage.width,
        )

    def _task(
        self,
        stage: ObservedStage,
        order: Series[int],
        file: int,
        made: dict[tuple[int, int, int, int], Step],
        task: int,
        index: int,
        moment: Moment,
    ) -> Step:
        """Return what a task does; those of a portion with the same device are alike, and made once for each loss."""
        node, number = self._layout.nodes[index], order[task]
        portion = stage.tasks[number]
        if portion.output > 0:  # each writes a file of its own
            write = self._mount.write(file + task, node, portion.output, Flow(), "buffered", None)
            if portion.stalled > 0:
                write = Parallel((write, Delay(portion.stalled_for(portion.output), "the storage system, as observed")))
            return Sequence((*self._steps(stage, portion, node, task, moment), write))
        device = self._exchange.device(node, task).resource.index
        key = index, device, number, self._outage.epoch
        step = made.get(key)
        if step is None:
            step = made[key] = Sequence(tuple(self._steps(stage, portion, node, task, moment)))
        return step

    def _steps(self, stage: ObservedStage, portion: Portion, node: Node, task: int, moment: Moment) -> list[Step]:
        """Return the steps of a task up to its output: wait, read while computing, fetch, compute, spill, hand on."""
        taken, speed, nodes = portion.input + portion.fetched, self._work.speed, len(self._nodes)
        cpu = portion.cpu * speed
        reading = cpu * portion.input / taken if taken > 0 else 0.0
        steps: list[Step] = []
        if self._outage.epoch and portion.fetched > 0:
            steps += [Await(moment.milestone(name)) for name in stage.after]  # until what was lost is there again
        requests = math.ceil(portion.input / self._work.request_size - 1e-9)
        latencies = requests * self._mount.wait if portion.stalled <= 0 else 0.0  # else they are a part of that
        waits = (portion.late, "executors that came later"), (portion.wait, "waits as observed")
        steps += [Delay(wait, cause) for wait, cause in (*waits, (latencies, "latencies")) if wait > 0]
        if portion.input > 0:
            flow = self._reading(node, reading / portion.input)
            if portion.stalled > 0:
                seconds = portion.stalled_for(portion.input) + reading / node.server.cpu.speed
                flow = flow.joined(Flow((), portion.input / seconds, "the storage system, as observed"))
            steps.append(flow.move(portion.input))
        if portion.fetched > 0:
            fetch = self._exchange.fetch(node, stage.total("fetched") / nodes, self._segment(stage))
            steps.append(fetch.move(portion.fetched))
        if (rest := cpu - reading + portion.collection * speed) > 0:
            steps.append(Work(rest, self._computing(node)))
        if portion.spilled > 0:
            steps.append(self._exchange.write(stage.query, node, task, portion.spilled))
            steps += self._exchange.read_back(node, task, portion.spilled, stage.total("spilled") / nodes)
        if portion.handed_on > 0:
            steps.append(self._exchange.write(stage.query, node, task, portion.handed_on))
        return steps or [Delay(0.0)]

    def _segment(self, stage: ObservedStage) -> float:
        """Return the bytes (B) that a task of a stage fetches of each that handed something on before it."""
        before = [other for other in self._work.stages if other.name in stage.after]
        makers = sum(other.count for other in before if other.total("handed_on") > 0)
        return stage.total("fetched") / (max(makers, 1) * stage.count)

    def _reading(self, node: Node, cost: float) -> Flow:
        """Return the flow of reading while spending `cost` core-seconds per byte, with the client's among them."""
        key = node.index, self._outage.epoch
        flow = self._read.get(key)
        if flow is None:
            flow = self._read[key] = self._mount.average(node, self._work.request_size)
        client = sum(use.cost for use in flow.uses if use.resource is node.cpu)
        return flow.joined(compute(node, max(cost - client, 0.0)))

    def _computing(self, node: Node) -> Demand:
        if node.index not in self._core:
            self._core[node.index] = Demand((Use(node.cpu, 1.0),), node.server.cpu.speed, cap=ONE_CORE)
        return self._core[node.index]


def _driven(stage: ObservedStage) -> str:
    return f"{stage.name} driver"


def _driver(stage: ObservedStage) -> Stage:
    """Return the one task in which the driver takes its time before a stage."""
    wait = Delay(stage.delay, "the driver")
    after = stage.after[0] if stage.after else None
    return Stage(_driven(stage), 1, lambda task, node, moment: wait, after=after, joined=stage.after[1:])


def _seconds(stages: Series[ObservedStage], account: Account) -> float:
    """Return the seconds from when the first of the stages may open to the end of the last."""
    begun = min(max((account.ended(name) for name in stage.after), default=0.0) for stage in stages)
    return max(account.ended(stage.name) for stage in stages) - begun


def plan(work: Observed, ground: Ground) -> Plan:
    """Return the observed stages."""
    layout, framework = ground.layout, work.framework
    nodes = layout.groups[framework.servers]
    executors = {node.index: framework.on(node.server) for node in nodes}
    slots = max(executor.slots for executor in executors.values())

    def held(node: Node) -> float:
        mine = executors.get(node.index)
        return mine.memory * mine.executors if mine else 0.0

    given = local(layout, held, slots, len(nodes))
    mount = ground.mounted(MountPoint(layout, ground.chance(1), given))
    stages = ObservedPlan(work, layout, mount, ground.outage)
    return Plan(layout, stages.job(), stages.metrics())
