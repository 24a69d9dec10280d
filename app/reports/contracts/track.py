"""What `simulate track` prints as JSON."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Number


class TrackDay(TypedDict):
    """Data on a day, counted once (B): as measured, and as planned, null where nothing was planned."""

    date: str
    stored: float
    planned: Number
    source: str


class TrackAssumption(TypedDict):
    """A number of the profile beside what was measured, with the ends of that; all null where it is not known.

    `is_broken` tells that the measured one differs by more than its interval, or than plans are exact.
    """

    name: str
    key: str
    unit: str
    planned: Number
    measured: float
    low: Number
    high: Number
    is_broken: bool


class TrackUtilization(TypedDict):
    """How busy a kind of resource was (0 to 1), and is in a run of the profile."""

    of: str
    measured: float
    simulated: Number


class TrackDates(TypedDict):
    """A day as planned, as forecast, and its ends; null where it is beyond what was looked at."""

    planned: str | None
    forecast: str | None
    early: str | None
    late: str | None


class Track(TypedDict):
    """Forecast beside reality; `full` and `missed` are the days on which the cluster is full or misses a target."""

    schema: Literal["headroom.track/1"]
    title: str
    profile: str
    seed: int
    version: str
    verdict: list[str]
    level: float
    days: list[TrackDay]
    full: TrackDates | None
    missed: TrackDates | None
    assumptions: list[TrackAssumption]
    utilization: list[TrackUtilization]
    notes: list[str]
    problems: list[str]
