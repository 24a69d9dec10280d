"""`simulate lint`: advice on designs, without running them."""

from __future__ import annotations

import click

from app.cli import options as shared


@click.command("lint")
@shared.profiles
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value in all profiles.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(profiles: tuple[str, ...], settings: tuple[str, ...], format_: str) -> int:
    """Say what is unwise in a design, who warns of it, and the way out.

    Exit status 1 if there is a warning; hints alone do not count.
    """
    from app.cli.output import write
    from app.planning.linting import advice
    from app.planning.settings import pairs
    from app.reports import lint_report

    advised = advice(profiles, pairs(settings))
    write(None, lint_report.render_json(advised) if format_ == "json" else lint_report.render_text(advised))
    return int(lint_report.has_warning(advised))
