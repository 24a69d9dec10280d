"""What an import found and made, as a document: files, profiles, and measured beside simulated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from app.reports import words
from app.reports.contracts import importing as contracts
from app.reports.contracts.filling import filled
from app.reports.document import (
    Axis,
    Block,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Section,
    Series,
    Table,
    Verbatim,
    quantity,
)
from app.reports.prediction_report import Assumption
from models.problem import Problem
from models.units import format

PRIVATE = (
    "Profiles call a file by its label: no name, path, host, key or address of your systems goes into them, only"
    " numbers and the names of products."
)
SHOWN = 5
"""Measurements that are proposed, at most. Assumption: nobody makes more at once."""
HALF = 0.75
"""Part of the variance whose removal halves an interval."""


@dataclass(frozen=True, slots=True)
class File:
    """One file, or the pieces of one record: its label, what formats it has, and what it says in words."""

    name: str
    label: str
    formats: Sequence[str]
    says: Sequence[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """A measured number beside the simulated one, None where the simulation has none."""

    about: str
    measure: str
    unit: str
    measured: float
    simulated: float | None
    source: str

    @property
    def error(self) -> float | None:
        """Part by which the simulated number is above the measured one."""
        return self.simulated / self.measured - 1 if self.simulated is not None and self.measured else None


@dataclass(frozen=True, slots=True)
class Busy:
    """How busy a kind of resource was at each hour of the day, or all day, and is in the run (0 to 1)."""

    of: str
    measured: Sequence[float]
    simulated: Sequence[float]


@dataclass(frozen=True, slots=True)
class ToMeasure:
    """A measurement, the assumed numbers that it tells, and their part of the interval together."""

    measurement: str
    assumptions: Sequence[Assumption]

    @property
    def keys(self) -> str:
        """The keys of the numbers in words."""
        return ", ".join(assumption.key for assumption in self.assumptions)

    @property
    def ranges(self) -> str:
        """Between what the numbers lie, in words."""
        return ", ".join(dict.fromkeys(assumption.range for assumption in self.assumptions))

    @property
    def share(self) -> float:
        """Part of the variance that it removes."""
        return sum(assumption.share or 0.0 for assumption in self.assumptions)


@dataclass(frozen=True, slots=True)
class Made:
    """One profile: its file, its TOML text, and what its run says beside what was measured.

    `duration` is the simulated one (s), None where nothing ran; `likely` the interval of the answer in words.
    """

    file: str
    title: str
    text: str
    compared: Sequence[Compared] = ()
    duration: float | None = None
    likely: str = ""
    assumptions: Sequence[Assumption] = ()
    problems: Sequence[Problem] = ()
    busy: Sequence[Busy] = ()

    @property
    def answer(self) -> str:
        """How long the run took, and between what that likely lies, in words; "" where nothing ran."""
        return "" if self.duration is None else f"{format(self.duration, 's')}; {self.likely}".rstrip("; ")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What files say, and what was made of them."""

    files: Sequence[File]
    profiles: Sequence[Made]
    rates: Sequence[Compared] = ()
    assumed: Mapping[str, str] = field(default_factory=dict)
    clashes: Sequence[tuple[str, str, str]] = ()
    odd: Sequence[str] = ()
    notes: Sequence[Problem] = ()
    problems: Sequence[Problem] = ()
    output: str | None = None
    version: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether a file could not be used as a whole, or a profile cannot be run."""
        return bool(self.problems) or any(made.problems for made in self.profiles)

    @property
    def to_measure(self) -> list[ToMeasure]:
        """What would shrink the interval of the first profile most, until it has halved.

        One measurement tells several numbers, such as one of a drive all that is assumed of it.
        """
        told: dict[str, list[Assumption]] = {}
        for assumption in self.profiles[0].assumptions if self.profiles else ():
            if assumption.gain:
                told.setdefault(assumption.measurement, []).append(assumption)
        measures = sorted((ToMeasure(*pair) for pair in told.items()), key=lambda measure: -measure.share)
        enough = next(
            (n for n in range(len(measures)) if sum(measure.share for measure in measures[: n + 1]) >= HALF), SHOWN
        )
        return measures[: min(enough + 1, SHOWN)]


def document(report: ImportReport) -> Document:
    """Return the report."""
    sections = [Section("files", "What was read", [_files(report), *_notes(report)])]
    if report.rates:
        blocks = [_compared("Rates of drives and networks", report.rates, "model")]
        sections.append(Section("rates", "Rates of drives and networks", blocks))
    for made in report.profiles:
        title = made.title if len(report.profiles) == 1 else f"{made.title} ({made.file})"
        sections.append(Section(f"profile-{made.file}", title, list(_profile(made, report))))
    if report.profiles:
        sections.append(Section("assumed", "What no file says", list(_assumed(report))))
    return Document("Import", sections, contract(report))


def _files(report: ImportReport) -> Table:
    columns = (Column("file"), Column("label"), Column("what it is"), Column("what it says"))
    rows = [
        (file.name, file.label, ", ".join(file.formats) or "not known", ", ".join(file.says) or "nothing to use")
        for file in report.files
    ]
    return Table("Files", columns, rows)


def _notes(report: ImportReport) -> Iterator[Block]:
    if facts := asides(report):
        yield Facts(facts)


def asides(report: ImportReport) -> list[tuple[str, str]]:
    """Return what is to be known of the files beside what they say: of which kind it is, and the words."""
    facts = [("Wrong", text) for text in grouped(report.problems)]
    facts += [("Odd", text) for text in report.odd]
    facts += [("Twice", f"{key}: {taken}, not {other}") for key, taken, other in report.clashes]
    return facts + [("Note", text) for text in grouped(report.notes)]


def grouped(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield problems in words: those that say the same of many files or lines once, with the first."""
    by_message: dict[str, list[Problem]] = {}
    for problem in problems:
        by_message.setdefault(problem.message, []).append(problem)
    for many in by_message.values():
        yield f"{many[0]}" + (f" (and {len(many) - 1} more)" if len(many) > 1 else "")


