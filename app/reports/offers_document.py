"""What a profile, or the answer to a plan, costs by several price lists, as a document."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports.contracts import money
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, quantity
from app.reports.plan.plan_answer import Judged, PlanAnswer
from app.reports.plan.plan_answer_document import verdict
from app.reports.plan.plan_words import designed
from models.planning.cost import Cost
from models.problem import Problem, ProblemError


def document(profile: str, costs: Sequence[tuple[str, Cost]]) -> Document:
    """Return the lists, the cheapest first; those with a gap have no sums."""
    unit, years = costs[0][1].currency, costs[0][1].years
    columns = (
        Column("list"),
        Column("prices of"),
        Column("paid at the start", unit),
        Column(f"paid over {years:g} years", unit),
        Column("net present cost", unit),
        Column("has no price for"),
    )
    rows = []
    for name, cost in costs:
        gaps = "; ".join(cost.unpriced)
        sums = (None, None, None) if gaps else (cost.capital, cost.over(years), cost.present(years))
        rows.append((name, cost.date, *sums, gaps or "–"))
    blocks: list[Block] = [Table("Lists", columns, rows)]
    best, cost = costs[0]
    if not cost.unpriced:
        blocks.insert(0, Facts([("Cheapest", f"{best}: {quantity(cost.present(years), unit)} net present cost")]))
    return Document(
        f"{profile} by {len(costs)} price lists", [Section("offers", "Offers", blocks)], _data(profile, costs)
    )


def _data(profile: str, costs: Sequence[tuple[str, Cost]]) -> money.Offers:
    years = costs[0][1].years
    return {
        "schema": "headroom.offers/1",
        "profile": profile,
        "currency": costs[0][1].currency,
        "years": years,
        "lists": [
            {
                "name": name,
                "date": cost.date,
                "capital": None if cost.unpriced else cost.capital,
                "over_years": None if cost.unpriced else cost.over(years),
                "present_over_years": None if cost.unpriced else cost.present(years),
                "unpriced": list(cost.unpriced),
            }
            for name, cost in costs
        ],
    }


def plans(title: str, answers: Sequence[tuple[str, PlanAnswer]]) -> Document:
    """Return what each candidate of a plan comes to with each list, and which requirements it meets, cheapest first."""
    columns = (
        Column("list"),
        Column("candidate"),
        Column("with"),
        Column("meets"),
        Column("cost", _unit(answers)),
        Column("misses"),
    )
    rows = [(name, *_judged(judged)) for name, answer in answers for judged in answer.ranked]
    name, answer = answers[0]
    first = [f"{name}: {sentence}" for sentence in verdict(answer)[:1]]
    blocks: list[Block] = [*map(Paragraph, first), Table("Offers", columns, rows)]
    sections = [Section("offers", "Offers", blocks)]
    return Document(f"{title}, by {len(answers)} price lists", sections, _data_of_plans(title, answers))


def _judged(judged: Judged) -> tuple[str, str, str, float | None, str]:
    option = judged.option
    if option is None:
        return judged.name, "–", "–", None, "; ".join(judged.reasons) or "cannot be set up"
    met = sum(one.is_met is True for one in judged.met)
    missed = "; ".join(one.required.words for one in judged.missed) or "–"
    return judged.name, designed(option), f"{met} of {len(judged.met)}", option.objective, missed


def _unit(answers: Sequence[tuple[str, PlanAnswer]]) -> str:
    """Return the currency in which the options cost, which is one for all."""
    units = {
        judged.option.measures[answer.objective].unit
        for _, answer in answers
        for judged in answer.judged
        if judged.option is not None and answer.objective in judged.option.measures
    }
    if len(units) > 1:
        text = f"the lists tell costs in {' and '.join(sorted(units))}: set `currency` in all of them to one"
        raise ProblemError([Problem("", None, "currency", text)])
    return next(iter(units), "1")


def _data_of_plans(title: str, answers: Sequence[tuple[str, PlanAnswer]]) -> money.PlanOffers:
    return {
        "schema": "headroom.plan-offers/1",
        "title": title,
        "objective": answers[0][1].objective,
        "unit": _unit(answers),
        "offers": [
            {
                "name": name,
                "candidate": judged.name,
                "is_feasible": judged.is_feasible,
                "cost": judged.option.objective if judged.option is not None else None,
                "met": [one.required.words for one in judged.met if one.is_met],
                "missed": [one.required.words for one in judged.missed],
            }
            for name, answer in answers
            for judged in answer.ranked
        ],
    }
