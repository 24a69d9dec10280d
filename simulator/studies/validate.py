"""Validation: run what was documented, and say how far the simulation is from it.

Every case goes the way of a user's scenario. The error is the fraction (simulated - documented) / documented; for a
documented band it is 0 inside and the distance to the nearer edge, over that edge, outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models import units
from models.outcome import IN_WORDS, Family, Outcome, Parameter, value_at
from models.scenario import Scenario
from models.work import Metrics
from simulator.run import simulate
from simulator.studies.pool import OnDone, Pool, unheeded


@dataclass(frozen=True, slots=True)
class Case:
    """A documented outcome and the shipped profile that reproduces it; where it is a ratio, also what it is over."""

    outcome: Outcome
    profile: str
    scenario: Scenario
    baseline: Scenario | None = None


@dataclass(frozen=True, slots=True)
class OutcomeResult:
    """One outcome beside its simulation.

    `role` is `fitted-to`, `predicted`, `answer` for sizing arithmetic, or `in words` for what has no documented number.
    """

    id: str
    family: str
    documented: float | tuple[float, float]
    simulated: float
    unit: str
    error: float
    role: str
    profile: str

    @property
    def is_number(self) -> bool:
        """Whether a number was documented, whose error counts; otherwise the band is our reading of words."""
        return self.role != IN_WORDS


@dataclass(frozen=True, slots=True)
class ParameterResult:
    """A fitted number as it stands in the profiles."""

    parameter: Parameter
    value: float


@dataclass(frozen=True, slots=True)
class FamilySummary:
    """Errors of the documented numbers of one family as fractions; `fitted` counts its fitted numbers."""

    mean_abs_error: float
    worst: float
    fitted: int
    outcomes: int
    within_targets: bool


@dataclass(frozen=True, slots=True)
class Validation:
    """All outcomes, the fitted numbers, and a summary for each family."""

    outcomes: tuple[OutcomeResult, ...]
    parameters: tuple[ParameterResult, ...]
    families: dict[str, FamilySummary]


def validate(
    cases: Sequence[Case], families: Sequence[Family], *, workers: int = 1, on_done: OnDone = unheeded
) -> Validation:
    """Run all cases and return how far each is from its documented value."""
    parameters = [parameter for family in families for parameter in family.parameters]
    fitted = {id for parameter in parameters for id in parameter.fitted_to}
    with Bench(workers) as bench:
        simulated = bench.measure(cases, on_done)
    outcomes = tuple(
        outcome_result(case, value, case.outcome.role or ("fitted-to" if case.outcome.id in fitted else "predicted"))
        for case, value in zip(cases, simulated, strict=True)
    )
    return Validation(
        outcomes=outcomes,
        parameters=tuple(ParameterResult(p, current_value(p, cases)) for p in parameters),
        families={family.name: _summary(family, outcomes) for family in families},
    )


class Bench:
    """Runs cases, in worker processes if there are several, and remembers every run it has made."""

    def __init__(self, workers: int) -> None:
        self._pool = Pool(workers)
        self._known: dict[str, Metrics] = {}

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        self._pool.__exit__(kind, *details)

    def measure(self, cases: Sequence[Case], on_done: OnDone = unheeded) -> list[float]:
        """Return the simulated value of each case, in the unit of its outcome; `on_done` counts the runs."""
        both = {id(each): each for case in cases for each in (case.scenario, case.baseline) if each is not None}
        texts = {key: scenario.model_dump_json() for key, scenario in both.items()}
        missing = {texts[key]: scenario for key, scenario in both.items() if texts[key] not in self._known}
        runs = self._pool.run_all(_run, list(missing.values()), on_done)
        self._known.update(zip(missing, runs, strict=True))
        return [self._value(case, texts) for case in cases]

    def _value(self, case: Case, texts: dict[int, str]) -> float:
        metrics = self._known[texts[id(case.scenario)]]
        if case.baseline is None:
            return reading(metrics, case.outcome)
        name = case.outcome.metric
        return metrics[name][0] / self._known[texts[id(case.baseline)]][name][0]


def _run(scenario: Scenario) -> Metrics:
    return simulate(scenario).metrics


def reading(metrics: Metrics, outcome: Outcome) -> float:
    """Return the metric of an outcome in the unit in which it was documented.

    Raises:
        KeyError: the run has no such metric.
    """
    value, unit = metrics[outcome.metric]
    return value * float(units.unit(unit).scale / units.unit(outcome.unit).scale)


def error(documented: float | tuple[float, float], simulated: float) -> float:
    """Return the error as a fraction; 0 inside a documented band."""
    if not isinstance(documented, tuple):
        return (simulated - documented) / documented
    low, high = documented
    edge = min(max(simulated, low), high)
    return (simulated - edge) / edge


def outcome_result(case: Case, simulated: float, role: str) -> OutcomeResult:
    """Return an outcome beside its simulated value (in the unit of the outcome)."""
    outcome = case.outcome
    return OutcomeResult(
        id=outcome.id,
        family=outcome.family,
        documented=outcome.value,
        simulated=simulated,
        unit=outcome.unit,
        error=error(outcome.value, simulated),
        role=role,
        profile=case.profile,
    )


def current_value(parameter: Parameter, cases: Sequence[Case]) -> float:
    """Return a fitted number as the scenarios of the cases have it."""
    scenario = next(case.scenario for case in cases if case.outcome.id in parameter.used_by)
    return value_at(scenario, parameter.key)


def _summary(family: Family, outcomes: Sequence[OutcomeResult]) -> FamilySummary:
    errors = [abs(outcome.error) for outcome in outcomes if outcome.family == family.name and outcome.is_number]
    mean, worst = sum(errors) / len(errors), max(errors)
    fitted = len(family.parameters)
    within = mean <= family.mean_target and worst <= family.worst_target and fitted <= family.budget
    return FamilySummary(mean, worst, fitted, len(errors), within)
