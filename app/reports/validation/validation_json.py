"""A validation as JSON: the contract `headroom.validation/1`, described in docs/json.md."""

from __future__ import annotations

from app.reports.contracts import validation
from app.reports.contracts.filling import filled
from app.reports.json_text import dumps, value
from app.reports.validation.coverage import Coverage, by_population, coverage
from app.reports.validation.validation_report import ValidationReport
from models.outcome import Errors, Family
from simulator.studies.validate import ChoiceResult, FamilySummary, OutcomeResult, ParameterResult


def render(report: ValidationReport) -> str:
    """Return the validation as JSON text."""
    return dumps(contract(report))


def contract(report: ValidationReport) -> validation.Validation:
    """Return the validation as JSON data; errors and targets as fractions."""
    inside = coverage(report)
    data: validation.Validation = {
        "schema": "headroom.validation/1",
        "outcomes": [_outcome(outcome) for outcome in report.validation.outcomes],
        "parameters": [
            *(_parameter(parameter) for parameter in report.validation.parameters),
            *(_choice(result) for result in report.validation.choices),
        ],
        "families": {family.name: _family(family, summary) for family, summary in report.summaries()},
        "coverage": dict(inside.shares) if inside else {},
        "interval_width": inside.width if inside else None,
        "coverage_of": {name: _coverage(reach) for name, reach in by_population(report).items()},
    }
    if report.left_out is not None:
        for outcome in data["outcomes"]:
            if outcome["id"] in report.left_out.errors:
                outcome["left_out"] = report.left_out.errors[outcome["id"]]
            if outcome["id"] in report.left_out.ranges:
                outcome["left_out_range"] = list(report.left_out.ranges[outcome["id"]])
        data["leave_one_out"] = {
            "version": report.left_out.version,
            "families": {family.name: _left_out(report, family) for family in report.families},
        }
    return data


def _coverage(inside: Coverage) -> validation.Coverage:
    return {"coverage": dict(inside.shares), "interval_width": inside.width, "outcomes": inside.count}


def _outcome(outcome: OutcomeResult) -> validation.Outcome:
    return filled(validation.Outcome, outcome, documented=value(outcome.documented))


def _parameter(result: ParameterResult) -> validation.Parameter:
    parameter = result.parameter
    return {
        "name": parameter.name,
        "kind": "fitted",
        "value": result.value,
        "unit": parameter.unit,
        "family": parameter.family,
        "fitted_to": list(parameter.fitted_to),
    }


def _choice(result: ChoiceResult) -> validation.Parameter:
    choice, other = result.choice, result.otherwise
    return {
        "name": choice.name,
        "kind": "chosen",
        "value": choice.reading,
        "unit": "",
        "family": choice.family,
        "fitted_to": list(choice.fitted_to),
        "otherwise": None if other is None else {"set": dict(choice.otherwise), "outcome": _outcome(other)},
    }


def _family(family: Family, summary: FamilySummary) -> validation.Family:
    targets = validation.Targets(
        mean_abs_error=family.mean_target,
        worst=family.worst_target,
        median=family.median_target,
        near=family.near_target,
        bottlenecks=family.bottleneck_target,
        fitted=family.budget,
    )
    return filled(validation.Family, summary, targets=targets)


def _left_out(report: ValidationReport, family: Family) -> validation.LeftOutFamily | None:
    errors, known = report.left_out_errors(family), report.left_out_of(family)
    if not known:
        return None
    together = report.left_out_together(family)
    return {
        **(_errors(errors) or {"mean_abs_error": None, "worst": None, "outcomes": 0}),
        "not_testable": sum(error is None for error in known.values()),
        "together": {name: _errors(group) for name, group in together.items()},
    }


def _errors(errors: Errors | None) -> validation.LeftOutErrors | None:
    if errors is None:
        return None
    return {"mean_abs_error": errors.mean, "worst": errors.worst, "outcomes": errors.count}
