"""What runs queries and batch jobs: an engine of a version on a runtime, how it reads, and what it computes.

What an engine computes on a byte or a value is its own, on the reference core: the same workload takes other CPU times
on other engines. A workload says what is read and which operators there are, a processor how fast its cores are.

Reading and the work on what was read (filter, join, aggregate) overlap where an engine streams rows from operator to
operator; where each stage waits for the end of the one before, they do not. `overlap` says which part of the queries
does the one, and which the other.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Literal

from models.problem import refusal
from models.quantity import Model, Quantity, quantity, setting
from models.storage.clients.reading import Algorithm, Columns, Policy

BINARY = "binary"
"""Format of records that are arrays of bytes, in a process as in a file."""

ABOUT = frozenset({"name", "version", "runtime"})
"""Keys that say which engine it is, and change nothing."""

BESIDE_CPU = frozenset(
    {"keeps_processes", "committer_algorithm", "compresses", "heap_offered", "objects", "sampled_keys", "samples_all"}
)
"""Keys that say of batch jobs something else than what is computed on bytes."""

SAMPLED = 60
"""Keys a reduce that Spark samples. Source: Apache Spark, RangePartitioner: 20 a partition, three times as many of each
part of the input as are its share."""

MOST_SAMPLED = 3_000_000
"""Keys that Spark samples at most, but for one of each part. Source: Apache Spark, RangePartitioner: a million, times
three."""


def keys_in_ranges(reduces: int, maps: int) -> int:
    """Return how many keys Spark samples of so many parts of an input to cut it into ranges: of each part as many.

    Not covered: it samples parts again that have three times the mean, which splits of an input do not have.
    """
    return maps * math.ceil(min(SAMPLED * reduces, MOST_SAMPLED) / maps)


class Phase(Model):
    """What a phase of a batch job costs on the reference core."""

    byte: Quantity = quantity("s/B", "Core-seconds per byte.", default=0.0, ge=0)
    record: Quantity = quantity("s", "Core-seconds per record.", default=0.0, ge=0)

    def cost(self, record_size: float) -> float:
        """Return core-seconds per byte of records of so many bytes."""
        return self.byte + self.record / record_size


class Objects(Model):
    """The memory that records take in a process, beside the length of their own bytes."""

    byte: float = setting(
        "Bytes of memory per byte of text, as reduces hold it: 2 of characters on Java 8. A byte that is none has one.",
        default=1.0,
        ge=1,
    )
    record: Quantity = quantity(
        "B", "Bytes of memory per record in a reduce: headers, references, copies.", default=0.0, ge=0
    )
    serialized: Quantity = quantity(
        "B",
        "Bytes of memory per record in a map, which sorts records as they are serialized: types, lengths, pointers.",
        default=0.0,
        ge=0,
    )
    paged: float = setting(
        "Bytes of memory per byte of records in a map, which lie in pages of which the last is part empty.",
        default=1.0,
        ge=1,
    )

    def of(self, record_size: float, file_format: str) -> float:
        """Return the bytes of memory per byte of records of so many bytes that a reduce read from such a format."""
        return (1.0 if file_format == BINARY else self.byte) + self.record / record_size

    def in_maps(self, record_size: float) -> float:
        """Return the bytes of memory per byte of records of so many bytes that a map has serialized."""
        return self.paged + self.serialized / record_size


class Phases(Model):
    """What the phases of a batch job cost: sorting a split, moving it, and making an output of it."""

    map: Phase = setting("Handing records to the map function and its output to the sort.", default=Phase())
    sort: Phase = setting("Sorting what maps put out, and writing it with checksums.", default=Phase())
    merge: Phase = setting("Merging sorted runs once.", default=Phase())
    shuffle: Phase = setting("Serving and fetching what a reduce takes.", default=Phase())
    reduce: Phase = setting("Iterating over records and handing them to the reduce function.", default=Phase())
    spill: Phase = setting(
        "Writing what the memory of a task does not hold and reading it again, beside its compression: objects that "
        "are serialized, made again, and collected as garbage.",
        default=Phase(),
    )
    write: Phase = setting("Writing records of the output, beside what the store's client spends.", default=Phase())


class Engine(Model):
    """An engine: its name, how it reads, and its CPU times on the reference core."""

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
    file_system: Literal["hadoop", "own"] = setting(
        "Whether it opens tables in a lakehouse by Hadoop's file systems, which is S3A on an object store, or by a "
        "client of its own, whose requests are as it asks.",
        default="hadoop",
    )
    columns_apart: tuple[str, ...] = setting(
        "File formats whose columns it reads over a stream of their own, opened anew behind that of the footer.",
        default=(),
    )
    vectored: tuple[str, ...] = setting(
        "File formats of which it asks for all columns of a split at once (readVectored of Hadoop).", default=()
    )
    declares: dict[str, Policy] = setting(
        "What it tells the file system of how it reads a file format, by its name (openFile of Hadoop).", default={}
    )
    requests: int = setting("Requests of a split before the first column is read.", default=0, ge=0)
    listing_threads: int = setting(
        "Directories that the driver lists at once; 0: tasks of the workers list them, as many as run at a time.",
        default=1,
        ge=0,
    )
    format_listing_threads: dict[str, int] = setting(
        "The same of tables of a file format, by its name, where it is another number.", default={}
    )
    probes_directories: bool = setting(
        "Whether it asks what a directory is before it lists it, as clients of Hadoop do: a HEAD in vain and a LIST.",
        default=True,
    )
    listings: Literal["query", "session", "catalog"] = setting(
        "Which directories of tables it lists: in each query those that it reads, all once a session, or none, as a "
        "catalog keeps the lists of files.",
        default="session",
    )
    lookups: float = setting("Requests for the length of an object (HEAD), for each that it opens.", default=0.0, ge=0)
    prunes: bool = setting(
        "Whether it leaves out the partitions that a join finds to be in vain (dynamic pruning).", default=True
    )
    task_start: Quantity = quantity(
        "s",
        "Start of a task that keeps its slot waiting: container, JVM; 0 where tasks share processes.",
        default=0.0,
        ge=0,
    )
    keeps_processes: bool = setting(
        "Whether the tasks of a batch job run in processes that last as long as it (executors): only those of the "
        "first wave wait for one to start, reduces start when all maps have ended, and what is sorted stays in the "
        "memory of its task as far as it fits. If not, the framework says how many tasks one runs, and how they sort.",
        default=False,
    )
    committer_algorithm: Algorithm | None = setting(
        "Version of the FileOutputCommitter that it sets for the output of its jobs "
        "(mapreduce.fileoutputcommitter.algorithm.version), unless the client states one; default: none.",
        default=None,
    )
    compresses: bool = setting(
        "Whether it compresses what tasks of a batch job hand on, unless the framework says what is left of it "
        "(spark.shuffle.compress and spark.shuffle.spill.compress, true as shipped).",
        default=False,
    )
    sampled_keys: int | None = setting(
        "Keys that it samples to place the boundaries between the reduces of a total order; default: some 60 for each "
        "reduce, of each split as many (RangePartitioner of Spark).",
        default=None,
        ge=0,
    )
    samples_all: bool = setting(
        "Whether a pass of its own reads all of the input to sample them; else the heads of a few splits are read.",
        default=False,
    )
    heap_offered: float = setting(
        "Part of the heap of an executor that its Java machine offers: all with G1, which Java 9 and later take on "
        "servers, all but one survivor space with the collector that Java 8 takes.",
        default=1.0,
        gt=0,
        le=1,
    )
    task_cpu: Quantity = quantity(
        "s",
        "Core-seconds that each task spends beside its bytes: a JVM of its own, its classes, code not yet compiled.",
        default=0.0,
        ge=0,
    )
    query_time: Quantity = quantity(
        "s", "Fixed time of a query: parsing, planning, scheduling, starting, the last stage.", default=0.0, ge=0
    )
    stage_cpu: Quantity = quantity(
        "s",
        "Core-seconds of the driver for each stage of a query, one after the other: parsing, planning, making code, "
        "planning anew what is left, submitting tasks, taking their results, broadcasting tables.",
        default=0.0,
        ge=0,
    )
    compile_cpu: Quantity = quantity(
        "s",
        "Core-seconds in which each process of the workers loads and compiles the code of a stage; its tasks wait.",
        default=0.0,
        ge=0,
    )
    exchange_tasks: int = setting(
        "Tasks of a stage behind an exchange, which work on what was read in a lakehouse "
        "(spark.sql.shuffle.partitions); 0: as many as there are slots.",
        default=0,
        ge=0,
    )
    task_spread: float = setting(
        "Standard deviation of the logarithm of the times of a stage's tasks, of which the next stage waits for the "
        "slowest; 0: it waits for none.",
        default=0.0,
        ge=0,
        le=1,
    )
    exchange_work: float = setting(
        "Part of work_cpu that is done behind exchanges; the tasks that read do the rest (joins with tables that are "
        "broadcast, sums before an exchange).",
        default=1.0,
        ge=0,
        le=1,
    )
    exchanged: float = setting(
        "Bytes that tasks hand on to others, as they are packed, for a byte wanted in a lakehouse.", default=0.0, ge=0
    )
    exchanges: Literal["memory", "drives"] = setting(
        "Where what is handed on lies meanwhile: in the memory of the workers, or on their drives, to which tasks also "
        "spill what their memory does not hold.",
        default="memory",
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
    exchange_cpu: Quantity = quantity(
        "s/B", "Core-seconds per byte of rows on each side of an exchange: copy, compress, checksum.", default=0.0, ge=0
    )
    join_cpu: Quantity = quantity("s", "Core-seconds per row that enters a join: sort and merge.", default=0.0, ge=0)
    sort_cpu: Quantity = quantity(
        "s", "Core-seconds per comparison of two rows: sorts by several keys, merges of runs.", default=0.0, ge=0
    )
    aggregate_cpu: Quantity = quantity(
        "s", "Core-seconds per group that a task takes up in a hash table.", default=0.0, ge=0
    )
    compare_cpu: Quantity = quantity(
        "s", "Core-seconds per pair of rows that a nested loop compares.", default=0.0, ge=0
    )
    phases: Phases = setting("What a batch job costs, phase by phase.", default=Phases())
    objects: Objects = setting("What records take of the memory in which a batch job sorts.", default=Objects())
    operation_cpu: Quantity = quantity(
        "s",
        "Core-seconds of an operation on one value: decoding, hashing, evaluating, accumulating.",
        default=0.0,
        ge=0,
    )

    def tasks(self, threads: int) -> int:
        """Return the tasks or splits that a worker with so many hardware threads works on at once."""
        return max(round(self.slots * threads), 1)

    def fixed_time(self, stages: float, driver: float, worker: float) -> float:
        """Return the fixed seconds of a query of so many stages, given the speeds of a core of driver and worker."""
        return self.query_time + stages * (self.stage_cpu / driver + self.compile_cpu / worker)

    def keys(self, reduces: int, maps: int) -> int:
        """Return how many keys it samples of so many maps to place the boundaries between so many reduces."""
        return keys_in_ranges(reduces, maps) if self.sampled_keys is None else self.sampled_keys

    def listing(self, file_format: str) -> int:
        """Return how many directories of tables of a file format the driver lists at once; 0: tasks list them."""
        return self.format_listing_threads.get(file_format, self.listing_threads)

    def asks(self, file_format: str, columns: Columns) -> Columns:
        """Return columns as it reads them of a file format."""
        apart, vectored = file_format in self.columns_apart, file_format in self.vectored
        return replace(columns, apart=apart, vectored=vectored, declared=self.declares.get(file_format))

    def check_format(self, file_format: str) -> None:
        """Refuse a file format of which the engine does not say what it costs.

        Raises:
            RefusalError: it states no CPU time of it.
        """
        if file_format not in self.decode_cpu:
            known = ", ".join(self.decode_cpu) or "none"
            raise refusal("file_format", f"the engine states no decode_cpu of it (it has: {known})")

    def decoding(self, file_format: str) -> float:
        """Return the core-seconds per byte fetched of a file format that the engine knows."""
        return self.decode_cpu[file_format] / self.overread

    def mapping(self, file_format: str, record_size: float) -> float:
        """Return the core-seconds per input byte of reading records and handing them to a map function."""
        return self.decoding(file_format) + self.phases.map.cost(record_size)

    def sorting(self, record_size: float, passes: int) -> float:
        """Return the core-seconds per byte that maps put out, sorted and merged in so many further passes."""
        return self.phases.sort.cost(record_size) + passes * self.phases.merge.cost(record_size)

    def reducing(self, record_size: float) -> float:
        """Return the core-seconds per byte that reduces take in, beside fetching it: merged and iterated over."""
        return self.phases.merge.cost(record_size) + self.phases.reduce.cost(record_size)

    def after_reading(self, reading: float, decoding: float, working: float) -> float:
        """Return the seconds that queries last beyond their reading.

        `reading` (s) is what the requests take, with `decoding` (s) of all processors in it; `working` (s) is what the
        processors need for the rest. With overlap both go on together, for as long as the slower of reading and
        computing takes; without, one follows the other.
        """
        together = min(max(decoding + working - reading, 0.0), working)
        return self.overlap * together + (1 - self.overlap) * working
