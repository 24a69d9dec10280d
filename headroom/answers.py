"""Answers: what a command computed, as plain attributes, as its JSON, as a page and as a data frame.

Attributes have the names of the contract's keys, without the `_s` of those that are seconds.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from headroom.errors import refused

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Bottleneck:
    """What holds a run or a stage back, and in which part of the time it did."""

    resource: str
    share: float


@dataclass(frozen=True)
class Measure:
    """A number and its unit."""

    value: float | None
    unit: str


@dataclass(frozen=True)
class Span:
    """A number with its 95 % interval, None where the sample is too small to say."""

    value: float | None
    interval: tuple[float, ...] | None


@dataclass(frozen=True)
class Prediction:
    """Between what the measure that leads lies with a chance of `level`, why, and what it assumes."""

    measure: str
    unit: str
    level: float
    low: float
    high: float
    why: tuple[str, ...]
    assumptions: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Outlook:
    """Between what a capacity (bytes) lies with a chance of `level`, and the days on which it is full."""

    level: float
    low: float
    high: float
    full: tuple[str | None, ...] | None
    assumptions: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Stage:
    """One stage of a job: from the start of its first task to the end of its last (s)."""

    name: str
    tasks: int
    start: float
    end: float
    bottleneck: Bottleneck | None


@dataclass(frozen=True)
class Resource:
    """One shared capacity over the whole run; `bytes` moved over it."""

    name: str
    kind: str
    group: str
    utilization_mean: float
    utilization_peak: float
    bytes: float


@dataclass(frozen=True)
class Requests:
    """Requests of one kind, with latencies (s) by percentile."""

    name: str
    requests_per_s: Span
    bytes_per_s: Span
    latency: dict[str, Span]
    first_byte: dict[str, Span]


@dataclass(frozen=True)
class Workload:
    """One of many workloads: its measures beside the others and `alone`, and the ratio of what leads in both.

    `taken_by` are the workloads that used what it `waited_for` longest, with their `share`; `met` is the part of its
    runs or requests that met every objective.
    """

    name: str
    kind: str
    metrics: dict[str, Measure]
    alone: dict[str, Measure]
    slowdown: float | None
    met: float | None
    bottleneck: Bottleneck | None
    waited_for: Bottleneck | None
    taken_by: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Point:
    """A point of a sweep: its values, and what it came to or the `reason` why it cannot be run."""

    values: dict[str, str]
    reason: str | None
    duration: float | None
    bottleneck: Bottleneck | None
    measures: dict[str, Measure]
    unbeaten: bool
    prediction: Prediction | None


@dataclass(frozen=True)
class Option:
    """A configuration of a sizing: its values, and the `reason` why it was rejected, "" if it meets every target."""

    values: dict[str, str]
    is_feasible: bool
    was_simulated: bool
    reason: str
    duration: float | None
    bottleneck: str | None
    measures: dict[str, Measure]


@dataclass(frozen=True)
class Scenario:
    """One side of a comparison; `durations` are its replications, one by one.

    `ratio` is between what its leading measure over that of the first lies, as likely as its `prediction`.
    """

    name: str
    profile: str
    duration: float
    durations: tuple[float, ...]
    bottleneck: Bottleneck
    measures: dict[str, Measure]
    warnings: tuple[str, ...]
    prediction: Prediction | None
    ratio: tuple[float, ...] | None


class Answer:
    """What every answer has: `data` is the contract of its command, as docs/json.md describes it.

    Shown in a notebook it is a page with tables; printed, what a terminal shows.
    """

    table: ClassVar[str] = ""  # the part of `data` of which the data frame is made; none: the whole, as one row
    data: dict[str, Any]

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.data = told["data"]
        self._told = told
        kind: Any = type(self)
        for name, hint in _hints(kind).items():
            if name not in Answer.__annotations__:
                setattr(self, name, _read(hint, _entry(self.data, name)))

    def __str__(self) -> str:
        return str(self._told["text"])

    def __repr__(self) -> str:
        return str(self).rstrip("\n")

    def to_json(self) -> str:
        """Return the text that the command prints with `--format json`, to the byte."""
        return str(self._told["json"])

    def to_html(self) -> str:
        """Return the words and tables that a notebook shows."""
        return str(self._told["html"])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_frame(self, part: str = "") -> DataFrame:
        """Return a part of `data` as a pandas data frame, a row an entry: "stages", "resources", "points".

        Without a part it is what there is most of: the points of a sweep, the options of a sizing, the scenarios of a
        comparison; of a run one row, so that the rows of several can stand below each other.

        Raises:
            HeadroomError: pandas is not installed, or there is no such part.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise refused(
                "pandas", "is not installed", "install it with: pip install pandas; or use data or to_json()"
            ) from None
        if not part and self._told["columns"]:
            return DataFrame(self._told["columns"])
        name = part or self.table
        rows = self.data.get(name) if name else [self.data]
        if isinstance(rows, dict):
            rows = [{"name": key, **(row if isinstance(row, dict) else {"value": row})} for key, row in rows.items()]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            parts = [key for key, value in self.data.items() if isinstance(value, (list, dict)) and value]
            raise refused("part", "is no table", f"name one of {', '.join(parts)}", value=repr(name))
        return DataFrame([_cells(row) for row in rows])


