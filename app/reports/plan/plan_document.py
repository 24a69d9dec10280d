"""The planning report: one document from the question to the profile, for whoever signs the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.reports import (
    bill_document,
    capacity_report,
    compare_document,
    cost_section,
    lint_report,
    sensitivity_document,
    words,
)
from app.reports.capacity_report import CapacityReport
from app.reports.compare_document import CompareReport
from app.reports.document import Block, Document, Facts, Paragraph, Section
from app.reports.parts import Part
from app.reports.run import power_section, run_document
from app.reports.run.findings import answer
from app.reports.run.run_report import RunReport
from app.reports.sensitivity_document import SensitivityReport
from app.reports.validation.validation_document import outcomes_table
from app.reports.validation.validation_report import ValidationReport
from models.advice import Advice
from models.planning.cost import Cost
from models.planning.materials import BillOfMaterials

UNPRICED = "not known, nor power and what is to be bought: the profile names no price list (set prices)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """All that was found for one profile; what does not apply to it is None or empty.

    `job_cost` are the USD of one job with all machines to itself. `unlike` says what of the run no benchmark was
    like, so that their errors do not tell how far off it is. `further` are sections that other studies made:
    durability, for one. They stand before the advice.
    """

    run: RunReport
    comparison: CompareReport | None = None
    sensitivity: SensitivityReport | None = None
    capacity: CapacityReport | None = None
    cost: Cost | None = None
    materials: BillOfMaterials | None = None
    job_cost: float = 0.0
    advice: Sequence[Advice] = ()
    validation: ValidationReport | None = None
    unlike: Sequence[str] = ()
    further: Sequence[Section] = ()


def document(report: PlanReport) -> Document:
    """Return the report, each section in its place."""
    sections = sorted(_sections(report), key=lambda section: section.place)
    command = f"simulate report {run_document.PROFILE} report.html {report.run.again}"
    return replace(run_document.document(report.run), sections=sections, command=command)


def _sections(report: PlanReport) -> Iterator[Section]:
    for section in run_document.sections(report.run):
        if section.key == "answer":
            yield Part.ANSWER.section([*_answer(report), *section.blocks[1:]])
        elif section.key != "capacity" or report.capacity is None:
            yield section
    if report.comparison is not None:
        yield Part.COMPARISON.section(list(_comparison(report.comparison)))
    if report.sensitivity is not None:
        yield Part.SENSITIVITY.section(list(_sensitivity(report.sensitivity)))
    if report.capacity is not None:
        parts = capacity_report.document(report.capacity, is_short=True).sections
        yield from (section for section in parts if section.key in ("capacity", "growth"))
    if report.cost is not None:
        yield cost_section.section(report.cost, report.run.result.capacity["usable"], report.job_cost)
    if report.run.power is not None:
        yield power_section.section(report.run.power, report.run.result)
    if report.materials is not None:
        yield bill_document.section(report.materials)
    yield from report.further
    yield Part.ADVICE.section(list(lint_report.blocks(report.advice)))
    if trust := list(_trust(report)):
        yield Part.VALIDATION.section(trust)


def _answer(report: PlanReport) -> Iterator[Block]:
    rows = [*answer(report.run)]
    if report.cost is not None:
        rows.append(("Cost", cost_section.summary(report.cost)))
    elif report.run.cost is None:
        rows.append(("Cost", UNPRICED))
    if report.capacity is not None:
        rows += [row for row in capacity_report.answers(report.capacity) if row[0] in ("Holds", "Full")]
    warnings = [advice for advice in report.advice if advice.severity == "warning"]
    if warnings:
        rows.append(("Warning", "; ".join(f"{advice.key}: {advice.message}" for advice in warnings)))
    yield Facts(rows)
    if report.comparison is not None:
        yield from map(Paragraph, compare_document.verdicts(report.comparison))


def _comparison(report: CompareReport) -> Iterator[Block]:
    sections = {section.key: section for section in compare_document.document(report).sections}
    yield from sections["inputs"].blocks
    yield from sections["comparison"].blocks


def _sensitivity(report: SensitivityReport) -> Iterator[Block]:
    for section in sensitivity_document.sections(report):
        if section.key not in ("answer", "profile"):
            yield from section.blocks


def _trust(report: PlanReport) -> Iterator[Block]:
    """Yield the benchmarks of this kind; where the design lies beyond them, what it lies beyond in place of them."""
    if report.unlike:
        yield Paragraph(f"No benchmark says how far off this answer may be: {'; '.join(report.unlike)}.")
    elif report.validation is not None:
        yield from _validation(report.validation)


def _validation(report: ValidationReport) -> Iterator[Block]:
    for family, summary in report.summaries():
        yield Paragraph(
            f"Headroom re-runs documented benchmarks of this kind (family {family.name}): mean error"
            f" {words.percent(summary.mean_abs_error)}, worst {words.percent(abs(report.worst(family).error))}, with"
            f" {summary.fitted} numbers chosen by looking at them. {' '.join(family.note.split())}"
        )
        yield outcomes_table(report, family)
