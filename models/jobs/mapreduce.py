"""MapReduce: splits -> map tasks in waves -> sort and spill -> shuffle -> merge -> reduce -> commit.

A map task starts a container, reads its split while it computes, sorts and spills its output to local drives.
A reduce task fetches its part of every map's output, merges it in memory or through the drives, and writes its
file. Maps and reduces share the container slots of the compute servers; reduces may start when the fraction
`slowstart` of the maps has ended, and finish fetching when all have.

Data generators are jobs without input. Not covered: failed attempts, keys that many records share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.hardware.server import Server
from models.jobs.engine import ABOUT, BESIDE_CPU, Engine, keys_in_ranges
from models.jobs.workload import WorkloadModel
from models.jobs.yarn import Framework
from models.problem import refusal
from models.quantity import Quantity, part, pieces, quantity, setting
from models.storage.clients.mount import SPLIT_SLOP, splits_of
from models.storage.clients.reading import Wishes
from models.storage.clients.s3a import S3aClient

if TYPE_CHECKING:
    from models.storage.systems import Client, StorageSystem

FULL_FAN_IN = 32
LEAST_FAN_IN = 8
"""A reduce task is modelled to fetch from every server up to FULL_FAN_IN of them, and from at least LEAST_FAN_IN evenly
spaced ones beyond; every drive then still serves as many bytes. Assumption: detail of the model only."""

RECORD_METADATA = 16.0
"""Bytes that a sort buffer holds of a record beside it. Source: Apache Hadoop, MapTask.MapOutputBuffer.METASIZE."""


SORTLESS = 200
"""Reduces up to which maps of Spark write a file for each and sort nothing. Source: Apache Spark,
spark.shuffle.sort.bypassMergeThreshold."""


class MapReduce(WorkloadModel):
    """One MapReduce job. Rates of work are per byte of the side that they name."""

    is_divided: ClassVar[bool] = True
    taken: ClassVar[Mapping[str, frozenset[str]]] = {
        "engine": ABOUT | BESIDE_CPU | {"task_cpu", "overread", "decode_cpu", "phases"}
    }
    kind: Literal["mapreduce"] = setting("Kind of workload.")
    framework: Framework = part("frameworks", "How tasks are run.")
    input: Quantity = quantity("B", "Bytes read by the maps; 0 for a generator.", default=0.0, ge=0)
    object_size: Quantity | None = quantity(
        "B",
        "Size of the objects or files that hold the input, of which a small one is a split; default: a split each.",
        default=None,
        gt=0,
    )
    split_minsize: Quantity = quantity(
        "B",
        "Least bytes of a split (mapreduce.input.fileinputformat.split.minsize); default: a block of the store each.",
        default=0.0,
        ge=0,
    )
    declares_order: bool = setting(
        "Whether its input format tells the file system that splits are read in order (openFile of Hadoop, 3.3.5), "
        "whatever the client of an object store expects.",
        default=False,
    )
    map_output: float = setting("Bytes a map puts out per byte that it takes in.", default=1.0, ge=0)
    compressed: float = setting(
        "What LZ4 leaves of a byte of map output, which engines compress unless they are told not to (Spark).",
        default=0.5,
        source="prior: as of exchanges, rows of numbers and short text",
        between=(0.25, 0.9),
        gt=0,
        le=1,
    )
    generated: Quantity = quantity("B", "Bytes written by a generator.", default=0.0, ge=0)
    output: float = setting("Bytes a reduce writes per byte that it takes in.", default=1.0, ge=0)
    maps: int | None = setting("Map tasks of a generator; default: one a split of the store.", default=None, ge=1)
    reduces: int | None = setting(
        "Reduce tasks; 0 for none; default: one a container, all in one wave, of Spark as many as maps.",
        default=None,
        ge=0,
    )
    file_size: Quantity | None = quantity(
        "B", "Chooses the reduce tasks by the size of the files they write.", default=None, gt=0
    )
    total_order: bool = setting(
        "Whether reduces hold ranges of keys, one behind the other, whose bounds its engine places by a sample of the "
        "keys (TeraSort; sortByKey and sortBy of Spark); else keys are hashed.",
        default=False,
    )
    sampled_keys: int | None = setting(
        "Keys that are sampled to place the boundaries between reduces, so that some have more than others "
        "(mapreduce.terasort.partitions.sample); 0: all have as much, as keys are cut evenly. Default: as its engine "
        "does for a total order.",
        default=None,
        ge=0,
    )
    samples_all: bool | None = setting(
        "Whether a pass of its own reads all of the input to sample the keys; default: as its engine does.",
        default=None,
    )
    engine: Engine | None = part("engines", "What runs the phases, and what they cost.", default=None)
    file_format: str = setting("Format of the input, by which the engine knows its CPU time.", default="binary")
    record_size: Quantity = quantity("B", "Bytes of a record.", default=100.0, gt=0)
    function_cpu: Quantity = quantity(
        "s/B", "Core-seconds per input byte of the job's own map function, beside its engine.", default=0.0, ge=0
    )
    cpu: Quantity | None = quantity(
        "s/B",
        "Core-seconds per input (or generated) byte of the whole job, as measured: in place of engine and function.",
        default=None,
        ge=0,
    )
    map_share: float = setting("Part of cpu spent in maps.", default=1.0, ge=0, le=1)
    output_replication: int | None = setting(
        "Replicas of the output on HDFS; default: those of the system.", default=None, ge=1
    )

    @model_validator(mode="after")
    def _reads_or_generates(self) -> MapReduce:
        if (self.input > 0) == (self.generated > 0):
            stated = [key for key in ("input", "generated") if key in self.model_fields_set]
            emptied = next((key for key in stated if not getattr(self, key)), "")
            if emptied and len(stated) == 1:
                raise refusal(emptied, "0 B are no work: a job reads an input, or writes a generated amount, above 0 B")
            message = "a job either reads an input or writes a generated amount: set one of input, generated"
            raise refusal(emptied, message)
        if self.reduces is not None and self.file_size is not None:
            raise refusal("", "reduces and file_size both choose the number of reduce tasks: set one")
        if self.engine is not None and self.input:
            self.engine.check_format(self.file_format)
        if self.engine is None and self.cpu is None:
            raise refusal("cpu", "a job computes: state it, or name the engine that runs it, such as 'hadoop-3'")
        return self

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.input, self.output_bytes, self.output_replication

    def grown(self, factor: float) -> Self:
        """Return the workload with its data multiplied."""
        return self.model_copy(update={"input": self.input * factor, "generated": self.generated * factor})

    @property
    def stages_at(self) -> str:
        """The place of its servers where output waits for upload."""
        return self.framework.local_dirs

    def check_use(self, storage: StorageSystem, client: Client | None, cluster: Cluster) -> None:
        """Refuse an S3A client whose parts are too many, or too large for the memory of the servers.

        Raises:
            RefusalError: they are.
        """
        if isinstance(client, S3aClient):
            group = cluster.groups[self.framework.servers]
            job = self.on(group.server)
            size = job.file_size_through(client, group.count)
            client.check_parts(size)
            memory = min(batch.server.memory.size for batch in group.batches())
            client.check_memory(size, job.framework.containers, job.framework.heap, memory)

    def on(self, server: Server) -> Self:
        """Return the job with the settings that its framework has on servers of some kind."""
        here = self.framework_on(server)
        if self.engine is not None and self.engine.keeps_processes:
            objects, size = self.engine.objects, self.record_size
            held = {"in_maps": objects.in_maps(size), "in_reduces": objects.of(size, self.file_format)}
            here = here.of_executors(self.engine.heap_offered, **held)
        return self.model_copy(update={"framework": here})

    def framework_on(self, server: Server) -> Framework:
        """Return what containers there are on servers of some kind, and the memory that they hold."""
        return self.framework.on(server, has_executors=self.keeps_processes)

    def master_on(self, server: Server) -> tuple[float, float, float]:
        """Return which part an application master takes of containers and their memory, and the smallest one."""
        return self.framework.master_on(server, has_executors=self.keeps_processes)

    @property
    def keeps_processes(self) -> bool:
        """Whether its tasks run in processes that stay, such as executors of Spark."""
        return self.engine is not None and self.engine.keeps_processes

    @property
    def wishes(self) -> Wishes:
        """What it and its engine tell a client of Hadoop."""
        algorithm = None if self.engine is None else self.engine.committer_algorithm
        return Wishes(algorithm, "sequential" if self.declares_order else None)

    def file_size_through(self, client: S3aClient, servers: int) -> float:
        """Return the bytes of a file of the output that is written through S3A on so many servers of a known kind."""
        slots = self.framework.containers * servers
        maps = self.map_tasks(self.split_of(client.fs.s3a.block.size))
        return self.output_bytes / (self.reduce_tasks(slots, maps) or maps)

    def buffered(self, client: Client | None, servers: int) -> float:
        """Return the bytes of memory beside the heap in which parts of a task's file wait for upload."""
        if not isinstance(client, S3aClient) or client.fs.s3a.fast.upload.buffer != "bytebuffer":
            return 0.0
        return client.fs.s3a.buffered(self.file_size_through(client, servers))

    def map_cpu(self, passes: int) -> float:
        """Core-seconds per byte that maps take in, or generate, where their output is merged in so many passes."""
        if self.cpu is not None:
            return self.cpu * self.map_share if self.has_reduces else self.cpu
        assert self.engine is not None  # or the job states its cpu
        writing = self.engine.phases.write.cost(self.record_size)
        if self.generated:
            return self.function_cpu + writing
        sorting = self.engine.sorting(self.record_size, passes) + self._packing(passes) if self.has_reduces else writing
        reading = self.engine.mapping(self.file_format, self.record_size)
        return reading + self.function_cpu + self.map_output * sorting

    @property
    def sample_cpu(self) -> float:
        """Core-seconds per byte of input of a pass that samples its keys."""
        if self.cpu is not None or self.engine is None:
            return 0.0
        return self.engine.decoding(self.file_format)

    def spills(self, amount: float, reduces: int) -> int:
        """Return how often a map that puts out so many bytes for so many reduces fills its memory."""
        framework = self.framework
        if self.keeps_processes and reduces <= SORTLESS:
            return 1
        buffered = amount * (1 if self.keeps_processes else 1 + RECORD_METADATA / self.record_size)
        return math.ceil(buffered / (framework.sort_memory * framework.spill_percent) - 1e-9)

    def keys(self, reduces: int, maps: int) -> int:
        """Return how many keys of so many maps are sampled to place the boundaries between so many reduces."""
        if self.sampled_keys is not None:
            return self.sampled_keys
        if self.total_order and self.engine is not None:
            return self.engine.keys(reduces, maps)
        return keys_in_ranges(reduces, maps) if self.samples_all else 0

    @property
    def reads_to_sample(self) -> bool:
        """Whether a pass of its own reads the input to sample keys."""
        if not self.has_reduces or self.reduces == 1 or self.sampled_keys == 0:
            return False
        if self.samples_all is not None:
            return self.samples_all
        return self.total_order and self.engine is not None and self.engine.samples_all

    @property
    def fetch_cpu(self) -> float:
        """Core-seconds per byte that reduces take in of fetching it; a job measured whole has them in reduce_cpu."""
        if self.cpu is not None or self.engine is None:
            return 0.0
        return self.engine.phases.shuffle.cost(self.record_size) + self._decompressing

    @property
    def remerge_cpu(self) -> float:
        """Core-seconds per byte of files that a reduce merges into another; a job measured whole has them in cpu."""
        if self.cpu is not None or self.engine is None:
            return 0.0
        return self.engine.phases.merge.cost(self.record_size) + self._compressing + self._decompressing

    @property
    def reduce_cpu(self) -> float:
        """Core-seconds per byte that reduces take in, beside fetching it."""
        if self.cpu is not None:
            return self.cpu * (1 - self.map_share) / self.map_output
        assert self.engine is not None  # or the job states its cpu
        writing = self.output * self.engine.phases.write.cost(self.record_size)
        return self.engine.reducing(self.record_size) + writing

    def repacking_cpu(self, part: float) -> float:
        """Core-seconds per byte that reduces take in of spilling a part of it into files, and of reading these."""
        return part * self._respilling if self.cpu is None else 0.0

    def _packing(self, passes: int) -> float:
        """Core-seconds per byte of map output of compressing it, and of so many passes that read and write it again."""
        return self._compressing + passes * self._respilling

    @property
    def _respilling(self) -> float:
        """Core-seconds per byte that is written into a file and read again."""
        spilling = self.engine.phases.spill.cost(self.record_size) if self.engine is not None else 0.0
        return spilling + self._compressing + self._decompressing

    @property
    def _compressing(self) -> float:
        """Core-seconds of a byte that is compressed; engines that keep processes have them in their phases."""
        return 0.0 if self.keeps_processes else self.framework.compressing

    @property
    def _decompressing(self) -> float:
        """Core-seconds of a byte that is decompressed, which those have in theirs, too."""
        return 0.0 if self.keeps_processes else self.framework.decompressing

    @property
    def packing(self) -> float:
        """Bytes of map output on drives and cards per byte of it."""
        if self.framework.compression is not None:
            return self.framework.compression
        return self.compressed if self.engine is not None and self.engine.compresses else 1.0

    @property
    def packed(self) -> float:
        """Bytes of map output on drives and cards per byte that maps take in: compressed, if it is."""
        return self.map_output * self.packing

    @property
    def task_cpu(self) -> float:
        """Core-seconds of a task beside its bytes; a job measured whole has them in its bytes."""
        return self.engine.task_cpu if self.cpu is None and self.engine is not None else 0.0

    def total_cpu(self, passes: int = 0) -> float:
        """Core-seconds of the bytes of a job, without starts of tasks, the storage system and its client."""
        reduced = self.input * self.map_output * (self.fetch_cpu + self.reduce_cpu) if self.has_reduces else 0.0
        sampled = self.input * self.sample_cpu if self.reads_to_sample else 0.0
        return (self.input or self.generated) * self.map_cpu(passes) + sampled + reduced

    def ignored(self, key: str) -> str:
        """Return why a key below the workload does nothing; a measured CPU time stands for all that tells of it."""
        if self.cpu is None and key == "map_share":
            return "it is a part of cpu, which is not stated"
        in_engine = key.removeprefix("engine.") if key.startswith("engine.") else ""
        if in_engine in ("sampled_keys", "samples_all") and not self.total_order:
            return "it is not in total order (total_order)"
        if in_engine in ("sampled_keys", "samples_all") and getattr(self, in_engine) is not None:
            return f"{in_engine} of the workload is taken in its place"
        if in_engine == "samples_all" or key == "samples_all":
            return "no keys are sampled (sampled_keys)" if self.sampled_keys == 0 else ""
        told = key.startswith(("file_format", "function_cpu")) or (
            in_engine and in_engine.partition(".")[0] not in BESIDE_CPU
        )
        if self.cpu is not None and told:
            return "cpu is stated in place of engine and function_cpu"
        if key == "split_minsize" and not self.input:
            return "a generator reads nothing"
        if self.keeps_processes and key in ("framework.compress_cpu", "framework.decompress_cpu"):
            return "an engine that keeps its processes has it in its phases"
        if not self.keeps_processes and key in ("framework.executors", "framework.executor_idle"):
            return "only engines that keep their processes have executors"
        if key == "compressed" and not (self.engine is not None and self.engine.compresses):
            return "its engine compresses nothing unless framework.compression says so"
        if key == "compressed" and self.framework.compression is not None:
            return "framework.compression says what is left"
        return super().ignored(key)

    @property
    def has_reduces(self) -> bool:
        """Whether there is anything to shuffle."""
        return not self.generated and self.map_output > 0 and self.reduces != 0

    @property
    def output_bytes(self) -> float:
        """Bytes that the job writes into the storage system, counted once."""
        return self.generated or self.input * self.map_output * (self.output if self.has_reduces else 1.0)

    def split_of(self, block: float) -> float:
        """Return the mean bytes of a split of blocks of `block` bytes, of one file. Source: Hadoop, FileInputFormat."""
        if not self.input:
            return block
        split = max(self.split_minsize, block)
        return split if self.object_size is None else self.object_size / splits_of(self.object_size, split)

    def map_tasks(self, split_size: float, alike: float = 1) -> int:
        """Return the number of map tasks with splits of `split_size` bytes, on servers that stand for some `alike`."""
        if self.maps is not None:
            return self.maps
        amount = max(self.input - SPLIT_SLOP * split_size, 1.0) if self.input else self.generated
        return pieces(amount, split_size, "workload.input", alike)

    def reduce_tasks(self, containers: int, maps: int) -> int:
        """Return the number of reduce tasks of so many maps on a cluster with that many containers.

        Source: apache/spark, RDD.sortBy, OrderedRDDFunctions.sortByKey and Partitioner.defaultPartitioner: as many
        partitions as the parent has, unless spark.default.parallelism is set.
        """
        if not self.has_reduces:
            return 0
        if self.reduces is not None:
            return self.reduces
        if self.file_size is not None:
            return pieces(self.output_bytes, self.file_size, "workload.input")
        return maps if self.keeps_processes else containers

    def parted_as_read(self, reduces: int) -> str:
        """Return in words that Spark takes so many reduces as nobody states them, and the way out; "" otherwise."""
        if not (self.keeps_processes and reduces) or self.reduces is not None or self.file_size is not None:
            return ""
        return (
            f"Spark parts what it exchanges as what it reads, into {reduces:,}: state workload.reduces where"
            " spark.default.parallelism or the program says otherwise; a sort of a DataFrame has 200"
        )
