"""`simulate durability`: how long until data is lost, what may fail at once, and how long a repair takes."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.values import Whole


@click.command("durability")
@shared.profile
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
@click.option("--check", "paths", is_flag=False, flag_value=20_000, type=Whole(min=100), metavar="[PATHS]")
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Seed of the simulated losses.")
@shared.answered
def command(profile: str, settings: tuple[str, ...], paths: int | None, seed: int, **options: Any) -> None:
    """Say how durable the data of a PROFILE (a shipped name or a TOML file) is.

    The repair of a full drive and of a full server is simulated under the throttles of the storage system; a Markov
    chain makes a mean time to data loss of it. With --check losses are simulated as well, over 20,000 paths or PATHS.
    The table [failures] of a profile says how often drives and servers fail. Of a store that is rented it is
    told what its provider says.
    """
    from app.cli.reporting import check_files, tell
    from app.planning.durability import promise, study
    from app.planning.loading import choose
    from app.planning.settings import pairs
    from app.reports import durability_report, promise_report
    from models.problem import Problem, ProblemError

    changes = pairs(settings)
    check_files(options)
    chosen = choose(profile, changes)
    promised = promise(chosen)
    if promised and paths is not None:
        message = "losses of a rented store are not simulated: nobody else sees where its data lies; leave it out"
        raise ProblemError([Problem("", None, "--check", message)])
    page = promise_report.document(promised) if promised else durability_report.document(study(chosen, paths, seed))
    tell(options, page, text=page, sheet=page)
