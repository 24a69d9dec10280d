"""`simulate plan`: what meets a customer's requirements for the least money, of several storage systems at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.terminal import mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

WRITE = "--write-profiles"
EPILOG = """\b
Examples:
  simulate plan hdfs-or-minio
  simulate plan my-plan.toml --set prices.discount=30% --report plan.pdf
  simulate plan s3-store --interval none --format json"""


@click.command("plan", epilog=EPILOG)
@click.argument("name", metavar="PLAN", required=False)
@click.option("--study", help="The same as PLAN.")
@click.option(WRITE, "directory", metavar="DIR", help="Write the answer of each candidate as profiles, to be run.")
@click.option("--force", is_flag=True, help="Overwrite profiles in DIR.")
@several(shared.changes, shared.interval(), shared.answered, shared.workers)
def command(**options: Any) -> int:
    """Find what meets the requirements of PLAN, a shipped name or a TOML file, with the least cost.

    PLAN#CANDIDATE searches one of its candidates, and stands for it wherever another command takes a PROFILE.

    Exit status 1 if no candidate meets all, 70 if one has no answer by a fault of the program. Ctrl+C and SIGTERM stop
    the search: the best so far is printed, with exit status 130.
    """
    from models.problem import Problem, ProblemError
    from models.units import either

    name = options["name"] or options["study"]
    if name is None:
        from app.planning.sheets import plans

        raise ProblemError([Problem("", None, "PLAN", f"missing: name a file of your own, or {either(plans())}")])
    return search(name, options)


def search(name: str, options: Mapping[str, Any]) -> int:
    """Find what meets the requirements of a plan, or how far one of its candidates does, and tell it as options ask.

    Returns the exit status.

    Raises:
        ProblemError: with all that is wrong with the plan and the options.
    """
    from app.cli.failures import CANCELLED, FAULT
    from app.cli.output import each, made_folder
    from app.cli.progress import CountedRuns
    from app.cli.reporting import check_files, tell
    from app.planning.logo import picture
    from app.planning.plans.plan_profiles import file_of
    from app.planning.plans.plan_search import planned
    from app.planning.proposing import proposed
    from app.planning.settings import pairs
    from app.planning.sheets import narrowed
    from app.reports.plan.plan_answer_document import brief, document
    from app.reports.proposal.document import document as proposal

    check_files(options)
    plan_file = narrowed(name).changed(pairs(options["settings"]))
    plan_file.check()
    if options["reports"]:
        picture(plan_file.plan.logo, plan_file.path)  # a mistake is told before the search
    directory = options.get("directory")
    folder = None if directory is None else made_folder(directory, WRITE)
    if folder is not None and not options["force"]:
        _check_there(folder / file_of(run, ()) for run in plan_file.candidate_runs())
    answer = planned(plan_file, options["workers"], CountedRuns(), effort=options["interval"])
    short = document(answer)
    page = proposal(proposed(plan_file, answer)) if options["reports"] else short
    each(
        lambda: _write(folder, plan_file, answer) if folder is not None else None,
        lambda: tell(options, page, text=brief(answer), sheet=short.only(["requirements", "candidates", "options"])),
    )
    if answer.sizing.was_stopped:
        return CANCELLED
    if any(option.is_fault for option in answer.sizing.options):
        return FAULT
    return 0 if answer.best is not None else 1


def _check_there(paths: Iterable[Path]) -> None:
    """Refuse files that are there, such as profiles of which the plan is made.

    Raises:
        ProblemError: with every one.
    """
    from models.problem import Problem, ProblemError

    way_out = "use --force to overwrite it, or name another folder"
    if problems := [Problem("", None, WRITE, f"'{path}' exists; {way_out}") for path in paths if path.exists()]:
        raise ProblemError(problems)


def _write(directory: Path, sheet: Any, answer: Any) -> None:
    """Write the option of each candidate as a profile for each of its runs."""
    from app.cli.output import write
    from app.planning.plans.plan_profiles import profiles

    for name, text in profiles(sheet, answer).items():
        write(str(directory / name), text, WRITE)
        mention(f"written: {directory / name}", err=True)
