"""`simulate size`: the smallest, cheapest or least hungry configuration that meets several targets at once."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several

if TYPE_CHECKING:
    from app.cli.asking import Asked
    from app.reports.size_document import SizeReport
    from models.planning.study import Size

SHOWN = 15  # rejected options that the terminal shows; reports and JSON have all


@click.command("size")
@several(
    shared.profile, shared.varied, shared.target("'duration <= 900 s', 'usable >= 2 PB', 'survives_writing 1 rack'")
)
@click.option("--minimize", metavar="MEASURE", help="servers, drives, power, 'cost over 3 years'; default: servers.")
@several(shared.study, shared.changes, shared.seed, shared.replications(1), shared.answered, shared.workers)
def command(**options: Any) -> int:
    """Find the configuration with the least cost, servers or power that meets every target.

    Exit status 1 if none does, 70 if one has no answer by a fault of the program. Ctrl+C and SIGTERM stop the search:
    the best so far is printed, with exit status 130.
    """
    from app.cli.failures import CANCELLED, FAULT
    from app.cli.reporting import check_files, tell
    from app.reports.size_document import brief, document

    check_files(options)
    report = sized(_plan(options), options["workers"])
    page = document(report)
    tell(options, page, text=brief(report, SHOWN), sheet=page.only(["comparison", "options"]))
    if report.sizing.was_stopped:
        return CANCELLED
    if any(option.is_fault for option in report.sizing.options):
        return FAULT
    return 0 if report.sizing.best is not None else 1


def _plan(options: dict[str, Any]) -> Asked[Size]:
    from app.cli.asking import PROFILE, Flag, asked
    from models.planning.study import Size

    flags = {
        "profile": PROFILE,
        "vary": Flag("--vary", "a sizing needs a key to choose, such as cluster.groups.workers.count=4..64:4"),
        "targets": Flag("--target", "a sizing needs a target, such as 'duration <= 900 s'"),
        "minimize": Flag("--minimize"),
    }
    return asked(Size, options, flags, f"Sizing of {options['profile']}")


def sized(plan: Asked[Size], workers: int | None) -> SizeReport:
    """Search the options of a sizing.

    Raises:
        ProblemError: no option can be built, or a target names what nothing is measured by.
    """
    from app.cli.progress import counted
    from app.planning.loading import rated
    from app.planning.points import candidates
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
