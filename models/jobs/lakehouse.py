"""A suite of SQL queries on tables in an object store: Hive, Spark or Dremio, told apart by their numbers only.

What an engine asks of the store is given: how many objects it lists, looks up and opens, how many ranges it reads and
how long they are. The suite then takes the time of three phases: listing partitions (on the driver, by some threads),
opening and reading with all task slots, where each slot decodes and computes on what it has read before it reads on,
and what each query costs outside of reading: planning, starting, joining and sorting what is left. Where each task has
a process of its own, a slot waits for its start before it opens the objects of a split.

Assumption: the phases of all queries are taken together; reading at the start of a query does not overlap its end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, quantity, setting

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import StorageSystem


class Range(Model):
    """Ranges of similar size that an engine reads."""

    share: float = setting("Part of all GETs.", gt=0, le=1)
    low: Quantity = quantity("B", "Shortest range.", gt=0)
    high: Quantity = quantity("B", "Longest range; lengths between are spread evenly on a logarithmic scale.", gt=0)


class Lakehouse(WorkloadModel):
    """Queries of one engine on one data set."""

    kind: Literal["lakehouse"] = setting("Kind of workload.")
    servers: str = group("Server group of the workers.")
    driver: str = group("Server group of the driver or coordinator.")
    slots: int = setting("Tasks that run at once on a worker.", ge=1)
    queries: int = setting("Queries of the suite.", ge=1)
    data: Quantity = quantity("B", "Stored size of the tables.", gt=0)
    object_size: Quantity = quantity("B", "Size of an object of a table.", gt=0)
    gets: int = setting("GET requests of the suite.", ge=1)
    opens: int = setting("HEAD requests for objects that exist: one as a file is opened.", ge=0)
    probes: int = setting("HEAD requests for objects that do not exist: one as a directory is listed.", ge=0)
    lists: int = setting("LIST requests.", ge=0)
    reads: dict[str, Range] = setting("Lengths of the ranges that are read, by name.")
    listing_threads: int = setting("Directories that the driver lists at once.", default=1, ge=1)
    task_start: Quantity = quantity(
        "s",
        "Start of a task that keeps its slot waiting: container, JVM; 0 where tasks share processes.",
        default=0.0,
        ge=0,
    )
    split_size: Quantity = quantity("B", "Bytes of objects that a task opens, one or more.", default=134217728.0, gt=0)
    byte_cpu: Quantity = quantity("s/B", "Reference core-seconds per byte read: decoding and computing.", gt=0)
    query_cpu: Quantity = quantity("s", "Reference seconds of the driver per query outside of reading.", ge=0)
    precision: float = setting(
        "Half the width of the 95 % interval of a phase's rate, as a fraction, at which the phase stops; 0: never.",
        default=0.005,
        ge=0,
        lt=1,
    )

    @model_validator(mode="after")
    def _ranges_add_up(self) -> Lakehouse:
        total = sum(each.share for each in self.reads.values())
        if not math.isclose(total, 1.0, abs_tol=1e-6):
            raise refusal("workload.reads", f"the shares add up to {total:g}", "they must add up to 1")
        for name, each in self.reads.items():
            if each.low > each.high:
                raise refusal(f"workload.reads.{name}", f"low = {each.low:g} B is above high = {each.high:g} B")
        return self

    @property
    def start_per_open(self) -> float:
        """Seconds that the start of a task adds to each object that it opens; at least one object a task."""
        return self.task_start / max(self.split_size // self.object_size, 1.0)

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.data, 0.0, None

    def check_beside(self) -> None:
        """Refuse others: a suite ends with its requests, which are measured one by one on a store of its own.

        Raises:
            RefusalError: always.
        """
        raise refusal(
            "workload.kind",
            "a lakehouse is measured on a store that nobody else uses",
            "let it run alone, or state its queries as kind = 'spark' and its requests as kind = 'requests'",
            found=self.kind,
        )

    def check_faults(self, storage: StorageSystem, failures: Failures, cluster: Cluster) -> None:
        """Refuse faults: a suite is measured request by request on a store that is whole.

        Raises:
            RefusalError: always.
        """
        raise refusal(
            "failures",
            "a lakehouse is measured on a store that is whole",
            "ask with a workload of kind 'requests' or 'spark', or remove failures.faults and failures.acceleration",
        )
