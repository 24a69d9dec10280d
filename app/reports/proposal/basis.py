"""What a proposal rests on: failures, the ledger of what is assumed, validation, sources, and how to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from app.reports import durability_report, words
from app.reports.document import Block, Column, Facts, Level, Paragraph, Section, Table, Verbatim
from app.reports.library.meanings import about
from app.reports.parts import Part
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.proposal.asked import objective
from app.reports.proposal.found import PLAN, Design, Proposal
from app.reports.run.run_document import sources_table
from models.planning.sheet import Requirements
from models.units import format, reworded

LEDGER = 25
"""Assumed numbers that a page shows, the widest; workbooks have all."""


def failures(design: Design) -> Section:
    """Return what may fail, and how durable data is."""
    report = design.durability
    nines = design.scenario.storage.published_nines
    if report is None and nines is not None:
        text = f"Copies and repairs are the provider's, who states {nines:g} nines a year for an object."
        return Part.FAILURES.section([Paragraph(f"{text} The loss of servers here loses no data.")])
    if report is None:
        return Part.FAILURES.section([Paragraph("How durable data is nobody knows: no failure rates are known.")])
    parts = {section.key: section for section in durability_report.sections(report)}
    answer: list[Block] = [Facts(list(durability_report.answers(report))), Paragraph(durability_report.LIMITS)]
    return Part.FAILURES.section([*answer, *parts["survives"].blocks, *parts["rates"].blocks])


def advice(design: Design) -> Section:
    """Return the advice on the design."""
    if not design.advice:
        return Part.ADVICE.section([Paragraph("No warning and no hint.")])
    columns = (Column("severity"), Column("about"), Column("advice"), Column("source"))
    rows = [(piece.severity, about(design.scenario, piece.key), piece.message, piece.source) for piece in design.advice]
    return Part.ADVICE.section([Table("Advice", columns, rows)])


def ledger(proposal: Proposal, design: Design) -> Section:
    """Return who assumed what: the customer's requirements, and the numbers that nobody measured here."""
    customer = Table(
        "Stated by the customer",
        (Column("what"), Column("value")),
        list(_stated(proposal.answer.plan.requirements)),
    )
    columns = (
        Column("what"),
        Column("of"),
        Column("likely"),
        Column("nine of ten lie in"),
        Column("kind"),
        Column("measurement that replaces it"),
    )
    rows = [
        (assumed.what, assumed.of, assumed.likely, assumed.range, assumed.kind, assumed.measurement)
        for assumed in design.assumed
    ]
    wide = (*columns, Column("key"), Column("source"))
    whole = [(*row, assumed.key, assumed.source) for row, assumed in zip(rows, design.assumed, strict=True)]
    shown = Table("Assumed by Headroom, the widest first", columns, rows[:LEDGER])
    blocks: list[Block] = [customer, shown, Table("All assumed numbers", wide, whole, for_sheets=True)]
    if len(rows) > LEDGER:
        blocks.append(Paragraph(f"{len(rows) - LEDGER} more with narrower ranges stand in the workbook and in JSON."))
    return Section("assumptions", "Who assumed what", blocks)


def _stated(asked: Requirements) -> Iterator[tuple[str, str]]:
    for name, info in type(asked).model_fields.items():
        if name in asked.model_fields_set and name not in ("workloads", "clients"):
            wanted = getattr(asked, name)
            unit = (info.json_schema_extra or {}).get("unit") if isinstance(info.json_schema_extra, dict) else None
            yield (info.description or name).rstrip("."), _said(name, wanted, unit)
    for demand in asked.workloads:
        told = {**demand.stated, **demand.model_dump(include={"deadline", "every"}, exclude_none=True)}
        text = "; ".join(f"{key.replace('_', ' ')} {_value(key, value)}" for key, value in told.items())
        yield f"Workload {demand.name}", "; ".join([text, *map(objective, demand.objectives)])


def _said(name: str, value: object, unit: object) -> str:
    """Return what the customer states as people say it: a growth or a confidence in per cent."""
    if not isinstance(value, float):
        return reworded(value) if isinstance(value, str) else f"{value}"
    if unit == "1":
        return words.percent(value)
    return format(value, f"{unit}") if unit else words.number(value)


def _value(key: str, value: object) -> str:
    """Return a value of a workload as people say it; what a table holds in brackets."""
    if isinstance(value, float) and key in ("deadline", "every"):
        return words.period(value)
    if isinstance(value, Mapping):
        return f"({', '.join(f'{name} {_value(name, part)}'.replace('_', ' ') for name, part in value.items())})"
    if isinstance(value, list | tuple):
        return words.listed([_value(key, part) for part in value]) if value else "none"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return reworded(value) if isinstance(value, str) else f"{value}"


def trust(design: Design) -> Section:
    """Return how far off answers to questions of this kind were."""
    return Part.VALIDATION.section(list(_trust(design)))


def _trust(design: Design) -> Iterator[Block]:
    if not design.trust:
        yield Paragraph("Nothing was run, so that closed forms alone decide; these are exact for what they are told.")
    for trust in design.trust:
        near = "lies within what was validated" if trust.is_inside else "lies beyond what was validated"
        yield Paragraph(f"{trust.workload} ({trust.kind}) {near}: {'; '.join(trust.why)}.")
        if trust.benchmarks:
            columns = (Column("benchmark"), Column("documented"), Column("Headroom is off by", "change"))
            yield Table(f"Documented benchmarks of {trust.kind}", columns, trust.benchmarks)


def sources(design: Design) -> Section:
    """Return what every number of the design rests on."""
    blocks = [sources_table(design.sources, design.capacity.resolved)]
    return Section(Part.SOURCES.key, "Source of every number", blocks, level=Level.APPENDIX)


def again(proposal: Proposal, design: Design | None) -> Section:
    """Return how anybody makes the same report again."""
    plan, answer = proposal.answer.plan, proposal.answer
    facts = [("Plan", PLAN), ("Seed", f"{plan.seed}"), ("Version", f"headroom {answer.version}")]
    files = ", ".join(proposal.files)
    facts.append(("Files", f"{files}: in the bundle of this report (--report FILE.zip)"))
    blocks: list[Block] = [Facts(facts), Verbatim(command(answer))]
    if design is not None:
        blocks += [Paragraph(f"The profile of {design.name}:"), Verbatim(design.toml)]
    return Section("profile", "To run it again", blocks, level=Level.APPENDIX)


def command(answer: PlanAnswer) -> str:
    """Return the command that makes a report again, in the folder of its bundle."""
    return shlex.join(["simulate", "plan", PLAN, "--interval", answer.effort, "--report", "report.html"])
