"""Spark SQL: a suite of queries, each cut at its exchanges into stages of tasks that share the executors' cores.

A scan stage reads the columns it needs of a table, one task a split, and writes the rows it keeps into an exchange. A
join or aggregate stage has as many tasks as its engine makes partitions: each fetches its part of the rows, sorts or
hashes them, and writes what is left into the next exchange. Rows are sorted by radix if they have one key, and by
comparing them if they have several. What is aggregated next is aggregated once before the exchange, too: a hash table
in each task takes up the groups that it meets. Rows lie in memory at `row_size` and what Spark adds to them; what
exceeds the memory of a task is spilled in sorted runs to local drives, read back and merged by comparing. Exchanges and
spills go through the page cache. An engine that keeps its exchanges in memory (Trino, Impala) puts nothing on drives.

The queries run one after the other, each a job of its own. Scans of a query run side by side; when the last of them has
ended its other stages run one after the other in the order given. A table that is small enough is broadcast; its rows
are left out. Not covered: uneven keys, garbage collection, adaptive plans, exchanges used twice, spills of scans,
exchanges in memory that do not fit, and that tasks with equal rows compute unequally, by 3 % where Spark's logs tell it
(`compute_spread` of MapReduce): by list scheduling a stage of one wave on 64 to 768 slots would last 8 to 11 % longer,
one of five waves 3 to 5 %, as far as processors limit it.

Source: Spark 2.4, SQL performance tuning guide and FileSourceScanExec (splits), UnifiedMemoryManager (memory),
SortExec (radix sort of one key only), UnsafeSorterSpillMerger (merge), HashAggregateExec (partial aggregation).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.hardware.server import Server
from models.jobs.engine import ABOUT, Engine
from models.jobs.executors import LEAST_HEAP, OVERHEAD, container_of, execution_memory, idle_time
from models.jobs.speculation import SparkSpeculation
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, part, pieces, place, quantity, setting
from models.speculation import Speculation
from models.storage.clients.reading import Columns
from models.units import format

WORKER_RESERVE = 2.0**30
"""Bytes of a server that a worker does not offer to executors. Source: Apache Spark, SPARK_WORKER_MEMORY."""
ROW_OVERHEAD = 36.0
"""Bytes of memory a row besides its own: its length, and pointer and key twice over, as the radix sort needs.
Source: Spark 2.4, UnsafeInMemorySorter and UnsafeExternalSorter; a hash table of groups takes about as much."""


class Executors(Model):
    """How Spark is set up."""

    servers: str = group("Server group that runs the executors.")
    executors: int = setting(
        "Executors a server.",
        default=1,
        source="published: Apache Spark, spark.executor.cores: in standalone mode one with all cores of a worker",
        ge=1,
    )
    cores: int = setting(
        "Tasks that an executor runs at a time (spark.executor.cores); 0: its part of the hardware threads.",
        default=0,
        source="published: Apache Spark, SPARK_WORKER_CORES and spark.executor.cores of standalone mode: all of them",
        ge=0,
    )
    memory: Quantity = quantity(
        "B",
        "Heap of an executor (spark.executor.memory, of which Spark ships 1 GiB for all that an executor runs); 0: its "
        "part of what a worker offers.",
        default=0.0,
        source="published: Apache Spark, SPARK_WORKER_MEMORY: all but 1 GiB; spark.executor.memoryOverheadFactor 0.1",
        ge=0,
    )
    memory_fraction: float = setting(
        "Part of the heap for execution and storage (spark.memory.fraction).", default=0.6, gt=0, le=1
    )
    local_dirs: str = place("Bay or volume for exchanges and spills (spark.local.dir).", default="root")
    shuffle_partitions: int = setting(
        "Tasks of a stage behind an exchange (spark.sql.shuffle.partitions; where adaptive plans join partitions below "
        "64 MiB, as Spark's since 3.2, those that are left); 0: as many as the engine ships with (exchange_tasks), or "
        "as there are slots.",
        default=0,
        ge=0,
    )
    split_size: Quantity = quantity(
        "B", "Most bytes of a table a task (spark.sql.files.maxPartitionBytes).", default="128 MiB", gt=0
    )
    least_split: Quantity = quantity(
        "B", "Least bytes of a table a task (spark.sql.files.openCostInBytes).", default="4 MiB", gt=0
    )
    compression: float = setting(
        "Bytes of an exchange or spill on the drive per byte of its rows (spark.shuffle.compress).",
        default=0.5,
        source="prior: lz4 in blocks of 32 KiB, of rows of numbers and short text",
        between=(0.25, 0.9),
        gt=0,
        le=1,
    )
    node_expiry: Quantity = quantity(
        "s", "Until the tasks of a silent executor start elsewhere (spark.network.timeout).", default="120 s", ge=0
    )
    executor_idle: Quantity | None = idle_time()
    speculation: SparkSpeculation | None = setting(
        "Copies of slow tasks, by Spark's defaults with {} (spark.speculation); default: none.", default=None
    )

    @property
    def speculated(self) -> Speculation | None:
        """When copies of slow tasks start; None for never."""
        return self.speculation.rule if self.speculation is not None else None

    @property
    def slots(self) -> int:
        """Tasks that run at a time on a server."""
        return self.executors * self.cores

    def on(self, server: Server) -> Executors:
        """Return the settings on a server of some kind: what its executors run and hold.

        Raises:
            RefusalError: its memory does not hold their heaps and what they take besides, so that not all start.
        """
        if self.memory and (taken := self.executors * container_of(self.memory)) > server.memory.size:
            text = (
                f"{self.executors} with their overhead take {format(taken, 'B')} of {format(server.memory.size, 'B')}"
            )
            raise refusal("workload.framework.memory", text, "lower it, or executors", value=format(self.memory, "B"))
        cores = self.cores or max(server.cpu.threads // self.executors, 1)
        offered = max(server.memory.size - WORKER_RESERVE, 0.0) / (1 + OVERHEAD) / self.executors
        memory = self.memory or max(offered, LEAST_HEAP)
        return self.model_copy(update={"cores": cores, "memory": memory})

    @model_validator(mode="after")
    def _heap_holds_what_is_reserved(self) -> Executors:
        if 0 < self.memory <= LEAST_HEAP:
            raise refusal("memory", f"Spark reserves 300 MiB: more than {format(LEAST_HEAP, 'B')}", value=self.memory)
        return self

    def task_memory(self, tasks: int, offered: float) -> float:
        """Return the bytes that each of `tasks` of a stage on one executor may hold before it spills.

        Its Java machine offers such a part of the heap.

        Those that run share the executor's memory evenly. Source: Spark 2.4, ExecutionMemoryPool.
        """
        return execution_memory(self.memory, offered, self.memory_fraction) / min(tasks, self.cores)


class SparkTable(Model):
    """A table in a columnar format."""

    rows: float = setting("Rows.", gt=0)
    size: Quantity = quantity("B", "Stored bytes of all columns.", gt=0)
    columns: dict[str, Annotated[Quantity, quantity("B", "Stored bytes of the column.", ge=0)]] = setting(
        "Stored bytes of its columns, by name."
    )

    def grown(self, factor: float) -> SparkTable:
        """Return the table with so many times the rows."""
        columns = {name: size * factor for name, size in self.columns.items()}
        return self.model_copy(update={"rows": self.rows * factor, "size": self.size * factor, "columns": columns})


class SparkStage(Model):
    """One stage: either scans columns of a table, or takes the rows of earlier stages from their exchanges."""

    name: str = setting("Name, once in its query.")
    scan: str | None = setting("Table that it scans.", default=None)
    columns: tuple[str, ...] = setting("Columns that it reads.", default=())
    compared: float = setting(
        "Broadcast rows with which a nested loop compares each row scanned.", default=0.0, ge=0, le=1e15
    )
    inputs: tuple[str, ...] = setting("Earlier stages whose rows it takes.", default=())
    operator: Literal["join", "aggregate"] = setting("What it does with them: sort and merge, or hash.", default="join")
    keys: int = setting("Columns that a join compares; with more than one it cannot sort by radix.", default=1, ge=1)
    groups: float | None = setting(
        "Groups that an aggregation makes; default: the rows that it hands on.", default=None, ge=0, le=1e15
    )
    rows: float = setting("Rows that it hands on; 0 for a last stage.", default=0.0, ge=0, le=1e15)
    row_size: Quantity = quantity("B", "Bytes of such a row.", default=0.0, ge=0)

    @model_validator(mode="after")
    def _has_one_source(self) -> SparkStage:
        if (self.scan is None) == (not self.inputs):
            raise refusal("", f"stage {self.name!r}: set either scan or inputs")
        return self

    def grown(self, factor: float) -> SparkStage:
        """Return the stage on so many times the rows, of which it makes as many more, and as many more groups."""
        groups = None if self.groups is None else self.groups * factor
        more = {"compared": self.compared * factor, "groups": groups, "rows": self.rows * factor}
        return self.model_copy(update=more)

    @property
    def output(self) -> float:
        """Bytes of the rows that it hands on."""
        return self.rows * self.row_size

    @property
    def taken_up(self) -> float:
        """Groups that its aggregation takes up."""
        return self.rows if self.groups is None else self.groups


class SparkQuery(Model):
    """One query as its stages, scans first where they are needed first."""

    name: str = setting("Name, once in its suite; the metric is 'query' and this name.")
    stages: tuple[SparkStage, ...] = setting("Stages in the order in which they run.")

    @model_validator(mode="after")
    def _inputs_come_before(self) -> SparkQuery:
        known: set[str] = set()
        for stage in self.stages:
            if stage.name in known:
                raise refusal("", f"query {self.name!r}: two stages are named {stage.name!r}")
            if missing := [name for name in stage.inputs if name not in known]:
                raise refusal("", f"query {self.name!r}, stage {stage.name!r}: no stage {missing[0]!r} before it")
            known.add(stage.name)
        if not self.stages or self.stages[-1].scan is not None:
            raise refusal("", f"query {self.name!r}: its last stage takes the rows of others, so set its inputs")
        return self

    def grown(self, factor: float) -> SparkQuery:
        """Return the query on so many times the rows."""
        return self.model_copy(update={"stages": tuple(stage.grown(factor) for stage in self.stages)})


class Spark(WorkloadModel):
    """Queries over tables, run one after the other."""

    taken: ClassVar[Mapping[str, frozenset[str]]] = {
        "engine": ABOUT
        | {
            "query_time",
            "keeps_processes",
            "stage_cpu",
            "compile_cpu",
            "heap_offered",
            "exchange_tasks",
            "exchanges",
            "file_system",
            "columns_apart",
            "vectored",
            "declares",
            "overread",
            "decode_cpu",
            "exchange_cpu",
            "join_cpu",
            "sort_cpu",
            "aggregate_cpu",
            "compare_cpu",
        }
    }
    only_reads: ClassVar[bool] = True
    kind: Literal["spark"] = setting("Kind of workload.")
    framework: Executors = part("frameworks", "How Spark is set up.")
    engine: Engine = part("engines", "Which Spark, and what its operators cost.")
    file_format: str = setting("Format of the tables, by which the engine knows its CPU time.", default="parquet")
    tables: dict[str, SparkTable] = setting("Tables by name.")
    queries: tuple[SparkQuery, ...] = setting("Queries in the order in which they run.")
    scale: float = setting(
        "Times the rows and bytes of the tables, and the rows and groups that the queries make of them: 3 for scale "
        "factor 3000 of a suite of 1000.",
        default=1.0,
        gt=0,
    )

    @model_validator(mode="after")
    def _tables_exist(self) -> Spark:
        self.engine.check_format(self.file_format)
        names = [query.name for query in self.queries]
        if not names or len(set(names)) < len(names):
            raise refusal("queries", "a suite has at least one query, and each a name of its own")
        for query in self.queries:
            for stage in query.stages:
                self._columns_exist(query.name, stage)
        return self

    def _columns_exist(self, query: str, stage: SparkStage) -> None:
        if stage.scan is None:
            return
        if stage.scan not in self.tables:
            raise refusal("", f"query {query!r}, stage {stage.name!r}: no table {stage.scan!r}")
        known = self.tables[stage.scan].columns
        if missing := [name for name in stage.columns if name not in known]:
            raise refusal("", f"query {query!r}, stage {stage.name!r}: {stage.scan} has no column {missing[0]!r}")

    def places(self) -> dict[str, str]:
        """Return the bays or volumes that it names: none for an engine that keeps its exchanges in memory."""
        return super().places() if self.engine.exchanges == "drives" else {}

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.scale * sum(table.size for table in self.tables.values()), 0.0, None

    def grown(self, factor: float) -> Spark:
        """Return the suite on so many times the rows."""
        return self.model_copy(update={"scale": self.scale * factor})

    def at_scale(self) -> Spark:
        """Return the suite with the tables and rows of its scale, which is then 1."""
        if self.scale == 1:
            return self
        tables = {name: table.grown(self.scale) for name, table in self.tables.items()}
        queries = tuple(query.grown(self.scale) for query in self.queries)
        return self.model_copy(update={"scale": 1.0, "tables": tables, "queries": queries})

    def scanned(self, stage: SparkStage) -> float:
        """Return the bytes that a stage fetches of its table: its columns, and what is read over between them."""
        wanted = sum(self.tables[stage.scan].columns[name] for name in stage.columns) if stage.scan else 0.0
        return wanted * self.engine.overread

    def asked(self, stage: SparkStage, tasks: int) -> Columns:
        """Return the columns of a split of a stage of so many tasks, of an object as long; each is read in one go."""
        assert stage.scan is not None  # asked of scans only
        count, split = len(stage.columns), self.tables[stage.scan].size / tasks
        size = self.scanned(stage) / tasks / max(count, 1)
        columns = Columns(count, size, split, max(split, count * size), max(size, 1.0))
        return self.engine.asks(self.file_format, columns)

    def partitions(self, slots: int) -> int:
        """Return the tasks of a stage behind an exchange on executors that run `slots` tasks at a time."""
        return self.framework.shuffle_partitions or self.engine.exchange_tasks or slots

    def segment(self, query: SparkQuery, stage: SparkStage, slots: int) -> float:
        """Return the packed bytes (B) that one task of the stages before has for one task of a stage behind them."""
        sources = [other for other in query.stages if other.name in stage.inputs]
        makers = sum(self.tasks(source, slots) for source in sources)
        amount = sum(source.output for source in sources) * self.framework.compression
        return amount / (makers * self.partitions(slots))

    def tasks(self, stage: SparkStage, slots: int) -> int:
        """Return the tasks of a stage on executors that run `slots` tasks at a time.

        A table is cut so that all slots get a split, within `least_split` and `split_size`.
        """
        framework = self.framework
        if stage.scan is None:
            return self.partitions(slots)
        size = self.tables[stage.scan].size
        split = min(framework.split_size, max(framework.least_split, size / slots))
        return pieces(size, split, f"workload.tables.{stage.scan}.size")
