"""Whether intervals hold what they promise: how many outcomes lie in them, each predicted without itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from app.reports.validation_report import ValidationReport
from models.outcome import Family
from models.planning.prediction import LEVELS, is_inside, rms, width
from simulator.studies.validate import OutcomeResult


@dataclass(frozen=True, slots=True)
class Coverage:
    """The part of `count` outcomes inside their interval by level in per cent, and how wide that of 80 % is on average.

    The width is over the answer.
    """

    count: int
    shares: dict[str, float]
    width: float

    @property
    def words(self) -> str:
        """The shares and the width as a sentence."""
        inside = ", ".join(f"{100 * share:.0f} % in that of {level} %" for level, share in self.shares.items())
        said = f"intervals of {self.count} outcomes, each predicted without itself: {inside}"
        return f"{said}; width {100 * self.width:.0f} %"


def coverage(report: ValidationReport) -> Coverage | None:
    """Return how many outcomes lie in intervals that the other outcomes of their family give; None where none can tell.

    Fitted numbers take a degree of freedom each, unless the outcomes were left out of the fits.
    """
    found = [each for family in report.families for each in _predicted(report, family)]
    if not found:
        return None
    shares = {
        f"{level:.0%}".rstrip("%"): sum(is_inside(*each, level) for each in found) / len(found) for level in LEVELS
    }
    return Coverage(len(found), shares, sum(width(*each[1:]) for each in found) / len(found))


def _predicted(report: ValidationReport, family: Family) -> Iterator[tuple[float, float, int]]:
    """Yield the error of each outcome, and how far the others were off: deviation and degrees of freedom."""
    left_out = report.left_out_of(family)
    tested = [each for each in report.numbers(family) if each.role not in {"answer", "input"}]
    errors = [math.log1p(_error(left_out.get(each.id), each)) for each in tested]
    fitted = 0 if left_out else len(report.parameters(family))
    for i, error in enumerate(errors):
        deviation, freedom = rms(errors[:i] + errors[i + 1 :], fitted)
        if freedom:
            yield error, deviation, freedom


def _error(left_out: float | None, outcome: OutcomeResult) -> float:
    return outcome.error if left_out is None else left_out
