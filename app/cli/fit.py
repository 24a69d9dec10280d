"""`simulate fit`: derive the fitted numbers again from the documented outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from app.cli.terminal import mention, say
from app.cli.values import Whole

if TYPE_CHECKING:
    from simulator.studies.fit import FittedValue


@click.command("fit")
@click.option("--family", metavar="NAME", help="Only this family of documented outcomes.")
@click.option("--write", is_flag=True, help="Put the new values into the part files; all else in them stays.")
@click.option("--workers", type=Whole(min=1), help="Processes; default: one per core.")
def command(family: str | None, write: bool, workers: int | None) -> None:
    """Derive the fitted numbers again from documented outcomes."""
    from app.cli.progress import busy
    from app.planning.cases import cases_of, chosen_families
    from app.reports.fit_document import document
    from simulator.studies.fit import fit
    from simulator.studies.pool import cores

    families = chosen_families(family)
    parameters = [parameter for chosen in families for parameter in chosen.parameters]
    with busy(f"Fitting {len(parameters)} numbers"):
        fitted = fit(cases_of(families), parameters, workers=workers or cores())
    say(document(fitted))
    if write:
        _write(fitted)


def _write(fitted: Sequence[FittedValue]) -> None:
    """Put the new values into their files.

    Raises:
        ProblemError: a file cannot be written.
    """
    from models.problem import Problem, ProblemError
    from profiles.shipped.outcomes import write_value
    from profiles.text.files import why_not

    for value in fitted:
        try:
            mention(f"written: {write_value(value.parameter, value.after)}")
        except OSError as error:
            problem = Problem(f"{value.parameter.file}.toml", None, "--write", f"cannot be written: {why_not(error)}")
            raise ProblemError([problem]) from None
