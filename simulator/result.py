"""The answer of one run: durations, what limited them, and how busy everything was. Data only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from models.quantity import MOST_RUNS
from models.values import value

LATENCY, RATE = "latency p99", "request rate"
"""Names of the series of a workload's requests among those of resources: latencies (s), and requests a second."""


BUSY = 0.6
"""Mean utilization, while it holds works up, from which a group is told as a limit. Assumption (range 0.5 to 0.8): with
less, so many of the group are idle that more of it would help little."""


@value()
class Bottleneck:
    """What holds a run or a stage back: a group of like resources, a queue at a few of them, or a limit of the tasks.

    `share` is the part of the time in which this was the limit, 0 to 1. Of a stage it is that of the working time of
    its tasks; of a run each stage counts by the time in which it decides the end, and setup and commit as a whole.
    """

    resource: str
    share: float


@value()
class StageResult:
    """One stage: when it ran (s), what limited it, and how many tasks it had.

    `decides` are the seconds in which it decides the end of its job: those without it where others run beside it; all
    of its time where that is not told.
    """

    name: str
    start: float
    end: float
    tasks: int
    bottleneck: Bottleneck | None
    decides: float = math.inf

    @property
    def decided(self) -> float:
        """The seconds of its time in which it decides the end of its job."""
        return min(self.decides, self.end - self.start)


@value()
class TaskResult:
    """One of the slowest tasks of a stage: when it ran (s), on which server, and what of that was busiest meanwhile.

    `number` counts the tasks of the stage from 1. `busiest` is a resource of the server with its mean `utilization`, 0
    to 1, in the bins in which the task ran; "" where nothing of it was used: the task waited for others.
    """

    stage: str
    number: int
    server: str
    start: float
    end: float
    busiest: str
    utilization: float


@value()
class ResourceResult:
    """One shared capacity over the whole run.

    `utilization` is a time-weighted series of equal bins of `Result.bin_width` seconds, 0 to 1;
    `peak` is its largest bin. `bytes` counts what moved over the resource (0 for CPUs).
    """

    name: str
    kind: str
    group: str
    utilization_mean: float
    utilization_peak: float
    bytes: float
    utilization: NDArray[np.float64]


@value()
class GroupResult:
    """Like resources taken together: `bound` is the least time (s) in which they could do their share of the run.

    `swollen_mean` is the mean of their utilization to the power by which processors draw power (models.planning.power).
    """

    group: str
    kind: str
    count: int
    utilization_mean: float
    utilization_peak: float
    bytes: float
    bound: float
    swollen_mean: float = 0.0


@value()
class Span:
    """A value with its 95 % confidence interval, which is infinite where there is too little to tell."""

    value: float
    low: float
    high: float


@value()
class RequestsResult:
    """Requests of one kind: how many a second, bytes per second, and latencies (s) by the name of their percentile.

    `first_byte` is empty for requests that bring no bytes.
    """

    name: str
    rate: Span
    throughput: Span
    latency: dict[str, Span]
    first_byte: dict[str, Span]


@value()
class LoadResult:
    """What a load of requests comes to, of all kinds together: requests and bytes per second.

    `offered` are the requests a second that an open loop sends, None in a closed one. Where it `is_overloaded`, more
    come than go, and latencies grow without end.
    """

    rate: Span
    throughput: float
    offered: float | None
    is_overloaded: bool


@value()
class FaultResult:
    """A component that failed at a time (s), the bytes that its repair made safe, and when all of them were (s)."""

    component: str
    at: float
    healed: float
    healthy_at: float


@value()
class StateResult:
    """How requests fare in a state of the store: while what failed is gone ("degraded"), or "during repair"."""

    name: str
    requests: tuple[RequestsResult, ...]


