"""A validation for a terminal: all families in a table, then each with its targets, outcomes and fitted numbers."""

from __future__ import annotations

from app.reports import words
from app.reports.tables import text_table
from app.reports.validation_report import ValidationReport, targets_in_words
from models.outcome import Family
from models.units import format
from simulator.studies.validate import FamilySummary, OutcomeResult, ParameterResult

NOT_RUN = "not run"
LISTED = 4  # outcomes that a fitted number names; more are counted


def render(report: ValidationReport) -> str:
    """Return the whole validation as text."""
    sections = [_family(report, family, summary) for family, summary in report.summaries()]
    verdict = "within the targets" if report.is_within_targets else "OUTSIDE THE TARGETS"
    rows = [summary_row(report, family, summary) for family, summary in report.summaries()]
    parts = [*sections, list(text_table(summary_header(), rows)), [f"Validation: {verdict}"]]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def summary_header() -> tuple[str, ...]:
    """Return the titles of `summary_row`."""
    return (
        "family",
        ">outcomes",
        ">predicted",
        ">mean error",
        ">of predicted",
        ">worst",
        ">fitted numbers",
        ">mean left out",
        ">worst left out",
        "targets",
    )


def summary_row(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    """Return a family as cells."""
    predicted, left_out = report.predicted_errors(family), report.left_out_errors(family)
    return [
        family.name,
        str(summary.outcomes),
        str(predicted.count if predicted else 0),
        _percent(summary.mean_abs_error),
        _percent(predicted.mean) if predicted else "-",
        _percent(summary.worst),
        f"{summary.fitted} of {family.budget}",
        _percent(left_out.mean) if left_out else NOT_RUN,
        _percent(left_out.worst) if left_out else NOT_RUN,
        "met" if report.meets_targets(family) else "MISSED",
    ]


def outcome_header(report: ValidationReport) -> tuple[str, ...]:
    """Return the titles of `outcome_row`."""
    titles = ("outcome", ">documented", ">simulated", ">error", "role")
    return titles if report.left_out is None else (*titles, ">left out")


def outcome_row(report: ValidationReport, outcome: OutcomeResult) -> list[str]:
    """Return an outcome as cells: id, documented, simulated, error, role, and the error when left out of the fit."""
    row = [
        outcome.id,
        words.documented(outcome.documented, outcome.unit, outcome.role),
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
    ids = [id.removeprefix(f"{parameter.family}/") for id in parameter.fitted_to]
    fitted_to = ", ".join(ids) if len(ids) <= LISTED else f"{len(ids)} outcomes, {ids[0]} to {ids[-1]}"
    return [parameter.name, format(result.value, parameter.unit), fitted_to]


def _family(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    lines = [
        f"{family.name}: {summary.outcomes} documented outcomes",
        *(f"  {line}" for line in targets_in_words(report, family, summary)),
        "",
        *text_table(outcome_header(report), [outcome_row(report, outcome) for outcome in report.outcomes(family)]),
    ]
    fitted = [parameter_row(result) for result in report.parameters(family)]
    return [*lines, "", *text_table(("fitted number", ">value", "fitted to"), fitted)] if fitted else lines


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"
