"""`simulate purchase`: what to buy in which quarter, for the least net present cost."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.values import Whole


@click.command("purchase")
@several(
    shared.profile,
    shared.target("What has to be met all the time, beside room for the data: 'duration <= 900 s'"),
)
@click.option("--lead-time", metavar="TIME", help="Time from an order until servers stand; default: growth.lead_time.")
@click.option("--order-cost", metavar="AMOUNT", help="What an order costs however much is ordered; default: nothing.")
@click.option(
    "--lot",
    type=Whole(min=1),
    help="Servers come in multiples of it; default: as the storage system grows, one by one or by server pools.",
)
@several(shared.changes, shared.seed, shared.replications(1), shared.answered, shared.workers)
def command(**options: Any) -> int:
    """Say what to buy in which quarter for a growing PROFILE (a shipped name or a TOML file).

    The profile states [growth] and a price list, whose discount_rate, price_decline, residual_value and years count.
    The first requirement that fewer servers would miss says how many are needed: room by closed forms, targets by
    simulation. Servers that are written off are replaced as far as they are still needed. Ctrl+C and SIGTERM end it
    with the quarters that are known by then, and exit status 130.
    """
    from app.cli.failures import CANCELLED
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.purchasing import asked, delivered, study
    from app.planning.settings import pairs
    from app.reports.purchase_document import document

    check_files(options)
    plan = asked(delivered(options["profile"], pairs(options["settings"]), options["lead_time"]), options)
    report = study(plan, options["workers"], counted)
    page = document(report)
    tell(options, page, text=document(report, is_short=True), sheet=page)
    return CANCELLED if report.left else 0
