"""A calibration as a report: every measurement beside the fitted model, the drive, the server's tables, the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports.document import Block, Cell, Column, Document, Facts, Paragraph, Section, Table, Verbatim
from models.hardware.measurement import DriveRun, NetworkRun, Run
from models.problem import Problem
from models.units import format

COLUMNS = (
    Column("measures"),
    Column("value", "1"),
    Column("model", "1"),
    Column("residual", "change"),
    Column("p50", "1"),
    Column("p99", "1"),
)
"""Rates are quoted as people do, of a network in bits; the last two are times of one request."""
NUMBERS = (Column("key"), Column("value", "1"), Column("source"))


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs of a file, each with the rate (B/s) that the fitted models give for it, None where they do not."""

    file: str
    formats: Sequence[str]
    runs: Sequence[tuple[Run, float | None]]


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What files say and what was fitted to it: `kind` of the drive and why, its numbers as key, value and source.

    `drive` and `server` are the parts as TOML, "" where nothing was fitted.
    """

    name: str
    measured: Sequence[Measured]
    kind: str
    numbers: Sequence[Sequence[str]]
    drive: str
    server: str
    notes: Sequence[Problem]


def document(report: CalibrationReport) -> Document:
    """Return the report of a calibration."""
    return Document("Calibration", list(_sections(report)))


def _sections(report: CalibrationReport) -> Iterator[Section]:
    for measured in report.measured:
        title = f"{measured.file} ({', '.join(measured.formats)})"
        yield Section(f"measured-{measured.file}", title, [_measurements(measured)])
    if report.kind:
        heading = f"Drive {report.name}".rstrip()
        yield Section("drive", f"{heading}: {report.kind}", [Table("Drive", NUMBERS, report.numbers)])
    if report.server:
        yield Section("server", "Server", [Verbatim(report.server.rstrip())])
    if report.notes:
        yield Section("notes", "Notes", [Facts([("Note", f"{note}") for note in report.notes])])


def _measurements(measured: Measured) -> Block:
    if not measured.runs:
        return Paragraph("Nothing to use.")
    rows = [_row(run, model) for run, model in measured.runs]
    width = len(COLUMNS) if any(row[-1] for row in rows) else len(COLUMNS) - 2
    return Table("Measurements", COLUMNS[:width], [row[:width] for row in rows])


def _row(run: Run, model: float | None) -> Sequence[Cell]:
    """Return a run beside the model, with its times of one request if it has them."""
    shown = (None, None) if model is None else (_rate(run, model), model / run.rate - 1)
    times = run.latency if isinstance(run, DriveRun) and run.latency else ()
    return [f"{run}", _rate(run, run.rate), *shown, *([format(time, "s", 3) for time in times] or ["", ""])]


def _rate(run: Run, rate: float) -> str:
    """Return a rate as people quote it: of a network in bits, of a drive in bytes."""
    return f"{8 * rate / 1e9:.4g} Gbit/s" if isinstance(run, NetworkRun) else format(rate, "B/s")
