"""Fits: derive the fitted numbers again from the documented outcomes.

The numbers minimise the sum of squared relative errors, times their weights, of the outcomes they are fitted to. A
number that acts on the outcomes of another is fitted before it, and with it where each acts on the other's. The search
runs on the logarithms, from several points spread over their bounds (`simulator/studies/search.py`), and never from the
values in the profiles: what it finds does not rest on what somebody found before. What a documented band leaves open
goes to its middle.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.outcome import Parameter, error, with_value
from models.scenario import Scenario
from simulator.studies.search import Found, search
from simulator.studies.validate import Bench, Case, current_value

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
        values = fits(cases, parameters, bench)[0]
    before = {parameter: current_value(parameter, cases) for parameter in parameters}
    return [FittedValue(p, before[p], values.get(p, before[p])) for group in ordered(parameters) for p in group]


def fits(
    cases: Sequence[Case], parameters: Sequence[Parameter], bench: Bench, spare: float = 0.0
) -> list[dict[Parameter, float]]:
    """Return the values of the best fit, and of others whose errors may be as small but for `spare`, from elsewhere.

    `spare` is a root mean square error. Numbers whose outcomes are not among the cases have no value.
    """
    known = {case.outcome.id: case for case in cases}
    ends: list[dict[Parameter, float]] = [{}]
    for group in ordered(parameters):
        ids = sorted({id for parameter in group for id in parameter.fitted_to if id in known})
        if not ids:
            continue
        minima = _search(group, changed([known[id] for id in ids], ends[0]), bench)
        good = [minimum for minimum in minima if minimum.rms <= minima[0].rms + spare]
        ends += [dict(ends[0]) for _ in range(len(good) - len(ends))]
        for at, values in enumerate(ends):
            values.update(zip(group, np.exp(good[at if at < len(good) else 0].logs).tolist(), strict=True))
    return ends


def ordered(parameters: Sequence[Parameter]) -> list[list[Parameter]]:
    """Return the parameters in groups to be fitted one after the other: those before do not depend on those behind."""
    reach = {p: reached(p, parameters) for p in parameters}
    groups: dict[frozenset[str], list[Parameter]] = {}
    for p in parameters:
        together = frozenset(q.name for q in parameters if q is p or (q in reach[p] and p in reach[q]))
        groups.setdefault(together, []).append(p)
    return sorted(groups.values(), key=lambda group: sum(group[0] in reach[q] for q in parameters))


def affected(id: str, parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return the parameters whose values rest on an outcome: those fitted to it, and those fitted after them."""
    direct = [p for p in parameters if id in p.fitted_to]
    return [p for p in parameters if p in direct or any(p in reached(q, parameters) for q in direct)]


def reached(start: Parameter, parameters: Sequence[Parameter]) -> set[Parameter]:
    """Return the parameters that a change of one changes, directly or through others."""
    changing: set[Parameter] = set()
    front = [start]
    while front:
        used = set(front.pop().used_by)
        new = [p for p in parameters if p not in changing and used & set(p.fitted_to)]
        changing.update(new)
        front += new
    return changing


def changed(cases: Sequence[Case], values: Mapping[Parameter, float]) -> list[Case]:
    """Return cases, each with those of the values that act on it: cases of one scenario have one again where alike."""
    made: dict[Hashable, tuple[Scenario, Scenario | None]] = {}
    told: list[Case] = []
    for case in cases:
        acting = tuple((p.key, value) for p, value in values.items() if case.outcome.id in p.used_by)
        alike = id(case.scenario), id(case.baseline), acting
        if alike not in made:
            baseline = None if case.baseline is None else _with_values(case.baseline, acting)
            made[alike] = _with_values(case.scenario, acting), baseline
        scenario, baseline = made[alike]
        told.append(replace(case, scenario=scenario, baseline=baseline))
    return told


def _with_values(scenario: Scenario, values: Sequence[tuple[str, float]]) -> Scenario:
    for key, value in values:
        scenario = with_value(scenario, key, value)
    return scenario


def _search(group: Sequence[Parameter], cases: Sequence[Case], bench: Bench) -> list[Found]:
    """Return what `search` finds for some numbers, the best first. Points are measured side by side."""

    def errors(points: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        values = [dict(zip(group, np.exp(logs).tolist(), strict=True)) for logs in points]
        simulated = bench.measure([case for point in values for case in changed(cases, point)])
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
