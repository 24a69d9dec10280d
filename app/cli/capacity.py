"""`simulate capacity`: what a profile's cluster holds, when it is full, and how long it meets targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.cli.asking import Asked
    from models.planning.study import Growth
    from models.scenario import Scenario
    from simulator.studies.growth import Held


@click.command("capacity")
@click.argument("profile", required=False)
@several(shared.target("Simulate the growing cluster until it misses this: 'duration <= 900 s', 'usable >= 1 PB'"))
@several(shared.study, shared.changes, shared.seed, shared.replications(1), shared.answered, shared.workers)
def command(**options: Any) -> None:
    """Say what the cluster of a PROFILE (a shipped name or a TOML file) holds, and when it is full.

    Closed forms: nothing is simulated, unless there are targets that need it. The table [planning] of a profile says
    what may be filled, [growth] how the data grows and when servers are added.
    """
    from app.cli.reporting import check_files, tell
    from app.planning.capacity import study
    from app.planning.loading import choose
    from app.reports.capacity_report import document

    check_files(options)
    plan = _plan(options)
    report = study(choose(plan.study.profile, plan.study.set))
    if plan.targets:
        report = replace(report, held=_held(plan, options["workers"]))
    if options["study"] is not None:
        report = replace(report, title=plan.study.title)
    page = document(report)
    tell(options, page, text=document(report, is_short=True), sheet=page)


def _plan(options: dict[str, Any]) -> Asked[Growth]:
    from app.cli.asking import Flag, asked
    from models.planning.study import Growth

    missing = "name a shipped profile or a TOML file, or a --study; see: simulate profiles"
    flags = {"profile": Flag("PROFILE", missing), "targets": Flag("--target")}
    return asked(Growth, options, flags, f"Growth of {options['profile']}")


def _held(plan: Asked[Growth], workers: int | None) -> Held:
    """Return how long the targets are met.

    Raises:
        ProblemError: the profile states no growth, or a target names what nothing is measured by.
    """
    from app.cli.progress import counted
    from app.planning.loading import load_profile
    from simulator.studies.growth import Finished, hold
    from simulator.studies.points import Point
    from simulator.studies.runner import Runner

    study = plan.study
    growing = load_profile(study.profile, study.set)[0].scenario

    def point(scenario: Scenario) -> Point:
        return Point(scenario=scenario, profile=study.profile, seed=study.seed, replications=study.replications)

    with counted("Simulating") as on_done, Runner(workers=workers) as runner:

        def run(points: Sequence[Point]) -> Sequence[Finished]:
            return runner.run(points, on_done)

        try:
            return hold(growing, plan.targets, point, run)
        except ValueError as error:
            raise ProblemError([Problem("", None, study.profile, f"{error}")]) from None
