"""How durable data is, as a report: the answer, what may fail at once, repairs, the same by other ways, and rates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table
from app.reports.profile_report import ProfileReport
from app.reports.words import years
from models.failures import Failures
from models.planning.durability import Durability
from models.planning.survival import Survival
from models.units import YEAR, format_duration
from simulator.studies.rare_events import Estimate

LABELS = {
    "drive_failures_per_year": "drives that fail",
    "server_failures_per_year": "servers that fail",
    "replacement_time": "until a spare part is in",
    "bit_error_rate": "errors that nobody sees until it is read",
    "fill": "filled part of the drives",
}
"""Keys of [failures] in words."""
LIMITS = (
    "Failures are independent. Mistakes of operators and software, bad batches of drives and the loss of a site are"
    " not in these numbers; beyond some ten nines they decide."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DurabilityReport(ProfileReport):
    """What was found; `sources` are by key of the profile."""

    failures: Failures
    sources: Mapping[str, str]
    survival: Survival
    durability: Durability
    check: Estimate | None = None


def document(report: DurabilityReport) -> Document:
    """Return the report."""
    return Document(report.title, sections(report), contract(report))


def sections(report: DurabilityReport) -> list[Section]:
    """Return the sections, which the planning report may take over."""
    return [
        Section("answer", "The answer", [Facts(list(answers(report))), Paragraph(LIMITS)]),
        Section("survives", "What may fail at once, whichever it is", [_survival(report.survival)]),
        Section("mttdl", "Mean time to data loss", [_ways(report)]),
        Section("rates", "Failures and repairs", list(_rates(report))),
    ]


def contract(report: DurabilityReport) -> planning.Durability:
    """Return the report as JSON data: times in seconds, rates a year, chances as fractions."""
    losses = report.durability
    return filled(
        planning.Durability,
        losses,
        report,
        object_annual_loss=losses.object_loss,
        drives_only_mttdl_s=losses.drives_only,
        closed_form_mttdl_s=losses.closed_form,
        in_windows_annual_loss=losses.in_windows,
        simulated=filled(planning.Estimate, report.check) if report.check else None,
        survives_reading={part: tolerance.reading for part, tolerance in report.survival},
        survives_writing={part: tolerance.writing for part, tolerance in report.survival},
        failures=report.failures.model_dump(mode="json"),
    )


def answers(report: DurabilityReport) -> Iterator[tuple[str, str]]:
    """Yield what is read first, as (label, words)."""
    losses = report.durability
    yield "Nothing lost", f"{nines(losses.nines)} a year; the first loss after {years(losses.mttdl)} on average"
    yield (
        "An object",
        f"{nines(losses.object_nines)} a year: {words.part(losses.object_loss)} objects is lost in a year",
    )
    yield "Survives", f"reading: {report.survival.reading}, each kind by itself, with all data readable"
    yield "", f"writing: {report.survival.writing}, with new data written, too"
    yield (
        "Repair",
        f"a drive in {format_duration(losses.repair.drive)}, a server in {format_duration(losses.repair.server)}",
    )
    if report.check:
        low, high = (years(end) for end in (report.check.low, report.check.high))
        yield "Checked", f"{report.check.paths} simulated paths: {years(report.check.mttdl)} ({low} to {high})"
    yield from words.changes(report.settings)


def nines(number: float) -> str:
    """Return nines in words: "11.1 nines"."""
    return "no loss is possible" if math.isinf(number) else f"{number:.1f} nines"


def _survival(survival: Survival) -> Table:
    rows = [(part, tolerance.reading, tolerance.writing) for part, tolerance in survival]
    columns = (Column("kind"), Column("survives reading", "1"), Column("survives writing", "1"))
    return Table("Survives", columns, rows)


def _ways(report: DurabilityReport) -> Table:
    losses, check = report.durability, report.check
    rows: list[tuple[str, str, str]] = [
        ("Markov chain, drives and servers", years(losses.mttdl), nines(losses.nines)),
        ("Markov chain, drives only", years(losses.drives_only), ""),
        ("closed form, drives only", years(losses.closed_form), ""),
    ]
    if check:
        rows.append((f"simulated, {check.paths} paths", years(check.mttdl), ""))
    rows.append(("Markov chain, one object", years(losses.object_mttdl), nines(losses.object_nines)))
    rows.append(("drives that fail in one window, one object", years(YEAR / losses.in_windows), _of(losses.in_windows)))
    return Table("Mean time to data loss", (Column("by"), Column("MTTDL"), Column("nines of a year")), rows)


def _of(loss: float) -> str:
    return nines(-math.log10(loss))


def _rates(report: DurabilityReport) -> Iterator[Block]:
    failures = report.failures
    stated = (
        ("drive_failures_per_year", f"{100 * failures.drive_failures_per_year:.2f} % of the drives a year"),
        ("server_failures_per_year", f"{100 * failures.server_failures_per_year:.2f} % of the servers a year"),
        ("replacement_time", words.stated(failures.replacement_time)),
        ("bit_error_rate", f"{words.part(failures.bit_error_rate)} bits read"),
        ("fill", words.percent(failures.full)),
    )
    rows = [(LABELS[key], value, report.sources.get(f"failures.{key}", "default")) for key, value in stated]
    yield Table("Rates", (Column("what"), Column("value"), Column("source")), rows)
    yield Paragraph("The times of repairs are simulated on an idle cluster; a job would slow them down.")
