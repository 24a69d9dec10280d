"""A validation as the page docs/validation.md."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.tables import markdown_table
from app.reports.validation_report import ValidationReport, targets_in_words
from app.reports.validation_text import outcome_header, outcome_row, parameter_row
from models.outcome import Family
from simulator.studies.validate import FamilySummary

INTRODUCTION = """\
# Validation

Written by `simulate validate --markdown`. Every outcome is simulated as a user would: from a shipped profile, by
`simulate --profile NAME`. The error is (simulated - documented) / documented; for a documented band it is 0 inside and
the distance to the nearer edge outside. An outcome is *fitted-to* if a number was chosen by looking at it, and
*predicted* otherwise. `simulate fit` derives the fitted numbers anew."""


def render(report: ValidationReport) -> str:
    """Return the whole validation as a Markdown page."""
    sections = [INTRODUCTION]
    for family, summary in report.summaries():
        sections += ["\n".join(lines) for lines in _family(report, family, summary)]
    return "\n\n".join(sections) + "\n"


def _family(report: ValidationReport, family: Family, summary: FamilySummary) -> Iterator[list[str]]:
    profiles = [outcome.profile for outcome in report.outcomes(family)]
    rows = [outcome_row(report, outcome) for outcome in report.outcomes(family)]
    yield [f"## {family.name}"]
    yield [f"- {line}" for line in targets_in_words(report, family, summary)]
    header = (*outcome_header(report), "profile")
    yield markdown_table(header, [[*row, f"`{name}`"] for row, name in zip(rows, profiles, strict=True)])
    yield [family.note.strip()]
    fitted = [parameter_row(p) for p in report.validation.parameters if p.parameter.family == family.name]
    yield markdown_table(("fitted number", ">value", "fitted to"), fitted)
