"""Repair policies and maintenance, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.reports import words
from app.reports.contracts import upkeep as contracts
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from models.planning.durability import YEAR, RepairTime, nines
from models.planning.grid import Values
from models.planning.upkeep import Contract, Domains, Rolled
from models.units import format_duration

LIMITS = (
    "Nines of durability are of an object over a year; failures are independent. An object is unreadable while more of"
    " its pieces are down than it spares: until what failed is healed, and while its servers are maintained. Maintained"
    " servers come back with their data, so that the nines of durability stay."
)
HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A contract with values of keys: how soon all heals, how durable data is, what is usable, and a year's cost.

    `down` is the chance that a piece of an object is down at any moment.
    """

    contract: Contract
    values: Values
    repair: RepairTime
    nines: float
    mttdl: float
    down: float
    effective: float
    per_year: float | None
    currency: str

    @property
    def name(self) -> str:
        """The policy in words."""
        return "; ".join([self.contract.name, *_changed(self.values)])


@dataclass(frozen=True, slots=True)
class Degraded:
    """What leads a run on the whole cluster, and on one with a server down."""

    values: Values
    measure: str
    unit: str
    whole: float
    down: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepReport:
    """What policies and calendars come to; `best` is the cheapest policy with the `nines` that were asked for.

    Calendars leave room for `keep` further servers to fail where they can.
    """

    profile: str
    title: str
    policies: Sequence[Policy]
    best: Policy | None
    nines: float | None
    keep: int
    domains: Domains
    down: float
    calendars: Sequence[Rolled]
    degraded: Sequence[Degraded] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    version: str = ""
    resolved: Mapping[str, Any] = field(default_factory=dict)


def document(report: UpkeepReport) -> Document:
    """Return the report."""
    sections = [
        Section("answer", "The answer", [Facts(list(_answers(report))), Paragraph(LIMITS)]),
        Section("policies", "Repair policies", [_policies(report)]),
        Section("maintenance", "Maintenance", list(_maintenance(report))),
    ]
    if report.degraded:
        sections.append(Section("degraded", "While a server is down", [_degraded(report)]))
    return Document(report.title, sections, contract(report))


def section(report: UpkeepReport) -> Section:
    """Return the report as a part of another."""
    return Part.UPKEEP.section([block for each in document(report).sections for block in each.blocks])


def _answers(report: UpkeepReport) -> Iterator[tuple[str, str]]:
    best = report.best
    if best is not None:
        assert best.per_year is not None  # only those are weighed
        cost = quantity(best.per_year, best.currency)
        yield f"{report.nines:g} nines", f"{best.name}, {best.nines:.1f} nines for {cost} a year"
    elif report.nines is not None:
        yield f"{report.nines:g} nines", "no policy with a price has so many"
    most = max(report.policies, key=lambda each: each.nines)
    yield "Most nines", f"{most.name}: {most.nines:.1f}, a server heals in {format_duration(most.repair.server)}"
    if calendar := shortest(report):
        said = f"{calendar.together} server{'s' if calendar.together > 1 else ''} at a time"
        keep = f"any {report.keep} more may fail" if report.keep else "no more may fail"
        yield "Shortest calendar", f"{said}, {format_duration(calendar.length)} for all servers; {keep}"
    else:
        yield "Shortest calendar", f"none: with one server away not any {report.keep} more may fail"


def shortest(report: UpkeepReport) -> Rolled | None:
    """Return the shortest calendar, of the first kind of maintenance, that keeps what has to survive."""
    first = report.calendars[0].calendar
    fitting = [each for each in report.calendars if each.calendar == first and each.survives >= report.keep]
    return min(fitting, key=lambda each: each.length, default=None)


