"""`simulate capacity`: what a profile's cluster holds, when it is full, and how long it meets targets."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several


@click.command("capacity")
@several(
    shared.profile,
    shared.target("Simulate the growing cluster until it misses this: 'duration <= 900 s', 'usable >= 1 PB'"),
)
@several(
    shared.study,
    shared.changes,
    shared.seed,
    shared.replications(1),
    shared.interval(),
    shared.answered,
    shared.workers,
)
def command(**options: Any) -> None:
    """Say what the cluster of a PROFILE (a shipped name or a TOML file) holds, and when it is full.

    Closed forms: nothing is simulated, unless there are targets that need it. The table [planning] of a profile says
    what may be filled, [growth] how the data grows and when servers are added.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.asking import asked
    from app.planning.capacity import answered
    from app.reports.capacity_report import document
    from models.planning.study import Growth

    check_files(options)
    is_titled = options["study"] is not None
    report = answered(asked(Growth, options), options["workers"], counted, options["interval"], is_titled=is_titled)
    page = document(report)
    tell(options, page, text=document(report, is_short=True), sheet=page)
