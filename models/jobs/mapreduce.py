"""MapReduce: splits -> map tasks in waves -> sort and spill -> shuffle -> merge -> reduce -> commit.

A map task starts a container, reads its split while it computes, sorts and spills its output to local drives.
A reduce task fetches its part of every map's output, merges it in memory or through the drives, and writes its
file. Maps and reduces share the container slots of the compute servers; reduces may start when the fraction
`slowstart` of the maps has ended, and finish fetching when all have.

Data generators are jobs without input. Not covered: failed attempts, uneven keys.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.hardware.server import Server
from models.jobs.engine import Engine
from models.jobs.speculation import HadoopSpeculation
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, part, pieces, place, quantity, setting
from models.storage.clients.s3a import S3aClient
from models.work import Speculation

if TYPE_CHECKING:
    from models.storage.systems import Client, StorageSystem

FULL_FAN_IN = 32
LEAST_FAN_IN = 8
"""A reduce task is modelled to fetch from every server up to FULL_FAN_IN of them, and from at least LEAST_FAN_IN evenly
spaced ones beyond; every drive then still serves as many bytes. Assumption: detail of the model only."""

START_STEP = 0.1
"""Seconds between the moments at which containers start. Assumption: finer than the heartbeats that start them."""

RECORD_METADATA = 16.0
"""Bytes that a sort buffer holds of a record beside it. Source: Apache Hadoop, MapTask.MapOutputBuffer.METASIZE."""

YARN_SHARE = 0.8
"""Part of a server's memory, without two heaps of daemons, that YARN gives to containers. Source: Apache Hadoop,
NodeManagerHardwareUtils.getContainerMemoryMB."""

DAEMON_HEAP = 1000 * 2.0**20
"""Bytes of the heap of a daemon. Source: Apache Hadoop, hadoop-env.sh, HADOOP_HEAPSIZE; NodeManager and DataNode."""

HEAP_SHARE = 0.8
"""Part of a container that is heap. Source: Apache Hadoop, mapred-default.xml, mapreduce.job.heap.memory-mb.ratio."""


class Framework(Model):
    """YARN and MapReduce settings: how tasks are run, on which servers."""

    servers: str = group("Server group that runs the tasks.")
    containers: int = setting(
        "Containers (task slots) a server; 0: as many as YARN finds room for, one a hardware thread and as memory of "
        "`container_memory` each goes into four fifths of the server's beside two daemons.",
        default=0,
        source="published: Apache Hadoop, yarn-default.xml, detect-hardware-capabilities, "
        "count-logical-processors-as-cores and resource.memory-mb",
        ge=0,
    )
    container_memory: Quantity = quantity(
        "B",
        "Memory of a container (mapreduce.map.memory.mb, mapreduce.reduce.memory.mb), four fifths of it heap.",
        default="1 GiB",
        source="published: Apache Hadoop, mapred-default.xml; mapreduce.job.heap.memory-mb.ratio",
        gt=0,
    )
    map_slots: int = setting(
        "Maps that a server runs at most, as TaskTrackers of Hadoop 1, which had slots of either kind "
        "(mapred.tasktracker.map.tasks.maximum, 2 as shipped); 0: as many as it has containers.",
        default=0,
        ge=0,
    )
    reduce_slots: int = setting(
        "Reduces that a server runs at most (mapred.tasktracker.reduce.tasks.maximum, 2 as shipped); 0: as map_slots.",
        default=0,
        ge=0,
    )
    jvm_tasks: int = setting(
        "Tasks of a job that a JVM runs one after the other (mapred.job.reuse.jvm.num.tasks of Hadoop 1); -1: all.",
        default=1,
        source="published: Apache Hadoop 1, mapred-default.xml; later releases start a JVM for each",
        ge=-1,
    )
    jvm_start: Quantity = quantity(
        "s",
        "What the JVM takes of container_start: tasks do without it in a JVM that another one used.",
        default="0.7 s",
        source="prior: a Java machine with the class path of Hadoop",
        between=("0.4 s", "1.5 s"),
        ge=0,
    )
    heartbeat: Quantity = quantity(
        "s",
        "Time between two heartbeats of a server, each of which brings it `heartbeat_tasks` maps and one reduce; a "
        "server that ends one asks at once. 0: in container_start (TaskTrackers of Hadoop 1: 3 s, or heartbeat_rate).",
        default=0.0,
        ge=0,
    )
    heartbeat_rate: float = setting(
        "Heartbeats a second that the JobTracker of Hadoop 1 takes: many servers send theirs less often "
        "(mapred.heartbeats.in.second, 100; 50 before 0.20); 0: any number.",
        default=0.0,
        ge=0,
    )
    heartbeat_tasks: int = setting(
        "Maps that a heartbeat brings to a server; 0: as many as it has slots free (JobQueueTaskScheduler of Hadoop "
        "0.20 and 1; 1 before 0.20).",
        default=0,
        ge=0,
    )
    heap: Quantity = quantity(
        "B",
        "Memory that the containers of a server hold together; 0: their heaps by container_memory.",
        default=0.0,
        ge=0,
    )
    local_dirs: str = place("Bay or volume for spills and map output (yarn.nodemanager.local-dirs).", default="data")
    job_start: Quantity = quantity(
        "s", "Submission to first container request: client, application master.", default=0.0, ge=0
    )
    container_start: Quantity = quantity("s", "Mean start of a container: localisation, JVM.", default=0.0, ge=0)
    container_spread: Quantity = quantity(
        "s", "Starts vary evenly by up to this much around the mean.", default=0.0, ge=0
    )
    slowstart: float = setting(
        "Part of the maps that has ended when reduces start (mapreduce.job.reduce.slowstart.completedmaps).",
        default=0.05,
        ge=0,
        le=1,
    )
    sort_memory: Quantity = quantity(
        "B", "Map-side sort buffer (mapreduce.task.io.sort.mb).", default=104857600.0, gt=0
    )
    spill_percent: float = setting(
        "Fill at which it spills (mapreduce.map.sort.spill.percent).", default=0.8, gt=0, le=1
    )
    sort_factor: int = setting("Files merged at a time (mapreduce.task.io.sort.factor).", default=10, ge=2)
    parallel_copies: int = setting(
        "Map outputs that a reduce fetches at a time (mapreduce.reduce.shuffle.parallelcopies).", default=5, ge=1
    )
    reduce_ramp: float = setting(
        "Part of a job's containers that reduces may have while maps wait, growing with the part of the maps that has "
        "ended (yarn.app.mapreduce.am.job.reduce.rampup.limit).",
        default=0.5,
        ge=0,
        le=1,
    )
    node_expiry: Quantity = quantity(
        "s",
        "Until the tasks of a dead server start elsewhere (yarn.nm.liveness-monitor.expiry-interval-ms).",
        default=600.0,
        ge=0,
    )
    shuffle_memory: float = setting(
        "Part of a reduce task's heap that may hold fetched output (mapreduce.reduce.shuffle.input.buffer.percent).",
        default=0.7,
        ge=0,
        le=1,
    )
    merge_percent: float = setting(
        "Part of that which fetched output fills before it is merged into a file "
        "(mapreduce.reduce.shuffle.merge.percent).",
        default=0.66,
        gt=0,
        le=1,
    )
    segment_limit: float = setting(
        "Part of it above which the output of one map goes to a file at once "
        "(mapreduce.reduce.shuffle.memory.limit.percent).",
        default=0.25,
        gt=0,
        le=1,
    )
    reduce_memory: float = setting(
        "Part of it that fetched output may still fill while the reduce function runs; the rest is written before "
        "(mapreduce.reduce.input.buffer.percent).",
        default=0.0,
        ge=0,
        le=1,
    )
    shuffle_threads: int = setting(
        "Fetches that a server answers at a time; 0: twice its hardware threads (mapreduce.shuffle.max.threads).",
        default=0,
        ge=0,
    )
    event_size: Quantity = quantity(
        "B",
        "Bytes that the application master, on one server, sends to each reduce for each map that has ended.",
        default=100.0,
        source="prior: Apache Hadoop, TaskCompletionEvent.write: identifiers, status, address of a server, times",
        between=(80.0, 130.0),
        ge=0,
    )
    speculation: HadoopSpeculation | None = setting(
        "Copies of slow tasks, by Hadoop's defaults with {} (mapreduce.map.speculative, mapreduce.reduce.speculative); "
        "default: none.",
        default=None,
    )

    @property
    def speculated(self) -> Speculation | None:
        """When copies of slow tasks start; None for never."""
        return self.speculation.rule if self.speculation is not None else None

    def on(self, server: Server) -> Framework:
        """Return the settings on a server of some kind: its containers, and the memory that they hold."""
        if self.containers and self.heap:
            return self
        slots = self.map_slots + (self.reduce_slots or self.map_slots)
        room = YARN_SHARE * (server.memory.size - 2 * DAEMON_HEAP)
        fitting = max(min(server.cpu.threads, math.floor(room / self.container_memory)), 1)
        containers = self.containers or slots or fitting
        heap = self.heap or containers * self.container_memory * HEAP_SHARE
        return self.model_copy(update={"containers": containers, "heap": heap})

    @property
    def at_once(self) -> tuple[int | None, int | None]:
        """Maps and reduces that a server runs at most, None for as many as it has containers."""
        return self.map_slots or None, self.reduce_slots or self.map_slots or None

    def interval(self, servers: int) -> float:
        """Return the seconds between the heartbeats of one of so many servers. Source: Hadoop 1, JobTracker."""
        least = math.ceil(servers / self.heartbeat_rate) if self.heartbeat_rate else 0.0
        return max(self.heartbeat, least)

    @model_validator(mode="after")
    def _spread_is_within_mean(self) -> Framework:
        if self.container_spread > self.container_start:
            raise refusal(
                "", "container_spread must not exceed container_start: no container starts before it is asked for"
            )
        return self


class MapReduce(WorkloadModel):
    """One MapReduce job. Rates of work are per byte of the side that they name."""

    is_divided: ClassVar[bool] = True
    kind: Literal["mapreduce"] = setting("Kind of workload.")
    framework: Framework = part("frameworks", "How tasks are run.")
    input: Quantity = quantity("B", "Bytes read by the maps; 0 for a generator.", default=0.0, ge=0)
    object_size: Quantity | None = quantity(
        "B", "Size of the objects that hold the input on an object store; default: a split each.", default=None, gt=0
    )
    map_output: float = setting("Bytes a map puts out per byte that it takes in.", default=1.0, ge=0)
    generated: Quantity = quantity("B", "Bytes written by a generator.", default=0.0, ge=0)
    output: float = setting("Bytes a reduce writes per byte that it takes in.", default=1.0, ge=0)
    maps: int | None = setting("Map tasks of a generator; default: one a split of the store.", default=None, ge=1)
    reduces: int | None = setting(
        "Reduce tasks; 0 for none; default: one a container, all in one wave.", default=None, ge=0
    )
    file_size: Quantity | None = quantity(
        "B", "Chooses the reduce tasks by the size of the files they write.", default=None, gt=0
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
            raise refusal("", "a job either reads an input or writes a generated amount: set one of input, generated")
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
        return self.model_copy(update={"framework": self.framework.on(server)})

    def file_size_through(self, client: S3aClient, servers: int) -> float:
        """Return the bytes of a file of the output that is written through S3A on so many servers of a known kind."""
        slots = self.framework.containers * servers
        return self.output_bytes / (self.reduce_tasks(slots) or self.map_tasks(client.fs.s3a.block.size))

    def map_cpu(self, passes: int) -> float:
        """Core-seconds per byte that maps take in, or generate, where their output is merged in so many passes."""
        if self.cpu is not None:
            return self.cpu * self.map_share if self.has_reduces else self.cpu
        assert self.engine is not None  # or the job states its cpu
        writing = self.engine.phases.write.cost(self.record_size)
        if self.generated:
            return self.function_cpu + writing
        sorting = self.engine.sorting(self.record_size, passes) if self.has_reduces else writing
        reading = self.engine.mapping(self.file_format, self.record_size)
        return reading + self.function_cpu + self.map_output * sorting

    @property
    def reduce_cpu(self) -> float:
        """Core-seconds per byte that reduces take in."""
        if self.cpu is not None:
            return self.cpu * (1 - self.map_share) / self.map_output
        assert self.engine is not None  # or the job states its cpu
        return self.engine.reducing(self.record_size) + self.output * self.engine.phases.write.cost(self.record_size)

    @property
    def task_cpu(self) -> float:
        """Core-seconds of a task beside its bytes; a job measured whole has them in its bytes."""
        return self.engine.task_cpu if self.cpu is None and self.engine is not None else 0.0

    def total_cpu(self, passes: int = 0) -> float:
        """Core-seconds of the bytes of a job, without starts of tasks, the storage system and its client."""
        reduced = self.input * self.map_output * self.reduce_cpu if self.has_reduces else 0.0
        return (self.input or self.generated) * self.map_cpu(passes) + reduced

    @property
    def has_reduces(self) -> bool:
        """Whether there is anything to shuffle."""
        return not self.generated and self.map_output > 0 and self.reduces != 0

    @property
    def output_bytes(self) -> float:
        """Bytes that the job writes into the storage system, counted once."""
        return self.generated or self.input * self.map_output * (self.output if self.has_reduces else 1.0)

    def map_tasks(self, split_size: float, alike: int = 1) -> int:
        """Return the number of map tasks with splits of `split_size` bytes, on servers that stand for some `alike`."""
        if self.maps is not None:
            return self.maps
        return pieces(self.input or self.generated, split_size, "workload.input", alike)

    def reduce_tasks(self, containers: int) -> int:
        """Return the number of reduce tasks on a cluster with that many containers."""
        if not self.has_reduces:
            return 0
        if self.reduces is not None:
            return self.reduces
        if self.file_size is not None:
            return pieces(self.output_bytes, self.file_size, "workload.input")
        return containers
