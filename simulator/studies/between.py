"""What two configurations that missed a target tell of one that lies between them: it misses by what lies between.

Only of near ones, with the same code, of which one has no less and one no more of every part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from simulator.studies.dominance import Parts, is_at_least


class Tried(Protocol):
    """One configuration of a candidate: what is to be least, and the largest part by which it misses a target."""

    objective: float
    misses: float
    candidate: str


T = TypeVar("T", bound=Tried)
NEAR = 1.5
"""Ratio of the objectives of two up to which what lies between is told by them. Assumption: over so little, times bend
by less than a clear miss is."""


def ends_of(option: T, missed: Sequence[T], parts: Callable[[T], Parts]) -> tuple[T, T] | None:
    """Return the nearest two that missed, the cheaper one first, between which an option lies; None without such."""
    own = parts(option)
    alike = [other for other in missed if other.candidate == option.candidate and parts(other).code == own.code]
    below = [other for other in alike if other.objective < option.objective and is_at_least(own, parts(other))]
    above = [other for other in alike if other.objective > option.objective and is_at_least(parts(other), own)]
    if not below or not above:
        return None
    weak = max(below, key=lambda other: other.objective)
    strong = min(above, key=lambda other: other.objective)
    return (weak, strong) if strong.objective <= NEAR * weak.objective else None


def between(option: Tried, weak: Tried, strong: Tried) -> float:
    """Return the part by which an option misses a target, as that of two others grows evenly with the objective."""
    share = (option.objective - weak.objective) / (strong.objective - weak.objective)
    return weak.misses + share * (strong.misses - weak.misses)
