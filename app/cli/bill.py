"""`simulate bill`: what has to be bought for a profile's cluster, and how it stands in its racks."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several


@click.command("bill")
@several(shared.profile, shared.changes, shared.answered)
def command(**options: Any) -> None:
    """Say what has to be bought for a PROFILE (a shipped name or a TOML file): parts, spares, switches, cables, racks.

    Nothing is simulated. The price list of the profile says what servers are made of and what that costs,
    [cluster.network.assembly] how racks are filled, cabled and fed.
    """
    from app.cli.reporting import check_files, tell
    from app.planning.loading import choose
    from app.planning.materials import study
    from app.planning.settings import pairs
    from app.reports.bill_document import document, sheet

    check_files(options)
    report = study(choose(options["profile"], pairs(options["settings"])))
    page = document(report)
    tell(options, page, text=page, sheet=sheet(report))
