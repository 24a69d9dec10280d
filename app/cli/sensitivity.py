"""`simulate sensitivity`: what better parts would bring, and what uncertain inputs do to an answer."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.values import Whole


def _power_of_two(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value & (value - 1):
        raise click.BadParameter(f"expected a power of two such as 64 (got {value})", context, parameter)
    return value


@click.command("sensitivity")
@shared.profile
@click.option(
    "--input", "inputs", metavar="KEY=RANGE", multiple=True, help="LOW..HIGH, LOW..MIDDLE..HIGH, or VALUE +- 5 %."
)
@click.option("--measure", metavar="MEASURE", help="What is measured; less is better. Default: duration.")
@click.option("--samples", type=Whole(min=8), help="Samples of the inputs; default: 64.")
@click.option(
    "--sobol",
    type=Whole(min=8),
    callback=_power_of_two,
    help="Rows of a design for Sobol indices, a power of two.",
)
@several(shared.study, shared.changes, shared.seed, shared.answered, shared.workers)
def command(**options: Any) -> None:
    """Say what an answer depends on.

    Always: what drives, cards, processors, memory or servers 10 % better would bring. With inputs that are not known
    exactly: what to expect, which input moves it most, and in a study with choices, which is regretted least.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.asking import asked
    from app.planning.sensitivity import plan_of, study
    from app.reports.sensitivity_document import SHORT, document
    from models.planning.study import Sensitivity

    check_files(options)
    page = document(study(plan_of(asked(Sensitivity, options)), options["workers"], counted))
    short = page.only(SHORT)
    tell(options, page, text=short, sheet=short)
