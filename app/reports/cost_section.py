"""What a scenario costs, as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.document import Axis, Bars, Block, Column, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from models.planning.cost import Cost
from models.planning.grid import numbered


def section(cost: Cost, usable: float, job: float) -> Section:
    """Return the bill with what it comes to for `usable` bytes, and for a job that costs `job`, 0 without one."""
    return Part.COST.section(list(_blocks(cost, usable, job)))


def summary(cost: Cost) -> str:
    """Return in a line what a scenario costs, or what has no price."""
    if cost.unpriced:
        return unknown(cost.unpriced)
    paid = f"{cost.over(cost.told):,.0f} {cost.currency} over {numbered(f'{cost.told:g}', 'years')}"
    return f"{paid}, {cost.per_year:,.0f} {cost.currency} a year at the start, prices of {cost.date}"


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
            Axis("cost a year", cost.currency),
            [item.name for item in cost.items],
            ("cost",),
            [(item.per_year,) for item in cost.items],
        )
    columns = (Column("item"), Column("a year", cost.currency), Column("how it is calculated"))
    yield Table("The bill", columns, [(item.name, item.per_year, item.basis) for item in cost.items])
    if any(purchase.day for purchase in cost.purchases):
        yield _purchases(cost)


def _purchases(cost: Cost) -> Table:
    """Return what is bought when: with growth, more than at the start."""
    paid, running = Column("paid then", cost.currency), Column("a year from then on", cost.currency)
    columns = (Column("when"), Column("what"), paid, running)
    rows = [
        (str(bought.day) if bought.day else "at the start", bought.name, bought.upfront, bought.per_year)
        for bought in cost.purchases
    ]
    return Table("Purchases", columns, rows)


def _facts(cost: Cost, usable: float, job: float) -> Iterator[tuple[str, str]]:
    yield "Prices of", cost.date
    unit, terms = cost.currency, cost.terms
    yield f"Over {numbered(f'{cost.told:g}', 'years')}", quantity(cost.over(cost.told), unit)
    if terms.discount_rate:
        worth = f"{quantity(cost.present(cost.told), unit)}, money a year later at {terms.discount_rate:.1%} less"
        yield "Net present cost", worth
    yield "A year, at the start", quantity(cost.per_year, unit)
    if cost.capital:
        yield "Paid at the start", quantity(cost.capital, unit)
    if 0 < usable < float("inf"):
        yield "A usable TB and month", quantity(cost.per_terabyte_month(usable), unit)
    if job:
        yield "This job", f"{quantity(job, unit)}, with all machines to itself"
    if cost.power:
        yield "Power", f"{quantity(cost.power, 'W')}, building included; {cost.rack_units:g} rack units"
