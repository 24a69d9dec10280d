"""Repair policies and maintenance, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts import upkeep as contracts
from app.reports.contracts.filling import filled
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, quantity
from app.reports.parts import Part
from app.reports.profile_report import ProfileReport
from models.planning.durability import RepairTime, nines
from models.planning.grid import Values
from models.planning.upkeep import Contract, Domains, Rolled
from models.units import HOUR, YEAR, format_duration

LIMITS = (
    "Nines of durability are of an object over a year; failures are independent. An object is unreadable while more of"
    " its pieces are down than it spares: until what failed is healed, and while its servers are maintained. Maintained"
    " servers come back with their data, so that the nines of durability stay."
)


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
class UpkeepReport(ProfileReport):
    """What policies and calendars come to; `best` is the cheapest policy with the `nines` that were asked for.

    Calendars leave room for `keep` further servers to fail where they can.
    """

    policies: Sequence[Policy]
    best: Policy | None
    nines: float | None
    keep: int
    domains: Domains
    down: float
    calendars: Sequence[Rolled]
    degraded: Sequence[Degraded] = ()


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
    return Part.UPKEEP.section([block for part in document(report).sections for block in part.blocks])


def _answers(report: UpkeepReport) -> Iterator[tuple[str, str]]:
    best = report.best
    if best is not None:
        assert best.per_year is not None  # only those are weighed
        cost = quantity(best.per_year, best.currency)
        yield f"{report.nines:g} nines", f"{best.name}, {best.nines:.1f} nines for {cost} a year"
    elif report.nines is not None:
        yield f"{report.nines:g} nines", "no policy with a price has so many"
    most = max(report.policies, key=lambda policy: policy.nines)
    yield "Most nines", f"{most.name}: {most.nines:.1f}, a server heals in {format_duration(most.repair.server)}"
    if calendar := shortest(report):
        text = f"{calendar.together} server{'s' if calendar.together > 1 else ''} at a time"
        keep = f"any {report.keep} more may fail" if report.keep else "no more may fail"
        yield "Shortest calendar", f"{text}, {format_duration(calendar.length)} for all servers; {keep}"
    else:
        yield "Shortest calendar", f"none: with one server away not any {report.keep} more may fail"


def shortest(report: UpkeepReport) -> Rolled | None:
    """Return the shortest calendar, of the first kind of maintenance, that keeps what has to survive."""
    first = report.calendars[0].calendar
    fitting = [rolled for rolled in report.calendars if rolled.calendar == first and rolled.survives >= report.keep]
    return min(fitting, key=lambda rolled: rolled.length, default=None)


def _policies(report: UpkeepReport) -> Table:
    keys = [key for key, _ in report.policies[0].values]
    currency = next((policy.currency for policy in report.policies if policy.currency), "USD")
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
            policy.contract.name,
            *(value for _, value in policy.values),
            round(policy.nines, 2),
            format_duration(policy.repair.drive),
            format_duration(policy.repair.server),
            policy.effective,
            policy.per_year,
        )
        for policy in report.policies
    ]
    return Table("Repair policies", columns, rows)


def _maintenance(report: UpkeepReport) -> Iterator[Block]:
    placed = report.domains
    text = f"{placed.pieces} pieces an object, of which {placed.spare} may be away; {placed.servers} servers"
    islands = f" in {placed.islands} islands that share no object" if placed.islands > 1 else ""
    yield Paragraph(f"{text}{islands}. One server of each failure domain may be away at a time.")
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
            f"{rolled.calendar.name}, {rolled.calendar.times:g} a year, {words.stated(rolled.calendar.each)} a server",
            rolled.together,
            rolled.rounds,
            format_duration(rolled.length),
            f"{rolled.degraded * YEAR / HOUR:.1f} h",
            rolled.degraded,
            rolled.survives,
            round(nines(rolled.unreadable), 2),
        )
        for rolled in report.calendars
    ]
    yield Table("Maintenance", columns, rows)


def _degraded(report: UpkeepReport) -> Table:
    columns = (Column("policy"), Column("measure"), Column("whole"), Column("a server down"), Column("", "change"))
    rows = [
        (
            "; ".join(_changed(degraded.values)) or "as it is",
            degraded.measure,
            quantity(degraded.whole, degraded.unit),
            quantity(degraded.down, degraded.unit),
            degraded.down / degraded.whole - 1 if degraded.whole else None,
        )
        for degraded in report.degraded
    ]
    return Table("While a server is down", columns, rows)


def _changed(values: Values) -> list[str]:
    return [f"{key.rpartition('.')[2].replace('_', ' ')} {value}" for key, value in values]


def contract(report: UpkeepReport) -> contracts.Upkeep:
    """Return the report as JSON data, `headroom.upkeep/2`."""
    return filled(
        contracts.Upkeep,
        report,
        report.domains,
        best=report.best.name if report.best else None,
        policies=[_policy(policy) for policy in report.policies],
        calendars=[_calendar(rolled) for rolled in report.calendars],
        degraded=[filled(contracts.Degraded, degraded, values=dict(degraded.values)) for degraded in report.degraded],
    )


def _policy(policy: Policy) -> contracts.Policy:
    return filled(
        contracts.Policy,
        policy,
        policy.contract,
        contract=policy.contract.name,
        replacement_s=policy.contract.time,
        values=dict(policy.values),
        object_nines=policy.nines,
        cost_per_year=policy.per_year,
    )


def _calendar(rolled: Rolled) -> contracts.Calendar:
    calendar = rolled.calendar
    return filled(
        contracts.Calendar,
        rolled,
        calendar,
        times_a_year=calendar.times,
        server_s=calendar.each,
        survives_servers=rolled.survives,
    )
