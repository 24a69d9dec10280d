"""`simulate durability`: how long until data is lost, what may fail at once, and how long a repair takes."""

from __future__ import annotations

import click

from app.cli import options as shared


@click.command("durability")
@shared.profile
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
@click.option("--check", "paths", is_flag=False, flag_value=20_000, type=click.IntRange(min=100), metavar="[PATHS]")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the simulated losses.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@click.option(
    "--report",
    "reports",
    metavar="FILE",
    multiple=True,
    help="Also write a report: .html, .pdf, .md, .xlsx, .json, .csv, .txt; repeatable.",
)
def command(
    profile: str,
    settings: tuple[str, ...],
    paths: int | None,
    seed: int,
    format_: str,
    output: str | None,
    reports: tuple[str, ...],
) -> None:
    """Say how durable the data of a PROFILE (a shipped name or a TOML file) is.

    The repair of a full drive and of a full server is simulated under the throttles of the storage system; a Markov
    chain makes a mean time to data loss of it. With --check losses are simulated as well, over 20,000 paths or PATHS.
    The table [failures] of a profile says how often drives and servers fail.
    """
    from app.cli.output import check_writable, write
    from app.cli.reporting import check_forms, write_reports
    from app.planning.durability import study
    from app.planning.loading import choose
    from app.planning.settings import pairs
    from app.reports import document_csv, document_text
    from app.reports.durability_report import contract, document
    from app.reports.json_text import dumps

    changes = pairs(settings)
    check_forms(reports)
    check_writable([("--output", output or "-"), *(("--report", name) for name in reports)])
    report = study(choose(profile, changes), paths, seed)
    write_reports(document(report), reports)
    forms = {
        "text": lambda: document_text.render(document(report)),
        "json": lambda: dumps(contract(report)),
        "csv": lambda: document_csv.render(document(report)),
    }
    write(output, forms[format_]())
