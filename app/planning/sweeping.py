"""A sweep: its candidates, their runs, and the rows of its report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_data_path

from app.planning.asking import Asked
from app.planning.points import Candidate, candidates
from app.planning.progress import Counted
from app.reports.sweep_report import SweepReport
from models.planning.study import Sweep
from models.problem import Problem, ProblemError
from simulator.studies.points import Point, PointFailure
from simulator.studies.runner import Finished, run_points
from simulator.studies.store import Store
from simulator.studies.sweep import Row, row


def candidates_of(plan: Asked[Sweep]) -> list[Candidate]:
    """Return the points of a sweep, before anything is opened or run for them.

    Raises:
        ProblemError: no point can be built.
    """
    return candidates(plan.study.profile, plan.study.set, plan.points)


def swept(
    plan: Asked[Sweep],
    found: Sequence[Candidate],
    store: Store,
    counted: Counted,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
) -> SweepReport:
    """Run every point of a sweep that the store does not know yet; `found` are its candidates.

    Raises:
        ProblemError: the store or the scheduler cannot be used.
    """
    study = plan.study
    points = points_of(found, study.profile, study.seed, study.replications)
    with counted("Simulating") as on_done:
        finished = run_points(points, store=store, workers=workers, scheduler=scheduler, on_done=on_done)
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


def points_file(name: str | None) -> Path:
    """Return the file that keeps points: the one named, else that of all sweeps, in a directory that is there.

    Raises:
        ProblemError: there is no place for it.
    """
    if name is not None:
        return Path(name)
    try:
        return user_data_path("headroom", appauthor=False, ensure_exists=True) / "points.sqlite"
    except OSError as error:
        message = f"no place to keep points: {error}; name a file"
        raise ProblemError([Problem("", None, "--store", message)]) from None


def points_of(found: Sequence[Candidate], profile: str, seed: int, replications: int) -> list[Point]:
    """Return the points of those candidates that have a scenario, in their order."""
    return [
        Point(scenario=each.scenario, values=each.values, profile=profile, seed=seed, replications=replications)
        for each in found
        if each.scenario is not None
    ]


def rows_of(found: Iterable[Candidate], finished: Iterable[Finished]) -> Iterator[Row]:
    """Yield a row for each candidate; `finished` are the results of those that have a scenario, in their order."""
    answers = iter(finished)
    return (row_of(each, None if each.scenario is None else next(answers)) for each in found)


def row_of(candidate: Candidate, finished: Finished | None) -> Row:
    """Return the row of a candidate with what came of its scenario, None where it has none."""
    if candidate.scenario is None or finished is None:
        return Row(candidate.values, None, {}, candidate.reason)
    if isinstance(finished, PointFailure):
        return Row(candidate.values, None, {}, finished.reason, finished.is_fault)
    return row(candidate.values, candidate.scenario, finished)
