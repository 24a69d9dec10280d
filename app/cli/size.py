"""`simulate size`: the smallest, cheapest or least hungry configuration that meets several targets at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.reports.size_document import SizeReport
    from models.planning.grid import Values
    from models.planning.target import Target

SHOWN = 15  # rejected options that the terminal shows; reports and JSON have all


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is sought, over which options."""

    title: str
    profile: str
    settings: dict[str, str]
    points: Sequence[Values]
    targets: Sequence[Target]
    minimize: str
    seed: int
    replications: int


@click.command("size")
@click.option("--profile", metavar="NAME|PATH", help="Profile whose keys are varied.")
@click.option("--study", metavar="NAME|PATH", help="A sizing that ships, or a file, instead of the options here.")
@click.option("--vary", "vary", metavar="KEY=VALUES", multiple=True, help="4,8,12 or 4..64:4 or 1..1000:log7.")
@click.option("--target", "targets", metavar="TARGET", multiple=True, help="'duration <= 900 s', 'survives 1 rack' ...")
@click.option("--minimize", metavar="MEASURE", help="servers, drives, cost, cost_per_year, power; default: servers.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value for all options.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of all chances; default: 0, or as the study says.")
@click.option("--replications", type=click.IntRange(min=1), help="Runs of each option; default: 1.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@click.option("--report", "reports", metavar="FILE", multiple=True, help="Write a report: .html, .pdf, .xlsx, .md ...")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
def command(**options: Any) -> int:
    """Find the configuration with the least cost, servers or power that meets every target.

    Exit status 1 if none does.
    """
    from app.cli.output import check_writable, write
    from app.cli.reporting import check_forms, write_reports
    from app.reports import document_csv, document_text
    from app.reports.json_text import dumps
    from app.reports.size_document import brief, contract, document

    check_forms(options["reports"])
    check_writable([("--output", options["output"] or "-"), *(("--report", name) for name in options["reports"])])
    report = _report(_plan(options), options["workers"])
    page = document(report)
    write_reports(page, options["reports"])
    forms = {
        "text": lambda: document_text.render(brief(report, SHOWN)),
        "json": lambda: dumps(contract(report)),
        "csv": lambda: document_csv.render(page.only(["comparison", "options"])),
    }
    write(options["output"], forms[options["format_"]]())
    return 0 if report.sizing.best is not None else 1


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import setting_problems

    if options["study"] is not None:
        return _from_study(options)
    problems = setting_problems(options["settings"])
    for name, option in (("profile", "--profile"), ("vary", "--vary"), ("targets", "--target")):
        if not options[name]:
            problems.append(Problem("", None, option, f"missing: a sizing needs {_NEEDS[name]}"))
    pairs = [text.partition("=")[::2] for text in options["vary"]]
    targets = _targets("--target", options["targets"], problems)
    points = _points("--vary", pairs, problems)
    if problems:
        raise ProblemError(problems)
    return Plan(
        title=f"Sizing of {options['profile']}",
        profile=options["profile"],
        settings=dict(setting.split("=", 1) for setting in options["settings"]),
        points=points,
        targets=targets,
        minimize=options["minimize"] or "servers",
        seed=options["seed"] or 0,
        replications=options["replications"] or 1,
    )


_NEEDS = {
    "profile": "a profile; see: simulate profiles",
    "vary": "what may be chosen, such as cluster.groups.workers.count=4..64:4",
    "targets": "what has to be met, such as 'duration <= 900 s'",
}


def _from_study(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import pairs
    from models.planning.study import FOLDER, Size
    from profiles.loader import load

    own = [name for name in ("profile", "vary", "targets", "minimize") if options[name]]
    if own:
        raise ProblemError([Problem("", None, "--study", f"states {', '.join(own)} itself; leave them out")])
    name, problems = options["study"], list[Problem]()
    study = load(name, Size, folders=[FOLDER]).scenario
    plan = Plan(
        title=study.title,
        profile=study.profile,
        settings={**study.set, **pairs(options["settings"])},
        points=_points(f"{name}: vary", list(study.vary.items()), problems),
        targets=_targets(f"{name}: targets", study.targets, problems),
        minimize=study.minimize,
        seed=study.seed if options["seed"] is None else options["seed"],
        replications=options["replications"] or study.replications,
    )
    if problems:
        raise ProblemError(problems)
    return plan


def _targets(key: str, texts: Sequence[str], problems: list[Problem]) -> list[Target]:
    from models.planning.target import target

    found = []
    for text in texts:
        try:
            found.append(target(text))
        except ValueError as error:
            problems.append(Problem("", None, key, f"{error}"))
    return found


def _points(key: str, pairs: Sequence[tuple[str, str]], problems: list[Problem]) -> Sequence[Values]:
    from models.planning.grid import axis, combined

    axes = []
    for name, text in pairs:
        try:
            axes.append(axis(name.strip(), text))
        except ValueError as error:
            problems.append(Problem("", None, key, f"{name}: {error}"))
    try:
        return combined(axes)
    except ValueError as error:
        problems.append(Problem("", None, key, f"{error}"))
        return []


def _report(plan: Plan, workers: int | None) -> SizeReport:
    from app.cli.points import candidates
    from app.cli.progress import counted
    from app.reports.size_document import SizeReport
    from simulator.studies.points import Point
    from simulator.studies.runner import Runner
    from simulator.studies.size import Finished, Option, Wish, size

    found = candidates(plan.profile, plan.settings, plan.points)
    options = [Option(each.values, each.scenario, each.reason) for each in found]

    def point(option: Option) -> Point:
        assert option.scenario is not None  # only those are asked for
        return Point(scenario=option.scenario, profile=plan.profile, seed=plan.seed, replications=plan.replications)

    wish = Wish(plan.targets, plan.minimize)
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:

        def run(batch: Sequence[int]) -> Sequence[Finished]:
            return runner.run([point(options[i]) for i in batch], on_done)

        try:
            sizing = size(options, wish, run)
        except ValueError as error:
            raise ProblemError([Problem("", None, plan.profile, f"{error}")]) from None
    return SizeReport(
        title=plan.title, sizing=sizing, wish=wish, profile=plan.profile, seed=plan.seed, version=version("headroom")
    )
