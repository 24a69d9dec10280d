"""The answer to a plan: which candidate meets what a customer requires."""

from __future__ import annotations

from typing import Any

from headroom.answers import Answer


class Plan(Answer):
    """Which candidate meets a customer's requirements for the least money; `best` is its name. `simulate plan`."""

    table = "options"
    verdict: tuple[str, ...]
    best: str | None
    candidates: tuple[dict[str, Any], ...]
    flips: tuple[str, ...]
    maps: tuple[dict[str, Any], ...]
    regret: dict[str, Any] | None
