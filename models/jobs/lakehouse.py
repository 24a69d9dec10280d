"""A suite of SQL queries on tables in an object store: Hive, Spark or Dremio, told apart by their numbers only.

What an engine asks of the store follows from what the queries need and from how it reads, unless it was counted. For
each object opened it reads `requests` footers and indexes, and each column in ranges of at most `read_buffer`; an
object longer than a split is opened once a split. It is looked up `lookups` times. A directory is listed as S3A does,
in each query, once a session or not at all. An engine that does not prune opens and decodes `unpruned` times as much.

Listing (on the driver, by some threads) comes first. Then all task slots open and read, where each slot decodes what it
has read before it reads on; where each task has a process of its own, a slot waits for its start before it opens the
objects of a split. What the engine works on rows after reading (joins, aggregations, sorts) takes the processors of the
workers, as many as it has slots and tasks behind an exchange, beside the reading or behind it as far as the engine
overlaps the two. Each query has a fixed time, in which one core of the driver plans it and its stages, and each process
of the workers compiles the code of each stage. Both decoding and work are of the bytes wanted, which are those of the
queries; how many an engine fetches for them, and in how many GETs, is its own. The rate of requests while reading is
that of the reading alone:

    time = listing + queries * (query_time + stages * (stage_cpu / driver's speed + compile_cpu / workers' speed))
         + sum of overlap * max(reading, decoding + working) + (1 - overlap) * (reading + working) over queries
    decoding, working = CPU time of the bytes wanted / capacity of the processors;  rate * reading = requests

All queries read together; beyond that each lasts for itself, as its shares of the suite say, and all queries are alike
where none are stated.

Assumption: the reading of a query takes its share of that of all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import model_validator

from models.distributions import log_uniform
from models.hardware.cluster import Cluster
from models.jobs.engine import ABOUT, Engine
from models.jobs.lakehouse_queries import Part, Share, parts
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, part, place, quantity, setting
from models.storage.clients.reading import Columns, Fetched, as_asked
from models.storage.stages import LIST_PAGE

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import StorageSystem

FOOTER = (2e3, 100e3)
"""Bytes of the shortest and of the longest read of a footer or an index. Prior: most GETs of Spark, Presto and Hive on
TPC-DS are below 100 kB (NetApp, How to enable StorageGRID in your environment, 22 April 2024)."""
COLUMNS = "columns"
"""What reads of columns are called, where they follow from what an engine opens."""
PROBES = 1
"""LIST requests that see that a directory is there, beside a HEAD in vain. Source: Apache Hadoop,
S3AFileSystem.getFileStatus; as counted in the same document."""


class Range(Model):
    """Ranges of similar size that an engine reads."""

    share: float = setting("Part of all GETs.", gt=0, le=1)
    low: Quantity = quantity("B", "Shortest range.", gt=0)
    high: Quantity = quantity("B", "Longest range; lengths between are spread evenly on a logarithmic scale.", gt=0)

    def grown(self, factor: float) -> Range:
        """Return as many ranges, each so many times as long."""
        return self.model_copy(update={"low": self.low * factor, "high": self.high * factor})


class Lakehouse(WorkloadModel):
    """Queries of one engine on one data set."""

    taken: ClassVar[Mapping[str, frozenset[str]]] = {
        "engine": ABOUT
        | {
            "slots",
            "split_size",
            "file_system",
            "columns_apart",
            "vectored",
            "declares",
            "listing_threads",
            "format_listing_threads",
            "probes_directories",
            "listings",
            "lookups",
            "prunes",
            "requests",
            "read_buffer",
            "task_start",
            "query_time",
            "stage_cpu",
            "compile_cpu",
            "heap_offered",
            "exchange_tasks",
            "task_spread",
            "exchange_work",
            "exchanged",
            "exchanges",
            "overlap",
            "overread",
            "decode_cpu",
            "work_cpu",
        }
    }
    sizes: ClassVar[tuple[str, ...]] = ("scale",)
    only_reads: ClassVar[bool] = True
    kind: Literal["lakehouse"] = setting("Kind of workload.")
    servers: str = group("Server group of the workers.")
    driver: str = group("Server group of the driver or coordinator.")
    engine: Engine = part("engines", "What runs the queries.")
    file_format: str = setting("Format of the objects, by which the engine knows its CPU time.", default="parquet")
    queries: int = setting("Queries of the suite.", ge=1)
    data: Quantity = quantity("B", "Stored size of the tables.", gt=0)
    object_size: Quantity = quantity("B", "Size of an object of a table.", gt=0)
    opened: float = setting(
        "Objects that the queries open, each counted once for each scan of its table. What the engine requests follows "
        "from it, unless that was counted (gets).",
        default=0.0,
        ge=0,
    )
    columns: float = setting("Columns that are read of an object that is opened.", default=1.0, gt=0)
    unpruned: float = setting(
        "Times the objects opened, and the bytes wanted of them, where no partition is left out by what a join finds.",
        default=1.0,
        ge=1,
    )
    gets: int = setting(
        "GET requests of the suite, where they were counted; 0: as the engine opens it.", default=0, ge=0
    )
    opens: int = setting("HEAD requests for objects that exist, counted: one as a file is opened.", default=0, ge=0)
    probes: int = setting(
        "HEAD requests for objects that do not exist, counted: one as a directory is listed.", default=0, ge=0
    )
    lists: int = setting("LIST requests, counted.", default=0, ge=0)
    reads: dict[str, Range] = setting(
        "Lengths of the ranges that are read, by name; none: as long as the bytes wanted make them.", default={}
    )
    directories: int = setting("Directories of the tables; 0: one for each object.", default=0, ge=0)
    scale: float = setting(
        "Times the bytes of the data set, and of what its queries read: 3 for scale factor 3000 of a suite of 1000. It "
        "lies in the same directories and objects, which are longer; each is opened and read as often, or once a "
        "split of the engine where it is longer than one.",
        default=1.0,
        gt=0,
    )
    wanted: Quantity = quantity(
        "B",
        "Bytes of columns that the queries need, at most all that GETs fetch; 0: what the engine's overread leaves.",
        default=0.0,
        ge=0,
    )
    shares: tuple[Share, ...] = setting(
        "What its queries need, one beside the other; each stands for as many queries. None: all need as much.",
        default=(),
    )
    exchanges: float = setting(
        "Exchanges of a query, among which what is handed on is shared.",
        default=4.0,
        source="prior: two or three joins of large tables and a sum",
        between=(2, 8),
        gt=0,
    )
    stages: float = setting(
        "Stages of a query, those that broadcast a table among them, which a driver plans one after the other; 0: one "
        "more than its exchanges.",
        default=0.0,
        ge=0,
    )
    task_memory: Quantity = quantity(
        "B",
        "Memory of a task behind an exchange before it spills, where the engine keeps exchanges on drives; 0: its part "
        "of what Spark gives to execution, 0.6 of a heap of all of the server's memory.",
        default=0.0,
        ge=0,
    )
    local_dirs: str | None = place(
        "Bay or volume of the workers for exchanges and spills (spark.local.dir); default: all drives of theirs, or "
        "else their volumes.",
        default=None,
    )
    precision: float = setting(
        "Half the width of the 95 % interval of a phase's rate, as a fraction, at which the phase stops; 0: never.",
        default=0.005,
        ge=0,
        lt=1,
    )

    @model_validator(mode="after")
    def _says_what_is_read(self) -> Lakehouse:
        self.engine.check_format(self.file_format)
        if not (self.gets and self.reads) and not ((self.gets or self.opened) and self.wanted):
            raise refusal(
                "workload",
                "nothing says what is read",
                "state opened, columns and wanted, or the requests that were counted: gets and reads",
            )
        held = self.opened * self.object_size
        if not self.gets and self.wanted > held:
            expected = f"the {self.opened:g} objects opened hold {held:g} B"
            raise refusal("workload.wanted", expected, "it is what the queries need of them", value=self.wanted)
        return self

    @model_validator(mode="after")
    def _shares_have_something(self) -> Lakehouse:
        parts(self.queries, self.shares)
        return self

    @model_validator(mode="after")
    def _ranges_add_up(self) -> Lakehouse:
        total = sum(kind.share for kind in self.reads.values())
        if self.reads and not math.isclose(total, 1.0, abs_tol=1e-6):
            raise refusal("workload.reads", f"the shares add up to {total:g}", "they must add up to 1")
        for name, read in self.reads.items():
            if read.low > read.high:
                raise refusal(f"workload.reads.{name}", f"low = {read.low:g} B is above high = {read.high:g} B")
        return self

    @property
    def read_bytes(self) -> float:
        """Bytes that all GETs of the suite fetch."""
        return self.gets * sum(read.share * log_uniform(read.low, read.high).mean for read in self.reads.values())

    @property
    def overread(self) -> float:
        """Bytes that are fetched for a byte that the queries need."""
        return max(self.read_bytes / self.wanted, 1.0) if self.wanted else self.engine.overread

    @property
    def decoding(self) -> float:
        """Core-seconds per byte fetched of decoding those that are wanted."""
        return self.engine.decode_cpu[self.file_format] / self.overread

    @property
    def start_per_open(self) -> float:
        """Seconds that the start of a task adds to each lookup of an object; a task has at least one object."""
        objects = max(self.engine.split_size // self.object_size, 1.0)
        return self.engine.task_start / objects / max(self.engine.lookups, 1.0)

    @property
    def listed_names(self) -> float:
        """Names of a page of a listing: the objects of a directory."""
        objects = self.data / self.object_size
        return min(objects / (self.directories or objects), LIST_PAGE)

    @property
    def openings(self) -> float:
        """Splits that tasks open, each once; where only requests were counted, as many as their lookups, or all."""
        if self.opened:
            return self.opened * self.needless * max(self.object_size / self.engine.split_size, 1.0)
        return self.opens or self.gets

    @property
    def needless(self) -> float:
        """Bytes that are decoded for a byte on which is worked after reading: of partitions that a join drops."""
        return 1.0 if self.engine.prunes else self.unpruned

    def readers(self, slots: float) -> float:
        """Return the tasks of a query that read: one a split, or as many as slots where it opens as many objects.

        1 where only its requests are known.
        """
        opened = self.opened * self.needless / self.queries
        return max(opened * self.object_size / self.engine.split_size, min(opened, slots), 1.0)

    @property
    def planned_stages(self) -> float:
        """Stages of a query that its driver plans and submits."""
        return self.stages or 1 + self.exchanges

    @property
    def parts(self) -> tuple[Part, ...]:
        """The queries by what each needs of all that the suite does."""
        return parts(self.queries, self.shares)

    @property
    def handed_on(self) -> float:
        """Bytes that tasks hand on to others, packed."""
        return self.read_bytes / self.overread / self.needless * self.engine.exchanged

    def grown(self, factor: float) -> Lakehouse:
        """Return the suite on so many times as many objects and directories, of which each query reads as many more."""
        counts = {name: round(getattr(self, name) * factor) for name in ("opens", "probes", "lists", "directories")}
        amounts = {name: getattr(self, name) * factor for name in ("data", "wanted", "opened")}
        gets = max(round(self.gets * factor), 1) if self.gets else 0
        return self.model_copy(update={"gets": gets} | amounts | counts)

    def at_scale(self, got: Fetched | None = None) -> Lakehouse:
        """Return the suite with the objects and requests of its scale, which is then 1, by how its columns are fetched.

        Unless that is told, each read of a column is a request.

        Facts are partitioned by days, of which benchmarks have as many at each scale, and a day is written as one
        object. A task reads a split of it. Source: TPC-DS specification 3.3 (date_dim does not scale);
        databricks/spark-sql-perf, Tables.scala (rows of a partition go to one writer).
        """
        if not self.gets:
            longer = self.longer()
            return longer._asked(got or as_asked(longer.column_reads()))
        if not self.reads:
            wanted = self.wanted * self.needless
            mean = wanted * self.engine.overread / self.gets
            reads = {COLUMNS: Range(share=1.0, low=mean, high=mean)}
            return self.model_copy(update={"wanted": wanted, "reads": reads}).at_scale()
        longer, split = self.longer(), self.engine.split_size
        more = max(longer.object_size / split, 1.0) / max(self.object_size / split, 1.0)
        reads = {name: read.grown(self.scale / more) for name, read in self.reads.items()}
        counts = {"opens": round(self.opens * more), "gets": max(round(self.gets * more), 1)}
        return longer.model_copy(update={"reads": reads} | counts)

    def longer(self) -> Lakehouse:
        """Return the suite with the objects of its scale, which is then 1, and the requests that were counted."""
        amounts = {name: getattr(self, name) * self.scale for name in ("data", "wanted", "object_size")}
        return self.model_copy(update=amounts | {"scale": 1.0})

    def column_reads(self) -> Columns:
        """Return the columns of a split that its engine reads, in whole numbers.

        An object is one split, or has several.
        """
        engine, count = self.engine, max(round(self.columns), 1)
        size = self.wanted * self.needless * engine.overread / (self.openings * self.columns)
        split, length = min(self.object_size, engine.split_size), max(self.object_size, count * size)
        return engine.asks(self.file_format, Columns(count, size, split, length, engine.read_buffer))

    def sent(self, got: Fetched) -> float:
        """Return the GETs that fetch the columns of a split, of which there may be parts."""
        return self.columns * got.gets / max(round(self.columns), 1)

    def _asked(self, got: Fetched) -> Lakehouse:
        """Return the suite with the requests that are sent for what the queries need of what its engine reads."""
        engine, objects = self.engine, self.data / self.object_size
        opened, read = self.opened * self.needless, self.openings
        wanted, sent = self.wanted * self.needless, self.sent(got)
        an_open = engine.requests + sent
        reads = {COLUMNS: Range(share=sent / an_open, low=got.size, high=got.size)}
        if engine.requests:
            reads["footers"] = Range(share=engine.requests / an_open, low=FOOTER[0], high=FOOTER[1])
        once = self.directories or objects
        listed = {"query": opened * once / objects, "session": once, "catalog": 0.0}[engine.listings]
        probed = listed if engine.probes_directories else 0.0
        pages = math.ceil(objects / once / LIST_PAGE)
        counts = {"opens": read * engine.lookups, "probes": probed, "lists": probed * PROBES + listed * pages}
        asked = {name: round(count) for name, count in counts.items()}
        return self.model_copy(update={"wanted": wanted, "gets": max(round(read * an_open), 1), "reads": reads} | asked)

    @property
    def stages_at(self) -> str | None:
        """Where the client of an engine of Hadoop would buffer what it never writes; None for others."""
        return "root" if self.engine.file_system == "hadoop" else None

    def place_groups(self) -> tuple[str, ...]:
        """Return the server group of the workers: a driver keeps no exchanges."""
        return (self.servers,)

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.data * self.scale, 0.0, None

    def check_beside(self) -> None:
        """Refuse others: a suite ends with its requests, which are measured one by one on a store of its own.

        Raises:
            RefusalError: always.
        """
        raise refusal(
            "workload.kind",
            "a lakehouse is measured on a store that nobody else uses",
            "let it run alone (in a plan: without `beside`), or state its queries as kind = 'spark' and its requests as"
            " kind = 'requests'",
            value=self.kind,
        )

    def check_faults(self, storage: StorageSystem, failures: Failures, cluster: Cluster) -> None:
        """Refuse faults: a suite is measured request by request on a store that is whole.

        Raises:
            RefusalError: always.
        """
        raise refusal(
            "failures",
            "a lakehouse is measured on a store that is whole",
            "ask with a workload of kind 'requests' or 'spark', or let nothing fail meanwhile: remove failures.faults"
            " and failures.acceleration, in a plan requirements.while_degraded",
        )
