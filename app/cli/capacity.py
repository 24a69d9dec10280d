"""`simulate capacity`: what a profile's cluster holds, from raw to effective, and the day on which it is full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from app.reports.capacity_report import CapacityReport


@click.command("capacity")
@click.argument("profile")
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
@click.option("--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@click.option(
    "--report",
    "reports",
    metavar="FILE",
    multiple=True,
    help="Write a report as well: .html, .pdf, .md, .xlsx, .json, .csv, .txt; repeatable.",
)
def command(
    profile: str, settings: tuple[str, ...], format_: str, output: str | None, reports: tuple[str, ...]
) -> None:
    """Say what the cluster of a PROFILE (a shipped name or a TOML file) holds, and when it is full.

    Closed forms: nothing is simulated. The table [planning] of a profile says what may be filled, [growth] how the
    data grows and when servers are added.
    """
    from app.cli.output import check_writable, write
    from app.cli.reporting import check_forms, pairs, write_reports
    from app.reports import document_csv, document_text
    from app.reports.capacity_report import contract, document
    from app.reports.json_text import dumps

    changes = pairs(settings)
    check_forms(reports)
    check_writable([("--output", output or "-"), *(("--report", name) for name in reports)])
    report = _report(profile, changes)
    write_reports(document(report), reports)
    forms = {
        "text": lambda: document_text.render(document(report, is_short=True)),
        "json": lambda: dumps(contract(report)),
        "csv": lambda: document_csv.render(document(report)),
    }
    write(output, forms[format_]())


def _report(profile: str, settings: dict[str, str]) -> CapacityReport:
    from app.cli.failures import refusals
    from app.cli.loading import load_profile
    from app.reports.capacity_report import CapacityReport
    from models.planning.capacity import capacity, ceilings, keeping, servers_needed
    from models.planning.growth import grow

    loaded, _ = load_profile(profile, settings)
    scenario = loaded.scenario
    batches = scenario.storage.batches(scenario.cluster)
    with refusals(profile):
        growth = grow(scenario) if scenario.growth else None
        return CapacityReport(
            profile=profile,
            title=scenario.profile.title,
            plan=capacity(scenario),
            ceilings=ceilings(scenario),
            servers=sum(batch.servers for batch in batches) if batches else None,
            servers_needed=servers_needed(keeping(scenario, growth.months[-1].stored) if growth else scenario),
            growth=growth,
            settings=settings,
        )