@value()
class FailuresResult:
    """What failed in a run and what it cost: the duration without it (s), and tasks that ran more than once.

    `lost` are the bytes of blocks or objects that have no way back; `refused` counts writes below a write quorum. Of a
    load of requests there are `states`, beside the whole store that the result itself is of.
    """

    healthy_duration: float
    faults: tuple[FaultResult, ...]
    redone_tasks: int
    lost: float
    refused: int
    states: tuple[StateResult, ...] = ()


@value()
class PassResult:
    """One of the runs of a workload among others: when it came and ended (s), when it was due, and whether it met all.

    `due` is infinite for what may take any time.
    """

    start: float
    end: float
    due: float
    is_met: bool


@value()
class ObjectiveResult:
    """Something that was expected of a workload, in words: its value, and the part of runs or requests that met it."""

    text: str
    value: float
    unit: str
    met: float


@value()
class WorkloadResult:
    """How one of many workloads fared beside the others.

    `metrics` are those together, means over its `passes`, and `alone` those without the others; `slowdown` is the ratio
    of what leads in both. `met` is the part of its passes, or of its requests, that met all `objectives`, None without
    any. `taken_by` are the workloads that used what limited it, with their parts, while it ran; of requests, which are
    mostly limited by the time that they take themselves, it is who used what they `waited_for` longest. `series` is the
    part of each group of resources that it used, in bins of `Result.bin_width`; of a load of requests there are
    `LATENCY` and `RATE`, too.
    """

    name: str
    kind: str
    passes: tuple[PassResult, ...]
    metrics: dict[str, tuple[float, str]]
    alone: dict[str, tuple[float, str]]
    slowdown: float
    objectives: tuple[ObjectiveResult, ...]
    met: float | None
    bottleneck: Bottleneck | None
    taken_by: tuple[tuple[str, float], ...]
    requests: tuple[RequestsResult, ...] = ()
    series: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    waited_for: Bottleneck | None = None


@value()
class Result:
    """What `simulate` answers. Times in seconds, sizes in bytes, rates in bytes per second.

    `duration` and `metrics` are means over the replications, `durations` one by one; `interval` is the 95 %
    confidence interval of the mean duration, None for a single run. All else is that of the first replication.

    `leading` are the metrics that answer the question of the run, what is read first in front: the rates and tail
    latencies of a load of requests, the duration of a job. Each has its values of the replications, one by one.
    `workloads` are those of a profile with many. `works` counts what tasks did one by one, each a move of bytes or a
    computation: what it took to find the answer. `tasks` are the slowest of each stage, stage by stage.
    """

    profile: str
    seed: int
    version: str
    duration: float
    interval: tuple[float, float] | None
    bottleneck: Bottleneck
    next_bottleneck: Bottleneck | None
    stages: tuple[StageResult, ...]
    resources: tuple[ResourceResult, ...]
    groups: tuple[GroupResult, ...]
    bin_width: float
    metrics: dict[str, tuple[float, str]]
    capacity: dict[str, float]
    warnings: tuple[str, ...] = ()
    durations: tuple[float, ...] = field(default=())
    failures: FailuresResult | None = None
    requests: tuple[RequestsResult, ...] = ()
    load: LoadResult | None = None
    leading: dict[str, tuple[float, ...]] = field(default_factory=dict)
    workloads: tuple[WorkloadResult, ...] = ()
    works: int = 0
    tasks: tuple[TaskResult, ...] = ()


def check_times(duration: float, durations: Sequence[float], spans: Sequence[StageResult | TaskResult]) -> None:
    """Check the times (s) of a result that was read from a file.

    Raises:
        ValueError: no run takes such times.
    """
    times = [duration, *durations, *(time for span in spans for time in (span.start, span.end))]
    wrong = next((time for time in times if not 0 <= time < math.inf), None)
    if wrong is not None:
        raise ValueError(f"a run takes {wrong} s, expected a time of 0 or more")
    if not 1 <= len(durations) <= MOST_RUNS:
        raise ValueError(f"it tells of {len(durations)} runs, expected 1 to {MOST_RUNS}")
