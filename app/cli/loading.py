"""A profile as the commands need it: loaded, and its documented outcome looked up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from models.outcome import Outcome
from models.problem import Problem, ProblemError, did_you_mean
from models.scenario import Scenario
from profiles.loader import Loaded, load
from profiles.outcomes import documented

_NOTHING: Mapping[str, str] = MappingProxyType({})


def load_profile(name: str, settings: Mapping[str, str] = _NOTHING) -> tuple[Loaded[Scenario], Outcome | None]:
    """Return a profile, by shipped name or path, and the outcome that it reproduces, None if it names none.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    loaded = load(name, Scenario, settings)
    return loaded, _outcome(loaded)


def _outcome(loaded: Loaded[Scenario]) -> Outcome | None:
    id, known = loaded.scenario.profile.outcome, documented()
    if id is None:
        return None
    if id not in known:
        file, line = loaded.origin["profile.outcome"]
        message = f"no such documented outcome: '{id}'{did_you_mean(id, known)}"
        raise ProblemError([Problem(file, line, "profile.outcome", message)])
    return known[id]
