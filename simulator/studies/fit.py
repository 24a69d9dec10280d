"""Fits: derive the fitted numbers anew from the documented outcomes, and leave each outcome out in turn.

The numbers minimise the sum of squared relative errors of the outcomes they are fitted to. Numbers that share no
outcome are fitted apart. The search runs on the logarithms, from the values in the profiles, within their bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.outcome import Parameter, value_at, with_value
from simulator.studies.validate import Bench, Case, OutcomeResult, error

STEP = 0.02
"""Relative step of the difference quotients. Assumption: above the jumps of whole waves of tasks."""
TOLERANCE = 1e-4
"""Relative change of a number at which the search ends. Assumption: far below the documents' own precision."""


@dataclass(frozen=True, slots=True)
class FittedValue:
    """A fitted number before and after."""

    parameter: Parameter
    before: float
    after: float


def fit(cases: Sequence[Case], parameters: Sequence[Parameter], *, workers: int = 1) -> list[FittedValue]:
    """Return the parameters with the values that fit the outcomes of `cases` best.

    A parameter none of whose outcomes is among the cases keeps its value.
    """
    with Bench(workers) as bench:
        return _fit(cases, parameters, bench)


def leave_one_out(cases: Sequence[Case], parameters: Sequence[Parameter], *, workers: int = 1) -> list[OutcomeResult]:
    """Return each outcome predicted by numbers that were fitted without it."""
    with Bench(workers) as bench:
        return [_left_out(case, cases, parameters, bench) for case in cases]


def _left_out(case: Case, cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> OutcomeResult:
    touched = [p for group in independent(parameters) if _informs(group, case) for p in group]
    others = [other for other in cases if other.outcome.id != case.outcome.id]
    values = {found.parameter.name: found.after for found in _fit(others, touched, bench)}
    predicted = bench.measure([_changed(case, touched, values)])[0]
    outcome = case.outcome
    return OutcomeResult(
        id=outcome.id,
        family=outcome.family,
        documented=outcome.value,
        simulated=predicted,
        unit=outcome.unit,
        error=error(outcome.value, predicted),
        role="predicted",
        profile=case.profile,
    )


def _fit(cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> list[FittedValue]:
    known = {case.outcome.id: case for case in cases}
    fitted: list[FittedValue] = []
    for group in independent(parameters):
        ids = sorted({id for parameter in group for id in parameter.fitted_to if id in known})
        before = [_value(parameter, cases) for parameter in group]
        after = _search(group, before, [known[id] for id in ids], bench) if ids else before
        fitted += [FittedValue(*row) for row in zip(group, before, after, strict=True)]
    return fitted


def independent(parameters: Sequence[Parameter]) -> list[list[Parameter]]:
    """Return the parameters in groups that share no outcome."""
    groups: list[list[Parameter]] = []
    for parameter in parameters:
        linked = [group for group in groups if any(_linked(parameter, other) for other in group)]
        groups = [group for group in groups if group not in linked]
        groups.append([*(other for group in linked for other in group), parameter])
    return groups


def _linked(one: Parameter, other: Parameter) -> bool:
    return bool(set(one.fitted_to) & set(other.used_by) or set(other.fitted_to) & set(one.used_by))


def _informs(group: Sequence[Parameter], case: Case) -> bool:
    return any(case.outcome.id in parameter.fitted_to for parameter in group)


def _value(parameter: Parameter, cases: Sequence[Case]) -> float:
    return value_at(next(c for c in cases if c.outcome.id in parameter.used_by).scenario, parameter.key)


def _changed(case: Case, parameters: Sequence[Parameter], values: dict[str, float]) -> Case:
    scenario = case.scenario
    for parameter in parameters:
        if case.outcome.id in parameter.used_by:
            scenario = with_value(scenario, parameter.key, values[parameter.name])
    return Case(case.outcome, case.profile, scenario)


def _search(group: Sequence[Parameter], start: Sequence[float], cases: Sequence[Case], bench: Bench) -> list[float]:
    """Return the values that minimise the squared relative errors: Levenberg-Marquardt within bounds."""
    from scipy.optimize import least_squares

    def errors(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        values = {p.name: math.exp(log) for p, log in zip(group, logs, strict=True)}
        simulated = bench.measure([_changed(case, group, values) for case in cases])
        return np.array([error(case.outcome.value, s) for case, s in zip(cases, simulated, strict=True)])

    low = [math.log(parameter.low) for parameter in group]
    high = [math.log(parameter.high) for parameter in group]
    found = least_squares(errors, np.log(start), bounds=(low, high), diff_step=STEP, xtol=TOLERANCE, ftol=TOLERANCE)
    return [math.exp(log) for log in found.x]
