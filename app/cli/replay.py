"""`simulate replay`: work as it was observed on hardware and storage that is not there."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several

EPILOG = """\b
Examples:
  simulate replay my-cluster --on hdfs-terasort
  simulate replay my-cluster --on faster-cores.toml --on 24-nodes.toml --report replay.pdf"""


@click.command("replay", epilog=EPILOG)
@click.argument("profile")
@click.option("--on", "on", metavar="CANDIDATE", multiple=True, required=True, help="Where to run it; repeatable.")
@click.argument("others", metavar="[CANDIDATE...]", nargs=-1)
@several(shared.changes, shared.seed, shared.replications(1), shared.answered, shared.workers)
def command(profile: str, on: tuple[str, ...], others: tuple[str, ...], **options: Any) -> None:
    """Run the observed work of PROFILE, a folder or file that `simulate import` wrote, on clusters of CANDIDATES.

    A candidate is a shipped name or a TOML file. Its cluster and storage count, its own workload does not; executors
    fill its servers. Core-seconds scale with the speed of the processor, bytes go to the other storage and network.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.replaying import replayed
    from app.planning.settings import pairs
    from app.reports.replay_document import document

    check_files(options)
    report = replayed(
        profile,
        [*on, *others],
        pairs(options["settings"]),
        seed=options["seed"] or 0,
        replications=options["replications"] or 1,
        workers=options["workers"],
        counted=counted,
    )
    page = document(report)
    tell(options, page, text=page, sheet=page)
