"""`simulate check`: say what is wrong with profiles, all of it, without running them."""

from __future__ import annotations

import click

from app.cli.failures import WRONG_INPUT, refusals, tell
from models.problem import ProblemError


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(paths: tuple[str, ...]) -> int:
    """Check profiles, given by path or by shipped name, without running them.

    Exit status 2 if one of them has a problem; every problem of every profile is listed.
    """
    return WRONG_INPUT if [path for path in paths if not _is_sound(path)] else 0


def _is_sound(path: str) -> bool:
    """Print a line for a sound profile and the problems of any other; return whether it is sound."""
    try:
        title = _title(path)
    except ProblemError as error:
        tell(error)
        return False
    click.echo(f"ok  {path}: {title}")
    return True


def _title(path: str) -> str:
    """Return the title of a profile from which a plan can be made.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    from app.cli.loading import load_profile
    from models.build import build

    loaded, _ = load_profile(path)
    with refusals(path):
        build(loaded.scenario, salt=0)
    return loaded.scenario.profile.title
