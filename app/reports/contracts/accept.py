"""What `simulate accept` prints as JSON."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Number


class AcceptBand(TypedDict):
    """Between what a measured value lies with a chance of `level`."""

    level: float
    low: float
    high: float


class AcceptTest(TypedDict):
    """A test of a part or of the whole cluster; seconds are better when fewer, all else when more.

    `is_weak` tells that it passes outside of the narrow band; `measured` is null where no file holds a result.
    """

    name: str
    layer: Literal["drive", "server", "network", "work"]
    group: str
    what: str
    unit: str
    expected: float
    bands: list[AcceptBand]
    why: list[str]
    measured: Number
    verdict: Literal["pass", "fail", "too good", "not measured"]
    is_weak: bool
    source: str


class Accept(TypedDict):
    """The tests of a delivered cluster, what was measured, and which part is to blame.

    `kit` tells the kit from those of other clusters; `is_accepted` is null before anything was measured.
    """

    schema: Literal["headroom.accept/1"]
    title: str
    profile: str
    kit: str
    seed: int
    version: str
    is_accepted: bool | None
    verdict: list[str]
    tests: list[AcceptTest]
    warnings: list[str]
    notes: list[str]
    problems: list[str]
