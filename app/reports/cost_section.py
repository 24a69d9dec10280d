"""What a scenario costs, as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.document import Axis, Bars, Block, Column, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from models.planning.cost import Cost


def section(cost: Cost, usable: float, duration: float) -> Section:
    """Return the bill with what it comes to for `usable` bytes and for a job of `duration` seconds."""
    return Part.COST.section(list(_blocks(cost, usable, duration)))


def _blocks(cost: Cost, usable: float, duration: float) -> Iterator[Block]:
    if cost.unpriced:
        missing = ", ".join(cost.unpriced)
        yield Paragraph(f"The price list of {cost.date} has no price for {missing}; the sums below are too low.")
    yield Facts(list(_facts(cost, usable, duration)))
    yield Bars(
        "Cost a year",
        Axis("cost a year", "USD"),
        [item.name for item in cost.items],
        ("cost",),
        [(item.per_year,) for item in cost.items],
    )
    columns = (Column("item"), Column("a year", "USD"), Column("how it comes about"))
    yield Table("The bill", columns, [(item.name, item.per_year, item.basis) for item in cost.items])


def _facts(cost: Cost, usable: float, duration: float) -> Iterator[tuple[str, str]]:
    yield "Prices of", cost.date
    yield "A year", quantity(cost.per_year, "USD")
    yield f"In {cost.years:g} years", quantity(cost.total, "USD")
    if cost.capital:
        yield "To be paid at first", quantity(cost.capital, "USD")
    if 0 < usable < float("inf"):
        yield "A usable TB and month", quantity(cost.per_terabyte_month(usable), "USD")
    if duration:
        yield "This job", f"{quantity(cost.per_job(duration), 'USD')}, with all machines to itself"
    if cost.power:
        yield "Power", f"{quantity(cost.power, 'W')}, building included; {cost.rack_units:g} rack units"
