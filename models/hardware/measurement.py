"""Measured rates of drives and networks, as benchmark programs report them: what a calibration starts from.

A run is one number: the rate of all streams on all drives, or of all connections, together. Its `name` is what whoever
ran it calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from models.problem import refusal

Direction = Literal["read", "write"]
_MOST = {"rate": 1e15, "request": 1e15, "drives": 1e6, "streams": 1e6, "depth": 1e6, "connections": 1e6}
"""Assumption: no run has a rate (B/s), a request (B) or a count beyond these; what has was misread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveRun:
    """One rate (B/s) of drives. `streams` counts over all drives, `depth` the requests that one stream has in flight.

    `request` is the size of one request in bytes; `latency` the median and the 99th percentile of its time in seconds.
    """

    file: str
    line: int | None
    tool: str
    direction: Direction
    rate: float
    random: bool = False
    drives: int = 1
    streams: int = 1
    request: float | None = None
    depth: int = 1
    latency: tuple[float, float] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        _check(self, "rate", "drives", "streams", "depth", *(("request",) if self.request is not None else ()))

    @property
    def rate_per_drive(self) -> float:
        """Return the rate (B/s) of one drive."""
        return self.rate / self.drives

    @property
    def is_lone(self) -> bool:
        """Tell whether no drive serves more than one stream."""
        return self.streams <= self.drives

    @property
    def in_flight(self) -> float:
        """Return the requests that wait at one drive."""
        return self.streams * self.depth / self.drives

    def __str__(self) -> str:
        order = "random" if self.random else "sequential"
        where = counted(self.streams / self.drives, "stream")
        where += f" on each of {self.drives} drives" if self.drives > 1 else " on 1 drive"
        size = f", {binary_size(self.request)}" if self.request else ""
        depth = f", depth {self.depth}" if self.depth > 1 else ""
        return f"{order} {self.direction}, {where}{size}{depth}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkRun:
    """One rate (B/s) over a network in one direction, and which end has counted it."""

    file: str
    line: int | None
    tool: str
    rate: float
    connections: int
    end: Literal["sender", "receiver"] = "sender"
    name: str = ""

    def __post_init__(self) -> None:
        _check(self, "rate", "connections")

    def __str__(self) -> str:
        return f"{counted(self.connections, 'connection')}, as the {self.end} counts"


Run = DriveRun | NetworkRun


def _check(run: Run, *names: str) -> None:
    """Refuse numbers that nothing has, NaN and infinity among them; a rate or a request below one byte is none."""
    for name in names:
        if not 1 <= getattr(run, name) <= _MOST[name]:
            raise refusal(name, f"expected a number from 1 to {_MOST[name]:.0e}", value=float(getattr(run, name)))


def counted(number: float, noun: str) -> str:
    """Return a number with its noun: "1 stream", "4 streams", "1.5 streams"."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def binary_size(size: float) -> str:
    """Return a size the way that benchmarks are told it: "32 KiB", "16 MiB"; others in bytes."""
    for scale, unit in ((2**20, "MiB"), (2**10, "KiB")):
        if size >= scale and size % scale == 0:
            return f"{size / scale:g} {unit}"
    return f"{size:g} B"


def files(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the files of some runs, each once, in their order."""
    return tuple(dict.fromkeys(run.file for run in runs))
