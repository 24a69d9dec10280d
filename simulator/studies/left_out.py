"""Leaving outcomes out: each documented number predicted by fits to the others, where the others tell it.

The others tell an outcome if all fits of them that are as good predict it alike. The rule is one for all families, and
a convention, since documents do not tell how sure they are:

- **As good** as the best fit is one whose squares of errors, those inside a documented band being 0, sum up to no more
  than the best's and the square of the mean target of the family: as if one outcome more were missed by that. Where
  errors are as large by chance, the true numbers are among such fits in two cases of three.
- Such fits are looked for where the prediction changes most, from the best fit and from all other ends and points of
  the search that are as good, up to half and to twice the bounds: bounds say where a search begins and are no source,
  so what only a bound holds is not told. Past a bound where no profile may go, such as a part above one, they hold.
- They predict it **alike** if none is further from the best than the error that is allowed to what is left out, twice
  the mean target: only then the error that is told does not hang on which of them was found. Where errors are linear,
  this asks that the others tell the outcome at least half as well as a document of its own would.
- What they do not predict alike is **not testable**, if one of them comes as near to the document as is allowed. If
  none does, the outcome is missed whichever is right, and counts with the error of the best fit.

What is documented as a band is compared by its errors: fits that all reach into the band predict it alike.

The others are those that are not tied to what is left out by arithmetic: the mean of some outcomes tells each of them
by the rest, so it is not heard where one of them is left out, nor are they where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from models.outcome import LEFT_OUT_ALLOWANCE, UNCOUNTED, Parameter, error, with_value
from simulator.studies.fit import affected, changed, fits, ordered, reached
from simulator.studies.pool import OnDone, Pool, unheeded
from simulator.studies.reach import Floats, furthest
from simulator.studies.validate import Bench, Case, OutcomeResult, outcome_result

BEYOND = 2.0
"""How far past a bound fits are looked for that are as good, as a factor. Assumption: bounds are that rough."""


@dataclass(frozen=True, slots=True)
class LeftOutResult:
    """An outcome predicted by the best fit without it; fits as good range from `low` to `high`, in its unit."""

    result: OutcomeResult
    low: float
    high: float
    is_testable: bool


def each_alone(cases: Sequence[Case]) -> list[list[str]]:
    """Return a group of each documented number alone, by its id, to be left out in turn."""
    return [[case.outcome.id] for case in cases if case.outcome.role not in UNCOUNTED]


def leave_groups_out(
    cases: Sequence[Case],
    parameters: Sequence[Parameter],
    groups: Sequence[Collection[str]],
    target: float,
    *,
    workers: int = 1,
    on_done: OnDone = unheeded,
) -> list[dict[str, LeftOutResult]]:
    """Return, of each group of outcomes, all of them predicted by numbers that were fitted without any of them.

    `target` is the mean error that their family may have, as a fraction. Only numbers that act on what is left out are
    fitted again, and those that these rest on. The groups go to further processes if there are several, since a search
    takes most of its steps one after the other. They share the runs: searches without this or that outcome begin at the
    same points.
    """
    with TemporaryDirectory() as folder, Pool(workers) as pool, Bench(1, Path(folder)) as bench:
        ask = partial(_left_out, cases=cases, parameters=parameters, target=target, bench=bench)
        return pool.run_all(ask, groups, on_done)


def is_told(documented: float | tuple[float, float], best: float, low: float, high: float, target: float) -> bool:
    """Return whether an outcome is testable: fits as good as the best predict it alike, or none comes near it.

    `low` and `high` are the least and the greatest that they predict.
    """
    allowed = LEFT_OUT_ALLOWANCE * target
    middle, least, most = (1 + error(documented, value) for value in (best, low, high))
    is_alike = max(most / middle, middle / least) <= 1 + allowed
    comes_near = least <= 1 + allowed and most >= 1 - allowed
    return is_alike or not comes_near


def _left_out(
    ids: Collection[str], cases: Sequence[Case], parameters: Sequence[Parameter], target: float, bench: Bench
) -> dict[str, LeftOutResult]:
    left_out = [case for case in cases if case.outcome.id in ids]
    others = [case for case in cases if not any(case.outcome.is_tied_to(one.outcome) for one in left_out)]
    known = {case.outcome.id for case in others}
    informed = [_informed(parameter, known) for parameter in parameters]
    touched = {p for id in ids for p in affected(id, informed)}
    acting = {p for p in touched if set(p.used_by) & set(ids)}
    tested = [p for p in informed if p in touched and (reached(p, informed) | {p}) & acting]
    told = [p for p in tested if known & set(p.fitted_to)]
    middles = {p: float(np.sqrt(p.low * p.high)) for p in tested if p not in told}
    candidates = [values | middles for values in fits(others, told, bench, target)]
    heard = {id for p in told for id in p.fitted_to}
    open_fits = _Fits([case for case in others if case.outcome.id in heard], cases, tested, target, bench)
    return {case.outcome.id: open_fits.predicted(case, candidates) for case in left_out}


def _informed(parameter: Parameter, known: Collection[str]) -> Parameter:
    """Return the parameter, fitted to the known outcomes that it acts on if it rests on none of them."""
    if set(parameter.fitted_to) & set(known):
        return parameter
    return replace(parameter, fitted_to=(*parameter.fitted_to, *(id for id in parameter.used_by if id in known)))


class _Fits:
    """The fits of some numbers to outcomes: how good they are, and how far apart they predict another."""

    def __init__(
        self,
        heard: Sequence[Case],
        cases: Sequence[Case],
        numbers: Sequence[Parameter],
        target: float,
        bench: Bench,
    ) -> None:
        self._heard, self._bench, self._target = heard, bench, target
        self._numbers = [number for group in ordered(numbers) for number in group]
        bounds = [_past_bounds(number, cases) for number in self._numbers]
        self._low, self._high = np.log(np.array(bounds).reshape(-1, 2)).T

    def predicted(self, case: Case, candidates: Sequence[Mapping[Parameter, float]]) -> LeftOutResult:
        """Return a case predicted by the best fit, the first that was found, and how far fits as good go from it."""
        measure = partial(self._measured, case)
        points = [np.log([values[number] for number in self._numbers]) for values in candidates]
        misses, told = measure(points)
        squares = np.square(misses).sum(axis=1)
        allowed = float(squares[0]) + self._target**2
        good = [at for at in range(len(points)) if squares[at] <= allowed]
        best = low = high = self._bench.measure(changed([case], candidates[0]))[0]
        if self._numbers:
            low, high = (
                float(np.exp(furthest(measure, points[start], self._low, self._high, allowed, way)))
                for start, way in ((min(good, key=told.item), -1), (max(good, key=told.item), 1))
            )
        is_testable = is_told(case.outcome.value, best, low, high, self._target)
        return LeftOutResult(outcome_result(case, best, "predicted"), low, high, is_testable)

    def _measured(self, case: Case, points: Sequence[Floats]) -> tuple[Floats, Floats]:
        values = [dict(zip(self._numbers, np.exp(logs).tolist(), strict=True)) for logs in points]
        asked = [*self._heard, case]
        simulated = self._bench.measure([one for numbers in values for one in changed(asked, numbers)])
        rows = np.array(simulated).reshape(len(points), -1)
        heard = [one.outcome for one in self._heard]
        errors = [[error(one.value, value) for one, value in zip(heard, row, strict=True)] for row in rows[:, :-1]]
        return np.array(errors).reshape(len(points), -1) * [one.weight for one in heard], np.log(rows[:, -1])


def _past_bounds(number: Parameter, cases: Sequence[Case]) -> tuple[float, float]:
    """Return the bounds of a number, put out as far as fits are looked for that are as good, where a profile may go."""
    scenario = next(case.scenario for case in cases if case.outcome.id in number.used_by)

    def past(bound: float, further: float) -> float:
        try:
            with_value(scenario, number.key, further)
        except ValueError:
            return bound
        return further

    return past(number.low, number.low / BEYOND), past(number.high, number.high * BEYOND)
