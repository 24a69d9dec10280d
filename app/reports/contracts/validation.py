"""`headroom.validation/1`: the documented benchmarks, run again."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class Outcome(TypedDict):
    """A documented number, [low, high] for a band, beside what the simulation says; errors are parts of it."""

    id: str
    family: str
    documented: float | list[float]
    simulated: float
    unit: str
    error: float
    role: str
    profile: str


class Parameter(TypedDict):
    """A number that was chosen by looking at outcomes, and at which."""

    name: str
    value: float
    unit: str
    family: str
    fitted_to: list[str]


class Targets(TypedDict):
    """What a family may be off by, and how many fitted numbers it may have."""

    mean_abs_error: float
    worst: float
    fitted: int


class Family(TypedDict):
    """The errors of a family beside its targets."""

    mean_abs_error: float
    worst: float
    fitted: int
    outcomes: int
    within_targets: bool
    targets: Targets


class LeftOutErrors(TypedDict):
    """The errors of outcomes that were predicted without having been fitted to."""

    mean_abs_error: float
    worst: float


class LeftOut(TypedDict):
    """Every outcome, predicted by numbers that were fitted without it."""

    outcomes: list[Outcome]
    families: dict[str, LeftOutErrors | None]


class Validation(TypedDict):
    """A validation; `leave_one_out` is there where it was asked for."""

    schema: Literal["headroom.validation/1"]
    outcomes: list[Outcome]
    parameters: list[Parameter]
    families: dict[str, Family]
    leave_one_out: NotRequired[LeftOut]
