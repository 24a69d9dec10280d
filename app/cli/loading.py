"""A profile as the commands need it: loaded, and its documented outcomes looked up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from models.outcome import Outcome
from models.problem import Problem, ProblemError, did_you_mean
from models.scenario import Scenario
from profiles.loader import Loaded, load
from profiles.outcomes import documented

_NOTHING: Mapping[str, str] = MappingProxyType({})


def load_profile(name: str, settings: Mapping[str, str] = _NOTHING) -> tuple[Loaded[Scenario], tuple[Outcome, ...]]:
    """Return a profile, by shipped name or path, and the outcomes that it reproduces, the main one first.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    loaded = load(name, Scenario, settings)
    return loaded, _outcomes(loaded)


def _outcomes(loaded: Loaded[Scenario]) -> tuple[Outcome, ...]:
    about, known = loaded.scenario.profile, documented()
    named = {f"profile.further_outcomes.{i}": id for i, id in enumerate(about.further_outcomes)}
    if about.outcome is not None:
        named = {"profile.outcome": about.outcome, **named}
    problems = []
    for key, id in named.items():
        if id not in known:
            message = f"no such documented outcome: '{id}'{did_you_mean(id, known)}"
            problems.append(Problem(*loaded.origin[key], key, message))
    if problems:
        raise ProblemError(problems)
    return tuple(known[id] for id in named.values())
