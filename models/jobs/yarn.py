"""Settings of YARN and MapReduce, and of the JobTracker before them: how tasks are run, on which servers.

What they are called in Hadoop stands beside each. On servers of some kind they say how many containers there are, and
what memory these hold.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import ClassVar

from pydantic import model_validator

from models.handout import Handout
from models.jobs.executors import RESERVED_MEMORY, execution_memory
from models.jobs.scheduler import Policy
from models.jobs.speculation import HadoopSpeculation
from models.jobs.yarn_containers import HEAP_SHARE, Containers
from models.problem import refusal
from models.quantity import Quantity, place, quantity, setting
from models.speculation import Speculation
from models.units import format

WAITS_FOR_NO_PLACE = -1
"""Heartbeats for which tasks of a FairScheduler wait. Source: yarn.scheduler.fair.locality.threshold.node."""


class Framework(Containers):
    """YARN and MapReduce settings: how tasks are run, on which servers."""

    only_with: ClassVar[Mapping[str, str]] = {
        "compress_cpu": "compression",
        "decompress_cpu": "compression",
        "node_heartbeat": "off_switch",
        "heartbeat_containers": "off_switch",
        "locality_delay": "off_switch",
    }
    reduce_container_memory: Quantity | None = quantity(
        "B",
        "Memory of the container of a reduce (mapreduce.reduce.memory.mb) where it is not that of a map, so that fewer "
        "of them run at once; one takes the place of one map all the same. Default: container_memory.",
        default=None,
        gt=0,
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
        "Time between two heartbeats of a server, each of which brings it `heartbeat_tasks` maps and one reduce. 0: in "
        "container_start (TaskTrackers of Hadoop 1: 3 s, or heartbeat_rate).",
        default=0.0,
        ge=0,
    )
    heartbeat_at_end: bool = setting(
        "Whether a server that ends a task asks for another at once, not at its next heartbeat "
        "(mapreduce.tasktracker.outofband.heartbeat of Hadoop 1; before 0.20 it did).",
        default=False,
        source="published: Apache Hadoop 1, mapred-default.xml",
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
    off_switch: int = setting(
        "Containers that a heartbeat of a NodeManager brings to its server for tasks that have no data there: reduces, "
        "maps of generators and of object stores "
        "(yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments, 1 as shipped); 0: any number, as "
        "where containers are not handed out at heartbeats "
        "(schedule-asynchronously.enable, yarn.scheduler.fair.continuous-scheduling-enabled).",
        default=0,
        ge=0,
    )
    node_heartbeat: Quantity = quantity(
        "s",
        "Time between two heartbeats of a NodeManager (yarn.resourcemanager.nodemanagers.heartbeat-interval-ms); waits "
        "for one are part of container_start.",
        default="1 s",
        source="published: Apache Hadoop, yarn-default.xml",
        gt=0,
    )
    heartbeat_containers: int = setting(
        "Containers that a heartbeat of a NodeManager brings to its server in all "
        "(yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments); unless it is stated, one under "
        "the fair policy, whatever off_switch says (yarn.scheduler.fair.assignmultiple, false as shipped).",
        default=100,
        source="published: Apache Hadoop 3, CapacitySchedulerConfiguration; FairSchedulerConfiguration, assignmultiple "
        "false; FairScheduler.shouldContinueAssigning",
        ge=1,
    )
    locality_delay: int = setting(
        "Heartbeats of servers with room, at most one of each, after which a task that wishes for others in their rack "
        "goes to one of them (yarn.scheduler.capacity.node-locality-delay); unless it is stated, none under the fair "
        "policy (yarn.scheduler.fair.locality.threshold.node, -1). Files of object stores are on a host that no server "
        "is.",
        default=40,
        source="published: Apache Hadoop, capacity-scheduler.xml; FairSchedulerConfiguration",
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
    compute_spread: float = setting(
        "Standard deviation of the logarithm of the processor time of tasks of a stage with equal inputs, on top of "
        "what waits and queues make of it; 0: all alike.",
        default=0.031,
        source="prior: processor times of tasks of one stage with equal inputs, quartiles, median of three clusters: a "
        "workstation (0.028 and 0.035) and two workers on Azure (0.151, within either 0.03) of logs in "
        "NVIDIA/spark-rapids-tools, four executors on EKS (0.011) of one in kubeflow/mcp-apache-spark-history-server; "
        "durations, with waits in them, have 0.05 to 0.14 in traces of Hadoop and Shark",
        between=(0.011, 0.15),
        ge=0,
        le=1,
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
    sort_factor: int = setting(
        "Files merged at a time (mapreduce.task.io.sort.factor); executors of Spark merge all.", default=10, ge=2
    )
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
    compression: float | None = setting(
        "Bytes of map output on drives and cards per byte of it (mapreduce.map.output.compress, spark.shuffle.compress)"
        ": of TeraGen's records 0.42 with Snappy, 0.38 with LZ4, 0.28 with zlib; 1: it is not compressed. Default: 1, "
        "or `compressed` of the workload where an engine compresses unless it is told not to.",
        default=None,
        gt=0,
        le=1,
    )
    compress_cpu: Quantity = quantity(
        "s/B",
        "Core-seconds of compressing a byte of map output, where it is compressed (zlib: some 30 ns).",
        default="2 ns/B",
        source="prior: google/snappy README, 250 MB/s or more on a core of 2010; Snappy and LZ4 today 1.5",
        between=("1.2 ns/B", "4 ns/B"),
        ge=0,
    )
    decompress_cpu: Quantity = quantity(
        "s/B",
        "Core-seconds of a byte that is decompressed.",
        default="0.8 ns/B",
        source="prior: google/snappy README, 500 MB/s or more on a core of 2010; Snappy today 0.6, LZ4 0.2",
        between=("0.3 ns/B", "2 ns/B"),
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

    @property
    def at_once(self) -> tuple[int | None, int | None]:
        """Maps and reduces that a server runs at most, None for as many as it has containers."""
        return self.map_slots or None, self.reduce_slots or self._reduces_that_fit or self.map_slots or None

    @property
    def running(self) -> tuple[int, int]:
        """Maps and reduces that a server of a known kind runs at a time: its containers, or as many as it may."""
        maps, reduces = self.at_once
        return min(maps or self.containers, self.containers), min(reduces or self.containers, self.containers)

    @property
    def _reduces_that_fit(self) -> int | None:
        """Reduces that the memory of all containers holds; None where a reduce has as much as a map."""
        if self.reduce_container_memory is None or not self.containers:
            return None
        return min(max(math.floor(self.containers / self._places), 1), self.containers)

    @property
    def _places(self) -> float:
        """Containers of maps whose memory a reduce has."""
        return (self.reduce_container_memory or self.container_memory) / self.container_memory

    @property
    def ramp(self) -> float:
        """Part of a job's containers that reduces may have while maps wait, each with the memory that it takes."""
        return min(self.reduce_ramp / self._places, 1.0)

    @property
    def reduce_heap(self) -> float:
        """Bytes of the heap of a reduce, on servers of a known kind."""
        if self.reduce_container_memory is not None:
            return self.reduce_container_memory * HEAP_SHARE
        return self.heap / self.containers

    @property
    def compressing(self) -> float:
        """Core-seconds of a byte that is compressed, 0 where nothing is."""
        return self.compress_cpu if (self.compression or 1.0) < 1 else 0.0

    @property
    def decompressing(self) -> float:
        """Core-seconds of a byte that is decompressed, 0 where nothing is."""
        return self.decompress_cpu if (self.compression or 1.0) < 1 else 0.0

    def interval(self, servers: int) -> float:
        """Return the seconds between the heartbeats of one of so many servers. Source: Hadoop 1, JobTracker."""
        least = math.ceil(servers / self.heartbeat_rate) if self.heartbeat_rate else 0.0
        return max(self.heartbeat, least)

    def handout(self, servers: int, policy: Policy) -> Handout | None:
        """Return how containers are handed out on so many servers, None where that is not bound to heartbeats.

        Servers of fewer containers than a heartbeat may bring get all that they have room for.
        """
        if not self.off_switch:
            return None
        fair, off_switch = policy == "fair", self.off_switch
        delay, most = min(self.locality_delay, servers), self.heartbeat_containers
        if fair:
            off_switch = sys.maxsize
            delay = delay if "locality_delay" in self.model_fields_set else WAITS_FOR_NO_PLACE
            most = most if "heartbeat_containers" in self.model_fields_set else 1
        return Handout(self.node_heartbeat, off_switch, servers, delay, most if most < self.containers else math.inf)

    def of_executors(self, offered: float, *, in_maps: float = 1.0, in_reduces: float = 1.0) -> Framework:
        """Return the settings of tasks in executors, on servers of a known kind: those of sorting are Spark's own.

        Reduces start when all maps have ended. A task has its part of what Spark gives to execution, spills only what
        exceeds it, merges all that it spilled at once, and reads the rest from memory; no limit bounds a fetched block.
        Java machines offer such a part of a heap, and a byte of records takes `in_maps` and `in_reduces` bytes of it.
        Five fetches at a time are Hadoop's and Spark's. Source: Apache Spark, DAGScheduler, ExecutionMemoryPool,
        ExternalSorter (spills, mergeSort), ShuffleBlockFetcherIterator (targetRemoteRequestSize).
        """
        executors = self.executors or self.containers
        if executors > self.containers:
            way_out = "lower it, or state more containers, each a task at a time"
            raise refusal(
                "workload.framework.executors",
                f"a server runs {self.containers} tasks at a time",
                way_out,
                value=executors,
            )
        if self.heap <= executors * RESERVED_MEMORY / offered:
            most = format(RESERVED_MEMORY / offered, "B")
            raise refusal("workload.framework", f"Spark reserves 300 MiB: the heap of an executor is more than {most}")
        share = executors * execution_memory(self.heap / executors, offered) / self.heap
        memory = self.heap / self.containers * share / in_maps
        sorting = {"sort_memory": memory, "spill_percent": 1.0, "shuffle_memory": share / in_reduces}
        merging = {"merge_percent": 1.0, "segment_limit": 1.0, "reduce_memory": 1.0, "sort_factor": sys.maxsize}
        return self.model_copy(update={"slowstart": 1.0, "off_switch": 0} | sorting | merging)

    @model_validator(mode="after")
    def _spread_is_within_mean(self) -> Framework:
        if self.container_spread > self.container_start:
            raise refusal(
                "", "container_spread must not exceed container_start: no container starts before it is asked for"
            )
        return self
