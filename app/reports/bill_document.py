"""A bill of materials as a document: what is bought with its spares, switches, racks and what stands in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.reports import cost_section, words
from app.reports.contracts import money
from app.reports.contracts.filling import filled
from app.reports.document import Block, Cell, Column, Computed, Document, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from app.reports.pictures import Elevation
from app.reports.profile_report import ProfileReport
from models.planning.cost import Cost
from models.planning.materials import BillOfMaterials, Material
from models.planning.racks import Rack

BESIDE = 6
"""Racks that a picture shows beside each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillReport(ProfileReport):
    """A bill of materials and the costs that follow from it."""

    materials: BillOfMaterials
    cost: Cost | None


def document(report: BillReport) -> Document:
    """Return the report."""
    sections = [section(report.materials)]
    if report.cost is not None:
        sections.append(cost_section.section(report.cost, 0.0, 0.0))
    return Document(report.title, sections, contract(report))


def section(bill: BillOfMaterials) -> Section:
    """Return the bill as a part of a report."""
    return Part.MATERIALS.section(list(_blocks(bill)))


def sheet(report: BillReport) -> Document:
    """Return the table of materials alone, for forms that hold tables."""
    return Document(report.title, [Section("materials", "Bill of materials", [_table(report.materials)])])


def _blocks(bill: BillOfMaterials) -> Iterator[Block]:
    if not bill.materials and not bill.unpriced:
        yield Paragraph("Nothing is bought or put up: what holds the data is its provider's.")
        return
    yield Facts(list(_facts(bill)))
    yield _table(bill)
    for note in bill.notes:
        yield Paragraph(f"{note[0].upper()}{note[1:]}.")
    if bill.racks:
        yield _racks(bill)
        yield from elevations(bill.racks)


def _facts(bill: BillOfMaterials) -> Iterator[tuple[str, str]]:
    if bill.unpriced:
        yield "Price", cost_section.unknown(bill.unpriced)
    else:
        paid = quantity(bill.paid, bill.currency)
        less = f", less {words.percent(bill.discount)}: {paid}" if bill.discount else ""
        yield "Price", f"{quantity(bill.listed, bill.currency)}{less}"
    switches = bill.switches
    if switches.leaves:
        beyond = f", {switches.spines} between them with {switches.uplinks} uplinks" if switches.spines else ""
        yield "Switches", f"{switches.leaves} in the racks{beyond}"
    if bill.racks:
        feeds = sum(rack.feeds for rack in bill.racks)
        yield "Racks", f"{len(bill.racks)} of {bill.racks[0].height} units, {feeds} feeds, two sides of each rack"
        yield "Power", f"{quantity(bill.power, 'W')} at work, without the building's share"
    yield from bill.set_up


def _table(bill: BillOfMaterials) -> Table:
    unit, is_any = bill.currency, any(part.there for part in bill.materials)
    there = (Column("owned", "1", is_input=True),) if is_any else ()
    columns = (
        Column("for"),
        Column("part"),
        Column("name"),
        Column("count", "1", is_input=True),
        Column("spares", "1", is_input=True),
        *there,
        Column("price of one", unit, is_input=True),
        Column("price", unit),
        Column("power of one", "W"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            part.group,
            part.kind,
            part.name,
            part.count,
            part.spares or None,
            *((part.there or None,) if is_any else ()),
            part.price,
            _total(part, is_any=is_any),
            part.power or None,
        )
        for part in bill.materials
    ]
    listed = Computed(bill.listed, "SUM({Materials/price})")
    total = ("Total, as listed", "", "", None, None, *([None] if is_any else []), None, listed, None)
    return Table("Materials", columns, rows, total=total)


def _total(part: Material, *, is_any: bool) -> Computed | None:
    less = "-{owned}" if is_any else ""
    return None if part.price is None else Computed(part.total, f"({{count}}+{{spares}}{less})*{{price of one}}")


def _racks(bill: BillOfMaterials) -> Table:
    columns = (Column("rack"), Column("units in use", "1"), Column("power at work", "W"), Column("feeds", "1"))
    return Table("Racks", columns, [(rack.name, rack.used, rack.power, rack.feeds) for rack in bill.racks])


def elevations(racks: Sequence[Rack]) -> Iterator[Elevation]:
    """Yield pictures of the racks, those that look the same once."""
    kinds: list[tuple[str, int, list[tuple[int, int, str, str]]]] = []
    for _, alike in groupby(racks, key=_looks):
        same = list(alike)
        first, last = same[0], same[-1]
        name = first.name if first is last else f"{first.name} to {last.name.removeprefix('rack-')}"
        kinds.append((name, first.height, [(slot.first, slot.height, slot.name, slot.group) for slot in first.slots]))
    for i in range(0, len(kinds), BESIDE):
        yield Elevation("Racks from the front", kinds[i : i + BESIDE])


def _looks(rack: Rack) -> tuple[tuple[int, int, str], ...]:
    return tuple((slot.first, slot.height, slot.group) for slot in rack.slots)


def contract(report: BillReport) -> money.Bill:
    """Return the report as JSON data."""
    bill = report.materials
    materials = [
        filled(money.Material, part, count=float(part.count), there=float(part.there)) for part in bill.materials
    ]
    return filled(
        money.Bill,
        bill,
        bill.switches,
        report,
        listed=None if bill.unpriced else bill.listed,
        paid=None if bill.unpriced else bill.paid,
        materials=materials,
        set_up=dict(bill.set_up),
    )
