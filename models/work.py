"""What can be executed: the vocabulary between the models and the simulator.

A model says what an access costs by answering with these values; the simulator executes them on a clock and knows
neither drive nor file system. Everything that takes time is a `Step`, a `Stage` is many tasks of one shape, and a `Job`
stages in order. Steps are these:

- `Work` is fluid: it uses several resources at once and goes as fast as the scarcest of them allows;
- `Failover` and `Deferred` are for runs in which resources are lost; `Delay` is a fixed time;
- `Sequence` and `Parallel` compose, `Pieces` are a sequence again and again, in any size;
- `Repeat` plans one step after the other while it runs, so that nobody need know their number;
- `Hold` occupies room in a `Pool` while its step runs; `WriteBehind` returns once there is room and
  drains later, as a page cache does; `Await` waits until a named milestone is reached.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence as Series
from dataclasses import field
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from models.columns import Columns
from models.values import value

if TYPE_CHECKING:  # keeps numpy out of commands that only read profiles
    import numpy as np
    from numpy.typing import NDArray

    from models.bucket import Bucket
    from models.handout import Handout, Master
    from models.speculation import Speculation


@value(eq=False)
class Resource:
    """A shared capacity, in `unit` per second: device-seconds of a drive, bytes of a link, core-seconds.

    `capacity[n - 1]` is what n active streams find; the last entry holds for all more streams.
    `group` names the resources that are alike (all data drives of one server group) in a report.
    """

    index: int
    name: str
    kind: str
    group: str
    unit: str
    capacity: tuple[float, ...]
    bucket: Bucket | None = None


class Resources:
    """The resources of one scenario, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._all: list[Resource] = []
        self._names: set[str] = set()
        self._tables: dict[tuple[float, ...], tuple[float, ...]] = {}  # each kept once: many resources are alike

    def add(
        self,
        name: str,
        *,
        kind: str,
        group: str,
        unit: str,
        capacity: float | Iterable[float],
        bucket: Bucket | None = None,
    ) -> Resource:
        """Return a new resource.

        Raises:
            ValueError: the name is taken, or a capacity is not a positive number.
        """
        table = (float(capacity),) if isinstance(capacity, (int, float)) else tuple(map(float, capacity))
        if name in self._names:
            raise ValueError(f"resource {name!r} exists already")
        if table not in self._tables:
            if not table or not all(c > 0 for c in table):
                raise ValueError(f"resource {name!r}: capacity must be > 0 (got {table})")
            self._tables[table] = table
        resource = Resource(len(self._all), name, kind, group, unit, self._tables[table], bucket)
        self._all.append(resource)
        self._names.add(name)
        return resource

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> Resource:
        return self._all[index]

    def use(self, index: int, cost: float, bytes: float) -> Use:
        """Return a use of a resource."""
        return Use(self._all[index], cost, bytes)

    def __iter__(self) -> Iterator[Resource]:
        return iter(self._all)


class Use(NamedTuple):
    """What one unit of a work's amount takes from one resource: `cost` of its capacity, `bytes` moved there."""

    resource: Resource
    cost: float
    bytes: float = 0.0


@value(eq=False)
class Demand:
    """What each unit of a work uses, and the most units per second at which it can go.

    Works with equal demands always run at equal rates; the engine treats them as one class. `cap` says in words what
    `max_rate` stands for ("one core a task"), `weight` is the share under contention.
    """

    uses: tuple[Use, ...] | Columns
    max_rate: float = math.inf
    weight: float = 1.0
    cap: str = "one stream"
    rows: bytes = field(default=b"", init=False, repr=False)  # as whoever executes works of it writes it, once

    def __post_init__(self) -> None:
        if not self.uses and math.isinf(self.max_rate):
            raise ValueError("a demand needs a resource or a max_rate")
        if not self.max_rate > 0 or not self.weight > 0:
            raise ValueError(f"max_rate and weight must be > 0 (got {self.max_rate}, {self.weight})")
        doubtful = () if isinstance(self.uses, Columns) and self.uses.are_positive else self.uses
        for resource, cost, _ in doubtful:
            if not 0 < cost < math.inf:
                raise ValueError(f"cost on {resource.name} must be > 0 and finite (got {cost})")

    @property
    def identity(self) -> Hashable:
        """What demands of flows have in common that hold other slots only."""
        return id(self.uses), self.max_rate, self.weight, self.cap


