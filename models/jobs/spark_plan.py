"""What the tasks of a suite of Spark queries do on a layout: the plans that the simulator executes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from models.hardware.cluster import Device, Layout, Node
from models.jobs.spark import Spark, SparkQuery, SparkStage
from models.storage.flow import Flow, compute, write_behind
from models.work import Account, Await, Delay, Job, Metrics, Moment, Pool, Sequence, Stage, Step, Use, Work

TAIL_REQUESTS = 2
"""GET requests a split besides those of its columns: the tail of the file and the footer of its stripe.
Source: Apache ORC specification, file tail and stripe footer."""


@dataclass(frozen=True, slots=True)
class TableReader:
    """How splits are read: the flow of a task on a node, and the seconds that each of its requests waits."""

    read: Callable[[Node], Flow]
    wait: float


class SparkPlan:
    """A suite on a layout and an object store."""

    def __init__(self, suite: Spark, layout: Layout, reader: TableReader) -> None:
        self._suite, self._layout, self._reader = suite, layout, reader
        self._framework = suite.framework
        self._nodes = layout.groups[suite.framework.servers]
        self._slots = suite.framework.slots * len(self._nodes)
        self._flows: dict[tuple[int, str, float], Flow] = {}
        self._pools: dict[tuple[int, str], Pool] = {}

    def job(self) -> Job:
        """Return the queries one after the other, with the slots of every node."""
        slots = [0] * len(self._layout.nodes)
        for node in self._nodes:
            slots[node.index] = self._framework.slots
        stages: list[Stage] = []
        for query in self._suite.queries:
            stages += self._stages(query, stages[-1].name if stages else None)
        return Job("spark", stages, slots, [node.rack for node in self._layout.nodes])

    def metrics(self, account: Account) -> Metrics:
        """Return the seconds of each query, by "query" and its name, and their mean."""
        ends = [account.ended(_named(query, query.stages[-1])) for query in self._suite.queries]
        starts = [0.0, *ends[:-1]]
        found = {
            f"query {query.name}": (end - start, "s")
            for query, start, end in zip(self._suite.queries, starts, ends, strict=True)
        }
        return {**found, "mean of queries": (ends[-1] / len(ends), "s")}

    def _stages(self, query: SparkQuery, before: str | None) -> list[Stage]:
        """Return the stages of a query: its scans open together once it has started, then the others one by one."""
        start = Stage(f"{query.name} start", 1, lambda task, node, moment: self._start, after=before)
        scans = [stage for stage in query.stages if stage.scan]
        others = [stage for stage in query.stages if not stage.scan]
        made = [start]
        for stage in scans:
            tasks = self._suite.tasks(stage, self._slots)
            made.append(Stage(_named(query, stage), tasks, partial(self._scan, query, stage, tasks), after=start.name))
        for stage in others:
            plan = partial(self._combine, query, stage, [_named(query, scan) for scan in scans])
            made.append(Stage(_named(query, stage), self._framework.shuffle_partitions, plan, after=made[-1].name))
        return made

    @property
    def _start(self) -> Step:
        return Delay(self._framework.query_start)

    def _scan(self, query: SparkQuery, stage: SparkStage, tasks: int, task: int, index: int, moment: Moment) -> Step:
        """Return a scan task: wait for its requests, read while decoding, compare, write into the exchange."""
        node, amount = self._layout.nodes[index], self._suite.scanned(stage) / tasks
        wait = self._reader.wait * (TAIL_REQUESTS + len(stage.columns))
        assert stage.scan is not None  # the suite has been validated
        pairs = stage.compared * self._suite.tables[stage.scan].rows / tasks
        steps = [Delay(wait), self._read(node).move(amount), self._compute(node, pairs, self._framework.compare_cpu)]
        return Sequence((*steps, *self._hand_on(query, stage, tasks, node, task)))

    def _read(self, node: Node) -> Flow:
        key = (node.index, "read", 0.0)
        if key not in self._flows:
            self._flows[key] = self._reader.read(node).joined(compute(node, self._framework.scan_cpu))
        return self._flows[key]

    def _combine(
        self, query: SparkQuery, stage: SparkStage, scans: list[str], task: int, index: int, moment: Moment
    ) -> Step:
        """Return a join or aggregate task: fetch, spill what memory cannot hold, sort or hash, hand on."""
        node, framework = self._layout.nodes[index], self._framework
        sources = [other for other in query.stages if other.name in stage.inputs]
        partitions = framework.shuffle_partitions
        rows, size = (sum(s.rows for s in sources) / partitions, sum(s.output for s in sources) / partitions)
        cost = framework.join_cpu if stage.operator == "join" else framework.aggregate_cpu
        fetch = self._fetch(node, size * partitions * framework.compression / len(self._nodes))
        return Sequence(
            (
                *(Await(scan) for scan in scans),
                fetch.move(size * framework.compression),
                self._compute(node, size, framework.exchange_cpu),
                *self._spill(query, node, task, size - framework.task_memory),
                self._compute(node, rows, cost),
                *self._hand_on(query, stage, partitions, node, task),
            )
        )

    def _hand_on(self, query: SparkQuery, stage: SparkStage, tasks: int, node: Node, task: int) -> list[Step]:
        """Return the steps that write a task's rows into the exchange: serialise, compress, write behind."""
        amount = stage.output / tasks
        if amount <= 0:
            return []
        write = self._write(query, node, task, amount * self._framework.compression)
        return [self._compute(node, amount, self._framework.exchange_cpu), write]

    def _spill(self, query: SparkQuery, node: Node, task: int, excess: float) -> list[Step]:
        """Return the steps that write what does not fit into memory and read it back, from the page cache if it can."""
        if excess <= 0:
            return []
        amount = excess * self._framework.compression
        missing = self._missing(node, amount * self._framework.shuffle_partitions / len(self._nodes))
        device = self._device(node, task)
        back = [Work(amount * missing, device.read_demand("buffered"))] if missing > 0 else []
        return [
            self._compute(node, 2 * excess, self._framework.exchange_cpu),
            self._write(query, node, task, amount),
            *back,
        ]

    def _write(self, query: SparkQuery, node: Node, task: int, amount: float) -> Step:
        return write_behind(self._pool(query, node), self._device(node, task), amount)

    def _pool(self, query: SparkQuery, node: Node) -> Pool:
        """Return the page cache of a node for a query: files of the query before are deleted, and their pages free."""
        key = (node.index, query.name)
        if key not in self._pools:
            cache = node.dirty_pool(self._held)
            self._pools[key] = Pool(f"{cache.name}/{query.name}", cache.capacity)
        return self._pools[key]

    @property
    def _held(self) -> float:
        return self._framework.memory * self._framework.executors

    def _missing(self, node: Node, amount: float) -> float:
        """Return the part of `amount` bytes written on a node that its page cache does not hold any more."""
        return max(1 - node.server.memory.page_cache(self._held) / amount, 0.0) if amount > 0 else 0.0

    def _fetch(self, node: Node, amount: float) -> Flow:
        """Return the flow of what a task on `node` fetches, an equal part from every node with `amount` bytes each."""
        missing = self._missing(node, amount)
        key = (node.index, "fetch", missing)
        if key not in self._flows:
            share = 1 / len(self._nodes)
            uses: list[Use] = []
            for source in self._nodes:
                uses += self._layout.transfer(source, node, share)
                devices = source.devices(self._framework.local_dirs) if missing > 0 else ()
                uses += [use for d in devices for use in d.read("buffered", share * missing / len(devices))]
            self._flows[key] = Flow(tuple(uses), cap="one fetch")
        return self._flows[key]

    def _compute(self, node: Node, amount: float, cost: float) -> Step:
        """Return the step of `amount` bytes, rows or pairs of `cost` core-seconds each on one core."""
        if amount * cost <= 0:
            return Delay(0.0)
        key = (node.index, "compute", cost)
        if key not in self._flows:
            self._flows[key] = compute(node, cost)
        return self._flows[key].move(amount)

    def _device(self, node: Node, task: int) -> Device:
        devices = node.devices(self._framework.local_dirs)
        return devices[task // len(self._nodes) % len(devices)]


def _named(query: SparkQuery, stage: SparkStage) -> str:
    return f"{query.name} {stage.name}"
