"""`simulate sweep`: one profile, some of its keys varied, every point kept as soon as it is simulated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.terminal import mention
from app.reports.forms import documents
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from simulator.studies.store import Store

FORMS = (*documents.FORMS, ".parquet")
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
@several(shared.study, shared.changes, shared.seed, shared.replications(1), shared.interval(), shared.workers)
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
    from app.cli.output import STDOUT, check_writable, write
    from app.cli.progress import CountedRuns
    from app.planning.asking import asked
    from app.planning.sweeping import candidates_of, points_file, swept
    from app.reports.sweep.sweep_forms import render
    from models.planning.study import Sweep
    from simulator.studies.store import Store

    check_writable([("--output", STDOUT if options["output"] is None else options["output"])])
    _check_form(options["output"])
    plan = asked(Sweep, options)
    candidates = candidates_of(plan)
    with Store(points_file(options["store"])) as store, _told_what_is_kept(store):
        where = {key: options[key] for key in ("workers", "scheduler", "interval")}
        report = swept(plan, candidates, store, CountedRuns(), **where)
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


@contextmanager
def _told_what_is_kept(store: Store) -> Iterator[None]:
    """Say on the way out of a sweep that does not come to its end that nothing is lost."""
    before = len(store)
    try:
        yield
    except (KeyboardInterrupt, ProblemError):
        kept = len(store) - before
        mention(f"Points that finished and are kept: {kept}. The same command goes on from there.", err=True)
        raise
