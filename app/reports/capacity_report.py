"""What a cluster holds and when it is full, as a report: the answer, the way from raw to effective, and growth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from app.reports import rebalances, targets_section, words
from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import (
    Axis,
    Block,
    Cell,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Section,
    Series,
    Table,
    Waterfall,
)
from app.reports.parts import Part
from app.reports.prediction_report import Assumption, ledger, measure_row
from app.reports.profile_report import ProfileReport
from models.planning.capacity import CapacityPlan
from models.planning.growth import GrowthPlan, Month
from models.units import format
from simulator.studies.growth import Held, Moving


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Between what a capacity (B) and the day on which it is full lie with a chance of `level`, from so many draws.

    `days` is None where nothing grows; an end of it on the last day that there is means that it is not full by then.
    In `empty` of the draws nothing fits, in most of them by `empty_by`.
    """

    level: float
    low: float
    high: float
    days: tuple[date, date] | None
    draws: int
    assumptions: tuple[Assumption, ...]
    empty: int = 0
    empty_by: str = ""

    @property
    def holds(self) -> str:
        """The capacity in words: "540 to 610 TB (80 %)"."""
        return f"{words.likely(self.low, self.high, 'B')} ({words.percent(self.level)})"

    def full(self, day: date | None) -> str | None:
        """The months between which it is full in words, with the day that was answered; None where it is not."""
        if self.days is None:
            return None
        low, high = min(self.days[0], day or date.max), max(self.days[1], day or date.max)
        level = words.percent(self.level)
        if low == date.max:
            return None
        return f"{low:%Y-%m} or later ({level})" if high == date.max else f"{low:%Y-%m} to {high:%Y-%m} ({level})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityReport(ProfileReport):
    """What was found; `ceilings` are B/s read and written.

    `servers` are there, `servers_needed` would do for what the workload
    keeps, or with growth for what is stored at its end; both are None for a store that shows none. `held` says how long
    targets are met, where there are any; `idle` are the rebalances of its growth on an idle cluster; `outlook` how sure
    the plan is, None where nothing is said of that.
    """

    plan: CapacityPlan
    ceilings: tuple[float, float]
    servers: int | None
    servers_needed: int | None
    growth: GrowthPlan | None = None
    idle: Sequence[Moving] = ()
    held: Held | None = None
    outlook: Outlook | None = None
    rules: str = ""

    @property
    def moving(self) -> Sequence[Moving]:
        """Its rebalances, beside the workload as far as its runs were asked for."""
        beside = {one.day: one for one in self.held.moving} if self.held else {}
        return [beside.get(one.day, one) for one in self.idle]


def document(report: CapacityReport, *, is_short: bool = False) -> Document:
    """Return the report; a short one leaves out the months in which nothing happens but each twelfth."""
    sections = [
        Section("answer", "The answer", [Facts(list(answers(report)))]),
        Part.CAPACITY.section(list(_steps(report.plan))),
    ]
    if report.growth:
        sections.append(Part.GROWTH.section([*_growth(report.growth, is_short), *rebalances.blocks(report.moving)]))
    if report.held:
        sections.append(targets_section.section(report.held, is_short))
    if report.outlook and not is_short:
        sections.append(Section("assumptions", "What is assumed", [ledger(report.outlook.assumptions)]))
    return Document(report.title, sections, contract(report))


def contract(report: CapacityReport) -> planning.Capacity:
    """Return the report as JSON data: sizes in bytes, rates in bytes per second, dates as year-month-day."""
    reads, writes = report.ceilings
    return filled(
        planning.Capacity,
        report.plan,
        report,
        read_ceiling=reads,
        write_ceiling=writes,
        growth=_growth_data(report.growth, report.moving) if report.growth else None,
        prediction=_outlook_data(report.outlook) if report.outlook else None,
        targets=targets_section.data(report.held) if report.held else None,
    )


def _growth_data(growth: GrowthPlan, moving: Sequence[Moving]) -> planning.Growth:
    full = filled(planning.Event, growth.full, date=f"{growth.full.day}") if growth.full else None
    months = [filled(planning.Month, month, date=f"{month.day}") for month in growth.months]
    return {"full": full, "months": months, "rebalances": list(map(rebalances.data, moving))}


def _outlook_data(sure: Outlook) -> planning.Outlook:
    ends = [None if end == date.max else end.isoformat() for end in sure.days] if sure.days else None
    return filled(planning.Outlook, sure, full=ends)


