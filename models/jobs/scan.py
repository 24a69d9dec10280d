"""A query of an engine that reads columns of a columnar table by splits, such as Presto on ORC files.

Workers read splits on a fixed number of threads, the engine's `slots`. A thread asks for one byte range after the other
(opening, the ends of file and stripe, then a range or more of each column), and then computes; it does nothing else
while it waits. Other threads of the worker do, so waiting is hidden as far as the processor is busy. Per split:

    wait    = (requests + sum over columns of ceil(column bytes in a split / read buffer)) * time of a request
    compute = rows in a split * operations * CPU of an operation
    operations = values decoded + group-by keys + functions + accumulators, per row

Assumption: the operations of a vectorised engine cost alike. Not covered: joins, exchanges and sorts of more than a few
rows, skipping by statistics, columns whose ranges touch and are read in one request, splits of unequal size.

Source: prestodb/presto, OrcReader.java, StripeReader.java, TaskExecutor.java (release 0.215, as on EMR 5.21).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.engine import ABOUT, Engine
from models.jobs.table_reads import Reads, reads
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, part, pieces, quantity, setting
from models.storage.clients.reading import Columns, Fetch, Fetched, as_asked


class Column(Model):
    """One column of a table as it is stored."""

    size: Quantity = quantity("B", "Bytes of the column in the whole table, compressed.", gt=0)
    decode: float = setting("Operations that decoding a value takes.", default=1.0, gt=0)


class Table(Model):
    """A columnar table."""

    rows: float = setting("Rows.", gt=0)
    size: Quantity = quantity("B", "Bytes of all columns, compressed.", gt=0)
    columns: dict[str, Column] = setting("Columns that queries read, by name.")


class Scan(WorkloadModel):
    """One query over one table."""

    taken: ClassVar[Mapping[str, frozenset[str]]] = {
        "engine": ABOUT
        | {"slots", "split_size", "file_system", "read_buffer", "requests", "query_time", "stage_cpu", "compile_cpu"}
        | {"overread", "decode_cpu", "operation_cpu"}
    }
    only_reads: ClassVar[bool] = True
    kind: Literal["scan"] = setting("Kind of workload.")
    servers: tuple[str, ...] = group("Server groups of the workers.")
    engine: Engine = part("engines", "What runs the query.")
    table: Table = part("tables", "What it reads.")
    columns: tuple[str, ...] = setting("Columns that the query reads; none for a bare count.", default=())
    keys: int = setting("Columns and expressions by which it groups.", default=0, ge=0)
    functions: int = setting("Functions evaluated for each row: year(), round().", default=0, ge=0)
    accumulators: int = setting("Values kept per group: one for count and sum, two for avg.", default=0, ge=0)

    @model_validator(mode="after")
    def _runs_somewhere(self) -> Scan:
        if not self.servers:
            raise refusal("servers", "name at least one server group")
        return self

    @model_validator(mode="after")
    def _columns_exist(self) -> Scan:
        known = ", ".join(self.table.columns) or "none"
        for name in self.columns:
            if name not in self.table.columns:
                raise refusal("columns", f"the table has no column {name!r} (it has: {known})")
        if len(set(self.columns)) < len(self.columns):
            raise refusal("columns", "a column is read once, name it once")
        if self.read_bytes > self.table.size * self.engine.overread:
            raise refusal("table.size", f"the columns read are larger ({self.read_bytes:g} B)", "it counts all columns")
        return self

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.table.size, 0.0, None

    @property
    def splits(self) -> int:
        """Splits of the whole table."""
        return pieces(self.table.size, self.engine.split_size, "workload.table.size")

    @property
    def read_bytes(self) -> float:
        """Bytes of the columns that the query reads, and what is read over between them."""
        return sum(self.table.columns[name].size for name in self.columns) * self.engine.overread

    @property
    def requests_per_split(self) -> int:
        """Byte ranges that a split asks for, one after the other."""
        sizes = [self.table.columns[name].size / self.splits for name in self.columns]
        return self.engine.requests + sum(math.ceil(size / self.engine.read_buffer - 1e-9) for size in sizes)

    def reads(self, fetch: Fetch) -> Reads:
        """Return what reading the columns of a split takes.

        A client that makes other GETs of them is taken to see columns that are all as large, in an object as long as a
        split.
        """
        before, count = self.engine.requests, len(self.columns)
        size = self.read_bytes / self.splits / max(count, 1)
        if fetch is as_asked or not count:
            sent = self.requests_per_split - before
            return Reads(before, Fetched(sent, count * size / max(sent, 1), sent))
        split = self.table.size / self.splits
        return reads(before, Columns(count, size, split, max(split, count * size), self.engine.read_buffer), fetch)

    @property
    def operations(self) -> float:
        """Operations per row."""
        decoded = sum(self.table.columns[name].decode for name in self.columns)
        return decoded + self.keys + self.functions + self.accumulators

    @property
    def cpu_per_split(self) -> float:
        """Reference core-seconds that a split computes."""
        return self.table.rows / self.splits * self.operations * self.engine.operation_cpu
