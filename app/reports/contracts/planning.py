"""The contracts of the planner: capacity, durability, comparison, sizing, sensitivity and advice."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Assumption, Bottleneck, Interval, Measure, Number, Prediction, Toml
from app.reports.contracts.explained import Explained


class Step(TypedDict):
    """A step from raw to effective bytes: what it leaves, and because of what."""

    name: str
    left: Number
    reason: str


class Event(TypedDict):
    """A day, and what happens on it for which cause."""

    date: str
    cause: str


class Month(TypedDict):
    """The first day of a month: servers, and bytes."""

    date: str
    servers: int
    raw: Number
    effective: Number
    stored: Number


class Moving(TypedDict):
    """The rebalance on a day on which so many servers come, on an idle cluster and beside the workload.

    `beside_s` is null where it was not simulated; `measures` and `cause` are those of the targets meanwhile.
    """

    date: str
    servers: int
    idle_s: float
    beside_s: float | None
    measures: dict[str, Measure]
    cause: str | None


class Growth(TypedDict):
    """How data grows: the day on which the cluster is full, null if none, every month, and rebalances."""

    full: Event | None
    months: list[Month]
    rebalances: list[Moving]


class Day(TypedDict):
    """A day on which targets were checked; `cause` is why one is missed, null if all are met."""

    date: str
    measures: dict[str, Measure]
    bottleneck: Bottleneck | None
    cause: str | None


class Targets(TypedDict):
    """How long targets are met, and how many runs it took to say so.

    `early` is the day from which one may be missed already, by the interval of 80 % of what leads the run; null where
    nothing is known of that, or no target is of it.
    """

    asked: list[str]
    missed: Event | None
    early: str | None
    simulated: int
    days: list[Day]
    warnings: list[str]


class Outlook(TypedDict):
    """Between what `effective` lies, in bytes, and the day on which it is full, with a chance of `level`.

    An end of `full` is null where it is not full by the end of the table; all of it where nothing grows.
    """

    level: float
    low: float
    high: float
    full: list[str | None] | None
    assumptions: list[Assumption]


class Capacity(TypedDict):
    """What a cluster holds, in bytes, null for a store without a limit; ceilings in bytes a second."""

    schema: Literal["headroom.capacity/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    raw: Number
    formatted: Number
    fillable: Number
    usable: Number
    effective: Number
    stored: Number
    needed: Number
    limit: str
    rules: str
    notes: list[str]
    steps: list[Step]
    servers: int | None
    servers_needed: int | None
    read_ceiling: Number
    write_ceiling: Number
    growth: Growth | None
    prediction: Outlook | None
    targets: Targets | None
    resolved: Toml


class Estimate(TypedDict):
    """A mean time to data loss with its 95 % interval, in seconds, over so many simulated paths."""

    mttdl: Number
    low: Number
    high: Number
    paths: int


class RepairTime(TypedDict):
    """Seconds until all that a full drive or server held is safe again."""

    drive: Number
    server: Number


class Durability(TypedDict):
    """How durable data is: times in seconds, chances within a year."""

    schema: Literal["headroom.durability/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    mttdl_s: Number
    annual_loss: Number
    nines: Number
    object_mttdl_s: Number
    object_annual_loss: Number
    object_nines: Number
    drives_only_mttdl_s: Number
    closed_form_mttdl_s: Number
    in_windows_annual_loss: Number
    groups: Number
    simulated: Estimate | None
    repair_s: RepairTime
    survives_reading: dict[str, int]
    survives_writing: dict[str, int]
    failures: dict[str, Any]
    sources: dict[str, str]
    resolved: Toml


class Differs(TypedDict):
    """How something differs from the first scenario: as a part of that, and whether chance alone could make it so."""

    change: Number
    is_noise: bool


class LongerBy(Differs):
    """By how much a duration differs from that of the first scenario."""

    seconds: Number
    interval_s: Interval


class Gap(Differs):
    """By how much the leading measure differs from that of the first scenario."""

    value: Number
    interval: Interval


class Leading(TypedDict):
    """The measure that scenarios are ranked by, one value a replication, and those that are read next."""

    measure: str
    unit: str
    values: list[float]
    interval: Interval
    difference: Gap | None
    beside: list[str]


class Scenario(TypedDict):
    """One side of a comparison; differences are to the first, which has none.

    `prediction` is null where no interval was asked for; `ratio` is between what that of the leading measure to the
    first's lies with the chance of its `level`, null for the first and where they are led by different measures.
    """

    name: str
    profile: str
    duration_s: float
    durations_s: list[float]
    interval_s: Interval
    prediction: Prediction | None
    ratio: Interval
    difference: LongerBy | None
    leading: Leading
    bottleneck: Bottleneck
    measures: dict[str, Measure]
    warnings: list[str]


class Compare(TypedDict):
    """Profiles side by side; `inputs` are the keys that differ, a text a profile, null where it has no such key.

    `explained` are differences to the first, where these were asked for.
    """

    schema: Literal["headroom.compare/1"]
    title: str
    seed: int
    version: str
    inputs: dict[str, list[str | None]]
    scenarios: list[Scenario]
    explained: list[Explained]


class Advice(TypedDict):
    """What is unwise, at which key, and who says so."""

    rule: str
    severity: Literal["warning", "hint"]
    key: str
    message: str
    source: str


class Advised(TypedDict):
    """The advice on one profile."""

    profile: str
    advice: list[Advice]


class Lint(TypedDict):
    """The advice on profiles."""

    schema: Literal["headroom.lint/1"]
    profiles: list[Advised]


class Option(TypedDict):
    """A configuration; `reason` is why it was rejected or not needed, "" if it meets every target.

    `chance` is the part of the cases in which it meets the targets for the run: 1 where that was not asked.
    """

    values: dict[str, str]
    is_feasible: bool
    was_simulated: bool
    reason: str
    chance: Number
    duration_s: Number
    bottleneck: str | None
    measures: dict[str, Measure]


class Met(TypedDict):
    """A target that is met, and by which part of its limit."""

    target: str
    value: Number
    unit: str
    margin: Number


class Answer(Option):
    """An option that meets every target."""

    targets: list[Met]
    rules: str
    advice: list[Advice]


class Size(TypedDict):
    """A sizing; where it `was_stopped`, `best` is the best so far, and `prediction` says how sure its answer is.

    Targets for the run are to be met in a part of the cases, the `confidence`; 0: in the likely one.
    """

    schema: Literal["headroom.size/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    targets: list[str]
    minimize: str
    confidence: float
    prediction: Prediction | None
    best: Answer | None
    next_best: Answer | None
    simulated: int
    was_stopped: bool
    options: list[Option]
    warnings: list[str]


class Lever(TypedDict):
    """A part made better: the measure with it, and in money a year what that is worth at most and what it costs."""

    name: str
    value: Number
    change: Number
    worth: Number
    cost: Number


class Input(TypedDict):
    """An input that is not known exactly; of a normal one `low` and `high` lie a standard deviation off."""

    key: str
    kind: Literal["even", "triangular", "normal"]
    low: float
    middle: float
    high: float
    unit: str
    is_whole: bool


class Band(TypedDict):
    """What to expect: the mean of so many samples, and quantiles by their share."""

    mean: Number
    count: int
    quantiles: dict[str, Number]


class Swing(TypedDict):
    """The measure at the 5 % and the 95 % end of one input, all else in the middle."""

    key: str
    ends: list[str]
    low: Number
    high: Number


class Influence(TypedDict):
    """Sobol indices of one input: alone and with others, each with half the width of its 95 % interval."""

    key: str
    first: Number
    first_margin: Number
    total: Number
    total_margin: Number


class Regret(TypedDict):
    """How much worse a choice is than the best for the same inputs, as a part, and how often it is the best."""

    choice: str
    mean: Number
    worst: Number
    best_in: Number


class Sensitivity(TypedDict):
    """What a measure depends on; what was not asked for is empty or null. `unpriced` are choices not weighed."""

    schema: Literal["headroom.sensitivity/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    measure: str
    unit: str
    currency: str
    base: float
    levers: list[Lever]
    inputs: list[Input]
    band: Band | None
    swings: list[Swing]
    influences: list[Influence]
    regrets: list[Regret]
    unpriced: dict[str, list[str]]
    warnings: list[str]
