"""Validation: run what was documented, and say how far the simulation is from it.

Every case goes the way of a user's scenario. The error is the fraction (simulated - documented) / documented; for a
documented band it is 0 inside and the distance to the nearer edge, over that edge, outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from models.outcome import Family, Outcome, Parameter, value_at
from models.scenario import Scenario
from simulator.run import simulate


@dataclass(frozen=True, slots=True)
class Case:
    """A documented outcome and the shipped profile that reproduces it."""

    outcome: Outcome
    profile: str
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class OutcomeResult:
    """One outcome beside its simulation. `role` is `fitted-to` or `predicted`."""

    id: str
    family: str
    documented: float | tuple[float, float]
    simulated: float
    unit: str
    error: float
    role: str
    profile: str


@dataclass(frozen=True, slots=True)
class ParameterResult:
    """A fitted number as it stands in the profiles."""

    parameter: Parameter
    value: float


@dataclass(frozen=True, slots=True)
class FamilySummary:
    """Errors of one family as fractions; `fitted` counts its fitted numbers."""

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


def validate(cases: Sequence[Case], families: Sequence[Family], *, workers: int = 1) -> Validation:
    """Run all cases and return how far each is from its documented value."""
    parameters = [parameter for family in families for parameter in family.parameters]
    fitted = {id for parameter in parameters for id in parameter.fitted_to}
    simulated = measure(cases, workers=workers)
    outcomes = tuple(
        _result(case, value, "fitted-to" if case.outcome.id in fitted else "predicted")
        for case, value in zip(cases, simulated, strict=True)
    )
    return Validation(
        outcomes=outcomes,
        parameters=tuple(ParameterResult(p, _current(p, cases)) for p in parameters),
        families={family.name: _summary(family, outcomes) for family in families},
    )


def measure(cases: Sequence[Case], *, workers: int = 1) -> list[float]:
    """Return the simulated value of each case, in the unit of its outcome."""
    if workers <= 1 or len(cases) <= 1:
        return [measure_one(case) for case in cases]
    with ProcessPoolExecutor(min(workers, len(cases)), mp_context=get_context("spawn")) as pool:
        return list(pool.map(measure_one, cases))


def measure_one(case: Case) -> float:
    """Run one case and return its metric in the unit of its outcome."""
    result = simulate(case.scenario, profile=case.profile)
    if case.outcome.metric == "duration":
        return result.duration
    return result.metrics[case.outcome.metric][0]


def error(documented: float | tuple[float, float], simulated: float) -> float:
    """Return the error as a fraction; 0 inside a documented band."""
    if not isinstance(documented, tuple):
        return (simulated - documented) / documented
    low, high = documented
    edge = min(max(simulated, low), high)
    return (simulated - edge) / edge


def _result(case: Case, simulated: float, role: str) -> OutcomeResult:
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


def _current(parameter: Parameter, cases: Sequence[Case]) -> float:
    scenario = next(case.scenario for case in cases if case.outcome.id in parameter.used_by)
    return value_at(scenario, parameter.key)


def _summary(family: Family, outcomes: Sequence[OutcomeResult]) -> FamilySummary:
    errors = [abs(outcome.error) for outcome in outcomes if outcome.family == family.name]
    mean, worst = sum(errors) / len(errors), max(errors)
    fitted = len(family.parameters)
    within = mean <= family.mean_target and worst <= family.worst_target and fitted <= family.budget
    return FamilySummary(mean, worst, fitted, len(errors), within)