def answers(report: CapacityReport) -> Iterator[tuple[str, str]]:
    """Yield what is read first, as (label, words)."""
    plan, (reads, writes) = report.plan, report.ceilings
    sure = report.outlook
    yield "Holds", f"{size(plan.effective)} of data{f', likely {sure.holds}' if sure else ''}, limited by: {plan.limit}"
    room = "it fits" if plan.is_enough else "it does not fit"
    yield "The workload", f"keeps {size(plan.stored)}, which takes {size(plan.needed)} of raw bytes: {room}"
    if report.growth:
        yield "Full", _full(report.growth, sure)
        if report.held:
            yield targets_section.answer(report.held, report.growth.full)
            yield from (("Setting", text) for text in targets_section.limiting(report.held))
        for one in report.moving:
            yield "Rebalance", rebalances.words(one)
    if report.servers_needed is not None:
        yield "Servers", f"{report.servers} there, {report.servers_needed} needed for {_needed_for(report)}"
    if math.isfinite(reads):
        yield "At most", f"{format(reads, 'B/s')} read and {format(writes, 'B/s')} written over the network"
    if sure:
        none = f"; in {sure.empty} of them nothing fits: {sure.empty_by}" if sure.empty else ""
        yield "Sure", f"{len(sure.assumptions)} assumed numbers, drawn together {sure.draws} times{none}"
        yield from measure_row(sure.assumptions)
    yield "Rules", report.rules
    for note in plan.notes:
        yield "Note", note
    yield from words.changes(report.settings)


def _needed_for(report: CapacityReport) -> str:
    if report.growth is None:
        return "what the workload keeps"
    last = report.growth.months[-1]
    return f"the {size(last.stored)} of {last.day}, if all were like the first"


def _full(growth: GrowthPlan, sure: Outlook | None) -> str:
    months = sure.full(growth.full.day if growth.full else None) if sure else None
    likely = f", likely {months}" if months else ""
    if growth.full is None:
        last = growth.months[-1]
        part = f", {words.percent(last.fill)} of what it holds," if math.isfinite(last.effective) else ""
        return f"not before {last.day}, when {size(last.stored)}{part} are stored{likely}"
    return f"on {growth.full.day}{likely}, limited by: {growth.full.cause}"


def _steps(plan: CapacityPlan) -> Iterator[Block]:
    if math.isinf(plan.raw):
        yield Paragraph(
            "The store is a service without a limit: only the service knows its drives, copies and headroom."
        )
        return
    columns = (Column("step"), Column("left", "B"), Column("of raw", "share"), Column("because of"))
    rows = [(step.name, step.left, step.left / plan.raw, step.reason) for step in plan.steps]
    yield Table("From raw to effective", columns, rows)
    lefts = [math.inf, *(step.left for step in plan.steps)]
    steps = [(step.name, step.left) for step, before in zip(plan.steps, lefts, strict=False) if step.left != before]
    yield Waterfall("What is left of the drives", Axis("bytes", "B"), steps)


def _growth(growth: GrowthPlan, is_short: bool) -> Iterator[Block]:
    axes = Axis("months from the start", "1", is_whole=True), Axis("data", "B")
    yield Lines("Stored data and room", *axes, _curves(growth.months))
    columns = (
        Column("date"),
        Column("servers", "1"),
        Column("holds", "B"),
        Column("stored", "B"),
        Column("full", "share"),
    )
    months = list(_eventful(growth)) if is_short else growth.months
    yield Table("Year by year" if is_short else "Month by month", columns, [_month(month) for month in months])


def _month(month: Month) -> tuple[Cell, ...]:
    """Return a month as cells; what a store without a limit does not show is left out."""
    if math.isinf(month.effective):
        return (str(month.day), None, None, month.stored, None)
    return (str(month.day), month.servers, month.effective, month.stored, month.fill)


def _curves(months: Sequence[Month]) -> list[Series]:
    after = [float(i) for i in range(len(months))]
    curves = [Series("stored", after, [month.stored for month in months])]
    if all(math.isfinite(month.effective) for month in months):
        curves.append(Series("holds", after, [month.effective for month in months]))
    return curves


def _eventful(growth: GrowthPlan) -> Iterator[Month]:
    """Yield each twelfth month, the last, the first with other servers, and the first that is too full."""
    for i, month in enumerate(growth.months):
        before = growth.months[max(i - 1, 0)]
        changes = month.servers != before.servers or (month.fill > 1) != (before.fill > 1)
        if i % 12 == 0 or changes or month is growth.months[-1]:
            yield month


def size(value: float) -> str:
    """Return bytes as people read them; those of a store without a limit in words."""
    return "any amount" if math.isinf(value) else format(value, "B")
