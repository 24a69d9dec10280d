"""`simulate sensitivity`: what better parts would bring, and what uncertain inputs do to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several

if TYPE_CHECKING:
    from app.planning.sensitivity import Plan


def _power_of_two(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value & (value - 1):
        raise click.BadParameter(f"expected a power of two such as 64 (got {value})")
    return value


@click.command("sensitivity")
@shared.profile
@click.option(
    "--input", "inputs", metavar="KEY=RANGE", multiple=True, help="LOW..HIGH, LOW..MIDDLE..HIGH, or VALUE +- 5 %."
)
@click.option("--measure", metavar="MEASURE", help="What is measured; less is better. Default: duration.")
@click.option("--samples", type=click.IntRange(min=8), help="Samples of the inputs; default: 64.")
@click.option(
    "--sobol",
    type=click.IntRange(min=8),
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
    from app.planning.sensitivity import study
    from app.reports.sensitivity_document import document

    check_files(options)
    page = document(study(_plan(options), options["workers"], counted))
    short = page.only(["answer", "marginal", "band", "swings", "influence", "regret"])
    tell(options, page, text=short, sheet=short)


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.asking import PROFILE, Flag, asked
    from app.planning.loading import choose
    from app.planning.sensitivity import Plan
    from models.planning.study import Sensitivity

    flags = {"profile": PROFILE, "inputs": Flag("--input"), "measure": Flag("--measure")}
    found = asked(Sensitivity, options, flags, f"What {options['profile']} depends on")
    study = found.study
    return Plan(
        title=study.title,
        chosen=choose(study.profile, study.set),
        inputs=found.inputs,
        choices=study.choices,
        measure=study.measure,
        samples=study.samples,
        sobol=study.sobol,
        seed=study.seed,
    )
