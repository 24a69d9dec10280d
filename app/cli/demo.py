"""`simulate demo`: a comparison that ships; by default HDFS against MinIO, beside the documented seconds.

`storages` runs works by systems; other comparisons are two systems side by side, or one profile changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from app.cli.terminal import put, say
from app.cli.values import OneOf, Whole

if TYPE_CHECKING:
    from app.reports.comparison_document import Side
    from app.reports.document import Document
    from app.reports.grid_report import Cell, Kept
    from profiles.shipped.comparisons import Changes, Comparison, Grid, System, Work
    from simulator.result import Result

COMPARISON = "hdfs-against-minio"

Run = tuple[str, Mapping[str, str]]
"""A shipped profile, and what is changed in it."""


@click.command("demo")
@click.argument("name", default=COMPARISON)
@click.option("--workers", type=Whole(min=1), help="Processes; default: one per core.")
@click.option("--format", "form", type=OneOf(["text", "json"]), default="text", help="Of the table of storages.")
def command(name: str, workers: int | None, form: str) -> None:
    """Run a comparison that ships: hdfs-against-minio (default), s3a-tuning, or storages."""
    from app.cli.progress import counted
    from app.reports.json_text import dumps
    from profiles.shipped.comparisons import Comparison, Grid, comparison
    from simulator.studies.pool import Pool, cores

    _check(name)
    chosen = comparison(name)
    if isinstance(chosen, Grid):
        with counted("Simulating") as on_done, Pool(workers or cores()) as pool:
            pairs = [(work, system, chosen.cluster) for work in chosen.works for system in chosen.systems]
            cells = pool.run_all(run_cell, pairs, on_done)
        table = _grid(chosen, cells)
        put(dumps(table.data)) if form == "json" else say(table)
        return
    if form != "text":
        raise click.UsageError("only the table of storages is written as JSON")
    with counted("Simulating") as on_done, Pool(workers or cores()) as pool:

        def answers(runs: Sequence[Run]) -> list[Result]:
            return pool.run_all(run_changed, runs, on_done)

        page = _compared(chosen, answers) if isinstance(chosen, Comparison) else _changed(chosen, answers)
    say(page)


def run_changed(run: Run) -> Result:
    """Simulate a shipped profile with some values changed."""
    from app.planning.loading import load_profile
    from simulator.run import simulate

    name, settings = run
    loaded, _ = load_profile(name, settings)
    return simulate(loaded.scenario, profile=name)


def run_cell(cell: tuple[Work, System, str]) -> Cell:
    """Simulate one work on one system; where the system does not take it, say why."""
    from app.reports.grid_report import Cell
    from models.problem import ProblemError

    work, system, cluster = cell
    try:
        result = run_changed((work.profile, {"cluster": cluster, **system.set, **work.set}))
    except ProblemError as error:
        reasons = "; ".join(problem.message for problem in error.problems)
        return Cell(work.name, system.name, refused=reasons)
    if work.rate is None:
        return Cell(work.name, system.name, duration=result.duration, bottleneck=result.bottleneck)
    rate, unit = result.metrics[work.rate]
    return Cell(work.name, system.name, rate=rate, unit=unit, bottleneck=result.bottleneck)


def _grid(chosen: Grid, cells: list[Cell]) -> Document:
    """Return works by systems."""
    from app.reports.grid_report import document

    return document(chosen.title, cells, [_kept(system, chosen) for system in chosen.systems], chosen.notes)


def _kept(system: System, chosen: Grid) -> Kept:
    """Return what a system takes for a stored byte, and what it survives."""
    from app.planning.loading import load_profile
    from app.reports.grid_report import Kept
    from models.planning.survival import survives
    from models.problem import RefusalError

    settings = {"cluster": chosen.cluster, **system.set, **chosen.works[0].set}
    scenario = load_profile(chosen.works[0].profile, settings)[0].scenario
    raw = scenario.storage.raw_per_byte(scenario.cluster)
    try:
        survival = survives(scenario)
    except RefusalError:
        return Kept(system.name, raw, None, None)
    return Kept(system.name, raw, survival.drives.reading, survival.servers.reading)


def _check(name: str) -> None:
    from models.problem import Problem, ProblemError, did_you_mean
    from profiles.loading.catalog import names

    known = names("comparisons")
    if name not in known:
        near = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise ProblemError([Problem("", None, "demo", f"no such comparison: '{name}'{near}")])


def _compared(chosen: Comparison, answers: Callable[[Sequence[Run]], list[Result]]) -> Document:
    """Return the same work on two systems."""
    from app.reports.comparison_document import Row, document

    names = [name for pair in chosen.rows for name in (pair.baseline, pair.challenger)]
    results = {result.profile: result for result in answers([(name, {}) for name in names])}
    rows = [
        Row(
            pair.work,
            _side(chosen.baseline, results[pair.baseline]),
            _side(chosen.challenger, results[pair.challenger]),
        )
        for pair in chosen.rows
    ]
    return document(chosen.title, rows)


def _changed(chosen: Changes, answers: Callable[[Sequence[Run]], list[Result]]) -> Document:
    """Return what each change makes of a profile."""
    from app.reports.changes_document import Changed, document

    baseline, *results = answers([(chosen.profile, {}), *((chosen.profile, row.set) for row in chosen.rows)])
    rows = [Changed(row.what, row.why, result) for row, result in zip(chosen.rows, results, strict=True)]
    return document(chosen.title, baseline, rows)


def _side(system: str, result: Result) -> Side:
    from app.planning.loading import load_profile
    from app.reports.comparison_document import Side

    _, outcomes = load_profile(result.profile)
    value = next((outcome.value for outcome in outcomes if outcome.metric == "duration"), None)
    if not isinstance(value, float):
        raise ValueError(f"{result.profile}: a comparison needs a profile with one documented duration")
    return Side(system, result.duration, value, result.bottleneck)
