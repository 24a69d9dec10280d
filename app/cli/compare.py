"""`simulate compare`: profiles side by side, what differs between them first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several

if TYPE_CHECKING:
    from app.planning.comparing import Plan

SHOWN = 20  # keys that the terminal shows; reports and JSON have all


EPILOG = """\b
Examples:
  simulate compare hdfs-terasort minio-terasort --set 'workload.input=10 GB'
  simulate compare monday.toml tuesday.toml --explain --replications 1"""


@click.command("compare", epilog=EPILOG)
@click.option(
    "--explain",
    is_flag=True,
    help="Say what makes the differences to the first; runs mixtures of the profiles.",
)
@several(
    shared.profiles,
    shared.study,
    shared.changes,
    shared.seed,
    shared.replications(5),
    shared.interval(),
    shared.answered,
    shared.workers,
)
def command(profiles: tuple[str, ...], **options: Any) -> int:
    """Put two to six profiles side by side.

    PLAN alone puts its candidates side by side, each with the servers that answer the plan.

    All meet the same chances, so that small differences show; the first is what the others are measured against.
    How sure each is by itself is found from a few runs more, which they share. Ctrl+C and SIGTERM while differences are
    explained print what is known, with exit status 130.
    """
    from app.cli.failures import CANCELLED
    from app.cli.progress import CountedRuns
    from app.cli.reporting import check_files, tell
    from app.planning.comparing import compared
    from app.reports.compare_document import brief, document, sheet

    check_files(options)
    report = compared(_plan(options | {"profiles": profiles}), options["workers"], CountedRuns())
    tell(options, document(report), text=brief(report, SHOWN), sheet=sheet(report))
    return CANCELLED if report.was_stopped else 0


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.progress import CountedRuns
    from app.planning.comparing import Side, plan_beside, plan_of, side_name
    from app.planning.settings import pairs
    from app.planning.sheets import is_plan, sides as sides_of

    if options["study"] is not None:
        return plan_of(options)
    settings = pairs(options["settings"])
    if len(options["profiles"]) == 1 and is_plan(options["profiles"][0]):
        sides = sides_of(options["profiles"][0], settings, options["workers"], CountedRuns())
    else:
        sides = [Side(side_name(profile), profile, settings) for profile in options["profiles"]]
    return plan_beside(sides, options)
