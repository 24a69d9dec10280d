"""A validation beside its targets and, if asked for, each outcome predicted without having been fitted to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from models.outcome import Errors, Family, LeftOut
from models.planning.calibration import way
from simulator.studies.validate import NEAR, ChoiceResult, FamilySummary, OutcomeResult, ParameterResult, Validation

APART = 2.0
"""Least difference of two outcomes that a model must rank, over the mean target. Assumption: of two that are nearer,
each may be off by a mean error, towards the other."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How many pairs of outcomes the documents hold `apart` (a fraction), and those simulated the other way round."""

    apart: float
    pairs: int
    turned: tuple[tuple[OutcomeResult, OutcomeResult], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """How far off the outcomes of one question are: a kind of workload on a storage system.

    Errors are fractions without their signs, `near` the part of the outcomes that is within 20 %. `lean` is how much
    faster than documented the middle one is. `sources` says of how many publications the `count` outcomes are.
    """

    question: str
    sources: int
    count: int
    mean: float
    median: float
    near: float
    lean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationReport:
    """`left_out` says what outcomes come to that are left out of the fits, None where nothing is known of that."""

    validation: Validation
    families: tuple[Family, ...]
    left_out: LeftOut | None = None

    def summaries(self) -> Iterator[tuple[Family, FamilySummary]]:
        """Yield each family with its summary."""
        for family in self.families:
            yield family, self.validation.families[family.name]

    def parameters(self, family: Family) -> list[ParameterResult]:
        """Return the fitted numbers of a family."""
        return [result for result in self.validation.parameters if result.parameter.family == family.name]

    def choices(self, family: Family) -> list[ChoiceResult]:
        """Return what was chosen in a family."""
        return [result for result in self.validation.choices if result.choice.family == family.name]

    def outcomes(self, family: Family) -> list[OutcomeResult]:
        """Return the outcomes of a family."""
        return [outcome for outcome in self.validation.outcomes if outcome.family == family.name]

    def numbers(self, family: Family) -> list[OutcomeResult]:
        """Return the outcomes of a family of which a number was documented."""
        return [outcome for outcome in self.outcomes(family) if outcome.is_number]

    def by_question(self, family: Family) -> list[Asked]:
        """Return how far off each question is that the outcomes of a family ask, that of most outcomes first."""
        of: dict[str, list[OutcomeResult]] = {}
        for outcome in self.numbers(family):
            if outcome.is_tested and outcome.kinds:
                of.setdefault(outcome.kinds[0], []).append(outcome)
        return sorted(
            (_asked(name, outcomes) for name, outcomes in of.items()), key=lambda one: (-one.count, one.question)
        )

    def worst(self, family: Family) -> OutcomeResult:
        """Return the outcome of a family that is farthest off."""
        return max(self.numbers(family), key=lambda outcome: abs(outcome.error))

    def predicted_errors(self, family: Family) -> Errors | None:
        """Return the errors of the outcomes that nothing was fitted to, None if there are none."""
        return errors_of(outcome for outcome in self.numbers(family) if outcome.role == "predicted")

    def left_out_of(self, family: Family) -> dict[str, float | None]:
        """Return the errors of the outcomes of a family left out in turn, by id; None for those not testable."""
        known = self.left_out.errors if self.left_out else {}
        return {outcome.id: known[outcome.id] for outcome in self.numbers(family) if outcome.id in known}

    def left_out_errors(self, family: Family) -> Errors | None:
        """Return the errors of the outcomes left out in turn, without those not testable, None if there are none."""
        return _errors(error for error in self.left_out_of(family).values() if error is not None)

    def left_out_together(self, family: Family) -> Mapping[str, Errors | None]:
        """Return the errors of what was left out as a whole, by name."""
        return self.left_out.together.get(family.name, {}) if self.left_out else {}

    def ranking(self, family: Family) -> Ranking:
        """Return what becomes of the order of a family's outcomes in one unit, bands left out."""
        apart = APART * family.mean_target
        pairs = [pair for pair in combinations(self.numbers(family), 2) if _gap(*pair) > apart]
        ordered = [sorted(pair, key=_documented) for pair in pairs]
        turned = tuple((low, high) for low, high in ordered if low.simulated > high.simulated)
        return Ranking(apart, len(pairs), turned)

    @property
    def is_within_targets(self) -> bool:
        """Whether every family meets all of its targets."""
        return all(self.meets_targets(family) for family in self.families)

    def meets_targets(self, family: Family) -> bool:
        """Tell whether a family meets all of its targets, that for outcomes left out among them if they were."""
        errors = self.left_out_errors(family)
        is_left_out_within = errors is None or errors.mean <= family.left_out_target
        return self.validation.families[family.name].within_targets and is_left_out_within


def _asked(question: str, outcomes: Sequence[OutcomeResult]) -> Asked:
    sizes = [abs(outcome.error) for outcome in outcomes]
    near = sum(size <= NEAR for size in sizes) / len(sizes)
    sources = len({outcome.source for outcome in outcomes})
    faster = [(1 + outcome.error) ** way(outcome.unit) - 1 for outcome in outcomes]
    return Asked(question, sources, len(sizes), fmean(sizes), median(sizes), near, median(faster))


def targets_in_words(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    """Return each number of a summary beside its target, and what has none."""
    texts = [
        _beside("mean error", summary.mean_abs_error, family.mean_target),
        _beside("worst error", summary.worst, family.worst_target),
        *_spread(family, summary),
        f"fitted or chosen {summary.fitted}, at most {family.budget}"
        + ("" if summary.fitted <= family.budget else ": too many"),
    ]
    if errors := report.left_out_errors(family):
        texts.append(_beside("mean error when left out", errors.mean, family.left_out_target))
        texts[-1] += f"; worst {100 * errors.worst:.1f} %{_not_testable(report, family)}"
    for name, together in report.left_out_together(family).items():
        named = family.left_out_with(name, (outcome.id for outcome in report.numbers(family)))
        texts.append(f"without {name}: {_said(together, len(named))}")
    if predicted := report.predicted_errors(family):
        texts.append(f"{predicted.count} of {summary.outcomes} predicted: mean error {100 * predicted.mean:.1f} %")
    if (ranking := report.ranking(family)).pairs:
        texts.append(_order(ranking))
    return texts


def _order(ranking: Ranking) -> str:
    right = ranking.pairs - len(ranking.turned)
    turned = ", ".join(" and ".join(_short(outcome) for outcome in pair) for pair in ranking.turned)
    order = f"order as documented in {right} of {ranking.pairs} pairs more than {100 * ranking.apart:g} % apart"
    return f"{order}; reversed: {turned}" if turned else order


def _short(outcome: OutcomeResult) -> str:
    return outcome.id.removeprefix(f"{outcome.family}/")


def _spread(family: Family, summary: FamilySummary) -> Iterator[str]:
    """Yield what only some families have a target for."""
    if family.median_target is not None:
        yield _beside("median error", summary.median, family.median_target)
    if family.near_target is not None:
        yield _at_least("of the outcomes within 20 %", summary.near, family.near_target)
    if family.bottleneck_target is not None and summary.bottlenecks is not None:
        yield _at_least("of the published limits named", summary.bottlenecks, family.bottleneck_target)


def _beside(name: str, value: float, target: float | None) -> str:
    text = f"{name} {100 * value:.1f} %"
    return text if target is None else f"{text}, at most {100 * target:g} %{'' if value <= target else ': missed'}"


def _at_least(what: str, share: float, target: float) -> str:
    return f"{100 * share:.0f} % {what}, at least {100 * target:g} %{'' if share >= target else ': missed'}"


def _not_testable(report: ValidationReport, family: Family) -> str:
    missing = sum(error is None for error in report.left_out_of(family).values())
    return f"; {missing} not testable" if missing else ""


def _said(errors: Errors | None, outcomes: int) -> str:
    if errors is None:
        return "not testable"
    text = f"mean error {100 * errors.mean:.1f} %, worst {100 * errors.worst:.1f} %, of {errors.count}"
    return f"{text}; {outcomes - errors.count} not testable" if outcomes > errors.count else text


def errors_of(outcomes: Iterable[OutcomeResult]) -> Errors | None:
    """Return the errors of outcomes, None if there are none."""
    return _errors(outcome.error for outcome in outcomes)


def _errors(values: Iterable[float]) -> Errors | None:
    errors = [abs(error) for error in values]
    return Errors(len(errors), sum(errors) / len(errors), max(errors)) if errors else None


def _documented(outcome: OutcomeResult) -> float:
    return outcome.documented if isinstance(outcome.documented, float) else 0.0


def _gap(one: OutcomeResult, other: OutcomeResult) -> float:
    """Return how far the larger documented number is above the smaller, as a fraction; 0 where they do not compare."""
    low, high = sorted((_documented(one), _documented(other)))
    return high / low - 1 if low > 0 and one.unit == other.unit else 0.0
