"""`simulate sweep`: one profile, some of its keys varied, every point kept as soon as it is simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.cli.asking import Asked
    from app.planning.points import Candidate
    from app.reports.sweep_report import SweepReport
    from models.planning.study import Sweep
    from simulator.studies.runner import Finished
    from simulator.studies.store import Store

FORMS = (".csv", ".parquet", ".xlsx", ".json", ".html", ".pdf", ".md", ".txt")
NEEDS_PYARROW = "Parquet needs the package pyarrow; install it with: pip install 'headroom[parquet]'"
EPILOG = """\b
Values are written as in a profile: 4,8,12, or LOW..HIGH:STEP, or LOW..HIGH:logN for N values at equal ratios.
Examples:
  simulate sweep --profile hdfs-terasort --vary cluster.groups.workers.count=4..64:4
  simulate sweep --profile hdfs-terasort --vary 'workload.input=100 GB..10 TB:log5' --vary storage.replication=2,3
  simulate sweep --study terasort-servers --output points.xlsx"""


@click.command("sweep", epilog=EPILOG)
@several(shared.profile, shared.varied)
@click.option("--zip", is_flag=True, help="Pair the values by position instead of making all combinations.")
@several(shared.study, shared.changes, shared.seed, shared.replications(1), shared.workers)
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Run on the workers of this Dask scheduler.")
@click.option("--store", metavar="FILE", help="Keep the points in this file; default: one for all sweeps.")
@shared.format_
@click.option("--output", metavar="FILE", help=f"Write the answer to a file: {' '.join(FORMS)}")
def command(**options: Any) -> int:
    """Vary keys of a profile, and simulate every point.

    Points are kept as they finish: a sweep that was stopped, however, goes on from there when it is started again.
    Exit status 1 if no point can be run, 70 if one has no answer by a fault of the program.
    """
    from app.cli.failures import FAULT
    from app.cli.output import check_writable, write
    from app.reports.sweep_forms import render

    check_writable([("--output", options["output"] or "-")])
    _check_form(options["output"])
    plan = _plan(options)
    report = _report(plan, options)
    suffix = _suffix(options["output"])
    write(options["output"], render(report, suffix or f".{options['format_']}"))
    if any(row.is_fault for row in report.rows):
        return FAULT
    return 0 if any(row.answer for row in report.rows) else 1


def _suffix(name: str | None) -> str:
    """Return the suffix that asks for a form, "" for the terminal."""
    return "" if name in {None, "-"} else Path(name or "").suffix.lower()


def _check_form(name: str | None) -> None:
    from importlib.util import find_spec

    from models.units import either

    suffix = _suffix(name)
    if name not in {None, "-"} and suffix not in FORMS:
        message = f"the suffix chooses the form, expected {either(FORMS)} (got '{name}')"
        raise ProblemError([Problem("", None, "--output", message)])
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ProblemError([Problem("", None, "--output", NEEDS_PYARROW)])


def _plan(options: dict[str, Any]) -> Asked[Sweep]:
    """Return what the options ask for.

    Raises:
        ProblemError: with everything that is wrong with them.
    """
    from app.cli.asking import PROFILE, Flag, asked
    from models.planning.study import Sweep

    example = "expected KEY=VALUES such as cluster.groups.workers.count=4..64:4"
    flags = {"profile": PROFILE, "vary": Flag("--vary", example), "zip": Flag("--zip")}
    return asked(Sweep, options, flags, f"{options['profile']}, varied")


def _report(plan: Asked[Sweep], options: dict[str, Any]) -> SweepReport:
    from importlib.metadata import version

    from app.planning.points import candidates
    from app.planning.sweeping import rows_of
    from app.reports.sweep_report import SweepReport

    study = plan.study
    found = candidates(study.profile, study.set, plan.points)
    finished = _run(study, found, options)
    return SweepReport(
        title=study.title,
        profile=study.profile,
        axes=plan.axes,
        rows=list(rows_of(found, finished)),
        seed=study.seed,
        replications=study.replications,
        version=version("headroom"),
        settings=study.set,
    )


def _run(study: Sweep, found: Sequence[Candidate], options: dict[str, Any]) -> list[Finished]:
    """Return the result of each candidate that has a scenario."""
    from app.cli.progress import counted
    from app.planning.sweeping import points_of
    from simulator.studies.runner import run_points
    from simulator.studies.store import Store

    points = points_of(found, study.profile, study.seed, study.replications)
    path = _store_path(options["store"])
    where = {"workers": options["workers"], "scheduler": options["scheduler"]}
    with Store(path) as store, _told_what_is_kept(store), counted("Simulating") as on_done:
        return run_points(points, store=store, on_done=on_done, **where)


@contextmanager
def _told_what_is_kept(store: Store) -> Iterator[None]:
    """Say on the way out of a sweep that does not come to its end that nothing is lost."""
    before = len(store)
    try:
        yield
    except (KeyboardInterrupt, ProblemError):
        kept = len(store) - before
        click.echo(f"Points that finished and are kept: {kept}. The same command goes on from there.", err=True)
        raise


def _store_path(name: str | None) -> Path:
    """Return the file that keeps the points, in a directory that is there."""
    if name is not None:
        return Path(name)
    from platformdirs import user_data_path

    try:
        return user_data_path("headroom", appauthor=False, ensure_exists=True) / "points.sqlite"
    except OSError as error:
        message = f"no place to keep points: {error}; name a file"
        raise ProblemError([Problem("", None, "--store", message)]) from None
