"""How durable data in a rented store is, as a report: what its provider says, as nobody else sees where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts.filling import filled
from app.reports.contracts.promise import Promise
from app.reports.document import Document, Facts, Paragraph, Section
from app.reports.profile_report import ProfileReport

LIMITS = (
    "This is what the service is designed for, no measurement and no warranty: its provider does not show where bytes"
    " lie and how they are repaired. What somebody deletes or overwrites, and the end of an account, are not in it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseReport(ProfileReport):
    """What a provider says; `warnings` are what the profile's storage class adds to it."""

    nines: float
    source: str
    warnings: tuple[str, ...] = ()

    @property
    def loss(self) -> float:
        """Chance that an object is lost within a year."""
        return float(10**-self.nines)


def document(report: PromiseReport) -> Document:
    """Return the report."""
    return Document(report.title, [Section("answer", "The answer", _answer(report))], contract(report))


def contract(report: PromiseReport) -> Promise:
    """Return the report as JSON data: chances as fractions."""
    return filled(Promise, report, object_annual_loss=report.loss, object_nines=report.nines)


def _answer(report: PromiseReport) -> list[Facts | Paragraph]:
    return [Facts(list(_facts(report))), Paragraph(LIMITS)]


def _facts(report: PromiseReport) -> Iterator[tuple[str, str]]:
    loss = words.part(report.loss)
    yield "An object", f"{report.nines:g} nines a year, as its provider says: {loss} objects is lost in a year"
    yield "Said in", report.source
    for warning in report.warnings:
        yield "Warning", warning
    yield from words.changes(report.settings)
