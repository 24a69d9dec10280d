"""`headroom.validation/1`: the documented benchmarks, run again."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from app.reports.contracts.common import Number


class Outcome(TypedDict):
    """A documented number, [low, high] for a band, beside what the simulation says; errors are parts of it.

    `confidence` is where it was read: text, image, axis or memory; from memory it counts nowhere. `limit` is what the
    run is limited by, `names_the_bottleneck` whether that is the published limit, null where none was published.
    `left_out` is the error of a prediction by numbers fitted without it, null where that is not testable: fits that are
    as good then range over `left_out_range`, from the least to the greatest in `unit`.
    """

    id: str
    family: str
    documented: float | list[float]
    simulated: float
    unit: str
    error: float
    role: str
    profile: str
    confidence: str
    limit: str
    names_the_bottleneck: bool | None
    left_out: NotRequired[float | None]
    left_out_range: NotRequired[list[float]]


class Otherwise(TypedDict):
    """What the world ships or else could be read, as changes of a profile, and the outcome that shows it."""

    set: dict[str, str]
    outcome: Outcome


class Parameter(TypedDict):
    """What was fitted to outcomes by a search, or chosen with outcomes in sight (its value is then in words)."""

    name: str
    kind: Literal["fitted", "chosen"]
    value: float | str
    unit: str
    family: str
    fitted_to: list[str]
    otherwise: NotRequired[Otherwise | None]


class Targets(TypedDict):
    """What a family may be off by, and how much may be fitted or chosen; null where there is no such target."""

    mean_abs_error: float
    worst: float | None
    median: float | None
    near: float | None
    bottlenecks: float | None
    fitted: int


class Family(TypedDict):
    """The errors of a family beside its targets.

    `near` is the part of the outcomes within 20 %, `bottlenecks` the part of the published limits that is named;
    `fitted` counts what was fitted or chosen, `chosen` the latter.
    """

    mean_abs_error: float
    worst: float
    median: float
    near: float
    bottlenecks: float | None
    fitted: int
    chosen: int
    outcomes: int
    within_targets: bool
    targets: Targets


class LeftOutErrors(TypedDict):
    """The errors of outcomes that were predicted by numbers fitted without them, and how many they are."""

    mean_abs_error: float | None
    worst: float | None
    outcomes: int


class LeftOutFamily(LeftOutErrors):
    """Those of a family, each left out in turn, and by name of what was left out as a whole."""

    not_testable: int
    together: dict[str, LeftOutErrors | None]


class LeftOut(TypedDict):
    """What leaving outcomes out came to, and at which version; null for a family of which nothing is known."""

    version: str
    families: dict[str, LeftOutFamily | None]


class Coverage(TypedDict):
    """The part of so many outcomes inside their interval by its level in per cent; `interval_width` is that of 80 %."""

    coverage: dict[str, float]
    interval_width: float
    outcomes: int


class Validation(TypedDict):
    """A validation; `leave_one_out` is there where it was asked for or kept.

    `coverage` is the part of the outcomes, each predicted by others, inside their interval, by its level in per
    cent; `interval_width` is how wide that of 80 % is on average, over the answer. `coverage_of` says the same of the
    `benchmarks`, to which something was fitted, and of `clusters never seen`.
    """

    schema: Literal["headroom.validation/1"]
    outcomes: list[Outcome]
    parameters: list[Parameter]
    families: dict[str, Family]
    coverage: dict[str, float]
    interval_width: Number
    coverage_of: dict[str, Coverage]
    leave_one_out: NotRequired[LeftOut]
