"""Profiles side by side: loaded, run under the same chances, and compared with the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from app.planning.asking import Flag, from_file, try_sides
from app.planning.drawing import Asked, Run, draw
from app.planning.effort import Effort
from app.planning.explaining import explained
from app.planning.loading import Chosen, load_all
from app.planning.predicting import against, basis, prediction
from app.planning.progress import Counted, OnDone
from app.planning.settings import pairs
from app.planning.stated import Stated
from app.reports.compare_document import CompareReport
from app.reports.differing import differing, summarised
from app.reports.document import COLUMNS
from app.reports.explained import Explained
from app.reports.prediction_report import Prediction
from models.planning.study import Compare
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.loading.loader import Loaded
from profiles.plans.candidates import years_of
from profiles.text.dump import printed
from simulator.clock import Cancelled
from simulator.studies.compare import compare
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner

FEWEST, MOST = 2, 6


@dataclass(frozen=True, slots=True)
class Side:
    """One scenario to compare: its name, its profile, and the changes of it."""

    name: str
    profile: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared; where asked, the differences to the first are explained by what differs."""

    title: str
    sides: Sequence[Side]
    seed: int
    replications: int
    interval: Effort = "none"
    explain: bool = False


def check_count(sides: Sequence[Side], key: str) -> None:
    """Refuse what is too little or too much to put side by side.

    Raises:
        ProblemError: it is; `key` says where.
    """
    if not FEWEST <= len(sides) <= MOST:
        message = f"expected two to six profiles to compare (got {len(sides)}); see: simulate profiles"
        raise ProblemError([Problem("", None, key, message)])


def side_name(profile: str) -> str:
    """Return what a profile is called in a comparison."""
    return Path(profile).stem if profile.endswith(".toml") else profile


def plan_beside(sides: Sequence[Side], options: Mapping[str, Any]) -> Plan:
    """Return the comparison of profiles as options ask for it.

    Raises:
        ProblemError: they are too few or too many.
    """
    check_count(sides, "compare")
    title = " against ".join(side.name for side in sides)
    return Plan(
        title, sides, options["seed"] or 0, options["replications"] or 5, options["interval"], options["explain"]
    )


def plan_of(options: Mapping[str, Any]) -> Plan:
    """Return the comparison that `--study` names, with what other options change of it.

    Raises:
        ProblemError: it is wrong, of another kind, or of too few or too many profiles.
    """
    stated = from_file(Compare, options, {"profiles": Flag("PROFILE")})
    settings = pairs(options["settings"])
    try_sides(stated, settings, Stated.of(options["study"], settings))
    sides = [Side(name, it.profile, {**stated.set, **it.set, **settings}) for name, it in stated.scenarios.items()]
    check_count(sides, f"{options['study']}: scenarios")
    return Plan(
        stated.title,
        sides,
        stated.seed,
        stated.replications,
        options.get("interval", "none"),
        options.get("explain", False),
    )


def compared(plan: Plan, workers: int | None, counted: Counted) -> CompareReport:
    """Run what is compared. Ctrl+C while differences are explained leaves out those that are not yet.

    Raises:
        ProblemError: a profile is wrong or cannot be run.
    """
    loaded = load_all((side.profile, side.settings) for side in plan.sides)
    points = [
        Point(scenario=profile.scenario, profile=side.profile, seed=plan.seed, replications=plan.replications)
        for side, profile in zip(plan.sides, loaded, strict=True)
    ]
    with Runner(workers=workers) as runner:
        with counted("Simulating") as on_done:
            answers = answers_of(plan.sides, runner.run(points, on_done))
            report = reported(plan, loaded, answers, predicted(plan, loaded, answers, runner.run))
        if not plan.explain:
            return report
        told: list[Explained] = []
        try:
            told.extend(_explained(plan, report, loaded, runner, counted))
        except (Cancelled, KeyboardInterrupt):  # the comparison is known, and so are the pairs before
            return replace(report, explained=told, was_stopped=True)
        return replace(report, explained=told)


def _explained(
    plan: Plan, report: CompareReport, loaded: Sequence[Loaded[Scenario]], runner: Runner, counted: Counted
) -> Iterator[Explained]:
    """Yield why each scenario differs from the first."""
    first, *others = zip(report.scenarios, loaded, strict=True)
    known: dict[str, Answer | PointFailure] = {}
    for other in others:
        with counted(f"Explaining {other[0].name}") as on_done:

            def run(points: Sequence[Point], on_done: OnDone = on_done) -> Sequence[Answer | PointFailure]:
                return runner.run(points, on_done)

            yield from explained(first, other, seed=plan.seed, run=run, known=known)


def predicted(
    plan: Plan, loaded: Sequence[Loaded[Scenario]], answers: Sequence[Answer], run: Run
) -> list[Prediction | None]:
    """Return how sure each answer is, and its ratio to the first, under the same assumptions; they share the runs."""
    if plan.interval == "none":
        return [None] * len(answers)
    about = [basis(profile.scenario, answer) for profile, answer in zip(loaded, answers, strict=True)]
    asked = [
        Asked(Chosen(side.profile, side.settings, profile), grounds.lead, grounds.known, answer.works)
        for side, profile, grounds, answer in zip(plan.sides, loaded, about, answers, strict=True)
        if grounds
    ]
    drawn = iter(draw(asked, seed=plan.seed, effort=plan.interval, run=run))
    known = [(grounds, next(drawn)) if grounds else None for grounds in about]
    first = known[0]
    return [
        pair and replace(prediction(*pair), ratio=against(first, pair) if first and pair is not first else None)
        for pair in known
    ]


def reported(
    plan: Plan,
    loaded: Sequence[Loaded[Scenario]],
    answers: Sequence[Answer],
    predictions: Sequence[Prediction | None] = (),
) -> CompareReport:
    """Return the comparison of scenarios that have been run with the same chances, each beside the first."""
    names, values = [side.name for side in plan.sides], [profile.values for profile in loaded]
    return CompareReport(
        title=plan.title,
        scenarios=compare(
            names, [profile.scenario for profile in loaded], answers, [years_of(side.profile) for side in plan.sides]
        ),
        inputs=(every := differing(values)),
        summary=summarised(every, values),
        profiles=[side.profile for side in plan.sides],
        tomls=[printed(profile.resolved, COLUMNS) for profile in loaded],
        seed=plan.seed,
        version=version("headroom"),
        predictions=predictions or [None] * len(names),
    )


def answers_of(sides: Sequence[Side], finished: Iterable[Any]) -> list[Answer]:
    """Return the answers of all scenarios.

    Raises:
        ProblemError: with every scenario that could not be run.
    """
    answers, problems = [], []
    for side, answer in zip(sides, finished, strict=True):
        if isinstance(answer, PointFailure):
            problems.append(Problem("", None, side.name, answer.reason))
        else:
            answers.append(answer)
    if problems:
        raise ProblemError(problems)
    return answers
