"""Containers of a server: how many YARN finds room for, what each takes, and what an application master leaves.

YARN rounds the memory of one up to whole allocations. Source: Apache Hadoop, DefaultResourceCalculator.normalize.
"""

from __future__ import annotations

import math
from typing import Literal, Self

from models.handout import ROUNDING
from models.hardware.server import Server
from models.jobs.executors import LEAST_OVERHEAD, container_of, idle_time
from models.problem import refusal
from models.quantity import Model, Quantity, group, quantity, setting
from models.units import format

YARN_SHARE = 0.8
"""Part of a server's memory, without two heaps of daemons, that YARN gives to containers. Source: Apache Hadoop,
NodeManagerHardwareUtils.getContainerMemoryMB."""

DAEMON_HEAP = 1000 * 2.0**20
"""Bytes of the heap of a daemon. Source: Apache Hadoop, hadoop-env.sh, HADOOP_HEAPSIZE; NodeManager and DataNode."""

HEAP_SHARE = 0.8
"""Part of a container that is heap. Source: Apache Hadoop, mapred-default.xml, mapreduce.job.heap.memory-mb.ratio."""

MASTER = 1536 * 2.0**20
"""Bytes of the application master of MapReduce. Source: Apache Hadoop, mapred-default.xml,
yarn.app.mapreduce.am.resource.mb."""

SPARK_MASTER = 512 * 2.0**20 + LEAST_OVERHEAD
"""Bytes of that of Spark, whose driver is with its client. Source: Apache Spark, spark.yarn.am.memory, Client.scala."""


