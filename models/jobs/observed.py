"""Work as it was observed: stages of tasks by the core-seconds, bytes and waits that a history of a cluster tells.

A history tells of each task what it computed and moved, not what a query meant. The same work on other hardware and
storage is the same core-seconds and the same bytes on other processors, drives and networks. Tasks of a stage that were
alike are one portion; several portions keep the skew of a stage: its slowest tasks are a portion of their own.

A task waits for its start, reads its input while it computes on it, fetches its part of exchanges, computes on that,
spills what memory did not hold and reads it back, and writes into exchanges and into the storage system. A stage opens
when those that it follows have ended, and the driver has taken its time.

    core-seconds = observed CPU seconds * speed of the processor that they were observed on

Assumptions: what the client of the storage system computes is a part of what was observed; the CPU time of a task that
reads input and fetches exchanges lies on both by their bytes; garbage is collected at the speed of a core; the tasks of
a portion start evenly spread among the others. Not covered: another number of tasks where a framework would choose one
for other executors, spills that more memory would spare, executors that go within a stage, skipped stages.

Source: Apache Spark, monitoring guide, executor task metrics; LiveEntity.scala and JsonProtocol.scala.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.spark import Executors
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, part, quantity, setting


class Portion(Model):
    """Tasks of a stage that were alike: what each of them did."""

    count: int = setting("Tasks.", ge=1)
    turn: float = setting(
        "Their mean place in the order in which the tasks of the stage start: 0 the first, 1 the last.",
        default=0.5,
        ge=0,
        le=1,
    )
    cpu: Quantity = quantity("s", "CPU seconds, on the processor that they were observed on.", default=0.0, ge=0)
    collection: Quantity = quantity("s", "Seconds of garbage collection while it ran.", default=0.0, ge=0)
    wait: Quantity = quantity(
        "s",
        "Seconds in which it neither computed nor moved bytes: scheduling, loading its code, handing on its result, and"
        " what it left to processes that the history does not count.",
        default=0.0,
        ge=0,
    )
    stalled: Quantity = quantity(
        "s",
        "Seconds beyond computing in which it waited for the storage system on which it was observed: it reads and"
        " writes no faster there. Replays simulate the storage instead.",
        default=0.0,
        ge=0,
    )
    late: Quantity = quantity(
        "s",
        "Seconds after the first task of the stage at which the executor came that ran it. On other clusters it does"
        " not count.",
        default=0.0,
        ge=0,
    )
    input: Quantity = quantity("B", "Bytes read from the storage system.", default=0.0, ge=0)
    fetched: Quantity = quantity("B", "Bytes fetched of exchanges, as they pass the network.", default=0.0, ge=0)
    handed_on: Quantity = quantity("B", "Bytes written into an exchange.", default=0.0, ge=0)
    spilled: Quantity = quantity("B", "Bytes written to local drives and read back.", default=0.0, ge=0)
    output: Quantity = quantity("B", "Bytes written to the storage system.", default=0.0, ge=0)

    def stalled_for(self, size: float) -> float:
        """Return the seconds of `stalled` for so many of the bytes that it read and wrote."""
        return self.stalled * size / (self.input + self.output)

    def places(self) -> Iterator[float]:
        """Yield the places of its tasks in the order of starts: evenly spread, as far as their mean allows."""
        width = 2 * min(self.turn, 1 - self.turn)
        for task in range(self.count):
            yield self.turn + ((task + 0.5) / self.count - 0.5) * width

    def grown(self, factor: float) -> Portion:
        """Return the portion of so many times the data: more splits of input, or more behind an exchange for each."""
        if self.input > 0:
            return self.model_copy(update={"count": max(round(self.count * factor), 1)})
        sizes = ("cpu", "collection", "fetched", "handed_on", "spilled", "output")
        return self.model_copy(update={key: getattr(self, key) * factor for key in sizes})


class ObservedStage(Model):
    """One stage as it was observed."""

    name: str = setting("Name, once among the stages.")
    query: str = setting("Query or job of which it is a part; the metric is 'query' and this name.", default="1")
    after: tuple[str, ...] = setting("Earlier stages that have ended before it opens.", default=())
    delay: Quantity = quantity(
        "s", "Seconds of the driver between their end and its opening: planning, commits.", default=0.0, ge=0
    )
    width: int | None = setting(
        "Tasks that all servers ran at once at most, where that were fewer than their slots: executors that came and"
        " went, tasks that waited for the server of their data. On other clusters it does not count.",
        default=None,
        ge=1,
    )
    tasks: tuple[Portion, ...] = setting("Its tasks, portion by portion.")

    @model_validator(mode="after")
    def _has_tasks(self) -> ObservedStage:
        if not self.tasks:
            raise refusal("tasks", f"stage {self.name!r} has none", "leave out a stage without tasks")
        return self

    @property
    def count(self) -> int:
        """Tasks of all portions."""
        return sum(portion.count for portion in self.tasks)

    def order(self) -> tuple[int, ...]:
        """Return the number of the portion of each task, in the order in which tasks start."""
        return tuple(
            number
            for _, number in sorted(
                (place, number) for number, portion in enumerate(self.tasks) for place in portion.places()
            )
        )

    def total(self, key: str) -> float:
        """Return the sum of a number of the tasks, by its key, over all of them."""
        return sum(portion.count * float(getattr(portion, key)) for portion in self.tasks)


class Observed(WorkloadModel):
    """Stages as they were observed, on executors."""

    kind: Literal["observed"] = setting("Kind of workload.")
    framework: Executors = part("frameworks", "How the executors are set up.")
    speed: float = setting(
        "Core-seconds of the reference core in a CPU second as it was observed: the speed of a core of that processor,"
        " less where both threads of a core were busy.",
        default=1.0,
        source="assumed: the reference core; a history does not name its processor",
        between=(0.4, 1.3),
        gt=0,
    )
    request_size: Quantity = quantity(
        "B",
        "Bytes of a request for input, each of which waits for its first byte.",
        default="8 MiB",
        source="assumed: ranges of columns in row groups of 128 MiB; histories do not count requests",
        between=("1 MiB", "64 MiB"),
        gt=0,
    )
    stages: tuple[ObservedStage, ...] = setting("Stages; those that one follows come before it.")

    @model_validator(mode="after")
    def _stages_are_in_order(self) -> Observed:
        known: set[str] = set()
        for stage in self.stages:
            if stage.name in known:
                raise refusal("stages", f"two stages are named {stage.name!r}")
            if missing := [name for name in stage.after if name not in known]:
                raise refusal("stages", f"stage {stage.name!r}: no stage {missing[0]!r} before it")
            known.add(stage.name)
        if not known:
            raise refusal("stages", "there is no stage")
        return self

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries, in the order of their first stages."""
        return tuple(dict.fromkeys(stage.query for stage in self.stages))

    def on_simulated_storage(self) -> Self:
        """Return the workload with its input as fast as the storage system that is simulated gives it."""
        return self._changed({"stalled": 0.0}, {})

    def freed(self) -> Self:
        """Return the workload without what its own cluster made of it: bounds, late executors, slow storage."""
        return self._changed({"stalled": 0.0, "late": 0.0}, {"width": None})

    def _changed(self, of_portions: dict[str, object], of_stages: dict[str, object]) -> Self:
        stages = tuple(
            stage.model_copy(
                update={"tasks": tuple(task.model_copy(update=of_portions) for task in stage.tasks)} | of_stages
            )
            for stage in self.stages
        )
        return self.model_copy(update={"stages": stages})

    def of(self, query: str) -> tuple[ObservedStage, ...]:
        """Return the stages of a query."""
        return tuple(stage for stage in self.stages if stage.query == query)

    def total(self, key: str) -> float:
        """Return the sum of a number of all tasks, by its key."""
        return sum(stage.total(key) for stage in self.stages)

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.total("input"), self.total("output"), None

    def grown(self, factor: float) -> Self:
        """Return the workload with its data multiplied."""
        stages = tuple(
            stage.model_copy(update={"tasks": tuple(portion.grown(factor) for portion in stage.tasks)})
            for stage in self.stages
        )
        return self.model_copy(update={"stages": stages})
