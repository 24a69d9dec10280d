"""`simulate lint`: advice on designs, without running them."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several


@click.command("lint")
@several(shared.profiles, shared.changes, shared.answered)
def command(profiles: tuple[str, ...], **options: Any) -> int:
    """Say what is unwise in a design, who warns of it, and the way out.

    Exit status 1 if there is a warning; hints alone do not count.
    """
    from app.cli.reporting import check_files, tell
    from app.planning.linting import advice
    from app.planning.settings import pairs
    from app.reports.lint_report import brief, document, has_warning

    check_files(options)
    advised = advice(profiles, pairs(options["settings"]))
    page = document(advised)
    tell(options, page, text=brief(advised), sheet=page)
    return int(has_warning(advised))
