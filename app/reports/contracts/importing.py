"""The contract of an import: what files say, the profiles made of it, and measured beside simulated."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Number


class File(TypedDict):
    """A file, what a profile calls it, the formats that it has, and what it says in words."""

    name: str
    label: str
    formats: list[str]
    says: list[str]


class Compared(TypedDict):
    """A measured number beside the simulated one; the error is a part of the measured."""

    about: str
    measure: str
    unit: str
    measured: float
    simulated: Number
    error: Number
    source: str


class Busy(TypedDict):
    """How busy a kind of resource was by the hour, and is in the run (0 to 1); a list of one is the mean of the day."""

    of: str
    measured: list[float]
    simulated: list[float]


class Made(TypedDict):
    """A profile as TOML text, and its run beside what was measured; `duration_s` is null where nothing ran."""

    file: str
    title: str
    toml: str
    duration_s: Number
    compared: list[Compared]
    utilization: list[Busy]
    problems: list[str]


class Clash(TypedDict):
    """A number of which two files say different things."""

    key: str
    taken: str
    other: str


class ToMeasure(TypedDict):
    """A measurement that would shrink the interval, by the part of it that the assumed numbers have which it tells.

    `key` is the first of their `keys`.
    """

    key: str
    keys: list[str]
    measurement: str
    share: float


class Import(TypedDict):
    """What an import found and made; `rates` are those of drives and networks beside what was fitted to them."""

    schema: Literal["headroom.import/1"]
    version: str
    files: list[File]
    profiles: list[Made]
    rates: list[Compared]
    assumed: dict[str, str]
    clashes: list[Clash]
    odd: list[str]
    measure_next: list[ToMeasure]
    notes: list[str]
    problems: list[str]