def demand(uses: Iterable[Use], *, max_rate: float = math.inf, weight: float = 1.0, cap: str = "one stream") -> Demand:
    """Return a demand in which uses of the same resource are added up and those without cost left out."""
    if isinstance(uses, Columns):
        return Demand(uses, max_rate, weight, cap)
    ordered = sorted(uses, key=_INDEX)  # stable: those of a resource stay in their order
    last = None
    for resource, cost, _ in ordered:
        if resource is last or not cost > 0:
            ordered = _added_up(ordered)
            break
        last = resource
    return Demand(tuple(ordered), max_rate, weight, cap)


_INDEX = attrgetter("resource.index")


def _added_up(ordered: Iterable[Use]) -> list[Use]:
    """Return one use of each resource: where there are several it is made once, from their sum."""
    total, last, costs, bytes, is_sum = list[Use](), None, 0.0, 0.0, False
    for use in ordered:
        resource, cost, moved = use
        if not cost > 0:
            continue
        if resource is last:
            costs, bytes, is_sum = costs + cost, bytes + moved, True
            continue
        if is_sum and last is not None:
            total[-1] = Use(last, costs, bytes)
        total.append(use)
        last, costs, bytes, is_sum = resource, cost, moved, False
    if is_sum and last is not None:
        total[-1] = Use(last, costs, bytes)
    return total


@value()
class Pool:
    """Room for request slots or dirty bytes (`is_cache`); who finds none gets in while the `common` one has some."""

    name: str
    capacity: float
    common: Pool | None = None
    is_cache: bool = False


LOOSEST = 1e-3
"""Assumption: no run that asks for speed instead of exactness leaves more of a work undone than this part, 0.1 %."""


@value()
class Work:
    """`amount` units (usually bytes) to be done at the rate that the resources of `demand` allow."""

    amount: float
    demand: Demand


@value()
class Failover(Work):
    """Work that outlives its resources: when one is lost, what is left of it goes on as `again(left)` says."""

    again: Callable[[float], Step]


@value()
class Deferred:
    """A step that is planned when its turn comes, by what is up at that moment.

    It is `likely` to be a certain one, whose pools are known from the start on: pools lend each other room in the order
    in which they became known, which is then that of a run in which nothing can fail.
    """

    plan: Callable[[], Step]
    likely: Step | None = None


@value()
class Repeat:
    """Steps one after the other, each planned when its turn comes, until `plan` answers None.

    Only what is carried out is planned: a loop that the end of a run cuts off costs nothing beyond it.
    """

    plan: Callable[[], Step | None]


@value()
class Delay:
    """A fixed time in seconds that uses no resource; `cause` says in words what it stands for."""

    seconds: float
    cause: str = "latencies"


@value()
class Sequence:
    """Steps one after the other."""

    steps: Series[Step]
    words: object = field(default=None, init=False, repr=False, compare=False)  # as whoever executes it writes it


@value()
class Pieces:
    """A sequence `many` times, its works and what it writes behind each `size` times as large."""

    step: Sequence
    size: float
    many: int


@value()
class Parallel:
    """Steps at the same time; done when the last is done."""

    steps: Series[Step]


@value()
class Hold:
    """Take `amount` of a pool, first come first served, run the step, give it back."""

    pool: Pool
    amount: float
    step: Step


@value()
class WriteBehind:
    """Done once the pool has room for `amount`, at most all of it; `drain` then runs by itself and gives it back."""

    pool: Pool
    amount: float
    drain: Step


@value()
class Await:
    """Wait until a milestone, such as the end of a stage, is reached."""

    milestone: str


