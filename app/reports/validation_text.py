"""A validation for a terminal: each family's errors beside its targets, then every outcome and fitted number."""

from __future__ import annotations

from app.reports import words
from app.reports.tables import text_table
from app.reports.validation_report import ValidationReport, targets_in_words
from models.outcome import Family
from models.units import format
from simulator.studies.validate import FamilySummary, OutcomeResult, ParameterResult


def render(report: ValidationReport) -> str:
    """Return the whole validation as text."""
    sections = [_family(report, family, summary) for family, summary in report.summaries()]
    verdict = "within the targets" if report.is_within_targets else "OUTSIDE THE TARGETS"
    return "\n\n".join("\n".join(lines) for lines in [*sections, [f"Validation: {verdict}"]]) + "\n"


def outcome_header(report: ValidationReport) -> tuple[str, ...]:
    """Return the titles of `outcome_row`."""
    titles = ("outcome", ">documented", ">simulated", ">error", "role")
    return titles if report.left_out is None else (*titles, ">left out")


def outcome_row(report: ValidationReport, outcome: OutcomeResult) -> list[str]:
    """Return an outcome as cells: id, documented, simulated, error, role, and the error when left out of the fit."""
    row = [
        outcome.id,
        words.documented(outcome.documented, outcome.unit),
        words.simulated(outcome.simulated, outcome.unit),
        words.signed_percent(outcome.error),
        outcome.role,
    ]
    if report.left_out is None:
        return row
    predicted = report.predicted(outcome.id)
    return [*row, words.signed_percent(predicted.error) if predicted else "-"]


def parameter_row(result: ParameterResult) -> list[str]:
    """Return a fitted number as cells: name, value, and the outcomes that it is fitted to, without their family."""
    parameter = result.parameter
    fitted_to = (id.removeprefix(f"{parameter.family}/") for id in parameter.fitted_to)
    return [parameter.name, format(result.value, parameter.unit), ", ".join(fitted_to)]


def _family(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    outcomes = [outcome_row(report, outcome) for outcome in report.outcomes(family)]
    fitted = [parameter_row(p) for p in report.validation.parameters if p.parameter.family == family.name]
    return [
        f"{family.name}: {summary.outcomes} documented outcomes",
        *(f"  {line}" for line in targets_in_words(report, family, summary)),
        "",
        *text_table(outcome_header(report), outcomes),
        "",
        *text_table(("fitted number", ">value", "fitted to"), fitted),
    ]
