"""Advice on the designs of profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.planning.loading import load_all
from app.reports.lint_report import Found
from models.planning.lint import lint
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.loader import Loaded


def advice(profiles: Sequence[str], settings: Mapping[str, str]) -> Found:
    """Return the advice on each profile with the same changes.

    Raises:
        ProblemError: with what is wrong with all of them.
    """
    every = load_all((profile, settings) for profile in profiles)
    return [(profile, lint(loaded.scenario, own(loaded))) for profile, loaded in zip(profiles, every, strict=True)]


def own(loaded: Loaded[Scenario]) -> dict[str, object]:
    """Return what a profile or a change of it sets itself, as typed; what comes with a shipped part is not its own."""
    shipped = tuple(f"{folder.name}/" for folder in SHIPPED.root.iterdir() if folder.name not in PROFILES)
    keys = [key for key, (file, _) in loaded.origin.items() if not file.startswith(shipped)]
    return {key: loaded.values.get(key) for key in keys}
