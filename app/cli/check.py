"""`simulate check`: say what is wrong with profiles, their parts and studies, all of it, without running them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.failures import WRONG_INPUT, tell
from models.problem import ProblemError

if TYPE_CHECKING:
    from app.cli.kinds import Part
    from models.planning.study import Study


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(paths: tuple[str, ...]) -> int:
    """Check profiles, parts of profiles and studies, given by path or by shipped name, without running them.

    What a file holds is told by the keys that it states. Exit status 2 if one has a problem; all problems are listed.
    """
    return WRONG_INPUT if [path for path in paths if not _is_sound(path)] else 0


def _is_sound(path: str) -> bool:
    """Print a line for a sound file and the problems of any other; return whether it is sound."""
    from app.cli.kinds import part_of
    from app.planning.studies import study_model

    try:
        study = study_model(path)
        found = None if study else part_of(path)
        title = _study(study, path) if study else _part(*found) if found else _title(path)
    except ProblemError as error:
        tell(error)
        return False
    click.echo(f"ok  {path}: {title}")
    return True


def _part(part: Part, path: Path) -> str:
    """Return what a part is for, and which of the keys that it needs are left to the profile that will use it.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    left = part.check(path)
    return f"a part for {part.folder}" + (f", which leaves {', '.join(left)} to its profile" if left else "")


def _study(model: type[Study], path: str) -> str:
    """Return the title of a study, and the command that carries it out.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    from app.cli.asking import checked
    from models.planning.study import COMMANDS

    return f"{checked(model, path).title} (simulate {COMMANDS[model]})"


def _title(path: str) -> str:
    """Return the title of a profile from which a plan can be made.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    from app.planning.loading import load_profile, refusals
    from models.build import build

    loaded, _ = load_profile(path)
    with refusals(path):
        build(loaded.scenario, salt=0)
    return loaded.scenario.profile.title
