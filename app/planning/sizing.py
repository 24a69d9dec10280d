"""A sizing: the options that a profile leaves, searched for the least that meets every target."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.planning.asking import Asked
from app.planning.loading import rated
from app.planning.points import candidates
from app.planning.progress import Counted
from models.planning.study import Size

if TYPE_CHECKING:
    from app.reports.size_document import SizeReport


def sized(plan: Asked[Size], workers: int | None, counted: Counted) -> SizeReport:
    """Search the options of a sizing.

    Raises:
        ProblemError: no option can be built, or a target names what nothing is measured by.
    """
    from app.reports.size_document import SizeReport
    from simulator.studies.points import Point
    from simulator.studies.runner import Runner
    from simulator.studies.size import Finished, Option, Wish, size

    study = plan.study
    found = candidates(study.profile, study.set, plan.points)
    options = [Option(each.values, each.scenario and rated(each.scenario), each.reason) for each in found]

    def point(option: Option) -> Point:
        assert option.scenario is not None  # only those are asked for
        return Point(scenario=option.scenario, profile=study.profile, seed=study.seed, replications=study.replications)

    wish = Wish.of(plan.targets, study.minimize)
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:

        def run(batch: Sequence[int]) -> Generator[Finished]:
            return runner.in_order([point(options[i]) for i in batch], on_done)

        sizing = size(options, wish, run)
    return SizeReport(
        title=study.title,
        sizing=sizing,
        wish=wish,
        profile=study.profile,
        seed=study.seed,
        version=version("headroom"),
        settings=study.set,
        usual={each.values: each.usual for each in found},
    )
