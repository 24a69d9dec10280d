"""What a file holds, in a line, if nothing is wrong with it: a profile, a part of one, or a study."""

from __future__ import annotations

from app.planning.asking import checked
from app.planning.kinds import part_of
from app.planning.loading import load_profile, refusals
from app.planning.studies import study_model
from models.build import build
from models.planning.study import COMMANDS


def title_of(path: str) -> str:
    """Return what a shipped name or a path stands for: a title, or for which folder it is a part.

    A study's title is followed by the command that carries it out, a part by the keys that it leaves to its profile.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    if model := study_model(path):
        return f"{checked(model, path).title} (simulate {COMMANDS[model]})"
    if known_part := part_of(path):
        part, file = known_part
        left = part.check(file)
        return f"a part for {part.folder}" + (f", which leaves {', '.join(left)} to its profile" if left else "")
    loaded, _ = load_profile(path)
    with refusals(path):
        for alone in loaded.scenario.each().values():
            build(alone, salt=0)
    return loaded.scenario.profile.title
