"""What to buy in which quarter, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import rebalances
from app.reports.contracts import money
from app.reports.contracts.filling import filled
from app.reports.document import (
    Axis,
    Block,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Section,
    Series,
    Table,
    quantity,
)
from app.reports.profile_report import ProfileReport
from models.planning.grid import numbered
from models.target import target
from models.units import format_duration
from simulator.studies.purchase_plan import PurchasePlan, Quarter

METHOD = (
    "Of all purchases under which there are enough servers in every quarter these have the least net present cost"
    " (integer program, solved exactly). Counted are price, power, space, maintenance, licences and people of the"
    " servers that grow, less what machines are worth at the end. Network and spare parts come on top, bought as"
    " servers come, and all that does not grow. What is ordered serves after the time of delivery and its rebalance;"
    " stores whose data does not move fill new servers as data comes. Where what is added is a pool of its own,"
    " servers come in lots that survive by themselves what is asked for, or as much as those of the start."
)


STARTS = "in place of those that are written off"


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchaseReport(ProfileReport):
    """What is bought when, for which targets; `simulated` scenarios were run for that.

    So many quarters are `left` unknown at the end: it was stopped.
    """

    plan: PurchasePlan
    targets: Sequence[str] = ()
    lot: int = 1
    lead_days: float = 0.0
    simulated: int = 0
    left: int = 0


def document(report: PurchaseReport, *, is_short: bool = False) -> Document:
    """Return the report; a short one has only the quarters in which something is bought or written off."""
    plan = report.plan
    shown = [quarter for quarter in plan.quarters if not is_short or quarter.bought or quarter.written_off]
    blocks: list[Block] = [_table(plan, shown)] if shown else [Paragraph("Nothing has to be bought.")]
    if not is_short:
        blocks.append(_curves(plan))
    blocks += rebalances.blocks([quarter.moving for quarter in plan.quarters if quarter.moving], is_told=True)
    blocks.append(Paragraph(METHOD))
    sections = [
        Section("answer", "The answer", [Facts(list(_facts(report)))]),
        Section("purchases", "What to buy when", blocks),
    ]
    return Document(report.title, sections, contract(report))


def _facts(report: PurchaseReport) -> Iterator[tuple[str, str]]:
    plan = report.plan
    bought = [quarter for quarter in plan.quarters if quarter.bought]
    if report.lot > 1:
        yield "A lot", f"{report.lot} servers at once, or a multiple of it"
    servers = sum(quarter.bought for quarter in bought)
    if report.left:
        known = len(plan.quarters)
        yield "Stopped", f"the first {known} of {known + report.left} quarters are known, and all below is of these"
    start = f"after the {plan.initial} of the start" + (f", {plan.owned} of them owned" if plan.owned else "")
    yield "Buy", f"{_servers(servers)} in {numbered(f'{len(bought)}', 'orders')}, {start}"
    if bought:
        first = bought[0]
        yield (
            "First order",
            f"by {first.order_by}: {_servers(first.bought)} for {first.need.day}, {first.need.cause or STARTS}",
        )
    yield "Lead time", f"{report.lead_days:,g} d from an order until servers stand"
    yield f"Over {plan.years:g} years", f"{quantity(plan.present, plan.currency)} net present cost"
    if plan.beside:
        yield (
            "Beside it",
            f"{quantity(plan.beside, plan.currency)} for network, other groups and contracts",
        )
    for quarter in bought:
        if quarter.moving and quarter.moving.cause:
            yield "Rebalance", rebalances.words(quarter.moving)
    more = quantity(plan.at_once - plan.present, plan.currency)
    yield "All at the start", f"{quantity(plan.at_once, plan.currency)}, {more} more"
    runs = numbered(f"{report.simulated}", "runs") if report.simulated else "no run, by closed forms"
    asked = ["room for the data", *(target(text).words for text in report.targets)]
    yield "Required", f"{', '.join(asked)}; {runs}"


def _servers(count: int) -> str:
    return numbered(f"{count}", "servers")


def _table(plan: PurchasePlan, quarters: Sequence[Quarter]) -> Table:
    columns = (
        Column("order by"),
        Column("for"),
        Column("buy", "1"),
        Column("written off", "1"),
        Column("servers", "1"),
        Column("needed", "1"),
        Column("paid then", plan.currency),
        Column("rebalance"),
        Column("fewer would miss"),
    )
    return Table("Purchases", columns, [_row(quarter) for quarter in quarters])


def _row(quarter: Quarter) -> tuple[str | float | None, ...]:
    return (
        quarter.order_by.isoformat() if quarter.order_by else "–",
        quarter.need.day.isoformat(),
        quarter.bought or None,
        quarter.written_off or None,
        quarter.servers,
        quarter.need.servers,
        quarter.paid or None,
        format_duration(quarter.moving.time) if quarter.moving else "–",
        quarter.need.cause or "–",
    )


def _curves(plan: PurchasePlan) -> Lines:
    x = [i / 4 for i in range(len(plan.quarters))]
    curves = [
        Series("there", x, [float(quarter.servers) for quarter in plan.quarters]),
        Series("needed", x, [float(quarter.need.servers) for quarter in plan.quarters]),
    ]
    return Lines("Servers", Axis("years after the start", "1"), Axis("servers", "1"), curves, is_joint=True)


def contract(report: PurchaseReport) -> money.Purchase:
    """Return the report as JSON data."""
    return filled(
        money.Purchase,
        report.plan,
        report,
        quarters=[_quarter(quarter) for quarter in report.plan.quarters],
    )


def _quarter(quarter: Quarter) -> money.Quarter:
    return filled(
        money.Quarter,
        quarter,
        quarter.need,
        date=f"{quarter.need.day}",
        needed=quarter.need.servers,
        spread_s=quarter.moving.time if quarter.moving else 0.0,
        rebalance=rebalances.data(quarter.moving) if quarter.moving else None,
    )
