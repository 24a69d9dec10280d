"""Advice on the designs of profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.planning.loading import load_profile
from app.reports.lint_report import Found
from models.advice import Advice
from models.planning.lint import lint
from models.problem import Problem, ProblemError


def advice(profiles: Sequence[str], settings: Mapping[str, str]) -> Found:
    """Return the advice on each profile with the same changes.

    Raises:
        ProblemError: with what is wrong with all of them.
    """
    advised: list[tuple[str, Sequence[Advice]]] = []
    problems: list[Problem] = []
    for profile in profiles:
        try:
            advised.append((profile, lint(load_profile(profile, settings)[0].scenario)))
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    return advised
