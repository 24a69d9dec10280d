"""`simulate accept`: what a delivered cluster has to reach, the kit that measures it, and what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.terminal import mention

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


EPILOG = """\b
PLAN_OR_PROFILE  a shipped name, a TOML file, or a folder that `simulate import` wrote; of a plan the option that
                 it decides for
RESULTS          files or folders that the scripts of the kit wrote

\b
Examples:
  simulate accept hdfs-terasort --write kit --report contract.pdf
  simulate accept hdfs-terasort kit/results"""


@click.command("accept", epilog=EPILOG)
@click.argument("name", metavar="PLAN_OR_PROFILE")
@click.argument("results", metavar="[RESULTS...]", nargs=-1)
@click.option("--write", "folder", metavar="FOLDER", help="Write the kit into this folder, which must be new or empty.")
@click.option("--data", metavar="SIZE", help="Data of Hadoop jobs, such as '500 GB'; default: twice all memory.")
@several(shared.changes, shared.seed, shared.interval(), shared.answered, shared.workers)
def command(**options: Any) -> int:
    """Say what a delivered cluster of PLAN_OR_PROFILE has to reach, and whether RESULTS do.

    Exit status 1 if a test fails, was not measured, or a result cannot be used.
    """
    from pathlib import Path

    from app.cli.output import each
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.acceptance.accept_kit import kit
    from app.planning.acceptance.accept_results import judged
    from app.planning.acceptance.accepting import decided, expected
    from app.planning.settings import pairs
    from app.reports.acceptance.accept_document import document
    from models.problem import Problem, ProblemError
    from profiles.text.files import unreadable

    check_files(options)
    folder = Path(options["folder"]) if options["folder"] else None
    if folder is not None:
        if options["results"]:
            raise ProblemError([Problem("", None, "--write", "goes not with RESULTS: write the kit, then run it")])
        _check_folder(folder)
        _keep_apart(folder, options)
    if missing := [name for name in options["results"] if not Path(name).exists()]:
        why = unreadable(FileNotFoundError("no such file or directory"))
        raise ProblemError(Problem(name, None, "", why) for name in missing)
    data = _data(options["data"])
    chosen = decided(options["name"], pairs(options["settings"]), options["workers"], counted)
    report, works = expected(
        chosen,
        data,
        seed=options["seed"] or 0,
        effort=options["interval"],
        workers=options["workers"],
        counted=counted,
    )
    if options["results"]:
        report = judged(report, works, options["results"], counted)
    page = document(report)
    each(
        lambda: _write(folder, kit(report, works)) if folder is not None else None,
        lambda: tell(options, page, text=page, sheet=page),
    )
    return int(report.is_accepted is False or bool(report.problems))


def _data(text: str | None) -> float | None:
    from models import units
    from models.problem import Problem, ProblemError, RefusalError

    if text is None:
        return None
    try:
        value = units.parse(text, "B")
    except RefusalError as error:
        raise ProblemError([Problem("", None, "--data", str(error))]) from None
    if value <= 0:
        raise ProblemError([Problem("", None, "--data", f"must be greater than 0 (got '{text}')")])
    return value


def _check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made or written, or in which something lies: a kit is not mixed with another one.

    Raises:
        ProblemError: it is one of these.
    """
    from app.planning.files import obstacle_to_folder
    from models.problem import Problem, ProblemError

    if why := obstacle_to_folder(folder):
        message = f"cannot write into '{folder}': {why}; name a new folder"
        raise ProblemError([Problem("", None, "--write", message)])


def _keep_apart(folder: Path, options: Mapping[str, Any]) -> None:
    """Refuse an answer that would lie among the files of a kit, where one would replace the other.

    Raises:
        ProblemError: with each.
    """
    import os

    from models.problem import Problem, ProblemError

    named = [("--output", options["output"]), *(("--report", name) for name in options["reports"])]
    kept = os.path.realpath(folder)
    problems = [
        Problem("", None, option, f"'{name}' lies in the folder of the kit; name a file elsewhere")
        for option, name in named
        if name and os.path.dirname(os.path.realpath(name)) == kept
    ]
    if problems:
        raise ProblemError(problems)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a kit, if nothing else has come into its folder while it was made.

    Raises:
        ProblemError: something has, or a file cannot be written.
    """
    from app.cli.output import made_folder, write

    _check_folder(folder)
    made_folder(str(folder), "--write")
    for name, content in files.items():
        write(str(folder / name), content, "--write")
    mention(f"written: {folder}: {', '.join(files)}", err=True)
