"""A suite of SQL queries on tables in an object store: Hive, Spark or Dremio, told apart by their numbers only.

What an engine asks of the store is given: how many objects it lists, looks up and opens, how many ranges it reads and
how long they are. Listing partitions (on the driver, by some threads) comes first. Then all task slots open and read,
where each slot decodes what it has read before it reads on; where each task has a process of its own, a slot waits for
its start before it opens the objects of a split. What the engine works on rows after reading (joins, aggregations,
sorts) takes the processors of the workers, as many as it has slots and tasks behind an exchange, beside the reading or
behind it as far as the engine overlaps the two, and each query has a fixed time. Both decoding and work are of the
bytes wanted, which are those of the queries; how many an engine fetches for them, and in how many GETs, is its own. The
rate of requests while reading is that of the reading alone:

    time = listing + queries * query_time
         + overlap * max(reading, decoding + working) + (1 - overlap) * (reading + working)
    decoding, working = CPU time of the bytes wanted / capacity of the processors;  rate * reading = requests

Assumption: the phases of all queries are taken together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import model_validator

from models.distributions import log_uniform
from models.hardware.cluster import Cluster
from models.jobs.engine import ABOUT, Engine
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, part, quantity, setting

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import StorageSystem


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
            "listing_threads",
            "task_start",
            "query_time",
            "exchange_tasks",
            "exchange_work",
            "overlap",
            "overread",
            "decode_cpu",
            "work_cpu",
        }
    }
    kind: Literal["lakehouse"] = setting("Kind of workload.")
    servers: str = group("Server group of the workers.")
    driver: str = group("Server group of the driver or coordinator.")
    engine: Engine = part("engines", "What runs the queries.")
    file_format: str = setting("Format of the objects, by which the engine knows its CPU time.", default="parquet")
    queries: int = setting("Queries of the suite.", ge=1)
    data: Quantity = quantity("B", "Stored size of the tables.", gt=0)
    object_size: Quantity = quantity("B", "Size of an object of a table.", gt=0)
    gets: int = setting("GET requests of the suite.", ge=1)
    opens: int = setting("HEAD requests for objects that exist: one as a file is opened.", ge=0)
    probes: int = setting("HEAD requests for objects that do not exist: one as a directory is listed.", ge=0)
    lists: int = setting("LIST requests.", ge=0)
    reads: dict[str, Range] = setting("Lengths of the ranges that are read, by name.")
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
    precision: float = setting(
        "Half the width of the 95 % interval of a phase's rate, as a fraction, at which the phase stops; 0: never.",
        default=0.005,
        ge=0,
        lt=1,
    )

    @model_validator(mode="after")
    def _ranges_add_up(self) -> Lakehouse:
        total = sum(kind.share for kind in self.reads.values())
        if not math.isclose(total, 1.0, abs_tol=1e-6):
            raise refusal("workload.reads", f"the shares add up to {total:g}", "they must add up to 1")
        for name, read in self.reads.items():
            if read.low > read.high:
                raise refusal(f"workload.reads.{name}", f"low = {read.low:g} B is above high = {read.high:g} B")
        self.engine.check_format(self.file_format)
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
        """Seconds that the start of a task adds to each object that it opens; at least one object a task."""
        return self.engine.task_start / max(self.engine.split_size // self.object_size, 1.0)

    def grown(self, factor: float) -> Lakehouse:
        """Return the suite on so many times as many objects and directories, of which each query reads as many more."""
        counts = {name: round(getattr(self, name) * factor) for name in ("opens", "probes", "lists")}
        bytes_read = {"data": self.data * factor, "wanted": self.wanted * factor}
        return self.model_copy(update={"gets": max(round(self.gets * factor), 1)} | bytes_read | counts)

    def at_scale(self) -> Lakehouse:
        """Return the suite with the objects and requests of its scale, which is then 1.

        Facts are partitioned by days, of which benchmarks have as many at each scale, and a day is written as one
        object. A task reads a split of it. Source: TPC-DS specification 3.3 (date_dim does not scale);
        databricks/spark-sql-perf, Tables.scala (rows of a partition go to one writer).
        """
        factor, split = self.scale, self.engine.split_size
        size = self.object_size * factor
        more = max(size / split, 1.0) / max(self.object_size / split, 1.0)
        reads = {name: read.grown(factor / more) for name, read in self.reads.items()}
        counts = {"opens": round(self.opens * more), "gets": max(round(self.gets * more), 1)}
        longer = {"scale": 1.0, "data": self.data * factor, "wanted": self.wanted * factor, "object_size": size}
        return self.model_copy(update=longer | {"reads": reads} | counts)

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
