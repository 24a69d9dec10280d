"""A validation beside its targets and, if asked for, each outcome predicted without having been fitted to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from models.outcome import Family
from simulator.studies.validate import FamilySummary, OutcomeResult, Validation

LEFT_OUT_ALLOWANCE = 2.0
"""Mean error allowed to outcomes that were left out of the fit, over the mean target. Source: the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationReport:
    """`left_out` are the outcomes predicted without themselves; None where that was not asked for."""

    validation: Validation
    families: tuple[Family, ...]
    left_out: tuple[OutcomeResult, ...] | None = None

    def summaries(self) -> Iterator[tuple[Family, FamilySummary]]:
        """Yield each family with its summary."""
        for family in self.families:
            yield family, self.validation.families[family.name]

    def outcomes(self, family: Family) -> list[OutcomeResult]:
        """Return the outcomes of a family."""
        return [outcome for outcome in self.validation.outcomes if outcome.family == family.name]

    def predicted(self, id: str) -> OutcomeResult | None:
        """Return an outcome predicted without itself."""
        return next((outcome for outcome in self.left_out or () if outcome.id == id), None)

    def left_out_errors(self, family: Family) -> tuple[float, float] | None:
        """Return the mean and the worst absolute error of the outcomes left out in turn, None if none were."""
        errors = [abs(outcome.error) for outcome in self.left_out or () if outcome.family == family.name]
        return (sum(errors) / len(errors), max(errors)) if errors else None

    @property
    def is_within_targets(self) -> bool:
        """Whether every family meets all of its targets."""
        return all(summary.within_targets and self._is_left_out_within(family) for family, summary in self.summaries())

    def _is_left_out_within(self, family: Family) -> bool:
        errors = self.left_out_errors(family)
        return errors is None or errors[0] <= LEFT_OUT_ALLOWANCE * family.mean_target


def targets_in_words(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    """Return each number of a summary beside its target."""
    said = [
        _beside("mean error", summary.mean_abs_error, family.mean_target),
        _beside("worst error", summary.worst, family.worst_target),
        f"fitted numbers {summary.fitted}, at most {family.budget}"
        + ("" if summary.fitted <= family.budget else ": too many"),
    ]
    if errors := report.left_out_errors(family):
        said.append(_beside("mean error when left out", errors[0], LEFT_OUT_ALLOWANCE * family.mean_target))
    return said


def _beside(name: str, value: float, target: float) -> str:
    missed = "" if value <= target else ": missed"
    return f"{name} {100 * value:.1f} %, at most {100 * target:g} %{missed}"
