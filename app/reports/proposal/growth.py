"""How the data grows into the room of the design, and what could be bought later."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports import capacity_report, purchase_document
from app.reports.document import Block, Facts, Paragraph, Section, Verbatim
from app.reports.parts import Part
from app.reports.proposal.found import Design


def sections(design: Design) -> Iterator[Section]:
    """Yield the way from raw to effective bytes, and growth with the purchases."""
    by_key = {section.key: section for section in capacity_report.document(design.capacity, is_short=True).sections}
    yield by_key[Part.CAPACITY.key]
    told = list(by_key[Part.GROWTH.key].blocks) if Part.GROWTH.key in by_key else []
    yield Section("growth", "Growth and purchases", [Facts(_holds(design)), *told, *_purchases(design)])


def _holds(design: Design) -> list[tuple[str, str]]:
    return [row for row in capacity_report.answers(design.capacity) if row[0] in ("Holds", "Full")]


def _purchases(design: Design) -> Iterator[Block]:
    """Yield what to buy when, by room alone: whether fewer servers keep the deadlines takes runs."""
    command = f"simulate purchase {design.file}"
    targets = [met.required.target for met in design.judged.met if met.required.workload and met.measure is not None]
    if targets:
        command += " --target 'MEASURE <= LIMIT'"
    if design.purchases is None:
        yield Paragraph(
            "All is bought at the start, for the most data. What could be bought later says, by the profile:"
        )
    elif not any(quarter.bought for quarter in design.purchases.plan.quarters):
        fewest = design.purchases.plan.initial
        yield Paragraph(
            f"By room alone {fewest} servers hold the data until the last day. What to buy when, with the rest:"
        )
    else:
        report = purchase_document.document(design.purchases, is_short=True)
        yield Paragraph(
            "The design is bought at the start, for the last day. By room alone it could begin smaller and grow"
            + (", if fewer servers keep the deadlines: the command below asks that by runs." if targets else ".")
        )
        yield from (block for section in report.sections for block in section.blocks)
    yield Verbatim(command)
