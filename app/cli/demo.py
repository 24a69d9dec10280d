"""`simulate demo`: HDFS against MinIO on the documented nodes, beside the documented seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from app.reports.comparison_text import Side
    from simulator.result import Result

COMPARISON = "hdfs-against-minio"


@click.command("demo")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
def command(workers: int | None) -> None:
    """Compare HDFS with MinIO on the documented 12 nodes."""
    from app.cli.progress import counted
    from app.reports.comparison_text import Row, render
    from profiles.comparisons import comparison
    from simulator.studies.pool import Pool, cores

    chosen = comparison(COMPARISON)
    names = [name for pair in chosen.rows for name in (pair.baseline, pair.challenger)]
    with counted("Simulating") as on_done, Pool(workers or cores()) as pool:
        answers = pool.run_all(run_shipped, names, on_done)
    results = {result.profile: result for result in answers}
    rows = [
        Row(
            pair.work,
            _side(chosen.baseline, results[pair.baseline]),
            _side(chosen.challenger, results[pair.challenger]),
        )
        for pair in chosen.rows
    ]
    click.echo(render(chosen.title, rows), nl=False)


def run_shipped(name: str) -> Result:
    """Simulate a shipped profile as it is."""
    from app.cli.loading import load_profile
    from simulator.run import simulate

    loaded, _ = load_profile(name)
    return simulate(loaded.scenario, profile=name)


def _side(system: str, result: Result) -> Side:
    from app.cli.loading import load_profile
    from app.reports.comparison_text import Side

    _, outcomes = load_profile(result.profile)
    value = next((outcome.value for outcome in outcomes if outcome.metric == "duration"), None)
    if not isinstance(value, float):
        raise ValueError(f"{result.profile}: a comparison needs a profile with one documented duration")
    return Side(system, result.duration, value, result.bottleneck)
