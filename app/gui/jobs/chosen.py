"""The profile that the window shows as the commands choose it, in the child process. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.planning.loading import Chosen


def chosen_of(profile: str, changes: Mapping[str, str], text: str, base: Path) -> Chosen:
    """Return a profile as its name and changes give it where that is what the window shows, else as its text.

    Raises:
        ProblemError: the text is wrong.
    """
    from app.planning.loading import Chosen, choose, outcomes_of
    from models.problem import ProblemError
    from models.scenario import Scenario
    from profiles.loading.loader import load_text

    shown = load_text(text, Scenario, path=base)
    try:
        named = choose(profile, changes)
    except ProblemError:  # it was never saved
        return Chosen(profile, {}, shown, outcomes_of(shown), is_edited=bool(changes))
    if named.scenario != shown.scenario:
        return Chosen(profile, {}, shown, outcomes_of(shown), is_edited=True)
    return named
