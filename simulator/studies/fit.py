"""Fits: derive the fitted numbers again from the documented outcomes, and leave each outcome out in turn.

The numbers minimise the sum of squared relative errors, times their weights, of the outcomes they are fitted to. A
number that acts on the outcomes of another is fitted before it, and with it where each acts on the other's. The search
runs on the logarithms, from the values in the profiles, within their bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.outcome import IN_WORDS, Parameter, with_value
from simulator.studies.pool import OnDone, unheeded
from simulator.studies.validate import Bench, Case, OutcomeResult, current_value, error, outcome_result

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


def leave_one_out(
    cases: Sequence[Case], parameters: Sequence[Parameter], *, workers: int = 1, on_done: OnDone = unheeded
) -> list[OutcomeResult]:
    """Return each documented number predicted by numbers that were fitted without it."""
    predicted: list[OutcomeResult] = []
    with Bench(workers) as bench:
        for case in (numbers := [case for case in cases if case.outcome.role != IN_WORDS]):
            on_done(len(predicted), len(numbers))
            predicted.append(_left_out(case, cases, parameters, bench))
    return predicted


def _left_out(case: Case, cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> OutcomeResult:
    others = [other for other in cases if other.outcome.id != case.outcome.id]
    known = {other.outcome.id for other in others}
    acting = [p for p in parameters if known & set(p.used_by)]  # the others keep their values: nothing tells of them
    touched = affected(case.outcome.id, [_informed(p, case.outcome.id, known) for p in acting])
    values = {found.parameter: found.after for found in _fit(others, touched, bench)}
    return outcome_result(case, bench.measure([_changed(case, values)])[0], "predicted")


def _informed(parameter: Parameter, left_out: str, known: set[str]) -> Parameter:
    """Return the parameter, fitted to the other outcomes that it acts on if it rests on the one left out alone."""
    if set(parameter.fitted_to) != {left_out}:
        return parameter
    return replace(parameter, fitted_to=(left_out, *(id for id in parameter.used_by if id in known)))


def _fit(cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> list[FittedValue]:
    known = {case.outcome.id: case for case in cases}
    values: dict[Parameter, float] = {}
    fitted: list[FittedValue] = []
    for group in ordered(parameters):
        ids = sorted({id for parameter in group for id in parameter.fitted_to if id in known})
        before = [current_value(parameter, cases) for parameter in group]
        settled = [_changed(known[id], values) for id in ids]
        after = _search(group, before, settled, bench) if ids else before
        values.update(zip(group, after, strict=True))
        fitted += [FittedValue(*row) for row in zip(group, before, after, strict=True)]
    return fitted


def ordered(parameters: Sequence[Parameter]) -> list[list[Parameter]]:
    """Return the parameters in groups to be fitted one after the other: those before do not depend on those behind."""
    reach = {p: _reached(p, parameters) for p in parameters}
    groups: dict[frozenset[str], list[Parameter]] = {}
    for p in parameters:
        together = frozenset(q.name for q in parameters if q is p or (q in reach[p] and p in reach[q]))
        groups.setdefault(together, []).append(p)
    return sorted(groups.values(), key=lambda group: sum(group[0] in reach[q] for q in parameters))


def affected(id: str, parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return the parameters whose values rest on an outcome: those fitted to it, and those fitted after them."""
    direct = [p for p in parameters if id in p.fitted_to]
    return [p for p in parameters if p in direct or any(p in _reached(q, parameters) for q in direct)]


def _reached(start: Parameter, parameters: Sequence[Parameter]) -> set[Parameter]:
    """Return the parameters that a change of one changes, directly or through others."""
    found: set[Parameter] = set()
    front = [start]
    while front:
        used = set(front.pop().used_by)
        new = [p for p in parameters if p not in found and used & set(p.fitted_to)]
        found.update(new)
        front += new
    return found


def _changed(case: Case, values: Mapping[Parameter, float]) -> Case:
    scenario, baseline = case.scenario, case.baseline
    for parameter, value in values.items():
        if case.outcome.id in parameter.used_by:
            scenario = with_value(scenario, parameter.key, value)
            baseline = None if baseline is None else with_value(baseline, parameter.key, value)
    return Case(case.outcome, case.profile, scenario, baseline)


def _search(group: Sequence[Parameter], start: Sequence[float], cases: Sequence[Case], bench: Bench) -> list[float]:
    """Return the values that minimise the squared relative errors: a trust region within bounds.

    The points of the difference quotients are measured all at once.
    """
    from scipy.optimize import least_squares

    def errors(points: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        values = [dict(zip(group, np.exp(logs).tolist(), strict=True)) for logs in points]
        simulated = bench.measure([_changed(case, each) for each in values for case in cases])
        documented = [case.outcome.value for case in cases] * len(points)
        found = [error(*row) for row in zip(documented, simulated, strict=True)]
        return np.array(found).reshape(len(points), -1) * [case.outcome.weight for case in cases]

    low = np.array([math.log(parameter.low) for parameter in group])
    high = np.array([math.log(parameter.high) for parameter in group])

    def slopes(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        steps = STEP * logs
        steps = np.where((logs + steps < low) | (logs + steps > high), -steps, steps)
        found = errors([logs, *(logs + np.diag(steps))])
        quotients: NDArray[np.float64] = (found[1:] - found[0]).T / steps
        return quotients

    first = np.log(start)
    found = least_squares(lambda x: errors([x])[0], first, slopes, (low, high), xtol=TOLERANCE, ftol=TOLERANCE)
    return [math.exp(log) for log in found.x]
