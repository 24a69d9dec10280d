"""`simulate demo`: a comparison that ships; by default HDFS against MinIO, beside the documented seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from app.reports.comparison_text import Side
    from profiles.comparisons import Changes, Comparison
    from simulator.result import Result

COMPARISON = "hdfs-against-minio"

Run = tuple[str, Mapping[str, str]]
"""A shipped profile, and what is changed in it."""


@click.command("demo")
@click.argument("name", default=COMPARISON)
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one per core.")
def command(name: str, workers: int | None) -> None:
    """Run a comparison that ships: hdfs-against-minio (default), or s3a-tuning."""
    from app.cli.progress import counted
    from profiles.comparisons import Comparison, comparison
    from simulator.studies.pool import Pool, cores

    _check(name)
    chosen = comparison(name)
    with counted("Simulating") as on_done, Pool(workers or cores()) as pool:

        def answers(runs: Sequence[Run]) -> list[Result]:
            return pool.run_all(run_changed, runs, on_done)

        text = _compared(chosen, answers) if isinstance(chosen, Comparison) else _changed(chosen, answers)
    click.echo(text, nl=False)


def run_changed(run: Run) -> Result:
    """Simulate a shipped profile with some values changed."""
    from app.planning.loading import load_profile
    from simulator.run import simulate

    name, settings = run
    loaded, _ = load_profile(name, settings)
    return simulate(loaded.scenario, profile=name)


def _check(name: str) -> None:
    from models.problem import Problem, ProblemError, did_you_mean
    from profiles.catalog import names

    known = names("comparisons")
    if name not in known:
        near = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise ProblemError([Problem("", None, "demo", f"no such comparison: '{name}'{near}")])


def _compared(chosen: Comparison, answers: Callable[[Sequence[Run]], list[Result]]) -> str:
    """Return the same work on two systems, as text."""
    from app.reports.comparison_text import Row, render

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
    return render(chosen.title, rows)


def _changed(chosen: Changes, answers: Callable[[Sequence[Run]], list[Result]]) -> str:
    """Return what each change makes of a profile, as text."""
    from app.reports.changes_text import Changed, render

    baseline, *results = answers([(chosen.profile, {}), *((chosen.profile, row.set) for row in chosen.rows)])
    rows = [Changed(row.what, row.why, result) for row, result in zip(chosen.rows, results, strict=True)]
    return render(chosen.title, baseline, rows)


def _side(system: str, result: Result) -> Side:
    from app.planning.loading import load_profile
    from app.reports.comparison_text import Side

    _, outcomes = load_profile(result.profile)
    value = next((outcome.value for outcome in outcomes if outcome.metric == "duration"), None)
    if not isinstance(value, float):
        raise ValueError(f"{result.profile}: a comparison needs a profile with one documented duration")
    return Side(system, result.duration, value, result.bottleneck)
