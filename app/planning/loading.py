"""A profile as plans need it: loaded, and its documented outcomes looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from app.reports import words
from models.failures import Failures
from models.outcome import Outcome
from models.problem import Problem, ProblemError, RefusalError, did_you_mean, located
from models.scenario import Scenario
from models.values import value
from profiles.loading.loader import Loaded, load
from profiles.plans.candidates import load_scenario
from profiles.shipped.outcomes import documented, documented_as

_NOTHING: Mapping[str, str] = MappingProxyType({})
_MOST_GUESSED = 20  # Assumption: unknown names of which each is compared with all that there are
IMPORTED = "profile.toml"
"""What an import calls the profile of a single workload."""


@value()
class Chosen:
    """A profile to plan with: its shipped name or path, what is changed of it, and what it says with the changes.

    `is_edited`: what it says is not what its name or path gives with the changes, as in a window before it is saved.
    """

    profile: str
    settings: Mapping[str, str]
    loaded: Loaded[Scenario]
    outcomes: tuple[Outcome, ...] = ()
    is_edited: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether it says something else than the profile of its name."""
        return words.is_changed(self.settings, is_edited=self.is_edited)

    @property
    def title(self) -> str:
        """The profile's title, which may say otherwise than what is asked where the profile was changed."""
        return words.titled(self.scenario.profile.title, is_changed=self.is_changed)

    @property
    def scenario(self) -> Scenario:
        """What is simulated."""
        return self.loaded.scenario

    def told(self, seed: int = 0) -> dict[str, Any]:
        """Return what every report on it tells of it, with the seed of what was simulated for that."""
        return {
            "profile": self.profile,
            "title": self.title,
            "settings": self.settings,
            "seed": seed,
            "version": version("headroom"),
            "resolved": self.loaded.resolved,
        }


def choose(profile: str, settings: Mapping[str, str] = _NOTHING) -> Chosen:
    """Return a profile, by shipped name or path, with changes by key.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    return Chosen(profile, settings, *load_profile(profile, settings))


def load_all(profiles: Iterable[tuple[str, Mapping[str, str]]]) -> list[Loaded[Scenario]]:
    """Return profiles, each by shipped name or path and with changes by key.

    Raises:
        ProblemError: with what is wrong with all of them.
    """
    every: list[Loaded[Scenario]] = []
    problems: list[Problem] = []
    for profile, settings in profiles:
        try:
            every.append(load_profile(profile, settings)[0])
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    return every


def profile_in(name: str) -> str:
    """Return the profile in a folder that an import has written, and others as they are."""
    return str(Path(name) / IMPORTED) if Path(name).is_dir() else name


def load_profile(name: str, settings: Mapping[str, str] = _NOTHING) -> tuple[Loaded[Scenario], tuple[Outcome, ...]]:
    """Return a profile, by shipped name or path, and the outcomes that it reproduces, the main one first.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    loaded = load_scenario(name, settings)
    return loaded, outcomes_of(loaded)


def rated(scenario: Scenario) -> Scenario:
    """Return a scenario with failure rates: its own, or where it states none the usual ones of its storage drives."""
    stated = scenario.failures
    batches = scenario.storage.batches(scenario.cluster)
    if not batches or (stated is not None and stated.drive_failures_per_year):
        return scenario
    usual = usual_failures(batches[0].bay.drive.usual_failures).scenario
    if stated is not None:
        usual = usual.model_copy(update={name: getattr(stated, name) for name in stated.model_fields_set})
    return scenario.model_copy(update={"failures": usual})


def usual_rates(scenario: Scenario) -> dict[str, str]:
    """Return the sources of the usual failure rates of a scenario's storage drives, by key of the profile."""
    drive = scenario.storage.batches(scenario.cluster)[0].bay.drive
    return {f"failures.{key}": f"{source}" for key, source in usual_failures(drive.usual_failures).sources.items()}


@cache
def usual_failures(name: str) -> Loaded[Failures]:
    """Return the failure rates of a shipped part."""
    return load(name, Failures, folders=["failures"])


@contextmanager
def refusals(profile: str) -> Iterator[None]:
    """Turn a model's refusal to build a scenario into a problem of the profile; other errors go on as they are."""
    try:
        yield
    except RefusalError as error:
        raise located(error, profile) from error


def outcomes_of(loaded: Loaded[Scenario]) -> tuple[Outcome, ...]:
    """Return the documented outcomes that a profile names, the main one first.

    Raises:
        ProblemError: with every name that none has.
    """
    about = loaded.scenario.profile
    named = {f"profile.further_outcomes.{i}": id for i, id in enumerate(about.further_outcomes)}
    if about.outcome is not None:
        named = {"profile.outcome": about.outcome, **named}
    known = documented_as(*named.values())
    if unknown := [key for key, id in named.items() if id not in known]:
        near = {key: did_you_mean(named[key], documented()) for key in unknown[:_MOST_GUESSED]}
        raise ProblemError(
            Problem(*loaded.origin[key], key, f"no such documented outcome: '{named[key]}'{near.get(key, '')}")
            for key in unknown
        )
    return tuple(known[id] for id in named.values())
