"""A sweep: its candidates, their runs, and the rows of its report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_data_path

from app.planning.asking import Asked
from app.planning.drawing import Run
from app.planning.effort import Effort
from app.planning.loading import Chosen
from app.planning.points import Candidate, candidates
from app.planning.predicting import Alike, basis
from app.planning.progress import Counted
from app.reports.prediction_report import Prediction
from app.reports.sweep.sweep_report import SweepReport
from models.planning.study import Sweep
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.loading.loader import Variants
from profiles.plans.candidates import variants_of, years_of
from profiles.text.files import why_not
from simulator.studies.points import Point, PointFailure
from simulator.studies.runner import Finished, run_points
from simulator.studies.store import Store
from simulator.studies.sweep import Row, best, row


def candidates_of(plan: Asked[Sweep]) -> list[Candidate]:
    """Return the points of a sweep, before anything is opened or run for them.

    Raises:
        ProblemError: no point can be built.
    """
    return candidates(plan.study.profile, plan.study.set, plan.points, plan.stated)


def swept(
    plan: Asked[Sweep],
    listed: Sequence[Candidate],
    store: Store,
    counted: Counted,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    interval: Effort = "none",
    edited: Variants[Scenario] | None = None,
) -> SweepReport:
    """Run every point of a sweep that the store does not know yet; `listed` are its candidates.

    How sure the points are is found from runs at the best of them. `edited` is what the profile and its changes have
    become, as in a window before they are saved; None where they are what their names say.

    Raises:
        ProblemError: the store or the scheduler cannot be used.
    """
    study = plan.study
    points = points_of(listed, study.profile, study.seed, study.replications)
    with counted("Simulating") as on_done:
        finished = run_points(points, store=store, workers=workers, scheduler=scheduler, on_done=on_done)
    rows = list(rows_of(listed, finished, years_of(study.profile)))

    def run(further: Sequence[Point]) -> list[Finished]:
        return run_points(further, store=store, workers=workers, scheduler=scheduler)

    return SweepReport(
        title=study.title,
        profile=study.profile,
        axes=plan.axes,
        rows=rows,
        seed=study.seed,
        replications=study.replications,
        version=version("headroom"),
        settings=study.set,
        predictions=predicted(study, listed, rows, interval, run, edited),
    )


def predicted(
    study: Sweep,
    listed: Sequence[Candidate],
    rows: Sequence[Row],
    interval: Effort,
    run: Run,
    edited: Variants[Scenario] | None = None,
) -> list[Prediction | None]:
    """Return how sure each point is, None where there is no answer; nothing where none is asked for, or no point is.

    What is assumed is drawn at the best point for all of them, and stands there alone.
    """
    leads = best(rows)
    if interval == "none" or leads is None:
        return []
    variants, changed = (variants_of(study.profile), study.set) if edited is None else (edited, {})
    answers = [
        (candidate.scenario, row.answer) if candidate.scenario and row.answer else None
        for candidate, row in zip(listed, rows, strict=True)
    ]
    known = [about.known for answer in answers if answer and (about := basis(*answer))]
    held = frozenset.intersection(*known) if known else frozenset()
    alike = Alike(seed=study.seed, effort=interval, run=run, known=held)

    def sure(i: int) -> Prediction | None:
        settings = {**changed, **dict(listed[i].values)}
        answered = answers[i]
        return answered and alike.predict(*answered, lambda: Chosen(study.profile, settings, variants.load(settings)))

    first = sure(leads)
    others = (sure(i) for i in range(len(rows)))
    return [first if i == leads else other and replace(other, assumptions=()) for i, other in enumerate(others)]


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
        message = f"no place to keep points: {why_not(error)}; name a file, --store FILE"
        raise ProblemError([Problem("", None, "--store", message)]) from None


def points_of(listed: Sequence[Candidate], profile: str, seed: int, replications: int) -> list[Point]:
    """Return the points of those candidates that have a scenario, in their order."""
    return [
        Point(
            scenario=candidate.scenario, values=candidate.values, profile=profile, seed=seed, replications=replications
        )
        for candidate in listed
        if candidate.scenario is not None
    ]


def rows_of(listed: Iterable[Candidate], finished: Iterable[Finished], years: float | None = None) -> Iterator[Row]:
    """Yield a row for each candidate; `finished` are the results of those that have a scenario, in their order.

    Costs are over so many years; default: those of the price list.
    """
    answers = iter(finished)
    return (row_of(candidate, None if candidate.scenario is None else next(answers), years) for candidate in listed)


def row_of(candidate: Candidate, finished: Finished | None, years: float | None = None) -> Row:
    """Return the row of a candidate with what came of its scenario, None where it has none; `rows_of` says the rest."""
    if candidate.scenario is None or finished is None:
        return Row(candidate.values, None, {}, candidate.reason)
    if isinstance(finished, PointFailure):
        return Row(candidate.values, None, {}, finished.reason, finished.is_fault)
    return row(candidate.values, candidate.scenario, finished, years)
