"""Whether intervals hold what they promise: how many outcomes lie in them, each predicted by others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.reports.validation.validation_report import ValidationReport
from models.planning.calibration import LEVEL, LEVELS, Calibration, Measured, calibrations


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
        text = f"intervals of {self.count} outcomes, each predicted by others: {inside}"
        return f"{text}; width {100 * self.width:.0f} %"


def coverage(report: ValidationReport) -> Coverage | None:
    """Return how many outcomes lie in the intervals that the other outcomes give; None where none can tell."""
    return _of(_calibrations(report))


def by_population(report: ValidationReport) -> dict[str, Coverage]:
    """Return the same of outcomes of families that something was fitted to, and of all others."""
    names = ("benchmarks", "clusters never seen")
    coverages = {name: _of([pool]) for name, pool in zip(names, _calibrations(report), strict=True)}
    return {name: covered for name, covered in coverages.items() if covered}


def _calibrations(report: ValidationReport) -> tuple[Calibration, Calibration]:
    return calibrations(tested(report), {family.name: family.counted for family in report.families}, report.left_out)


def tested(report: ValidationReport) -> list[Measured]:
    """Return the outcomes that say how far answers are off."""
    return [
        Measured(outcome.id, outcome.family, outcome.error, outcome.kinds, outcome.source, outcome.unit)
        for outcome in report.validation.outcomes
        if outcome.is_tested
    ]


def _of(pools: Sequence[Calibration]) -> Coverage | None:
    scores = [told for pool in pools for told in pool.told()]
    if not scores:
        return None
    shares = {
        f"{level:.0%}".rstrip("%"): sum(told.is_inside(level) for told in scores) / len(scores) for level in LEVELS
    }
    return Coverage(len(scores), shares, sum(told.width(LEVEL) for told in scores) / len(scores))
