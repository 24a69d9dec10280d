"""What `simulate replay` prints as JSON."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Bottleneck


class Replayed(TypedDict):
    """Observed work on one cluster; `slots` is how many tasks run at a time."""

    name: str
    profile: str
    servers: int
    slots: int
    storage: str
    duration_s: float
    bottleneck: Bottleneck
    warnings: list[str]


class ReplayedQuery(TypedDict):
    """The seconds of a query, on each cluster."""

    name: str
    seconds: list[float]


class ReplayedStage(TypedDict):
    """The seconds of a stage, on each cluster."""

    name: str
    query: str
    tasks: int
    seconds: list[float]


class Replay(TypedDict):
    """Observed work on the cluster where it was observed, the first, and on candidates.

    `unchanged` is the part of the seconds of tasks and driver that are waits, which other hardware does not change.
    """

    schema: Literal["headroom.replay/1"]
    title: str
    seed: int
    version: str
    unchanged: float
    clusters: list[Replayed]
    queries: list[ReplayedQuery]
    stages: list[ReplayedStage]
