"""What an import found and made, as a document: files, profiles, and measured beside simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.reports.contracts import importing as contracts
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, Verbatim, quantity
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
    def to_measure(self) -> list[Assumption]:
        """What would shrink the interval of the first profile most, until it has halved."""
        found: list[Assumption] = []
        removed = 0.0
        for each in self.profiles[0].assumptions if self.profiles else ():
            if not each.gain or removed >= HALF or len(found) == SHOWN:
                break
            found.append(each)
            removed += each.share or 0.0
        return found


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
        (each.name, each.label, ", ".join(each.formats) or "not known", ", ".join(each.says) or "nothing to use")
        for each in report.files
    ]
    return Table("Files", columns, rows)


def _notes(report: ImportReport) -> Iterator[Block]:
    if said := asides(report):
        yield Facts(said)


def asides(report: ImportReport) -> list[tuple[str, str]]:
    """Return what is to be known of the files beside what they say: of which kind it is, and the words."""
    said = [("Wrong", each) for each in grouped(report.problems)]
    said += [("Odd", each) for each in report.odd]
    said += [("Twice", f"{key}: {taken}, not {other}") for key, taken, other in report.clashes]
    return said + [("Note", each) for each in grouped(report.notes)]


def grouped(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield problems in words: those that say the same of many files or lines once, with the first."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.message, []).append(problem)
    for many in found.values():
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
            each.about or "the whole",
            each.measure,
            shown_value(each.measured, each.unit),
            None if each.simulated is None else shown_value(each.simulated, each.unit),
            each.error,
            each.source,
        )
        for each in rows
    ]
    return Table(name, columns, cells)


def shown_value(value: float, unit: str) -> str:
    """Return a number as people read it; times of requests are short, so that they keep their digits."""
    return format(value, unit, 3) if unit == "s" else quantity(value, unit)


def _profile(made: Made, report: ImportReport) -> Iterator[Block]:
    if made.problems:
        yield Facts([("Wrong", f"{each}") for each in made.problems])
    if made.answer:
        yield Facts([("Simulated", made.answer)])
    if made.compared:
        yield _compared("Measured beside simulated", made.compared, "simulated")
    elif not made.problems:
        missing = "what ran on this cluster: it holds data" if made.duration is None else "how long it took"
        yield Paragraph(f"No file says {missing}, and there is nothing to compare.")
    if report.output is None:
        yield Verbatim(made.text)


def _assumed(report: ImportReport) -> Iterator[Block]:
    yield Facts([(key, f"{name}, of the library") for key, name in report.assumed.items()])
    if found := report.to_measure:
        columns = (
            Column("measure next"),
            Column("assumed"),
            Column("between"),
            Column("part of the interval", "share"),
        )
        yield Table("To halve the interval", columns, [(a.measurement, a.key, a.range, a.share) for a in found])
    yield Paragraph(PRIVATE)


def contract(report: ImportReport) -> contracts.Import:
    """Return the report as JSON data, `headroom.import/1`."""
    return {
        "schema": "headroom.import/1",
        "version": report.version,
        "files": [
            {"name": each.name, "label": each.label, "formats": list(each.formats), "says": list(each.says)}
            for each in report.files
        ],
        "profiles": [_made(each) for each in report.profiles],
        "rates": [_row(each) for each in report.rates],
        "assumed": dict(report.assumed),
        "clashes": [{"key": key, "taken": taken, "other": other} for key, taken, other in report.clashes],
        "odd": list(report.odd),
        "measure_next": [
            {"key": each.key, "measurement": each.measurement, "share": each.share} for each in report.to_measure
        ],
        "notes": [f"{each}" for each in report.notes],
        "problems": [f"{each}" for each in report.problems],
    }


def _made(made: Made) -> contracts.Made:
    return {
        "file": made.file,
        "title": made.title,
        "toml": made.text,
        "duration_s": made.duration,
        "compared": [_row(each) for each in made.compared],
        "problems": [f"{each}" for each in made.problems],
    }


def _row(each: Compared) -> contracts.Compared:
    return {
        "about": each.about,
        "measure": each.measure,
        "unit": each.unit,
        "measured": each.measured,
        "simulated": each.simulated,
        "error": each.error,
        "source": each.source,
    }
