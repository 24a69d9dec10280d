"""A proposal as a document: one page first, then why, then what whoever checks it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.reports import bill_document, upkeep_document
from app.reports.document import Cover, Document, Level, Section
from app.reports.plan import plan_answer_document
from app.reports.proposal import alternatives, basis, growth, money, performance, summary
from app.reports.proposal.found import PLAN, Proposal

TOLD = ("answer", "requirements", "candidates", "profile")
"""Sections of the short answer that a proposal tells in its own way."""
CHECKED = ("options", "effort")
"""Sections of the short answer that whoever checks it reads."""


def document(proposal: Proposal) -> Document:
    """Return the whole report."""
    answer = proposal.answer
    return Document(
        answer.plan.title,
        list(_sections(proposal)),
        {**plan_answer_document.contract(answer), "plan": PLAN},
        cover=_cover(proposal),
        files=proposal.files,
        command=basis.command(answer),
    )


def _cover(proposal: Proposal) -> Cover:
    plan = proposal.answer.plan
    stated = f"{plan.date}" if plan.date else ""  # no clock is asked, so that the same plan gives the same report
    about = [("Customer", plan.customer), ("Author", plan.author), ("Version", plan.offer), ("Date", stated)]
    return Cover([row for row in about if row[1]], proposal.logo)


def _sections(proposal: Proposal) -> Iterator[Section]:
    answer, design = proposal.answer, proposal.design
    short = [section for section in plan_answer_document.document(answer).sections if section.key not in TOLD]
    yield from summary.sections(proposal)
    yield alternatives.section(answer)
    yield from (section for section in short if section.key not in CHECKED)
    if design is not None:
        if design.materials is not None:
            section = bill_document.section(design.materials)
            yield replace(section, title=f"{section.title}: {design.name}")
        yield money.section(design, answer.plan.requirements.years)
        yield performance.section(design)
        yield basis.failures(design)
        if design.upkeep is not None:
            yield upkeep_document.section(design.upkeep)
        yield from growth.sections(design)
        yield basis.advice(design)
        yield basis.ledger(proposal, design)
        yield basis.trust(design)
    yield from (replace(section, level=Level.APPENDIX) for section in short if section.key in CHECKED)
    if design is not None:
        yield basis.sources(design)
    yield basis.again(proposal, design)
