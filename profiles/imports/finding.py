"""What a reader says of one file, and no more: parts, a workload, outcomes, rates of drives and networks.

Every number knows the file and the line in which it was measured. A profile calls a file by its label, "fio 1": names,
paths, hosts and addresses of the user's systems stay out of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from models import units
from models.hardware.measurement import Direction, Run
from models.problem import Problem
from models.quantity import LARGEST
from profiles.imports.commands import lines

PartKind = Literal["server", "drive", "storage", "stored", "framework", "network", "background", "client", "job"]
"""Pieces of a cluster; "stored" is what the storage system holds, "background" what is in use by the hour, "client"
Hadoop's for object stores, and "job" what all jobs of MapReduce are set to."""
Measure = Literal["duration", "rate", "throughput", "mean", "p50", "p90", "p95", "p99", "p99.9", "max", "utilisation"]
"""What an outcome measures: seconds, 1/s, B/s, seconds (mean to max, of one operation), a share."""
Sampled = Literal["stored", "used", "replicas", "rate", "ingest"]
"""What changes over months: data (B) before copies, raw bytes that it takes, copies of a block, requests (1/s), B/s."""
UNITS: dict[Measure, str] = {"rate": "1/s", "throughput": "B/s", "utilisation": "share"}
"""Units of the measures; those that are not here are seconds."""
Stated = float | int | str | bool | list[float] | list[str]


@dataclass(frozen=True, slots=True)
class Value:
    """A number in its unit, a word or a list, and where it was measured."""

    value: Stated
    unit: str
    file: str
    line: int | None = None

    @property
    def source(self) -> str:
        """What a profile says of it."""
        return f"measured: {self.file}" + (f":{self.line}" if self.line else "")

    @property
    def text(self) -> object:
        """The value as a profile states it."""
        if self.unit and isinstance(self.value, (int, float)):
            return units.format(self.value, self.unit, 6)
        return self.value


@dataclass(slots=True)
class Values:
    """Numbers by dotted key; a key such as `stages.0.tasks` counts the tables of a list from 0."""

    label: str
    values: dict[str, Value] = field(default_factory=dict)

    def put(
        self, key: str, value: float | str | bool | list[float] | list[str], unit: str = "", line: int | None = None
    ) -> None:
        """State a number, in its unit, and the line that says it."""
        self.values[key] = Value(value, unit, self.label, line)


@dataclass(slots=True)
class Part(Values):
    """A piece of a cluster; `count` equal ones are told of.

    `host` tells pieces of one server from those of another, `bay` the drives of a server from each other; neither goes
    into a profile. What `is_listed` is told of by a list of the whole cluster.
    """

    kind: PartKind = "server"
    host: str = ""
    bay: str = ""
    count: int = 1
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measured number of the workload; `about` is an operation, a stage or a resource, "" for the whole."""

    about: str
    measure: Measure
    value: float
    label: str
    line: int | None = None

    @property
    def unit(self) -> str:
        """Unit of the number."""
        return UNITS.get(self.measure, "s")


@dataclass(frozen=True, slots=True)
class Sample:
    """What a cluster held or did on a day, None where only the name of the file may tell it."""

    measure: Sampled
    day: date | None
    value: float
    file: str
    line: int | None = None


@dataclass(slots=True)
class Workload(Values):
    """What ran: the keys of `[workload]`, how many machines sent it if that is told, and what was measured of it."""

    clients: int | None = None
    outcomes: list[Outcome] = field(default_factory=list)

    def outcome(self, about: str, measure: Measure, value: float, line: int | None = None) -> None:
        """State a measured number of this workload."""
        self.outcomes.append(Outcome(about, measure, value, self.label, line))


@dataclass(slots=True)
class Finding:
    """One file, filled by the reader of its format. `direction` is what a user says of dd without a command line.

    `file` is what the user calls it, for problems; `label` what a profile calls it; `folder` as in `Source`;
    `stream` are workloads that run beside each other, those of `workloads` each by itself. `kit` is the mark of the
    acceptance kit whose script measured the workloads, where the file tells one.
    `at` is the line that is being read, and `key` that of JSON that was read last, where they are known.
    """

    file: str
    label: str = ""
    folder: str = ""
    direction: Direction | None = None
    kit: str = ""
    formats: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)
    stream: list[Workload] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    at: int | None = None
    key: str = ""

    def __post_init__(self) -> None:
        self.label = self.label or self.file

    def lines(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the lines of the file's text with their numbers, and remember which one is being read."""
        for number, line in lines(text):
            self.at = number
            yield number, line
        self.at = None

    def part(self, kind: PartKind, *, host: str = "", bay: str = "", count: int = 1, is_listed: bool = False) -> Part:
        """Return a new piece of the cluster, to be filled; its host is by default that of the folder."""
        part = Part(self.label, kind=kind, host=host or self.folder, bay=bay, count=count, is_listed=is_listed)
        self.parts.append(part)
        return self.parts[-1]

    def work(self, kind: str, line: int | None = None) -> Workload:
        """Return a new workload, of a kind of models.jobs, to be filled."""
        self.workloads.append(Workload(self.label))
        self.workloads[-1].put("kind", kind, line=line)
        return self.workloads[-1]

    def entry(self, kind: str, line: int | None = None) -> Workload:
        """Return a new workload that runs beside those of the stream, to be filled."""
        self.stream.append(Workload(self.label))
        self.stream[-1].put("kind", kind, line=line)
        return self.stream[-1]

    def outcome(self, about: str, measure: Measure, value: float, line: int | None = None) -> None:
        """State a measured number of the cluster, or of the first workload."""
        self.outcomes.append(Outcome(about, measure, value, self.label, line))

    def sample(self, measure: Sampled, day: date | None, value: float, line: int | None = None) -> None:
        """State what the cluster held or did on a day; what is no number that a cluster has is left out."""
        if not 0 <= value <= LARGEST:
            self.leave_out(line, f"{measure} = {value:g}", "no cluster has so much, or less than nothing")
            return
        self.samples.append(Sample(measure, day, value, self.label, line))

    def warn(self, line: int | None, message: str) -> None:
        """Note what a user should know of what is used."""
        self.warnings.append(Problem(self.file, line, "", message))

    def leave_out(self, line: int | None, what: str, reason: str) -> None:
        """Note what is not used, and why."""
        self.warn(line, f"{what} left out: {reason}")

    def complain(self, line: int | None, message: str) -> None:
        """Note what has to be fixed before the file can be used."""
        self.problems.append(Problem(self.file, line, "", message))

    def told(self) -> Iterator[str]:
        """Yield what was found, in words."""
        for kind in dict.fromkeys(part.kind for part in self.parts):
            yield f"{sum(part.count for part in self.parts if part.kind == kind)} x {kind}"
        for name, many in Counter(f"{work.values['kind'].value}" for work in self.workloads).items():
            yield f"{many} x {name}"
        if self.stream:
            yield f"a stream of {len(self.stream)} kinds of jobs"
        outcomes = [*self.outcomes, *(one for work in (*self.workloads, *self.stream) for one in work.outcomes)]
        for name, some in (("rate", self.runs), ("outcome", outcomes), ("day", self.samples)):
            if some:
                yield f"{len(some)} {name}{'' if len(some) == 1 else 's'}"
