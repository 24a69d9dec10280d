"""A calibration as text: every measurement beside the fitted model, the drive, the tables of the server, the notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.reports.tables import text_table
from app.reports.words import signed_percent
from models.hardware.measurement import DriveRun, NetworkRun, Run
from models.problem import Problem
from models.units import format


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


def render(report: CalibrationReport) -> str:
    """Return the text of a calibration."""
    blocks = [[line for measured in report.measured for line in _measurements(measured)]]
    if report.kind:
        heading = f"Drive {report.name}".rstrip()
        numbers = text_table(["key", ">value", "source"], [list(row) for row in report.numbers], "  ")
        blocks.append([f"{heading}: {report.kind}", *numbers])
    if report.server:
        blocks.append(["Server:", *(f"  {line}".rstrip() for line in report.server.rstrip().split("\n"))])
    if report.notes:
        blocks.append(["Notes:", *(f"  {note}" for note in report.notes)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _measurements(measured: Measured) -> list[str]:
    header = ["measures", ">value", ">model", ">residual", ">p50", ">p99"]
    rows = [_row(run, model) for run, model in measured.runs]
    width = len(header) if any(row[-1] for row in rows) else len(header) - 2
    table = text_table(header[:width], [row[:width] for row in rows], "  ") if rows else ["  nothing to use"]
    return [f"{measured.file} ({', '.join(measured.formats)})", *table]


def _row(run: Run, model: float | None) -> list[str]:
    """Return a run beside the model, with its times of one request if it has them."""
    shown = ("-", "-") if model is None else (_rate(run, model), signed_percent(model / run.rate - 1))
    times = run.latency if isinstance(run, DriveRun) and run.latency else ()
    return [str(run), _rate(run, run.rate), *shown, *([format(time, "s", 3) for time in times] or ["", ""])]


def _rate(run: Run, rate: float) -> str:
    """Return a rate as people quote it: of a network in bits, of a drive in bytes."""
    return f"{8 * rate / 1e9:.4g} Gbit/s" if isinstance(run, NetworkRun) else format(rate, "B/s")
