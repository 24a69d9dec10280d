"""The contract of a plan: requirements by candidate, the nearest miss, and what would mend or flip it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Likely, Measure, Number


class PlanRequirement(TypedDict):
    """What has to be met; `workload` is whose run tells, "" for none."""

    words: str
    target: str
    workload: str


class Met(TypedDict):
    """How far a requirement is met: the part to spare, negative where it is missed, and the chance; null: not known.

    `interval` is between what the value likely lies, null where it takes no run or nothing is known of it. Where
    `is_least`, nothing was run: the value is the least that closed forms tell.
    `first_missed` is the day on which it is first missed, null where it is met or that is not known.
    """

    target: str
    is_met: bool | None
    value: Number | None
    unit: str | None
    is_least: bool
    margin: Number | None
    chance: Number | None
    interval: Likely | None
    first_missed: str | None


class Scale(TypedDict):
    """An axis of a map: what it changes, its values, and the number of the one that the plan states."""

    label: str
    unit: str
    values: list[float]
    asked: int


class Won(TypedDict):
    """Who wins a cell of a map, null for nobody; whether the limits hold, and whether this very option was run."""

    candidate: str | None
    servers: Number
    cost: Number
    is_within: bool
    is_simulated: bool


class FlipMap(TypedDict):
    """Who wins as two numbers change; `cells` has a row for each value of `y`."""

    name: str
    x: Scale
    y: Scale
    unit: str
    basis: str
    cells: list[list[Won]]


class Regretted(TypedDict):
    """What a candidate costs as planned, and more than the best choice of each draw: the mean, and the worst."""

    candidate: str
    cost: float
    mean: float
    worst: float
    best_in: float


class LeftOut(TypedDict):
    """A candidate that is not weighed, and why."""

    candidate: str
    reason: str


class Regret(TypedDict):
    """Candidates over draws of all that is assumed, the least regretted first.

    `fixed` are workloads that were not simulated anew for the draws.
    """

    draws: int
    numbers: int
    has_prices: bool
    unit: str
    choices: list[Regretted]
    left_out: list[LeftOut]
    fixed: list[str]


class PlanOption(TypedDict):
    """A candidate with one choice of numbers; `reason` is why it is not the answer."""

    candidate: str
    values: dict[str, str]
    is_feasible: bool
    was_simulated: bool
    reason: str
    measures: dict[str, Measure]


class Candidate(TypedDict):
    """A candidate's best option, or the one that comes nearest, and what would mend it."""

    name: str
    is_feasible: bool
    option: PlanOption | None
    bottleneck: str | None
    requirements: list[Met]
    mending: PlanOption | None
    mend: str | None
    warnings: list[str]


class Plan(TypedDict):
    """The answer to a plan."""

    schema: Literal["headroom.plan/1"]
    title: str
    plan: str
    customer: str
    author: str
    offer: str
    seed: int
    version: str
    minimize: str
    verdict: list[str]
    best: str | None
    requirements: list[PlanRequirement]
    candidates: list[Candidate]
    flips: list[str]
    maps: list[FlipMap]
    regret: Regret | None
    options: list[PlanOption]
    simulated: int
    was_stopped: bool
