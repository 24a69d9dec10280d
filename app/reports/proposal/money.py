"""Money over time: what is paid in which year, with formulas by which a workbook follows a price that is changed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import cost_section
from app.reports.document import Axis, Bars, Block, Cell, Column, Computed, Paragraph, Section, Table
from app.reports.parts import Part
from app.reports.proposal.found import Design
from models.planning.cash_flow import CLOSE, Payment, Year, cash_flow, payments
from models.planning.cost import BESIDE, Cost
from models.planning.materials import BillOfMaterials
from models.planning.payments import Purchase
from models.planning.prices import Prices
from models.units import HOUR, MONTH, YEAR

TERMS, FLOW, BILL, TOTAL = "Terms", "Cash flow", "The bill of a year", "Total"
LISTED, DISCOUNT, MACHINES, ONCE = "Sum of the list", "Discount", "Machines at the start", "Licences paid once"
POWER, EFFECTIVENESS, ENERGY = "Power at work", "Usage effectiveness", "Price of energy"
UNITS, SPACE, MAINTENANCE, FURTHER = "Rack units", "Price of space", "Maintenance", "Licences, people and rent"
RUNNING, RATE = "All of it a year", "Discount rate"
CENT = 0.01
HOURS = YEAR / HOUR
MONTHS = YEAR / MONTH


def at(term: str) -> str:
    """Return a reference to the value of a term, for formulas."""
    return f"{{{TERMS}/value/{term}}}"


UPKEEP_OF = f"{at(MACHINES)}*{at(MAINTENANCE)}/100"
ENERGY_OF = f"{at(POWER)}*{HOURS:g}*{at(ENERGY)}"
SPACE_OF = f"{at(UNITS)}*{at(SPACE)}*{MONTHS:g}"
"""What is paid a year for upkeep, energy and room, as formulas."""


def section(design: Design, years: float) -> Section:
    """Return what a design costs over so many years."""
    return Part.COST.section(list(_blocks(design, years)))


def _blocks(design: Design, years: float) -> Iterator[Block]:
    cost, prices = design.cost, design.prices
    if cost is None or prices is None:
        yield Paragraph("No price list, so that nothing is known of the money.")
        return
    if cost.unpriced:
        yield Paragraph(f"The sum is not known. {cost_section.unknown(cost.unpriced).capitalize()}.")
        return
    flow = cash_flow(cost, years)
    terms = _Terms(cost, prices, design.materials)
    is_live = terms.is_live
    yield Paragraph(
        f"Prices of {cost.date} in {cost.currency}. {_written_off(cost)} What runs is paid all the time."
        + (" In a workbook every sum follows the prices, counts and terms that it is made of." if is_live else "")
    )
    yield terms.table()
    yield _flow(cost, flow, years, is_live=is_live)
    yield Bars(
        "Paid in each year",
        Axis("paid", cost.currency),
        [_label(year) for year in flow],
        ("machines", "running"),
        [(year.bought - year.sold, year.running) for year in flow],
    )
    yield terms.bill()


def _written_off(cost: Cost) -> str:
    """Return what becomes of the machines."""
    if not cost.purchases:
        return "Nothing is bought: servers, racks, switches and power of a rented store are its provider's."
    return f"Machines are written off in {cost.years:g} years; what they are worth when they go, or at the end, counts."


def _label(year: Year) -> str:
    return f"year {math.ceil(year.end - CLOSE)}"


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the sums are made of: amounts of the bill, prices and rates, each with the formula that it follows."""

    cost: Cost
    prices: Prices
    materials: BillOfMaterials | None

    @property
    def machines(self) -> float:
        """What is paid for machines at the start."""
        return sum(one.upfront - one.once for one in self.cost.purchases if not one.after)

    @property
    def once(self) -> float:
        """What is paid once with them."""
        return sum(purchase.once for purchase in self.cost.purchases if not purchase.after)

    @property
    def running(self) -> float:
        """What is paid a year from the start on."""
        return running(self.cost)

    @property
    def is_live(self) -> bool:
        """Whether all that is paid follows from what is there at the start, so that formulas can tell it."""
        is_steady = self.cost.stock is None and not self.cost.growing
        return is_steady and not any(purchase.after or purchase.is_owned for purchase in self.cost.purchases)

    def table(self) -> Table:
        """Return the terms as a table."""
        columns = (Column("term"), Column("value", "1", is_input=True), Column("unit"), Column("what it is"))
        return Table(TERMS, columns, list(self._rows()))

    def bill(self) -> Table:
        """Return the bill of a year: what machines lose of their worth, and what runs."""
        columns = (Column("item"), Column("a year", self.cost.currency), Column("how it is calculated"))
        known = self._items() if self.is_live else {}
        rows = [
            (item.name, Computed(item.per_year, known[item.name]) if item.name in known else item.per_year, item.basis)
            for item in self.cost.items
        ]
        total = Computed(sum(item.per_year for item in self.cost.items), f"SUM({{{BILL}/a year}})")
        return Table(BILL, columns, rows, total=(TOTAL, total, ""))

    def _items(self) -> dict[str, str]:
        """Return the formulas of what follows from other terms, by item."""
        formulas = {"maintenance": UPKEEP_OF, "power": ENERGY_OF, "space": SPACE_OF}
        if self.materials is None or not _near(self.materials.paid, self.machines):
            return formulas
        lost, parts = f"{(1 - self.prices.residual_value) / self.prices.years:.15g}", []
        for purchase in self.cost.purchases:
            group = purchase.name.partition(":")[0]
            own = [part for part in self.materials.materials if part.group == group]
            listed = sum(part.count * (part.price or 0.0) for part in own)
            if own and _near(listed * (1 - self.materials.discount), purchase.capital):
                rows = f'--({{Materials/for}}="{group}"),{{Materials/count}},{{Materials/price of one}}'
                parts.append(f"SUMPRODUCT({rows})*(1-{at(DISCOUNT)}/100)")
                formulas[f"{purchase.name}, bought"] = f"{parts[-1]}*{lost}"
        beside = f"{BESIDE}, bought"
        if len(parts) == sum(item.name.endswith(", bought") and item.name != beside for item in self.cost.items):
            formulas[beside] = f"({'-'.join((at(MACHINES), *parts))})*{lost}"
        return formulas

    def _rows(self) -> Iterator[tuple[Cell, ...]]:
        currency, prices, cost = self.cost.currency, self.prices, self.cost
        bill = self.materials
        if bill is not None and _near(bill.paid, self.machines):
            yield (
                LISTED,
                Computed(bill.listed, "SUM({Materials/price})"),
                currency,
                "all parts of the bill of materials",
            )
            yield DISCOUNT, 100 * bill.discount, "%", "off the list"
            yield (
                MACHINES,
                Computed(self.machines, f"{at(LISTED)}*(1-{at(DISCOUNT)}/100)"),
                currency,
                "paid at the start",
            )
        else:
            yield MACHINES, self.machines, currency, "paid at the start"
        yield ONCE, self.once, currency, "paid with them, not again when they are replaced"
        upkeep = self.machines * prices.maintenance
        energy = cost.power / 1000 * HOURS * prices.energy
        space = cost.rack_units * prices.rack_unit * MONTHS
        yield MAINTENANCE, 100 * prices.maintenance, "% a year", "of what machines cost"
        yield EFFECTIVENESS, prices.usage_effectiveness, "", "power of the building over that of the machines"
        if bill is not None and _near(bill.power * prices.usage_effectiveness, cost.power):
            watts = "SUMPRODUCT({Materials/count},{Materials/power of one})/1000"
            yield POWER, Computed(cost.power / 1000, f"{watts}*{at(EFFECTIVENESS)}"), "kW", "with the building's share"
        else:
            yield POWER, cost.power / 1000, "kW", "with the building's share"
        yield ENERGY, prices.energy, f"{currency} a kWh", "all hours of a year"
        yield UNITS, cost.rack_units, "units", "of the racks"
        yield SPACE, prices.rack_unit, f"{currency} a unit and month", "rent of the room"
        rest = self.running - upkeep - energy - space
        yield FURTHER, rest if abs(rest) > CENT else 0.0, f"{currency} a year", "see the bill of a year"
        parts = (UPKEEP_OF, ENERGY_OF, SPACE_OF, at(FURTHER))
        yield RUNNING, Computed(self.running, "+".join(parts)), f"{currency} a year", "what runs, at the start"
        yield RATE, 100 * cost.terms.discount_rate, "% a year", "by which money a year later is worth less"


