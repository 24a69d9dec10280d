"""What several contracts say alike."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

Number = float | None
"""A number, null where it does not exist: not known, or without an end."""
Interval = list[float] | None
"""The ends of a 95 % interval, null where there is none."""
Toml = dict[str, Any]
"""A whole profile or study as TOML data: its parts in place, values as typed."""


class Measure(TypedDict):
    """A number and its unit: "s", "B", "B/s", "1/s", "1" for counts and parts, "USD"."""

    value: Number
    unit: str


class Bottleneck(TypedDict):
    """What holds something back, and in which part of the time it does.

    Of a stage it is that of the working time of its tasks; of a run each stage counts by the time in which it decides
    the end.
    """

    resource: str
    share: float


class Documented(TypedDict):
    """A documented number, [low, high] for a band, and the error of the simulation as a part of it."""

    id: str
    value: float | list[float]
    unit: str
    error: Number


class Assumption(TypedDict):
    """A number that is assumed or a prior: 90 % of the world lies from low to high.

    `share` is its part of the interval, null where the errors found in validation hold what the number does.
    """

    key: str
    kind: str
    low: float
    likely: float
    high: float
    share: Number
    measurement: str


class Likely(TypedDict):
    """Between what a measure lies, in its unit, with a chance of `level`."""

    level: float
    low: float
    high: float


class Prediction(TypedDict):
    """Between what the measure that leads lies with a chance of `level`, and why."""

    measure: str
    unit: str
    level: float
    low: float
    high: float
    why: list[str]
    assumptions: list[Assumption]