def _policies(report: UpkeepReport) -> Table:
    keys = [key for key, _ in report.policies[0].values]
    currency = next((each.currency for each in report.policies if each.currency), "USD")
    columns = (
        Column("contract"),
        *(Column(key.rpartition(".")[2].replace("_", " ")) for key in keys),
        Column("nines", "1"),
        Column("drive heals in"),
        Column("server heals in"),
        Column("usable", "B"),
        Column("a year", currency),
    )
    rows = [
        (
            each.contract.name,
            *(value for _, value in each.values),
            round(each.nines, 2),
            format_duration(each.repair.drive),
            format_duration(each.repair.server),
            each.effective,
            each.per_year,
        )
        for each in report.policies
    ]
    return Table("Repair policies", columns, rows)


def _maintenance(report: UpkeepReport) -> Iterator[Block]:
    placed = report.domains
    said = f"{placed.pieces} pieces an object, of which {placed.spare} may be away; {placed.servers} servers"
    pools = f" in {placed.pools} pools that share no object" if placed.pools > 1 else ""
    yield Paragraph(f"{said}{pools}. One server of each failure domain may be away at a time.")
    columns = (
        Column("maintenance"),
        Column("servers at once", "1"),
        Column("rounds", "1"),
        Column("for all servers"),
        Column("degraded a year"),
        Column("part of a year", "share"),
        Column("may fail meanwhile", "1"),
        Column("nines of being readable", "1"),
    )
    rows = [
        (
            f"{each.calendar.name}, {each.calendar.times:g} a year, {words.stated(each.calendar.each)} a server",
            each.together,
            each.rounds,
            format_duration(each.length),
            f"{each.degraded * YEAR / HOUR:.1f} h",
            each.degraded,
            each.survives,
            round(nines(each.unreadable), 2),
        )
        for each in report.calendars
    ]
    yield Table("Maintenance", columns, rows)


def _degraded(report: UpkeepReport) -> Table:
    columns = (Column("policy"), Column("measure"), Column("whole"), Column("a server down"), Column("", "change"))
    rows = [
        (
            "; ".join(_changed(each.values)) or "as it is",
            each.measure,
            quantity(each.whole, each.unit),
            quantity(each.down, each.unit),
            each.down / each.whole - 1 if each.whole else None,
        )
        for each in report.degraded
    ]
    return Table("While a server is down", columns, rows)


def _changed(values: Values) -> list[str]:
    return [f"{key.rpartition('.')[2].replace('_', ' ')} {value}" for key, value in values]


def contract(report: UpkeepReport) -> contracts.Upkeep:
    """Return the report as JSON data, `headroom.upkeep/1`."""
    return {
        "schema": "headroom.upkeep/1",
        "title": report.title,
        "profile": report.profile,
        "settings": dict(report.settings),
        "seed": report.seed,
        "version": report.version,
        "nines": report.nines,
        "best": report.best.name if report.best else None,
        "policies": [_policy(each) for each in report.policies],
        "keep": report.keep,
        "pieces": report.domains.pieces,
        "spare": report.domains.spare,
        "pools": report.domains.pools,
        "calendars": [_calendar(each) for each in report.calendars],
        "degraded": [
            {
                "values": dict(each.values),
                "measure": each.measure,
                "unit": each.unit,
                "whole": each.whole,
                "down": each.down,
            }
            for each in report.degraded
        ],
        "resolved": dict(report.resolved),
    }


def _policy(each: Policy) -> contracts.Policy:
    return {
        "name": each.name,
        "contract": each.contract.name,
        "replacement_s": each.contract.time,
        "spares": each.contract.spares,
        "values": dict(each.values),
        "repair_s": {"drive": each.repair.drive, "server": each.repair.server},
        "object_nines": each.nines,
        "mttdl_s": each.mttdl,
        "effective": each.effective,
        "cost_per_year": each.per_year,
        "currency": each.currency,
    }


def _calendar(each: Rolled) -> contracts.Calendar:
    return {
        "name": each.calendar.name,
        "times_a_year": each.calendar.times,
        "server_s": each.calendar.each,
        "together": each.together,
        "rounds": each.rounds,
        "length_s": each.length,
        "degraded": each.degraded,
        "survives_servers": each.survives,
        "unreadable": each.unreadable,
    }
