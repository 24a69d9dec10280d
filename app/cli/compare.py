"""`simulate compare`: profiles side by side, what differs between them first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
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
@several(shared.study, shared.changes, shared.seed, shared.replications(5), shared.answered, shared.workers)
def command(profiles: tuple[str, ...], **options: Any) -> None:
    """Put two to six profiles side by side.

    All meet the same chances, so that small differences show; the first is what the others are measured against.
    """
    from app.cli.reporting import check_files, tell
    from app.reports.compare_document import brief, document, sheet

    check_files(options)
    report = compared(_plan(options | {"profiles": profiles}), options["workers"])
    tell(options, document(report), text=brief(report, SHOWN), sheet=sheet(report))


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import pairs

    if options["study"] is not None:
        return _from_study(options)
    settings = pairs(options["settings"])
    sides = [Side(side_name(profile), profile, settings) for profile in options["profiles"]]
    _check_count(sides, "compare")
    title = " against ".join(side.name for side in sides)
    return Plan(title, sides, options["seed"] or 0, options["replications"] or 5)


def _from_study(options: dict[str, Any]) -> Plan:
    from app.cli.asking import Flag, from_file
    from app.cli.reporting import pairs
    from models.planning.study import Compare

    found = from_file(Compare, options, {"profiles": Flag("PROFILE")})
    settings = pairs(options["settings"])
    sides = [Side(name, it.profile, {**found.set, **it.set, **settings}) for name, it in found.scenarios.items()]
    _check_count(sides, f"{options['study']}: scenarios")
    return Plan(found.title, sides, found.seed, found.replications)


def _check_count(sides: Sequence[Side], key: str) -> None:
    if not FEWEST <= len(sides) <= MOST:
        message = f"expected two to six profiles to compare (got {len(sides)}); see: simulate profiles"
        raise ProblemError([Problem("", None, key, message)])


def side_name(profile: str) -> str:
    """Return what a profile is called in a comparison."""
    return Path(profile).stem if profile.endswith(".toml") else profile


def compared(plan: Plan, workers: int | None) -> CompareReport:
    """Run what is compared.

    Raises:
        ProblemError: a profile is wrong or cannot be run.
    """
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