def running(cost: Cost) -> float:
    """Return what is paid a year from the start on, with what a rented store then keeps."""
    kept = cost.store.kept(cost.stock(0.0)) if cost.store is not None and cost.stock is not None else 0.0
    return sum(purchase.per_year for purchase in cost.purchases if not purchase.after) + cost.asked + kept


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)


def total(column: str) -> str:
    """Return a reference to the sum of a column over all years, for formulas."""
    return f"{{{FLOW}/{column}/{TOTAL}}}"


def _flow(cost: Cost, flow: Sequence[Year], years: float, *, is_live: bool) -> Table:
    """Return what is paid in each year, with its sums."""
    unit = cost.currency
    titles = ("bought", "running", "worth of what goes", "paid", "present value")
    columns = (Column("year"), *(Column(title, unit) for title in titles))
    rows = [_row(year, cost, years, is_live=is_live) for year in flow]
    names = ("bought", "running", "sold", "paid", "present")
    sums = [
        Computed(sum(getattr(year, name) for year in flow), f"SUM({{{FLOW}/{title}}})")
        for name, title in zip(names, titles, strict=True)
    ]
    return Table(FLOW, columns, rows, total=(TOTAL, *sums))


def _row(year: Year, cost: Cost, years: float, *, is_live: bool) -> tuple[Cell, ...]:
    paid = Computed(year.paid, "{bought}+{running}-{worth of what goes}")
    if not is_live:
        return _label(year), year.bought, year.running, year.sold, paid, year.present
    come, go = _machines(cost, years, year)
    rate = f"(1+{at(RATE)}/100)"
    span = f"{year.end - year.start:.12g}"
    once = f"+{at(ONCE)}" if not year.start else ""
    saved = list(_saved(cost, year))
    worth = "".join(f"+{_part(payment)}*{rate}^-{payment.after:.12g}" for payment in come)
    worth += "".join(f"-{_part(payment)}*{rate}^-{payment.after:.12g}" for payment in go)
    running = f"{at(RUNNING)}*{_steady(year.start, year.end)}"
    less = "".join(f"-{UPKEEP_OF}*{part:.15g}*{end - start:.12g}" for start, end, part in saved)
    running += "".join(f"-{UPKEEP_OF}*{part:.15g}*{_steady(start, end)}" for start, end, part in saved)
    return (
        _label(year),
        Computed(year.bought, "0" + "".join(f"+{_part(payment)}" for payment in come) + once),
        Computed(year.running, f"{at(RUNNING)}*{span}{less}"),
        Computed(year.sold, "0" + "".join(f"+{_part(payment)}" for payment in go)),
        paid,
        Computed(year.present, f"0{worth}{once}+{running}"),
    )


