"""`simulate track`: what was measured of a running cluster beside what its profile plans."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several

EPILOG = """\b
Examples:
  simulate track growth-hdfs measurements/
  simulate track my-cluster reports/ access-logs/ --target 'duration <= 3 h' --report track.pdf"""


@click.command("track", epilog=EPILOG)
@click.argument("profile")
@click.argument("measurements", metavar="MEASUREMENTS...", nargs=-1, required=True)
@several(
    shared.target("Simulate the growing cluster until it misses this: 'duration <= 900 s', 'usable >= 1 PB'"),
    shared.changes,
    shared.seed,
    shared.answered,
    shared.workers,
)
def command(**options: Any) -> int:
    """Put what was measured beside what PROFILE plans, a shipped name, a file, or a folder of `simulate import`.

    MEASUREMENTS are files or folders, told by their content: hdfs dfsadmin -report and fsck, ceph df, mc admin info,
    ranges of Prometheus, sadf, access logs. Says when the cluster is full and which assumption broke.

    Exit status 1 if an assumption broke, or a file cannot be used.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.asking import targets_of
    from app.planning.loading import choose, profile_in
    from app.planning.settings import pairs
    from app.planning.tracking import tracked
    from app.reports.track_document import document

    check_files(options)
    report = tracked(
        choose(profile_in(options["profile"]), pairs(options["settings"])),
        options["measurements"],
        targets_of(options["targets"]),
        seed=options["seed"] or 0,
        workers=options["workers"],
        counted=counted,
    )
    page = document(report)
    tell(options, page, text=page, sheet=page)
    return int(report.is_broken or bool(report.problems))
