"""`headroom.sweep/1`: one profile, keys of it varied."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Bottleneck, Interval, Measure, Number, Prediction


class Point(TypedDict):
    """A point: its values as texts, and what it came to or the reason why it cannot be run.

    The assumptions of its prediction stand where they were drawn, at the best point.
    """

    values: dict[str, str]
    reason: str | None
    duration_s: Number
    interval_s: Interval
    prediction: Prediction | None
    bottleneck: Bottleneck | None
    next_bottleneck: Bottleneck | None
    unbeaten: bool
    measures: dict[str, Measure]


class Sweep(TypedDict):
    """A sweep: `best` is the index of the point that is first by the first of the `leading` measures.

    `firsts` are those that are first of the points which have as much to do: none where no two have.
    """

    schema: Literal["headroom.sweep/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    replications: int
    version: str
    vary: dict[str, list[str]]
    leading: list[str]
    best: int | None
    firsts: list[int]
    points: list[Point]
    warnings: list[str]
