"""From a profile and what is varied in it to points: each a scenario, or the reason why there is none.

A value that no point can take is a mistake, told before anything runs. Values that are right but do not go together
(more data than the drives hold) make a point that cannot be run, which is an answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.planning.stated import Stated
from models.planning.grid import Values
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.loading.loader import Variants
from profiles.loading.overrides import canonical
from profiles.plans.candidates import variants_of
from profiles.text.provenance import COMMAND_LINE

VARIED = "--vary"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One point of a study: its scenario, or what is wrong with it; `usual` is that of `Loaded`."""

    values: Values
    scenario: Scenario | None
    problems: tuple[Problem, ...] = ()
    usual: Mapping[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """Why there is no scenario, in one line; "" where there is one."""
        problems = (replace(problem, file="", line=None) for problem in self.problems)
        return "; ".join(dict.fromkeys(map(str, problems)))


def candidates(
    profile: str | Variants[Scenario],
    settings: Mapping[str, str],
    points: Sequence[Values],
    stated: Stated | None = None,
) -> list[Candidate]:
    """Return the points of a study in their order; the profile is named, or has been read.

    What varies is `stated` in a file, or else by options.

    Raises:
        ProblemError: with every value that no point can take; or, if there is no point at all that could be run, with
            what is wrong with all of them.
    """
    variants = profile if isinstance(profile, Variants) else variants_of(profile)
    listed = [_candidate(variants, settings, values) for values in points]
    if wrong := _wrong_values(listed, stated):
        raise ProblemError(wrong)
    common = set.intersection(*(set(candidate.problems) for candidate in listed)) if listed else set()
    if common:
        raise ProblemError(common)
    return listed


def _candidate(variants: Variants[Scenario], settings: Mapping[str, str], values: Values) -> Candidate:
    try:
        loaded = variants.load({**settings, **dict(values)})
    except ProblemError as error:
        return Candidate(values, None, error.problems)
    return Candidate(values, loaded.scenario, usual=loaded.usual)


def _wrong_values(listed: Iterable[Candidate], stated: Stated | None) -> set[Problem]:
    """Return what is wrong with each value that is wrong wherever it stands."""
    complaints: dict[tuple[str, str], list[set[Problem]]] = defaultdict(list)
    for candidate in listed:
        own = _by_key(candidate)
        for key, value in candidate.values:
            complaints[key, value].append(own[canonical(key)])
    return {
        stated.placed(problem, ("vary",)) if stated else replace(problem, file=VARIED)
        for everywhere in complaints.values()
        if all(everywhere)
        for problem in set.union(*everywhere)
    }


def _by_key(candidate: Candidate) -> dict[str, set[Problem]]:
    """Return what is wrong with single values, by the varied key that set them."""
    by_key: dict[str, set[Problem]] = {canonical(key): set() for key, _ in candidate.values}
    for problem in candidate.problems:
        if problem.file == COMMAND_LINE and not problem.is_clash:
            at_or_above = [key for key in by_key if _is_within(problem.key, key)]
            below = [key for key in by_key if _is_within(key, problem.key)]  # the way to the key ends there
            for key in [max(at_or_above, key=len)] if at_or_above else below:
                by_key[key].add(problem)
    return by_key


def _is_within(key: str, other: str) -> bool:
    return f"{key}.".startswith(f"{other}.")
