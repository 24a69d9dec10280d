"""`simulate compare`: profiles side by side, what differs between them first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.reports.compare_document import CompareReport
    from models.scenario import Scenario
    from profiles.loader import Loaded
    from simulator.studies.points import Answer

FEWEST, MOST = 2, 6
SHOWN = 20  # keys that the terminal shows; reports and JSON have all


@dataclass(frozen=True, slots=True)
class Side:
    """One scenario to compare: its name, its profile, and the changes of it."""

    name: str
    profile: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared."""

    title: str
    sides: Sequence[Side]
    seed: int
    replications: int


@click.command("compare")
@click.argument("profiles", nargs=-1, metavar="PROFILE...")
@click.option("--study", metavar="NAME|PATH", help="A comparison that ships, or a file, instead of profiles.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value in all profiles.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all chances.")
@click.option("--replications", type=click.IntRange(min=1), help="Runs of each; default: 5, or as the study says.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@click.option("--report", "reports", metavar="FILE", multiple=True, help="Write a report: .html, .pdf, .xlsx, .md ...")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
def command(profiles: tuple[str, ...], study: str | None, **options: Any) -> None:
    """Put two to six profiles side by side.

    All meet the same chances, so that small differences show; the first is what the others are measured against.
    """
    from app.cli.output import check_writable, write
    from app.cli.reporting import check_forms, write_reports
    from app.reports import document_csv
    from app.reports.compare_document import contract, document, sheet
    from app.reports.json_text import dumps

    check_forms(options["reports"])
    check_writable([("--output", options["output"] or "-"), *(("--report", name) for name in options["reports"])])
    plan = _plan(profiles, study, options)
    report = _report(plan, options["workers"])
    page = document(report)
    write_reports(page, options["reports"])
    forms = {
        "text": lambda: _text(report),
        "json": lambda: dumps(contract(report)),
        "csv": lambda: document_csv.render(sheet(report)),
    }
    write(options["output"], forms[options["format_"]]())


def _plan(profiles: tuple[str, ...], study: str | None, options: dict[str, Any]) -> Plan:
    from app.cli.reporting import pairs

    settings = pairs(options["settings"])
    if study is not None:
        if profiles:
            raise ProblemError([Problem("", None, "--study", "names all profiles itself; leave them out")])
        return _from_study(study, settings, options)
    sides = [Side(_name(profile), profile, settings) for profile in profiles]
    _check_count(sides, "compare")
    return Plan(" against ".join(side.name for side in sides), sides, options["seed"], options["replications"] or 5)


def _from_study(name: str, settings: dict[str, str], options: dict[str, Any]) -> Plan:
    from models.planning.study import FOLDER, Compare
    from profiles.loader import load

    loaded = load(name, Compare, folders=[FOLDER]).scenario
    sides = [Side(each, it.profile, {**loaded.set, **it.set, **settings}) for each, it in loaded.scenarios.items()]
    _check_count(sides, f"{name}: scenarios")
    return Plan(loaded.title, sides, options["seed"] or loaded.seed, options["replications"] or loaded.replications)


def _check_count(sides: Sequence[Side], key: str) -> None:
    if not FEWEST <= len(sides) <= MOST:
        message = f"expected two to six profiles to compare (got {len(sides)}); see: simulate profiles"
        raise ProblemError([Problem("", None, key, message)])


def _name(profile: str) -> str:
    return Path(profile).stem if profile.endswith(".toml") else profile


def _report(plan: Plan, workers: int | None) -> CompareReport:
    from app.cli.progress import counted
    from app.reports.compare_document import CompareReport
    from app.reports.differing import differing, summarised
    from profiles.dump import dump
    from simulator.studies.compare import compare
    from simulator.studies.points import Point
    from simulator.studies.runner import run_points

    loaded = _loaded(plan.sides)
    points = [
        Point(scenario=each.scenario, profile=side.profile, seed=plan.seed, replications=plan.replications)
        for side, each in zip(plan.sides, loaded, strict=True)
    ]
    with counted("Simulating") as on_done:
        answers = _answers(plan.sides, run_points(points, workers=workers, on_done=on_done))
    names, values = [side.name for side in plan.sides], [each.values for each in loaded]
    return CompareReport(
        title=plan.title,
        scenarios=compare(names, [each.scenario for each in loaded], answers),
        inputs=(every := differing(values)),
        summary=summarised(every, values),
        profiles=[side.profile for side in plan.sides],
        tomls=[dump(each.resolved) for each in loaded],
        seed=plan.seed,
        version=version("headroom"),
    )


def _loaded(sides: Sequence[Side]) -> list[Loaded[Scenario]]:
    """Return all profiles.

    Raises:
        ProblemError: with what is wrong with all of them.
    """
    from app.cli.loading import load_profile

    found, problems = [], []
    for side in sides:
        try:
            found.append(load_profile(side.profile, side.settings)[0])
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    return found


def _answers(sides: Sequence[Side], finished: Iterable[Any]) -> list[Answer]:
    from simulator.studies.points import PointFailure

    answers, problems = [], []
    for side, found in zip(sides, finished, strict=True):
        if isinstance(found, PointFailure):
            problems.append(Problem("", None, side.name, found.reason))
        else:
            answers.append(found)
    if problems:
        raise ProblemError(problems)
    return answers


def _text(report: CompareReport) -> str:
    from app.reports import document_text
    from app.reports.compare_document import inputs, outcomes, verdicts
    from app.reports.document import Document, Paragraph, Section

    sections = [
        Section("answer", "The answer", [Paragraph(said) for said in verdicts(report)]),
        Section("inputs", "What differs", [inputs(report, SHOWN)]),
        Section("comparison", "What comes of it", [outcomes(report)]),
    ]
    return document_text.render(Document(report.title, sections))