def _compared(name: str, rows: Sequence[Compared], simulated: str) -> Table:
    columns = (
        Column("of"),
        Column("measure"),
        Column("measured"),
        Column(simulated),
        Column("error", "change"),
        Column("source"),
    )
    cells = [
        (
            row.about or "the whole",
            row.measure,
            shown_value(row.measured, row.unit),
            None if row.simulated is None else shown_value(row.simulated, row.unit),
            row.error,
            row.source,
        )
        for row in rows
    ]
    return Table(name, columns, cells)


def shown_value(value: float, unit: str) -> str:
    """Return a number as people read it; times of requests are short, so that they keep their digits."""
    return format(value, unit, 3) if unit == "s" else quantity(value, unit)


def _profile(made: Made, report: ImportReport) -> Iterator[Block]:
    if made.problems:
        yield Facts([("Wrong", f"{problem}") for problem in made.problems])
    if made.answer:
        yield Facts([("Simulated", made.answer)])
    if made.compared:
        rows = [compared for compared in made.compared if not (made.busy and compared.measure == "utilisation")]
        yield _compared("Measured beside simulated", rows, "simulated")
    elif not made.problems:
        missing = "what ran on this cluster: it holds data" if made.duration is None else "how long it took"
        yield Paragraph(f"No file says {missing}, and there is nothing to compare.")
    yield from _busy(made.busy)
    if report.output is None:
        yield Verbatim(made.text)


def _busy(kinds: Sequence[Busy]) -> Iterator[Block]:
    """Yield utilisation by the hour, measured and simulated, and the difference in points."""
    if any(len(kind.measured) > 1 for kind in kinds):
        series = [
            Series(f"{kind.of}, {name}", [float(hour) for hour in range(len(values))], values)
            for kind in kinds
            for name, values in (("measured", kind.measured), ("simulated", kind.simulated))
        ]
        yield Lines("Utilization by the hour", Axis("hour of the day", "1"), Axis("busy", "share"), series)
    if kinds:
        columns = (Column("of"), Column("measured", "share"), Column("simulated", "share"), Column("points", "change"))
        means = [(kind.of, fmean(kind.measured), fmean(kind.simulated)) for kind in kinds]
        rows = [(of, measured, simulated, simulated - measured) for of, measured, simulated in means]
        yield Table("Utilization", columns, rows)


def _assumed(report: ImportReport) -> Iterator[Block]:
    yield Facts([(key, f"{name}, of the library") for key, name in report.assumed.items()])
    if measures := report.to_measure:
        columns = (
            Column("measure next"),
            Column("assumed"),
            Column("between"),
            Column("part of the interval", "share"),
        )
        rows = [(measure.measurement, measure.keys, measure.ranges, measure.share) for measure in measures]
        yield Table("What to measure next", columns, rows)
        removed = min(sum(measure.share for measure in measures), 1.0)
        does = "halve the interval" if removed >= HALF else "do not halve the interval"
        left = words.percent(math.sqrt(1 - removed))
        yield Paragraph(f"Together they {does}: {left} is left, of errors of validation and smaller parts.")
    yield Paragraph(PRIVATE)


def contract(report: ImportReport) -> contracts.Import:
    """Return the report as JSON data, `headroom.import/1`."""
    return filled(
        contracts.Import,
        report,
        profiles=[_made(made) for made in report.profiles],
        clashes=[{"key": key, "taken": taken, "other": other} for key, taken, other in report.clashes],
        measure_next=[_to_measure(measure) for measure in report.to_measure],
    )


def _made(made: Made) -> contracts.Made:
    utilization = [filled(contracts.Busy, busy) for busy in made.busy]
    return filled(contracts.Made, made, toml=made.text, utilization=utilization)


def _to_measure(measure: ToMeasure) -> contracts.ToMeasure:
    keys = [assumption.key for assumption in measure.assumptions]
    return filled(contracts.ToMeasure, measure, key=keys[0], keys=keys)
