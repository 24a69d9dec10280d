"""Changes of a profile as texts `KEY=VALUE`, the way `--set` takes them."""

from __future__ import annotations

from collections.abc import Sequence

from models.problem import Problem, ProblemError

EXAMPLE = "cluster.groups.workers.count=24"


def pairs(settings: Sequence[str], option: str = "--set", example: str = EXAMPLE) -> dict[str, str]:
    """Return the texts of an option such as `--set KEY=VALUE` by key.

    Raises:
        ProblemError: with every one that is none.
    """
    if problems := setting_problems(settings, option, example):
        raise ProblemError(problems)
    values = dict(setting.split("=", 1) for setting in settings)
    return {key.strip(): value.strip() for key, value in values.items()}


def setting_problems(settings: Sequence[str], option: str = "--set", example: str = EXAMPLE) -> list[Problem]:
    """Return what is wrong with the texts of `--set`, or of another option."""
    expected = f"expected KEY=VALUE such as {example}"
    return [
        Problem("", None, option, f"{expected} (got '{s}')")
        for s in settings
        if not s.partition("=")[0].strip() or "=" not in s
    ]
