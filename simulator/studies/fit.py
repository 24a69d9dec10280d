"""Fits: derive the fitted numbers again from the documented outcomes, and leave outcomes out in turn.

The numbers minimise the sum of squared relative errors, times their weights, of the outcomes they are fitted to. A
number that acts on the outcomes of another is fitted before it, and with it where each acts on the other's. The search
runs on the logarithms, from several points spread over their bounds (`simulator/studies/search.py`), and never from the
values in the profiles: what it finds does not rest on what somebody found before. What a documented band leaves open
goes to its middle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.outcome import UNCOUNTED, Parameter, error, with_value
from simulator.studies.pool import OnDone, Pool, unheeded
from simulator.studies.search import Found, search
from simulator.studies.validate import Bench, Case, OutcomeResult, current_value, outcome_result

UNDETERMINED = 0.05
"""Relative distance of two predictions by fits that are equally good, from which the others do not tell. Assumption."""
AS_GOOD = 0.01
"""Root mean square error by which a fit may be worse than the best and counts as good as it. Assumption."""

INSIDE = 0.05
"""Weight of the distance from the middle of a documented band, as a fraction. Assumption (range 0.01 to 0.1): the edge
of a band that goes a third to either side counts as 2 % beside a number do."""


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


def each_alone(cases: Sequence[Case]) -> list[list[str]]:
    """Return a group of each documented number alone, by its id, to be left out in turn."""
    return [[case.outcome.id] for case in cases if case.outcome.role not in UNCOUNTED]


def leave_groups_out(
    cases: Sequence[Case],
    parameters: Sequence[Parameter],
    groups: Sequence[Collection[str]],
    *,
    workers: int = 1,
    on_done: OnDone = unheeded,
) -> list[dict[str, OutcomeResult | None]]:
    """Return, of each group of outcomes, all of them predicted by numbers that were fitted without any of them.

    None stands for an outcome that is not testable: the others do not tell a number that acts on it. Only numbers that
    act on what is left out are fitted again, and those that these rest on. The groups go to further processes if there
    are several, since a search takes most of its steps one after the other; in this one they share the runs.
    """
    with Pool(workers) as pool, Bench(1) as bench:
        return pool.run_all(partial(_left_out, cases=cases, parameters=parameters, bench=bench), groups, on_done)


def _left_out(
    ids: Collection[str], cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench
) -> dict[str, OutcomeResult | None]:
    left_out = [case for case in cases if case.outcome.id in ids]
    others = [case for case in cases if case.outcome.id not in ids]
    known = {case.outcome.id for case in others}
    informed = [_informed(parameter, ids, known) for parameter in parameters]
    touched = {p for id in ids for p in affected(id, informed)}
    unknown = [p for p in touched if not known & set(p.fitted_to)]
    acting = {p for p in touched if set(p.used_by) & set(ids)}
    tested = [p for p in informed if p in touched and p not in unknown and (_reached(p, informed) | {p}) & acting]
    fits = _fits(others, tested, bench)
    predictions = [bench.measure([_changed(case, values) for case in left_out]) for values in fits]
    results: dict[str, OutcomeResult | None] = {}
    for case, values in zip(left_out, zip(*predictions, strict=True), strict=True):
        is_told = not any(case.outcome.id in p.used_by for p in unknown)
        is_one = max(values) - min(values) <= UNDETERMINED * abs(values[0])
        results[case.outcome.id] = outcome_result(case, values[0], "predicted") if is_told and is_one else None
    return results


def _informed(parameter: Parameter, ids: Collection[str], known: Collection[str]) -> Parameter:
    """Return the parameter, fitted to the other outcomes that it acts on if it rests on those left out alone."""
    if set(parameter.fitted_to) - set(ids):
        return parameter
    return replace(parameter, fitted_to=(*parameter.fitted_to, *(id for id in parameter.used_by if id in known)))


def _fit(cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> list[FittedValue]:
    values = _fits(cases, parameters, bench)[0]
    before = {parameter: current_value(parameter, cases) for parameter in parameters}
    return [FittedValue(p, before[p], values.get(p, before[p])) for group in ordered(parameters) for p in group]


def _fits(cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench) -> list[dict[Parameter, float]]:
    """Return the values of the best fit, and of others that are as good, from elsewhere in the bounds."""
    known = {case.outcome.id: case for case in cases}
    fits: list[dict[Parameter, float]] = [{}]
    for group in ordered(parameters):
        ids = sorted({id for parameter in group for id in parameter.fitted_to if id in known})
        if not ids:
            continue
        minima = _search(group, [_changed(known[id], fits[0]) for id in ids], bench)
        good = [minimum for minimum in minima if minimum.rms <= minima[0].rms + AS_GOOD]
        fits += [dict(fits[0]) for _ in range(len(good) - len(fits))]
        for at, values in enumerate(fits):
            values.update(zip(group, np.exp(good[at if at < len(good) else 0].logs).tolist(), strict=True))
    return fits


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
    reached: set[Parameter] = set()
    front = [start]
    while front:
        used = set(front.pop().used_by)
        new = [p for p in parameters if p not in reached and used & set(p.fitted_to)]
        reached.update(new)
        front += new
    return reached


def _changed(case: Case, values: Mapping[Parameter, float]) -> Case:
    scenario, baseline = case.scenario, case.baseline
    for parameter, value in values.items():
        if case.outcome.id in parameter.used_by:
            scenario = with_value(scenario, parameter.key, value)
            baseline = None if baseline is None else with_value(baseline, parameter.key, value)
    return Case(case.outcome, case.profile, scenario, baseline)


def _search(group: Sequence[Parameter], cases: Sequence[Case], bench: Bench) -> list[Found]:
    """Return what `search` finds for some numbers, the best first. Points are measured side by side."""

    def errors(points: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        values = [dict(zip(group, np.exp(logs).tolist(), strict=True)) for logs in points]
        simulated = bench.measure([_changed(case, point) for point in values for case in cases])
        documented = [case.outcome.value for case in cases] * len(points)
        misses = [_missed(*row) for row in zip(documented, simulated, strict=True)]
        return np.array(misses).reshape(len(points), -1) * [case.outcome.weight for case in cases]

    low = np.log([parameter.low for parameter in group])
    high = np.log([parameter.high for parameter in group])
    return search(errors, low, high)


def _missed(documented: float | tuple[float, float], simulated: float) -> float:
    """Return the error as a fraction; inside a band a small one that grows from its middle."""
    if not isinstance(documented, tuple):
        return error(documented, simulated)
    middle = sum(documented) / 2
    return error(documented, simulated) + INSIDE * (simulated - middle) / middle
