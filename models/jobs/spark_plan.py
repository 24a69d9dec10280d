"""What the tasks of a suite of Spark queries do on a layout: the plans that the simulator executes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from functools import partial

from models.hardware.cluster import Layout, Node
from models.jobs.exchange import Exchange
from models.jobs.executors import kept
from models.jobs.spark import ROW_OVERHEAD, Spark, SparkQuery, SparkStage
from models.jobs.table_reads import Reads, reads, reopened
from models.outage import Outage
from models.plan import Ground, Plan, by_node, reading
from models.storage.clients.mount import Mount, MountPoint
from models.storage.clients.reading import Fetch, as_asked
from models.storage.flow import Flow, compute
from models.storage.systems import fetching
from models.values import value
from models.work import (
    Account,
    Await,
    Delay,
    Job,
    Metric,
    Moment,
    Sequence,
    Stage,
    Step,
)

TAIL_REQUESTS = 2
"""GET requests a split besides those of its columns: the tail of the file and the footer of its stripe.
Source: Apache ORC specification, file tail and stripe footer."""

_MOST_TURNS = 1000
"""Turns of sorting and spilling of a task that are told apart; of more, each stands for several. Assumption: where
there are as many, how long one lasts changes nothing else."""


@value()
class Buffer:
    """What a task behind an exchange keeps: `rows` of each source, their bytes, and the memory (B) that it has."""

    rows: Series[float]
    size: float
    memory: float

    @property
    def _full(self) -> float:
        """How often it fills its memory; above 1 it spills."""
        return (self.size + ROW_OVERHEAD * sum(self.rows)) / self.memory

    @property
    def runs(self) -> int:
        """Runs in which it takes the rows in: one, unless it spills."""
        return max(math.ceil(self._full), 1)

    @property
    def spilled(self) -> float:
        """Bytes of rows that do not fit into memory."""
        return self.size * (1 - 1 / self._full) if self._full > 1 else 0.0

    def comparisons(self, keys: int) -> float:
        """Return the comparisons of two rows: n log2(n) by several keys; by one, n log2(k) to merge k spilled runs."""
        if keys > 1:
            return sum(n * math.log2(n) for n in self.rows if n > 1)
        return sum(self.rows) * math.log2(self._full) if self._full > 1 else 0.0


class SparkPlan:
    """A suite on a layout and a storage system: splits are taken as lying anywhere, so that all tasks are alike.

    `fetch` says what becomes of the columns that are read, over `tls` or not.
    """

    def __init__(
        self,
        suite: Spark,
        layout: Layout,
        mount: Mount,
        outage: Outage | None = None,
        fetch: Fetch = as_asked,
        *,
        tls: bool = False,
    ) -> None:
        self._suite, self._layout, self._mount = suite, layout, mount
        self._fetch, self._tls = fetch, tls
        self._outage = outage or Outage()
        self._nodes, self._engine = layout.groups[suite.framework.servers], suite.engine
        self._on_drives = suite.engine.exchanges == "drives"
        self._each = [suite.framework.on(node.server) for node in self._nodes]
        self._framework = self._each[0]
        self._slots = sum(framework.slots for framework in self._each)
        self._partitions = suite.partitions(self._slots)
        size = suite.stored(layout.cluster)[0]
        places = mount.places(size)
        mount.hold(places, size / places)
        held, queries = self._framework.memory * self._framework.executors, [query.name for query in suite.queries]
        place = self._framework.local_dirs
        self._exchange = Exchange(layout, self._nodes, place, held, queries, self._outage)
        self._flows: dict[tuple[int, float], Flow] = {}

    def job(self) -> Job:
        """Return the queries one after the other, with the slots of every node."""
        slots = by_node(self._layout, self._nodes, (framework.slots for framework in self._each))
        stages: list[Stage] = []
        for query in self._suite.queries:
            stages += self._stages(query, stages[-1].name if stages else None)
        racks = [node.rack for node in self._layout.nodes]
        keeps = kept(self._framework.executor_idle, has_executors=self._engine.keeps_processes)
        return Job("spark", stages, slots, racks, expiry=self._framework.node_expiry, keeps=keeps)

    def metrics(self) -> dict[str, Metric]:
        """Return the seconds of each query, by "query" and its name, and their mean."""
        queries = self._suite.queries
        last = [_named(query, query.stages[-1]) for query in queries]
        metrics = {
            f"query {query.name}": Metric("s", partial(_between, before, after))
            for query, before, after in zip(queries, [None, *last[:-1]], last, strict=True)
        }
        return {**metrics, "mean of queries": Metric("s", lambda account: account.ended(last[-1]) / len(last))}

    def _stages(self, query: SparkQuery, before: str | None) -> list[Stage]:
        """Return the stages of a query: its scans open together once it has started; after all, the others one by one.

        Nobody holds a slot while it waits for the scans.
        """
        speed = self._nodes[0].server.cpu.speed
        planned = Delay(self._engine.fixed_time(len(query.stages), speed, speed), "query starts")
        start = Stage(f"{query.name} start", 1, lambda task, node, moment: planned, after=before)
        scans = [stage for stage in query.stages if stage.scan]
        others = [stage for stage in query.stages if not stage.scan]
        made, copies = [start], self._framework.speculated
        output = self._exchange.output if self._on_drives else self._in_memory
        for stage in scans:
            tasks = self._suite.tasks(stage, self._slots)
            scanned: dict[tuple[int, int], Series[Step]] = {}
            plan = self._once_a_device(partial(self._scan, query, stage, tasks, scanned), tasks, scanned)
            made.append(Stage(_named(query, stage), tasks, plan, after=start.name, output=output, speculation=copies))
        ended = [stage.name for stage in made[1:]] or [start.name]
        for stage in others:
            plan = self._once_a_device(partial(self._combine, query, stage), self._partitions, {})
            inputs = [f"{query.name} {name}" for name in stage.inputs]
            made.append(
                Stage(
                    _named(query, stage),
                    self._partitions,
                    plan,
                    after=ended[0],
                    joined=ended[1:],
                    output=output,
                    inputs=inputs,
                    speculation=copies,
                )
            )
            ended = [made[-1].name]
        return made

    def _once_a_device(
        self, plan: Callable[[int, int, Moment], Step], tasks: int, scanned: dict[tuple[int, int], Series[Step]]
    ) -> Callable[[int, int, Moment], Step]:
        """Return the plan of a stage whose tasks with the same device for their files are alike: each made once.

        It is made again for those that begin after a loss. Once all tasks have begun, none is kept, nor what they
        `scanned`: among a hundred servers those of a stage take 20 MB.
        """
        made: dict[tuple[int, int, int], Step] = {}
        exchange, outage = self._exchange, self._outage
        begun = 0

        def find(task: int, index: int, moment: Moment) -> Step:
            nonlocal begun
            begun += 1
            key = index, exchange.turn(index, task) if self._on_drives else 0, outage.epoch
            step = made.get(key)
            if step is None:
                step = made[key] = plan(task, index, moment)
            if begun >= tasks:
                made.clear()
                scanned.clear()
            return step

        return find

    def _scan(
        self,
        query: SparkQuery,
        stage: SparkStage,
        tasks: int,
        scanned: dict[tuple[int, int], Series[Step]],
        task: int,
        index: int,
        moment: Moment,
    ) -> Step:
        """Return a scan task: what all on its node do alike, `scanned` once, and what it writes into the exchange."""
        node, key = self._layout.nodes[index], (index, self._outage.epoch)
        if key not in scanned:
            scanned[key] = self._scanned(stage, tasks, node), *self._packed(query, stage, tasks, node)
        return Sequence((*scanned[key], *self._handed_on(query, stage, tasks, node, task)))

    def _scanned(self, stage: SparkStage, tasks: int, node: Node) -> Step:
        """Return how a task waits for its requests, reads while decoding, and compares."""
        read = reads(TAIL_REQUESTS, self._suite.asked(stage, tasks), self._fetch)
        assert stage.scan is not None  # the suite has been validated
        pairs = stage.compared * self._suite.tables[stage.scan].rows / tasks
        flow = self._read(node, read, self._suite.scanned(stage) / tasks)
        return Sequence(
            (
                Delay(self._mount.wait * read.rounds),
                *reopened(read, flow, node, self._layout, tls=self._tls),
                flow.move(read.amount),
                self._compute(node, pairs, self._engine.compare_cpu),
            )
        )

    def _read(self, node: Node, read: Reads, wanted: float) -> Flow:
        """Return the flow of what is read, of which so many bytes (B) are decoded."""
        cost = self._engine.decoding(self._suite.file_format) * wanted / max(read.amount, 1.0)
        return self._mount.average(node, read.request_size).joined(compute(node, cost))

    def _combine(self, query: SparkQuery, stage: SparkStage, task: int, index: int, moment: Moment) -> Step:
        """Return a join or aggregate task: fetch, spill what memory cannot hold, sort or hash, hand on."""
        node, framework = self._layout.nodes[index], self._framework
        sources = [other for other in query.stages if other.name in stage.inputs]
        partitions = self._partitions
        size = sum(source.output for source in sources) / partitions
        written = size * partitions * framework.compression / len(self._nodes) if self._on_drives else 0.0
        fetch = self._exchange.fetch(node, written, self._suite.segment(query, stage, self._slots))
        buffer = self._buffer(stage, sources)
        cost = self._engine.join_cpu if stage.operator == "join" else self._engine.aggregate_cpu
        lost = [Await(moment.milestone(_named(query, source))) for source in sources] if self._outage.epoch else []
        return Sequence(
            (
                *lost,  # until that is there again
                fetch.move(size * framework.compression),
                self._compute(node, size, self._engine.exchange_cpu),
                *self._take_in(query, node, task, buffer, cost),
                self._compute(node, buffer.comparisons(stage.keys), self._engine.sort_cpu),
                *self._packed(query, stage, partitions, node),
                *self._handed_on(query, stage, partitions, node, task),
            )
        )

    def _buffer(self, stage: SparkStage, sources: Series[SparkStage]) -> Buffer:
        """Return what a task keeps: all rows that it joins, or the groups that it makes, as large as their rows."""
        parts, memory = self._partitions, self._task_memory
        if stage.operator == "join":
            return Buffer([s.rows / parts for s in sources], sum(s.output for s in sources) / parts, memory)
        groups = stage.taken_up / parts
        return Buffer([groups], groups * max(source.row_size for source in sources), memory)

    def _packed(self, query: SparkQuery, stage: SparkStage, tasks: int, node: Node) -> list[Step]:
        """Return the steps that make a task's rows ready for the exchange: aggregate, serialise, compress."""
        amount = stage.output / tasks
        if amount <= 0:
            return []
        is_aggregated = any(other.operator == "aggregate" and stage.name in other.inputs for other in query.stages)
        return [
            self._compute(node, stage.rows / tasks if is_aggregated else 0.0, self._engine.aggregate_cpu),
            self._compute(node, amount, self._engine.exchange_cpu),
        ]

    def _handed_on(self, query: SparkQuery, stage: SparkStage, tasks: int, node: Node, task: int) -> list[Step]:
        """Return the steps that write a task's rows into the exchange, behind it."""
        amount = stage.output / tasks * self._framework.compression
        if amount <= 0 or not self._on_drives:
            return []
        return [self._exchange.write(query.name, node, task, amount)]

    def _in_memory(self, task: int, index: int) -> int:
        """Return the index of the resource that goes when what a task on node `index` has in memory goes."""
        return self._layout.nodes[index].cpu.index

    def _take_in(self, query: SparkQuery, node: Node, task: int, buffer: Buffer, cost: float) -> list[Step]:
        """Return the steps of sorting or hashing as much as memory holds, spilling it, and so on; then of reading back.

        What is read back comes from the page cache if that still holds it.
        """
        framework, runs = self._framework, min(buffer.runs, _MOST_TURNS)
        sort = self._compute(node, sum(buffer.rows) / runs, cost)
        if runs == 1:
            return [sort]
        amount = buffer.spilled * framework.compression
        pack = self._compute(node, buffer.spilled / runs, self._engine.exchange_cpu)
        back = self._exchange.read_back(node, task, amount, amount * self._partitions / len(self._nodes))
        unpack = self._compute(node, buffer.spilled, self._engine.exchange_cpu)
        write = self._exchange.write(query.name, node, task, amount / runs)
        return [*[sort, pack, write] * runs, *back, unpack]

    @property
    def _task_memory(self) -> float:
        """Bytes that a task behind an exchange holds before it spills: the fewer tasks its executor has, the more."""
        if not self._on_drives:
            return math.inf
        executors = self._framework.executors * len(self._nodes)
        tasks = math.ceil(self._partitions / executors)
        return self._framework.task_memory(tasks, self._engine.heap_offered)

    def _compute(self, node: Node, amount: float, cost: float) -> Step:
        """Return the step of `amount` bytes, rows or pairs of `cost` core-seconds each on one core."""
        if amount * cost <= 0:
            return Delay(0.0)
        key = node.index, cost
        if key not in self._flows:
            self._flows[key] = compute(node, cost)
        return self._flows[key].move(amount)


def _between(before: str | None, after: str, account: Account) -> float:
    """Return the seconds between the ends of two stages, from the start of the run for None."""
    return account.ended(after) - (account.ended(before) if before is not None else 0.0)


def _named(query: SparkQuery, stage: SparkStage) -> str:
    return f"{query.name} {stage.name}"


def plan(suite: Spark, ground: Ground) -> Plan:
    """Return the stages of all queries."""
    layout = ground.layout
    mount = ground.mounted(MountPoint(layout, ground.chance(1), reading(layout)))
    fetch = fetching(ground.client if suite.engine.file_system == "hadoop" else None)
    tls = ground.storage.is_encrypted
    queries = SparkPlan(suite.at_scale(), layout, mount, ground.outage, fetch, tls=tls)
    return Plan(layout, queries.job(), queries.metrics())
