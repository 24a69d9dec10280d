"""A validation as a report: each family with its targets, outcomes and fitted numbers, then all of them in a table."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports import words
from app.reports.document import Block, Document, Facts, Section, Table
from app.reports.tables import table_of_words
from app.reports.validation.coverage import by_population, coverage
from app.reports.validation.validation_json import contract
from app.reports.validation.validation_report import ValidationReport, targets_in_words
from models.outcome import Choice, Family, LeftOut
from models.units import format
from simulator.studies.validate import ChoiceResult, FamilySummary, OutcomeResult, ParameterResult

NOT_RUN = "not run"
CHOICES = ("chosen", "reading", "by", "otherwise")
"""Titles of `choice_row`."""
LISTED = 4  # outcomes that a fitted number names; more are counted


def document(report: ValidationReport) -> Document:
    """Return the report of a validation: each family, then all of them, so that a terminal ends in the verdict."""
    sections = [_family(report, family, summary) for family, summary in report.summaries()]
    return Document("Validation", [*sections, _all(report)], contract(report))


def _all(report: ValidationReport) -> Section:
    rows = [summary_row(report, family, summary) for family, summary in report.summaries()]
    table = table_of_words("Families", summary_header(), rows)
    inside = coverage(report)
    told = [("Coverage", inside.words)] if inside else []
    told += [(f"  {name}", reach.words) for name, reach in by_population(report).items()]
    verdict = "within the targets" if report.is_within_targets else "OUTSIDE THE TARGETS"
    return Section("all", "All families", [table, Facts([*told, ("Validation", verdict)])])


def summary_header() -> tuple[str, ...]:
    """Return the titles of `summary_row`."""
    return (
        "family",
        ">outcomes",
        ">predicted",
        ">mean error",
        ">of predicted",
        ">worst",
        ">fitted or chosen",
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
    return [*row, _left_out(report.left_out, outcome)]


def _left_out(known: LeftOut, outcome: OutcomeResult) -> str:
    if outcome.id not in known.errors:
        return "-"
    error = known.errors[outcome.id]
    if error is not None:
        return words.signed_percent(error)
    if outcome.id not in known.ranges:
        return "not testable"
    low, high = (words.simulated(value, outcome.unit) for value in known.ranges[outcome.id])
    return f"not testable: {low.removesuffix(f' {outcome.unit}')} to {high}"


def parameter_row(result: ParameterResult) -> list[str]:
    """Return a fitted number as cells: name, value, and the outcomes that it is fitted to, without their family."""
    parameter = result.parameter
    return [parameter.name, format(result.value, parameter.unit), _ids(parameter.family, parameter.fitted_to)]


def choice_row(result: ChoiceResult) -> list[str]:
    """Return what was chosen as cells: what, how it was read, by which outcomes, and what else it could be."""
    choice, other = result.choice, result.otherwise
    return [choice.name, choice.reading, _ids(choice.family, choice.fitted_to), _otherwise(choice, other)]


def _otherwise(choice: Choice, other: OutcomeResult | None) -> str:
    if other is None:
        return "-"
    changes = ", ".join(f"{key.rpartition('.')[2]} {value}" for key, value in choice.otherwise.items())
    gives = f"{words.simulated(other.simulated, other.unit)} ({words.signed_percent(other.error)})"
    return f"{changes}: {other.id.removeprefix(f'{choice.family}/')} {gives}"


def _ids(family: str, ids: Sequence[str]) -> str:
    short = [id.removeprefix(f"{family}/") for id in ids]
    return ", ".join(short) if len(short) <= LISTED else f"{len(short)} outcomes, {short[0]} to {short[-1]}"


def _family(report: ValidationReport, family: Family, summary: FamilySummary) -> Section:
    first, *targets = targets_in_words(report, family, summary)
    title = f"{family.name}: {summary.outcomes} documented outcomes"
    blocks: list[Block] = [
        Facts([("Targets", first), *(("", line) for line in targets)]),
        outcomes_table(report, family),
    ]
    fitted = [parameter_row(result) for result in report.parameters(family)]
    chosen = [choice_row(result) for result in report.choices(family)]
    if fitted:
        blocks.append(table_of_words("Fitted numbers", ("fitted number", ">value", "fitted to"), fitted))
    if chosen:
        blocks.append(table_of_words("Choices", CHOICES, chosen))
    return Section(f"family-{family.name}", title, blocks)


def outcomes_table(report: ValidationReport, family: Family) -> Table:
    """Return the outcomes of a family, documented and simulated."""
    rows = [outcome_row(report, outcome) for outcome in report.outcomes(family)]
    return table_of_words(f"Documented benchmarks, {family.name}", outcome_header(report), rows)


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"
