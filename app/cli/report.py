"""`simulate report`: the planning report of a profile, in every form that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from app.cli import options as shared
from app.cli.values import Whole
from models.problem import Problem, ProblemError, did_you_mean
from models.units import either


@click.command("report")
@shared.profile_and_files
@click.option("--against", metavar="PROFILE", multiple=True, help="A profile to compare with; repeatable.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value of the profile.")
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Seed of all random numbers.")
@click.option("--replications", type=Whole(min=1), default=5, show_default=True, help="Runs of each profile.")
@click.option("--without", "left_out", metavar="SECTION", multiple=True, help="Leave a section out; repeatable.")
@shared.interval()
@shared.locale
@click.option("--workers", type=Whole(min=1), help="Processes; default: one per core.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """Write the planning report of a PROFILE into FILEs: .html, .pdf, .xlsx, .pptx, .md, .zip, .json, .csv or .txt.

    From the question and the answer over alternatives, limits, levers, growth, cost, failures and advice to the source
    of every number, the record of validation, and the profile with which it can be run again. That of a PLAN answers
    it, and is to be signed.
    """
    from app.cli.output import check_writable
    from app.cli.progress import CountedRuns, RunProgress
    from app.cli.reporting import check_forms, marks_of, write_reports
    from app.cli.terminal import say
    from app.planning.loading import choose
    from app.planning.plan import Plan, build, run_of
    from app.planning.settings import pairs
    from app.planning.sheets import is_plan
    from app.reports.parts import Part
    from app.reports.plan.plan_document import document

    profile, *files = words
    if is_plan(profile):
        from app.cli.plan import search

        shared.refuse_given(profile, "against", "seed", "replications", "left_out")
        stated = {"reports": files, "format_": "text", "output": None, **options}
        return search(profile, stated)
    known = [part.key for part in Part]
    _check_sections(options["left_out"], known)
    check_forms(files, "FILE")
    marks_of(options["locale"])
    check_writable([("FILE", name) for name in files])
    kept = [section for section in known if section not in options["left_out"]]
    settings = pairs(options["settings"])
    plan = Plan(
        chosen=choose(profile, settings),
        sections=kept,
        against=options["against"],
        seed=options["seed"],
        replications=options["replications"],
        interval=options["interval"],
    )
    with RunProgress(plan.replications, is_interval=plan.interval != "none") as progress:
        run = run_of(plan, progress)
    report = build(plan, run, options["workers"], CountedRuns())
    page = document(report).only(kept)
    try:
        write_reports(page, files, options["locale"], "FILE")
    except ProblemError:
        say(page)  # minutes may have gone into it
        raise
    return 0


def _check_sections(names: Sequence[str], known: Sequence[str]) -> None:
    problems = [
        Problem(
            "", None, "--without", f"there is no section '{name}'{did_you_mean(name, known)}; there are {either(known)}"
        )
        for name in names
        if name not in known
    ]
    if problems:
        raise ProblemError(problems)
