"""Changes of a profile as texts `KEY=VALUE`, the way `--set` takes them."""

from __future__ import annotations

from collections.abc import Sequence

from models.problem import Problem, ProblemError


def pairs(settings: Sequence[str]) -> dict[str, str]:
    """Return the texts of `--set KEY=VALUE` by key.

    Raises:
        ProblemError: with every one that is none.
    """
    if problems := setting_problems(settings):
        raise ProblemError(problems)
    values = dict(setting.split("=", 1) for setting in settings)
    return {key.strip(): value.strip() for key, value in values.items()}


def setting_problems(settings: Sequence[str]) -> list[Problem]:
    """Return what is wrong with the texts of `--set`."""
    expected = "expected KEY=VALUE such as cluster.groups.workers.count=24"
    return [
        Problem("", None, "--set", f"{expected} (got '{s}')")
        for s in settings
        if not s.partition("=")[0].strip() or "=" not in s
    ]
