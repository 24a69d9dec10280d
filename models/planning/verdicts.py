"""Measured against expected: the bands of a test, and its verdict.

What is better than the wide band is told, too: nobody should sign for a cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.planning.acceptance import Expected

Verdict = Literal["pass", "fail", "too good", "not measured"]
NARROW, WIDE = 0.8, 0.95
"""Levels of the bands: what is worse than the wide one fails."""


@dataclass(frozen=True, slots=True)
class Band:
    """Between what a measured value lies with a chance of `level`."""

    level: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A test with its bands, the narrow one first, why they are as they are, and what was measured, if it was."""

    expected: Expected
    bands: tuple[Band, Band]
    why: tuple[str, ...] = ()
    measured: float | None = None
    source: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether the measured value is as good as the wide band says, and no better."""
        if self.measured is None:
            return "not measured"
        wide = self.bands[1]
        is_below, is_above = self.measured < wide.low, self.measured > wide.high
        if not (is_below or is_above):
            return "pass"
        return "fail" if is_above == self.expected.is_time else "too good"

    @property
    def is_weak(self) -> bool:
        """Whether a test passes that is worse than the narrow band."""
        narrow = self.bands[0]
        if self.measured is None or self.verdict != "pass":
            return False
        return self.measured > narrow.high if self.expected.is_time else self.measured < narrow.low
