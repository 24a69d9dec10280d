"""A validation as JSON: the contract `headroom.validation/1`, described in docs/command-line.md."""

from __future__ import annotations

from app.reports.contracts import validation
from app.reports.json_text import dumps, value
from app.reports.validation_report import ValidationReport
from models.outcome import Family
from simulator.studies.validate import FamilySummary, OutcomeResult, ParameterResult


def render(report: ValidationReport) -> str:
    """Return the validation as JSON text."""
    return dumps(contract(report))


def contract(report: ValidationReport) -> validation.Validation:
    """Return the validation as JSON data; errors and targets as fractions."""
    data: validation.Validation = {
        "schema": "headroom.validation/1",
        "outcomes": [_outcome(outcome) for outcome in report.validation.outcomes],
        "parameters": [_parameter(parameter) for parameter in report.validation.parameters],
        "families": {family.name: _family(family, summary) for family, summary in report.summaries()},
    }
    if report.left_out is not None:
        data["leave_one_out"] = {
            "outcomes": [_outcome(outcome) for outcome in report.left_out],
            "families": {family.name: _left_out(report, family) for family in report.families},
        }
    return data


def _outcome(outcome: OutcomeResult) -> validation.Outcome:
    return {
        "id": outcome.id,
        "family": outcome.family,
        "documented": value(outcome.documented),
        "simulated": outcome.simulated,
        "unit": outcome.unit,
        "error": outcome.error,
        "role": outcome.role,
        "profile": outcome.profile,
    }


def _parameter(result: ParameterResult) -> validation.Parameter:
    parameter = result.parameter
    return {
        "name": parameter.name,
        "value": result.value,
        "unit": parameter.unit,
        "family": parameter.family,
        "fitted_to": list(parameter.fitted_to),
    }


def _family(family: Family, summary: FamilySummary) -> validation.Family:
    return {
        "mean_abs_error": summary.mean_abs_error,
        "worst": summary.worst,
        "fitted": summary.fitted,
        "outcomes": summary.outcomes,
        "within_targets": summary.within_targets,
        "targets": {"mean_abs_error": family.mean_target, "worst": family.worst_target, "fitted": family.budget},
    }


def _left_out(report: ValidationReport, family: Family) -> validation.LeftOutErrors | None:
    errors = report.left_out_errors(family)
    return {"mean_abs_error": errors.mean, "worst": errors.worst} if errors else None