class Run(Answer):
    """One run: how long it takes, what limits it, and why. `simulate PROFILE`."""

    duration: float
    interval: tuple[float, ...] | None
    bottleneck: Bottleneck
    next_bottleneck: Bottleneck | None
    stages: tuple[Stage, ...]
    resources: tuple[Resource, ...]
    metrics: dict[str, Measure]
    requests: tuple[Requests, ...]
    workloads: tuple[Workload, ...]
    capacity: dict[str, float | None]
    warnings: tuple[str, ...]
    prediction: Prediction | None


class Capacity(Answer):
    """What a cluster holds (bytes), step by step from raw to effective, and when it is full. `simulate capacity`."""

    table = "steps"
    raw: float | None
    usable: float | None
    effective: float | None
    stored: float | None
    needed: float | None
    limit: str
    servers: int | None
    servers_needed: int | None
    growth: dict[str, Any] | None
    targets: dict[str, Any] | None
    prediction: Outlook | None


class Durability(Answer):
    """How long until data is lost (s), and what may fail at once. `simulate durability`."""

    mttdl: float | None
    annual_loss: float | None
    nines: float | None
    object_nines: float | None
    repair: dict[str, float | None]
    survives_reading: dict[str, int]
    survives_writing: dict[str, int]


class Lint(Answer):
    """What is unwise in a design, who warns of it, and the way out. `simulate lint`."""

    @property
    def advice(self) -> list[dict[str, str]]:
        """Each with rule, severity ("warning" or "hint"), key, message and source."""
        return list(self.data["profiles"][0]["advice"])


class Sweep(Answer):
    """A profile with keys of it varied. `simulate sweep`; the data frame has the columns of its CSV."""

    table = "points"
    points: tuple[Point, ...]
    best: int | None


class Size(Answer):
    """The configuration with the least of a measure that meets every target, None if none does. `simulate size`."""

    table = "options"
    best: Option | None
    next_best: Option | None
    options: tuple[Option, ...]
    prediction: Prediction | None


class Sensitivity(Answer):
    """What an answer depends on. `simulate sensitivity`."""

    table = "levers"
    measure: str
    base: float
    levers: tuple[dict[str, Any], ...]
    swings: tuple[dict[str, Any], ...]
    regrets: tuple[dict[str, Any], ...]


class Compare(Answer):
    """Profiles side by side. `simulate compare`."""

    table = "scenarios"
    inputs: dict[str, tuple[str | None, ...]]
    scenarios: tuple[Scenario, ...]
    explained: tuple[dict[str, Any], ...]


class Validation(Answer):
    """The documented benchmarks, simulated again. `simulate validate`."""

    table = "outcomes"
    outcomes: tuple[dict[str, Any], ...]
    families: dict[str, dict[str, Any]]


class Profiles(Answer):
    """What ships. `simulate profiles`."""

    table = "profiles"
    profiles: tuple[dict[str, Any], ...]
    studies: tuple[dict[str, Any], ...]
    parts: dict[str, tuple[str, ...]]


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the attributes that a class declares, each with its type."""
    hints = typing.get_type_hints(kind)
    return {name: hint for name, hint in hints.items() if typing.get_origin(hint) is not ClassVar}


def _entry(data: Mapping[str, Any], name: str) -> Any:
    """Return what a contract says of an attribute; the unit of a time stands in its key."""
    return data[name] if name in data else data.get(f"{name}_s")


def _read(hint: Any, data: Any) -> Any:
    """Return data of a contract as an attribute of a type."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if data is None:
        return () if origin is tuple else None
    if origin in (types.UnionType, typing.Union):
        return _read(inner[0], data)  # the other is None
    if origin is tuple:
        return tuple(_read(inner[0], entry) for entry in data)
    if origin is dict:
        return {key: _read(inner[1], entry) for key, entry in data.items()}
    if is_dataclass(hint) and isinstance(hint, type):
        return hint(**{name: _read(below, _entry(data, name)) for name, below in _hints(hint).items()})
    return data


BARE = ("values", "measures", "metrics")
"""Tables whose entries are columns of their own; those of all others have the table's name before theirs."""


def _cells(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return an entry of a contract as cells by column: tables taken apart, lists left out."""
    cells: dict[str, Any] = {}
    for key, value in row.items():
        name = f"{prefix}{key}"
        if not isinstance(value, (dict, list)):
            cells[name] = _number(value) if prefix == "" and isinstance(value, str) else value
        elif isinstance(value, dict) and {"value", "unit"} == value.keys():
            cells[name if value["unit"] == "1" else f"{name} ({value['unit']})"] = value["value"]
        elif isinstance(value, dict) and key != "resolved":
            cells |= _cells(value, "" if key in BARE else f"{name}.")
    return cells


def _number(text: str) -> Any:
    """Return what a text says, as a number if it is one: the values of a sweep are kept as they were typed."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
