"""What a profile, or the answer to a plan, costs by several price lists, as a document."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports.contracts import money
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, quantity
from app.reports.plan_answer import Judged, PlanAnswer
from app.reports.plan_answer_document import designed, verdict
from models.planning.cost import Cost
from models.problem import Problem, ProblemError


def document(profile: str, found: Sequence[tuple[str, Cost]]) -> Document:
    """Return the lists, the cheapest first; those with a gap have no sums."""
    unit, years = found[0][1].currency, found[0][1].years
    columns = (
        Column("list"),
        Column("prices of"),
        Column("paid at the start", unit),
        Column(f"paid over {years:g} years", unit),
        Column("net present cost", unit),
        Column("has no price for"),
    )
    rows = []
    for name, cost in found:
        gaps = "; ".join(cost.unpriced)
        sums = (None, None, None) if gaps else (cost.capital, cost.over(years), cost.present(years))
        rows.append((name, cost.date, *sums, gaps or "–"))
    blocks: list[Block] = [Table("Lists", columns, rows)]
    best, cost = found[0]
    if not cost.unpriced:
        blocks.insert(0, Facts([("Cheapest", f"{best}: {quantity(cost.present(years), unit)} net present cost")]))
    return Document(
        f"{profile} by {len(found)} price lists", [Section("offers", "Offers", blocks)], _data(profile, found)
    )


def _data(profile: str, found: Sequence[tuple[str, Cost]]) -> money.Offers:
    years = found[0][1].years
    return {
        "schema": "headroom.offers/1",
        "profile": profile,
        "currency": found[0][1].currency,
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
            for name, cost in found
        ],
    }


def plans(title: str, found: Sequence[tuple[str, PlanAnswer]]) -> Document:
    """Return what each candidate of a plan comes to with each list, and which requirements it meets, cheapest first."""
    columns = (
        Column("list"),
        Column("candidate"),
        Column("with"),
        Column("meets"),
        Column("cost", _unit(found)),
        Column("misses"),
    )
    rows = [(name, *_judged(each)) for name, answer in found for each in answer.ranked]
    name, answer = found[0]
    first = [f"{name}: {sentence}" for sentence in verdict(answer)[:1]]
    blocks: list[Block] = [*map(Paragraph, first), Table("Offers", columns, rows)]
    sections = [Section("offers", "Offers", blocks)]
    return Document(f"{title}, by {len(found)} price lists", sections, _data_of_plans(title, found))


def _judged(each: Judged) -> tuple[str, str, str, float | None, str]:
    option = each.option
    if option is None:
        return each.name, "–", "–", None, "; ".join(each.reasons) or "cannot be set up"
    met = sum(one.is_met is True for one in each.met)
    missed = "; ".join(one.required.words for one in each.missed) or "–"
    return each.name, designed(option), f"{met} of {len(each.met)}", option.objective, missed


def _unit(found: Sequence[tuple[str, PlanAnswer]]) -> str:
    """Return the currency in which the options cost, which is one for all."""
    units = {
        each.option.measures[answer.objective].unit
        for _, answer in found
        for each in answer.judged
        if each.option is not None and answer.objective in each.option.measures
    }
    if len(units) > 1:
        said = f"the lists tell costs in {' and '.join(sorted(units))}: set `currency` in all of them to one"
        raise ProblemError([Problem("", None, "currency", said)])
    return next(iter(units), "1")


def _data_of_plans(title: str, found: Sequence[tuple[str, PlanAnswer]]) -> money.PlanOffers:
    return {
        "schema": "headroom.plan-offers/1",
        "title": title,
        "objective": found[0][1].objective,
        "unit": _unit(found),
        "offers": [
            {
                "name": name,
                "candidate": each.name,
                "is_feasible": each.is_feasible,
                "cost": each.option.objective if each.option is not None else None,
                "met": [one.required.words for one in each.met if one.is_met],
                "missed": [one.required.words for one in each.missed],
            }
            for name, answer in found
            for each in answer.ranked
        ],
    }
