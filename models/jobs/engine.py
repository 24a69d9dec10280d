"""What runs queries and batch jobs: an engine of a version on a runtime, how it reads, and what it computes.

What an engine computes on a byte or a value is its own, on the reference core: the same workload takes other CPU times
on other engines. A workload says what is read and which operators there are, a processor how fast its cores are.

Reading and the work on what was read (filter, join, aggregate) overlap where an engine streams rows from operator to
operator; where each stage waits for the end of the one before, they do not. `overlap` says which part of the queries
does the one, and which the other.
"""

from __future__ import annotations

from typing import Annotated

from models.quantity import Model, Quantity, quantity, setting


class Engine(Model):
    """A query engine: its name, how it reads, and its CPU times on the reference core."""

    name: str = setting("Engine, such as 'Trino'.")
    version: str = setting("Version or release; empty: any.", default="")
    runtime: str = setting("What it runs on, such as 'Java 11'; empty: not told.", default="")
    slots: float = setting(
        "Tasks, or splits, that a worker works on at once, for each of its hardware threads.", default=1.0, gt=0
    )
    split_size: Quantity = quantity(
        "B", "Bytes of a split: what a task opens, of one object or more.", default="128 MiB", gt=0
    )
    read_buffer: Quantity = quantity("B", "Most bytes of a column that one request reads.", default="8 MiB", gt=0)
    requests: int = setting("Requests of a split before the first column is read.", default=0, ge=0)
    listing_threads: int = setting("Directories that the driver lists at once.", default=1, ge=1)
    task_start: Quantity = quantity(
        "s",
        "Start of a task that keeps its slot waiting: container, JVM; 0 where tasks share processes.",
        default=0.0,
        ge=0,
    )
    query_time: Quantity = quantity(
        "s", "Fixed time of a query: parsing, planning, scheduling, starting, the last stage.", default=0.0, ge=0
    )
    overlap: float = setting(
        "Part of the queries that works on rows while others are still read; the rest waits for the end of reading.",
        default=0.0,
        ge=0,
        le=1,
    )
    overread: float = setting(
        "Bytes fetched for a byte wanted: gaps between columns that are read over.", default=1.0, ge=1
    )
    decode_cpu: dict[str, Annotated[Quantity, quantity("s/B", "Core-seconds per stored byte.", ge=0)]] = setting(
        "Core-seconds per stored byte wanted of a file format, by its name: decompress, decode, filter.", default={}
    )
    work_cpu: Quantity = quantity(
        "s/B", "Core-seconds per stored byte wanted, after reading: join, aggregate, sort, exchange.", default=0.0, ge=0
    )
    operation_cpu: Quantity = quantity(
        "s",
        "Core-seconds of an operation on one value: decoding, hashing, evaluating, accumulating.",
        default=0.0,
        ge=0,
    )

    def tasks(self, threads: int) -> int:
        """Return the tasks or splits that a worker with so many hardware threads works on at once."""
        return max(round(self.slots * threads), 1)

    def decoding(self, file_format: str) -> float:
        """Return the core-seconds per byte fetched of a file format; 0 where the engine states none."""
        return self.decode_cpu.get(file_format, 0.0) / self.overread

    def after_reading(self, reading: float, decoding: float, working: float) -> float:
        """Return the seconds that queries last beyond their reading.

        `reading` (s) is what the requests take, with `decoding` (s) of all processors in it; `working` (s) is what the
        processors need for the rest. With overlap both go on together, for as long as the slower of reading and
        computing takes; without, one follows the other.
        """
        together = min(max(decoding + working - reading, 0.0), working)
        return self.overlap * together + (1 - self.overlap) * working