Step = Work | Deferred | Repeat | Delay | Sequence | Pieces | Parallel | Hold | WriteBehind | Await

AT_ONCE = Delay(0.0)  # takes no time
ROUNDS = 20
"""Milestones on the way to the end of a stage. Assumption: so fine that more of them change a job by less than 1 %."""
SETUP, COMMIT, SILENT = "job setup", "job commit", "dead servers that are not given up"
"""Names of times: before all tasks, after them, while one process puts their output in its place, amid lost ones."""


class Moment(Protocol):
    """What a plan may ask about the run at the moment at which its task starts."""

    def finished(self, stage: str) -> float:
        """Return the fraction of a stage's tasks that have ended, 0 to 1."""
        ...

    def milestone(self, stage: str, after: float = 1.0) -> str:
        """Return the milestone at which all tasks of a stage have ended, those included that were lost and redone.

        With the part `after` of the tasks, the first beyond it of ROUNDS milestones on the way.
        """
        ...


class Account(Protocol):
    """What a workload may ask of its finished run to measure it."""

    @property
    def duration(self) -> float:
        """Simulated seconds from start to end."""
        ...

    def bytes(self, resource: Resource) -> float:
        """Return the bytes that moved over a resource."""
        ...

    def used(self, resource: Resource) -> float:
        """Return what was taken of a resource, in its unit."""
        ...

    def ended(self, stage: str) -> float:
        """Return the moment (s) at which a stage ended."""
        ...

    def times(self, stage: str) -> Series[float]:
        """Return the seconds that each task of a stage took, in the order in which they ended."""
        ...


Metrics = dict[str, tuple[float, str]]
"""Values with their units, by name."""


@value()
class Metric:
    """What a run will be measured by: its unit is known before the run, its value (`of`) after it."""

    unit: str
    of: Callable[[Account], float]

    @classmethod
    def known(cls, unit: str, value: float) -> Metric:
        """Return one whose value no run changes."""
        return cls(unit, lambda account: value)


@value()
class Stage:
    """Many tasks of one shape.

    `plan(task, node, moment)` answers what a task does when it starts on a node. `preferred`, of shape
    (tasks, choices), names the nodes on which a task finds its data. The stage opens once the fraction
    `slowstart` of the stage `after` has ended, and all of the stages `joined`. `output(task, node)` is the index of
    the resource that holds what an ended task leaves to the stages that name it among their `inputs`; the task is
    redone if that is lost. Tasks may be a sample of more: they then stand for `stands_for`. Of a stage that `is_timed`
    the time of each task is kept.

    While tasks of the stage `after` wait, this one has the first claim on the part of the job's slots that has ended
    there, up to `ramp`; with 0 it has none. With a `speculation` slow ones of its tasks get copies. However many slots
    a node has, it runs `at_once` of the tasks at most, and all nodes together run `width` of them. Its tasks wish for
    so many places in all (`wishes`): hosts and racks, be they nodes or not.
    """

    name: str
    tasks: int
    plan: Callable[[int, int, Moment], Step]
    preferred: NDArray[np.int32] | None = None
    after: str | None = None
    slowstart: float = 1.0
    output: Callable[[int, int], int] | None = None
    stands_for: int | None = None
    is_timed: bool = False
    inputs: Series[str] = ()
    ramp: float = 0.0
    speculation: Speculation | None = None
    at_once: Series[int] | None = None
    width: int | None = None
    joined: Series[str] = ()
    wishes: int = 0


@value()
class Job:
    """Stages that share the slots of the nodes: `slots[i]` on node i. `setup` runs first, `commit` last.

    Tasks of a lost node start elsewhere after `expiry` s. Slots fill at once, or by `handout`; `master` takes some.
    """

    name: str
    stages: Series[Stage]
    slots: Series[int]
    racks: Series[int]
    setup: Step = AT_ONCE
    commit: Step = AT_ONCE
    expiry: float = 0.0
    handout: Handout | None = None
    master: Master | None = None
    keeps: float = 0.0  # s for which a slot that others share stays with it without a task
