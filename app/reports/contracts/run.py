"""`headroom.run/1`: one run of a profile."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from app.reports.contracts.common import Bottleneck, Documented, Interval, Measure, Number, Prediction, Toml


class Stage(TypedDict):
    """A stage of a job: from the start of its first task to the end of its last."""

    name: str
    tasks: int
    start_s: float
    end_s: float
    bottleneck: Bottleneck | None


class Task(TypedDict):
    """One of the slowest tasks of a stage; `number` counts from 1, `busiest` is "" where nothing of its server was."""

    stage: str
    number: int
    server: str
    start_s: float
    end_s: float
    busiest: str
    utilization: float


class Resource(TypedDict):
    """A shared capacity over the whole run; `bytes` moved over it, 0 for processors."""

    name: str
    kind: str
    group: str
    utilization_mean: float
    utilization_peak: float
    bytes: float


class Span(TypedDict):
    """A number with its 95 % interval, null where the sample is too small to say."""

    value: Number
    interval: Interval


class Requests(TypedDict):
    """Requests of one kind; latencies and first bytes in seconds by percentile."""

    name: str
    requests_per_s: Span
    bytes_per_s: Span
    latency_s: dict[str, Span]
    first_byte_s: dict[str, Span]


class Load(TypedDict):
    """A load of requests, all kinds together; `offered_per_s` is null in a closed loop."""

    requests_per_s: Span
    bytes_per_s: Number
    offered_per_s: Number
    is_overloaded: bool


class Item(TypedDict):
    """What one kind of machine or service costs a year."""

    name: str
    per_year: Number


class Cost(TypedDict):
    """A bill in a currency at prices of a date; the sums are null where something has no price.

    `present_over_years` is the net present cost of what is paid over the years. `mean_power_w` is what the run draws,
    the building included; `energy_kwh` and `carbon_kg` are of the whole run; null where the list does not say.
    """

    date: str
    currency: str
    per_year: Number
    years: float
    over_years: Number
    present_over_years: Number
    mean_power_w: Number
    energy_kwh: Number
    carbon_kg: Number
    items: list[Item]
    unpriced: list[str]


class Nothing(TypedDict):
    """An empty table: there is no price list."""


class Fault(TypedDict):
    """A component that failed at a time, the bytes that its repair made safe, and when all of them were."""

    component: str
    at: float
    healed: float
    healthy_at: Number


class State(TypedDict):
    """How requests fare in a state of the store: degraded, or during repair."""

    name: str
    requests: list[Requests]


class Failures(TypedDict):
    """What failed in a run and what it cost; `lost` bytes, `refused` writes."""

    healthy_duration: float
    faults: list[Fault]
    redone_tasks: int
    lost: float
    refused: int
    states: NotRequired[list[State]]


class Failed(TypedDict):
    """Only of a run in which something may fail."""

    failures: NotRequired[Failures]


class Pass(TypedDict):
    """One of the runs of a workload among others: when it came, ended and was due, null for no time of its own."""

    start_s: float
    end_s: float
    due_s: Number
    met: bool


class Objective(TypedDict):
    """What was expected of a workload, its value, and the part of runs or requests that met it."""

    text: str
    value: Number
    unit: str
    met: Number


class Taker(TypedDict):
    """A workload that used what another one waited for, and its part of that use."""

    workload: str
    share: float


class Series(TypedDict):
    """The part of each group of resources that a workload used, and of a load its latencies and rate, in equal bins."""

    bin_width_s: float
    utilization: dict[str, list[Number]]
    latency_p99_s: list[Number] | None
    requests_per_s: list[Number] | None


class Workload(TypedDict):
    """One of many workloads: its runs or requests, its measures beside others and alone, and the ratio of leading."""

    name: str
    kind: str
    runs: list[Pass]
    requests: list[Requests]
    metrics: dict[str, Measure]
    alone: dict[str, Measure]
    slowdown: Number
    objectives: list[Objective]
    met: Number
    bottleneck: Bottleneck | None
    waited_for: Bottleneck | None
    taken_by: list[Taker]
    series: Series


class Many(TypedDict):
    """Only of a profile with many workloads."""

    workloads: NotRequired[list[Workload]]


class Source(TypedDict):
    """What the value at a key of the profile rests on."""

    key: str
    kind: str
    text: str


class Run(Failed, Many):
    """One run, or means over several; stages and resources are those of the first.

    `interval_s` is null for one, `prediction` where it was not asked for or nothing runs.
    """

    schema: Literal["headroom.run/1"]
    profile: str
    seed: int
    version: str
    duration_s: float
    interval_s: Interval
    prediction: Prediction | None
    bottleneck: Bottleneck
    next_bottleneck: Bottleneck | None
    documented: Documented | None
    further_documented: list[Documented]
    stages: list[Stage]
    slowest_tasks: list[Task]
    resources: list[Resource]
    metrics: dict[str, Measure]
    requests: list[Requests]
    load: Load | None
    capacity: dict[str, Number]
    cost: Cost | Nothing
    sources: list[Source]
    warnings: list[str]
    resolved: Toml
