"""What a scenario costs, as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.document import Axis, Bars, Block, Column, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from models.planning.cost import Cost


def section(cost: Cost, usable: float, job: float) -> Section:
    """Return the bill with what it comes to for `usable` bytes, and for a job that costs `job` USD, 0 without one."""
    return Part.COST.section(list(_blocks(cost, usable, job)))


def summary(cost: Cost) -> str:
    """Return in a line what a scenario costs, or what has no price."""
    if cost.unpriced:
        return unknown(cost.unpriced)
    paid = f"{cost.over(cost.years):,.0f} USD over {cost.years:g} years"
    return f"{paid}, {cost.per_year:,.0f} USD a year at the start, prices of {cost.date}"


def unknown(unpriced: Sequence[str]) -> str:
    """Return what to say of a bill on which something has no price."""
    return f"price unknown: the list has none for {', '.join(unpriced)}"


def _blocks(cost: Cost, usable: float, job: float) -> Iterator[Block]:
    if cost.unpriced:
        yield Paragraph(f"The sum is not known. {unknown(cost.unpriced).capitalize()}.")
    else:
        yield Facts(list(_facts(cost, usable, job)))
        yield Bars(
            "Cost a year",
            Axis("cost a year", "USD"),
            [item.name for item in cost.items],
            ("cost",),
            [(item.per_year,) for item in cost.items],
        )
    columns = (Column("item"), Column("a year", "USD"), Column("how it is calculated"))
    yield Table("The bill", columns, [(item.name, item.per_year, item.basis) for item in cost.items])
    if any(purchase.day for purchase in cost.purchases):
        yield _purchases(cost)


def _purchases(cost: Cost) -> Table:
    """Return what is bought when: with growth, more than at the start."""
    columns = (Column("when"), Column("what"), Column("paid then", "USD"), Column("a year from then on", "USD"))
    rows = [
        (str(purchase.day) if purchase.day else "at the start", purchase.name, purchase.capital, purchase.running)
        for purchase in cost.purchases
    ]
    return Table("Purchases", columns, rows)


def _facts(cost: Cost, usable: float, job: float) -> Iterator[tuple[str, str]]:
    yield "Prices of", cost.date
    yield f"Over {cost.years:g} years", quantity(cost.over(cost.years), "USD")
    yield "A year, at the start", quantity(cost.per_year, "USD")
    if cost.capital:
        yield "Paid at the start", quantity(cost.capital, "USD")
    if 0 < usable < float("inf"):
        yield "A usable TB and month", quantity(cost.per_terabyte_month(usable), "USD")
    if job:
        yield "This job", f"{quantity(job, 'USD')}, with all machines to itself"
    if cost.power:
        yield "Power", f"{quantity(cost.power, 'W')}, building included; {cost.rack_units:g} rack units"
