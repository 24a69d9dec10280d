"""`simulate size`: the smallest, cheapest or least hungry configuration that meets several targets at once."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several

SHOWN = 15  # rejected options that the terminal shows; reports and JSON have all


def _part(context: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
    """Return the part that a text states.

    Raises:
        BadParameter: it states none, or one that is not above 0 and below 1.
    """
    from models.problem import RefusalError
    from models.units import parse

    try:
        part = None if text is None else parse(text, "1")
    except RefusalError as error:
        raise click.BadParameter(f"{error}", context, parameter) from None
    if part is not None and not 0 < part < 1:
        raise click.BadParameter(f"expected a part between 0 and 1 such as 90% (got '{text}')", context, parameter)
    return part


@click.command("size")
@several(
    shared.profile, shared.varied, shared.target("'duration <= 900 s', 'usable >= 2 PB', 'survives_writing 1 rack'")
)
@click.option(
    "--minimize",
    metavar="MEASURE",
    help="servers, drives, power, 'cost over 3 years', or a varied key; default: servers.",
)
@click.option(
    "--confidence", metavar="PART", callback=_part, help="Meet the targets for the run in so many of the cases: 90%."
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
def command(**options: Any) -> int:
    """Find the configuration with the least cost, servers or power that meets every target.

    PROFILE may be a plan, PLAN or PLAN#CANDIDATE: its requirements, its counts and its prices are then what is asked.

    Exit status 1 if none does, 70 if one has no answer by a fault of the program. Ctrl+C and SIGTERM stop the search:
    the best so far is printed, with exit status 130.
    """
    from app.cli.failures import CANCELLED, FAULT
    from app.cli.progress import CountedRuns
    from app.cli.reporting import check_files, tell
    from app.planning.asking import asked
    from app.planning.sheets import is_plan
    from app.planning.sizing import sized
    from app.reports.size.size_document import brief, document
    from models.planning.study import Size
    from profiles.plans.candidates import split

    name = options["profile"]
    is_of_plan = is_plan(name) or split(name or "") is not None
    if is_of_plan and not options["vary"] and not options["targets"]:
        from app.cli.plan import search

        shared.refuse_given(name, "minimize", "confidence", "study", "seed", "replications")
        return search(name, options)
    check_files(options)
    report = sized(asked(Size, options), options["workers"], CountedRuns(), options["interval"])
    page = document(report)
    tell(options, page, text=brief(report, SHOWN), sheet=page.only(["comparison", "options"]))
    if report.sizing.was_stopped:
        return CANCELLED
    if any(option.is_fault for option in report.sizing.options):
        return FAULT
    return 0 if report.sizing.best is not None else 1
