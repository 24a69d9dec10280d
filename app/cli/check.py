"""`simulate check`: say what is wrong with profiles, their parts and studies, all of it, without running them."""

from __future__ import annotations

import click

from app.cli.failures import WRONG_INPUT, tell
from app.cli.terminal import mention
from models.problem import ProblemError


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(paths: tuple[str, ...]) -> int:
    """Check profiles, parts of profiles and studies, given by path or by shipped name, without running them.

    What a file holds is told by the keys that it states. Exit status 2 if one has a problem; all problems are listed.
    """
    return WRONG_INPUT if [path for path in paths if not _is_sound(path)] else 0


def _is_sound(path: str) -> bool:
    """Print a line for a sound file and the problems of any other; return whether it is sound."""
    from app.planning.checking import title_of

    try:
        title = title_of(path)
    except ProblemError as error:
        tell(error)
        return False
    mention(f"ok  {path}: {title}")
    return True
