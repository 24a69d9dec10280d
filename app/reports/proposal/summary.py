"""The first page: the question, the verdict, what is met, what it costs, three risks, and who assumed what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from app.reports import words
from app.reports.document import Block, Cell, Column, Computed, Facts, Level, Paragraph, Section, Table, quantity
from app.reports.plan.plan_answer import Judged, Met
from app.reports.plan.plan_answer_document import verdict
from app.reports.plan.plan_words import EVEN, SPARED, UNSURE_SIGN, by, limited, probability, shown, sign
from app.reports.proposal import money
from app.reports.proposal.asked import question
from app.reports.proposal.found import Design, Proposal
from app.reports.proposal.risks import risks
from models.planning.grid import numbered

MOST_TOLD = 3
"""Assumed numbers that the first page names."""
SURE = ("measured", "documented", "published")


def sections(proposal: Proposal) -> Iterator[Section]:
    """Yield the sections of the first page."""
    answer, design = proposal.answer, proposal.design
    yield _page("question", "The question", [Paragraph(question(answer))])
    first, *further = verdict(answer)
    yield _page("verdict", "The verdict", [Paragraph(first, is_strong=True), *map(Paragraph, further)])
    if design is not None:
        yield _page("met", f"Requirements: {design.name}", [requirements(design.judged)])
        if design.cost is not None:
            yield _page("price", "What it costs", list(_price(design, answer.plan.requirements.years)))
    yield _page("risks", "Three risks", [Facts([(f"{i}", risk) for i, risk in enumerate(risks(proposal), start=1)])])
    yield _page("assumed", "What was assumed, and by whom", [Facts(list(_assumed(proposal)))])


def _page(key: str, title: str, blocks: Sequence[Block]) -> Section:
    return Section(key, title, blocks, level=Level.SUMMARY)


def requirements(judged: Judged) -> Table:
    """Return what a candidate meets, with what is to spare and how likely that is."""
    columns = (
        Column("requirement"),
        Column("asked for"),
        Column("found"),
        Column("met"),
        Column("to spare"),
        Column("probability"),
    )
    return Table("Requirements", columns, [_row(met) for met in judged.met])


def _row(met: Met) -> tuple[Cell, ...]:
    state = {True: f"{sign(met)} met", False: "✗ missed", None: met.untold}[met.is_met]
    if sign(met) == UNSURE_SIGN and met.is_met:
        state += ", not surely" if (met.chance or 0.0) >= EVEN else " as calculated, likely missed"
    likely = probability(met.chance) if met.chance is not None else "counted" if met.margin is not None else None
    return (
        met.required.words,
        limited(met.required, met.measure),
        shown(met.measure) if met.measure else SPARED.partition(" ")[2] if met.is_spared else met.untold,
        state,
        spare(met),
        likely,
    )


def spare(met: Met) -> str | None:
    """Return what is to spare in words: "11 %", "1 more" for what is counted, "13 % short"."""
    if met.margin is None or met.measure is None:
        return None
    target = met.required.target.value(met.measure.unit)
    if not math.isfinite(met.margin):
        return words.BOUNDLESS
    if met.measure.unit == "1" and met.margin >= 0:
        more = abs(met.measure.value - target)
        return f"{more:.3g} more" if more else "just"
    return words.percent(met.margin) if met.margin >= 0 else f"{by(met)}off"


def _price(design: Design, years: float) -> Iterator[Block]:
    cost = design.cost
    assert cost is not None  # only then it is asked
    if cost.unpriced:
        yield Paragraph(f"Not known: the price list has none for {', '.join(cost.unpriced)}.")
        return
    rows: list[tuple[Cell, ...]] = [
        (f"Over {numbered(f'{years:g}', 'years')}", Computed(cost.over(years), money.total("paid"))),
        ("Net present cost", Computed(cost.present(years), money.total("present value"))),
        ("Paid at the start", Computed(cost.capital, f"{money.at(money.MACHINES)}+{money.at(money.ONCE)}")),
        ("Then each year", Computed(money.running(cost), money.at(money.RUNNING))),
    ]
    yield Table("What it costs", (Column("what"), Column("amount", cost.currency)), rows)
    if cost.power:
        text = f"{quantity(cost.power, 'W')}, building included, and takes {cost.rack_units:,.10g} rack units"
        yield Paragraph(f"It draws {text}.")


def _assumed(proposal: Proposal) -> Iterator[tuple[str, str]]:
    plan, design = proposal.answer.plan, proposal.design
    who = plan.customer or "The customer"
    yield who, "the requirements, as stated above: data, growth, workloads, failures to survive, limits"
    if design is None:
        return
    if design.assumed:
        told = "; ".join(f"{assumed.what} ({assumed.of}): {assumed.range}" for assumed in design.assumed[:MOST_TOLD])
        yield "Headroom", f"{len(design.assumed)} numbers that nobody measured here, the least known first: {told}"
    kinds = [line.kind for line in design.sources]
    counts = [f"{kinds.count(kind)} {kind}" for kind in SURE if kind in kinds]
    prices = f"; prices of {design.cost.date}" if design.cost is not None else ""
    yield "Sources", f"{words.listed(counts) if counts else 'no'} numbers{prices}; all in the appendix"