def _steady(start: float, end: float) -> str:
    """Return what a unit of money a year, paid all the time between two times, is worth at the start, as a formula."""
    rate = f"(1+{at(RATE)}/100)"
    return f"IF({at(RATE)}=0,{end - start:.12g},({rate}^-{start:.12g}-{rate}^-{end:.12g})/LN({rate}))"


def _saved(cost: Cost, year: Year) -> Iterator[tuple[float, float, float]]:
    """Yield the times of a year in which machines run that were cheaper than the first, and the part by which."""
    one = Purchase("", None, 0.0, 1.0, 0.0)
    for come, go in one.lives(year.end, cost.terms):
        start, end = max(come, year.start), min(go, year.end)
        part = 1 - one.declined(come, cost.terms)
        if part and end > start:
            yield start, end, part


def _part(payment: Payment) -> str:
    """Return a payment as a part of what machines cost at the start."""
    return f"{at(MACHINES)}*{payment.amount:.15g}"


def _machines(cost: Cost, years: float, year: Year) -> tuple[list[Payment], list[Payment]]:
    """Return when machines come and go in a year, as parts of what those of the start cost."""
    come, go = payments(Purchase("", None, 0.0, 1.0, 0.0), years, cost.terms)
    came = [payment for payment in come if year.start - CLOSE < payment.after <= year.end - CLOSE]
    return came, [payment for payment in go if year.start + CLOSE < payment.after <= year.end + CLOSE]