class Containers(Model):
    """What containers servers have."""

    servers: str = group("Server group that runs the tasks.")
    containers: int = setting(
        "Containers (task slots) a server; 0: as many as YARN finds room for, as `container_memory` of each goes into "
        "`node_memory`, and one a hardware thread where the calculator counts these.",
        default=0,
        source="published: Apache Hadoop, yarn-default.xml, detect-hardware-capabilities, "
        "count-logical-processors-as-cores and resource.memory-mb",
        ge=0,
    )
    container_memory: Quantity = quantity(
        "B",
        "Memory of a container (mapreduce.map.memory.mb), four fifths of it heap; where an engine keeps its processes, "
        "the heap of an executor (spark.executor.memory), beside which it takes 384 MiB, or a tenth if that is more.",
        default="1 GiB",
        source="published: Apache Hadoop, mapred-default.xml; mapreduce.job.heap.memory-mb.ratio; Apache Spark, "
        "spark.executor.memory and minMemoryOverhead",
        gt=0,
    )
    node_memory: Quantity = quantity(
        "B",
        "Memory of a server for containers (yarn.nodemanager.resource.memory-mb); 0: what those stated take, or four "
        "fifths of the server's beside two daemons.",
        default=0.0,
        ge=0,
    )
    calculator: Literal["memory", "dominant"] | None = setting(
        "Whether containers are counted by memory alone, so that there may be more of them than hardware threads "
        "(yarn.scheduler.capacity.resource-calculator: DefaultResourceCalculator, which ships), or by threads, too "
        "(DominantResourceCalculator; the FairScheduler always). Default: memory where node_memory is stated, else "
        "both, as if a cluster that nobody describes were sized so.",
        default=None,
        source="published: Apache Hadoop, capacity-scheduler.xml; RegularContainerAllocator.assignContainer, "
        "computeAvailableContainers; FSAppAttempt.assignContainer, Resources.fitsIn",
    )
    allocation: Quantity = quantity(
        "B",
        "Memory of which containers take whole multiples (yarn.scheduler.minimum-allocation-mb).",
        default="1 GiB",
        source="published: Apache Hadoop, yarn-default.xml; the FairScheduler's increment-allocation is as large",
        gt=0,
    )
    am_memory: Quantity | None = quantity(
        "B",
        "Memory of the container of the application master, which one server has less for tasks "
        "(yarn.app.mapreduce.am.resource.mb; where an engine keeps its processes, spark.yarn.am.memory and 384 MiB, or "
        "the driver in cluster mode); 0: none, as under TaskTrackers of Hadoop 1. Default: 1.5 GiB, 896 MiB of Spark.",
        default=None,
        ge=0,
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
    executors: int = setting(
        "Processes of a server in which all tasks of a job run, where its engine keeps them (Spark): each keeps 300 "
        "MiB of its heap for itself; at most, and with 0, one a container (spark.executor.cores on YARN).",
        default=0,
        source="published: Apache Spark, spark.executor.cores: 1 in YARN mode",
        ge=0,
    )
    executor_idle: Quantity | None = idle_time()
    heap: Quantity = quantity(
        "B",
        "Memory that the containers of a server hold together; 0: their heaps by container_memory.",
        default=0.0,
        ge=0,
    )

    def on(self, server: Server, *, has_executors: bool = False) -> Self:
        """Return the settings on a server of some kind: its containers, and the memory that they hold.

        Where processes are executors, each is a container of YARN, in which its tasks run side by side.
        """
        if self.containers and self.heap:
            here = self
        else:
            slots = self.map_slots + (self.reduce_slots or self.map_slots) if self.map_slots else 0
            is_cut = has_executors and self.executors
            places = server.cpu.threads if is_cut else math.floor(self._offered(server) / self._each(has_executors))
            most = min(server.cpu.threads, places) if self._counts_threads else places
            containers = self.containers or slots or max(most, 1)
            heaps = (self.executors or containers) if has_executors else containers * HEAP_SHARE
            heap = self.heap or heaps * self.container_memory
            here = self.model_copy(update={"containers": containers, "heap": heap})
        self._check(here, server, has_executors)
        return here

    def _check(self, here: Self, server: Server, has_executors: bool) -> None:
        """Refuse containers that a server cannot hold, as YARN never starts them.

        Many of MapReduce that are stated may take more than there is, and swap, unless it is stated, too.
        """
        most, counted = self.node_memory or server.memory.size, has_executors or self.node_memory > 0
        count, taken = here._taken(has_executors) if counted else (1, 0.0 if self.heap else self.container_memory)
        if count * taken > most * (1 + ROUNDING) and not self.map_slots:
            what = "executors with their overhead" if has_executors else "containers"
            key = "heap" if self.heap else "container_memory"
            way_out = "lower it, or the number of them" if count > 1 else "lower it"
            text = f"{what} take {format(count * taken, 'B')} of a server, which has {format(most, 'B')} for them"
            raise refusal(f"workload.framework.{key}", text, way_out, value=format(getattr(self, key), "B"))

    def _taken(self, has_executors: bool) -> tuple[int, float]:
        """Return how many containers of YARN a server of a known kind has, and the bytes of each."""
        count = (self.executors or self.containers) if has_executors else self.containers
        heap = self.heap / count
        return count, rounded(container_of(heap) if has_executors else heap / HEAP_SHARE, self.allocation)

    @property
    def _counts_threads(self) -> bool:
        """Whether a container takes a hardware thread besides its memory."""
        return self.calculator == "dominant" or (self.calculator is None and not self.node_memory)

    def _offered(self, server: Server) -> float:
        """Return the bytes that a server has for containers."""
        return self.node_memory or offered(server)

    def _each(self, has_executors: bool) -> float:
        """Return the bytes that a container takes, where what all of them hold is not stated."""
        memory = container_of(self.container_memory) if has_executors else self.container_memory
        return rounded(memory, self.allocation)

    def master_on(self, server: Server, *, has_executors: bool = False) -> tuple[float, float, float]:
        """Return which part an application master takes of the containers of a server, and of their memory.

        The third is the part of this that the smallest container takes.
        """
        here, usual = self.on(server, has_executors=has_executors), SPARK_MASTER if has_executors else MASTER
        asked = 0.0 if self.map_slots else usual if self.am_memory is None else self.am_memory
        count, taken = here._taken(has_executors)
        is_exact = self.containers and not has_executors and not self.node_memory
        memory = count * taken if is_exact else max(self._offered(server), count * taken)
        is_bound = not self.containers and self._counts_threads and here.containers == server.cpu.threads
        master = rounded(asked, self.allocation)
        missing = max(master - (memory - count * taken), 0.0) / taken
        if has_executors:  # one goes as a whole
            missing = math.ceil(missing - ROUNDING)
        part = max(missing / count, 1 / here.containers if is_bound and master else 0.0)
        return part if master <= memory else math.inf, master / memory, self.allocation / memory


def rounded(memory: float, allocation: float) -> float:
    """Return the bytes that YARN gives to who asks for some: one allocation at least."""
    return max(math.ceil(memory / allocation - ROUNDING), memory > 0) * allocation


def offered(server: Server) -> float:
    """Return the bytes that a server gives to containers where nothing is stated."""
    return YARN_SHARE * (server.memory.size - 2 * DAEMON_HEAP)
