"""What an answer depends on: levers, uncertain inputs, and choices to be made before they are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from app.planning.asking import Asked
from app.planning.loading import Chosen, choose
from app.planning.points import candidates
from app.planning.progress import Counted
from app.reports.held_up import settings
from app.reports.library.meanings import about
from app.reports.sensitivity_document import Gain, SensitivityReport
from models.planning.bill import bill
from models.planning.grid import Values
from models.planning.levers import Lever, levers
from models.planning.study import Sensitivity
from models.planning.uncertain import Input
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from models.target import plain, unknown
from simulator.studies.measures import Measure, by_plain_name, measures
from simulator.studies.names import absent, lack, measured_by
from simulator.studies.points import Answer, Point
from simulator.studies.runner import Finished, Runner
from simulator.studies.uncertainty import (
    Regret,
    band,
    influences,
    regrets,
    samples,
    sobol_points,
    swings,
    swings_points,
)

LESS = "name one of which less is better, such as duration or cost"
"""The way out of a measure that cannot be studied."""

ROUNDING = 1e-9
"""Part of an answer by which two may differ though nothing changed: times are sums of millions of steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of which profile. `choices` are changes of the profile by the names given to them."""

    title: str
    chosen: Chosen
    inputs: Sequence[Input]
    choices: Mapping[str, dict[str, str]]
    measure: str
    samples: int
    sobol: int
    seed: int


def plan_of(asked: Asked[Sensitivity]) -> Plan:
    """Return the plan of a study that has been read.

    Raises:
        ProblemError: its profile is wrong.
    """
    study = asked.study
    return Plan(
        title=study.title,
        chosen=choose(study.profile, study.set),
        inputs=asked.inputs,
        choices=study.choices,
        measure=study.measure,
        samples=study.samples,
        sobol=study.sobol,
        seed=study.seed,
    )


def study(plan: Plan, workers: int | None, counted: Counted) -> SensitivityReport:
    """Run a study and return its result.

    Raises:
        ProblemError: the profile is wrong, cannot be run, or has no such measure.
    """
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        return _Study(plan, runner, on_done).report()


class _Study:
    """One study under way."""

    def __init__(self, plan: Plan, runner: Runner, on_done: Callable[[int, int], None]) -> None:
        self._plan = plan
        self._runner = runner
        self._on_done = on_done

    def report(self) -> SensitivityReport:
        """Run all parts of the study."""
        plan, inputs = self._plan, self._plan.inputs
        scenario = plan.chosen.scenario
        self._refuse_what_is_no_measure(scenario)
        self._refuse_what_cannot_be(swings_points(inputs))
        answer, base, gains = self._levers(scenario)
        swung = swings(inputs, self._at(swings_points(inputs))) if inputs else []
        sampled = self._at(drawn := samples(inputs, plan.samples, plan.seed)) if inputs else []
        told = []
        if plan.sobol and inputs:
            told = influences(inputs, self._at(sobol_points(inputs, plan.sobol, plan.seed)), plan.seed)
        unpriced, priced = self._unpriced() if inputs else {}, bill(scenario)
        return SensitivityReport(
            title=plan.title,
            profile=plan.chosen.profile,
            measure=plan.measure,
            unit=base.unit,
            base=base.value,
            currency=scenario.prices.currency if scenario.prices is not None else "USD",
            gains=gains,
            limiting=list(settings(scenario, answer).values()),
            inputs=inputs,
            swings=swung,
            band=band(sampled) if inputs else None,
            sampled=[value for value in sampled if math.isfinite(value)],
            influences=told,
            regrets=self._regrets(drawn, unpriced) if inputs and plan.choices else [],
            unpriced=unpriced,
            missing=priced.unpriced if priced is not None else (),
            meanings={number.key: about(scenario, number.key) for number in inputs},
            samples=plan.samples,
            seed=plan.seed,
            version=version("headroom"),
            settings=plan.chosen.settings,
        )

    def _levers(self, scenario: Scenario) -> tuple[Answer, Measure, list[Gain]]:
        """Return the run of the profile as it is, its measure, and what each lever brings."""
        pulled = levers(scenario)
        (answer, base), *changed = self._answered([scenario, *(lever.scenario for lever in pulled)])
        if not isinstance(answer, Answer) or base is None or not base.value:
            raise ProblemError([Problem("", None, self._plan.chosen.profile, self._unfit(scenario, answer, base))])
        pairs = zip(pulled, changed, strict=True)
        gains = [_gain(scenario, lever, base, measured) for lever, (_, measured) in pairs if measured is not None]
        return answer, base, gains

    def _regrets(self, drawn: Sequence[Values], unpriced: Mapping[str, Sequence[str]]) -> list[Regret]:
        weighed = {name: changes for name, changes in self._plan.choices.items() if name not in unpriced}
        if not weighed:
            return []
        rows = [self._at(drawn, changes) for changes in weighed.values()]
        return regrets(list(weighed), np.array(rows))

    def _unpriced(self) -> dict[str, tuple[str, ...]]:
        """Return what has no price of each choice of which something has none: it would win for nothing."""
        unpriced = {}
        for name, changes in self._plan.choices.items():
            (chosen,) = candidates(self._plan.chosen.profile, {**self._plan.chosen.settings, **changes}, [()])
            priced = None if chosen.scenario is None else bill(chosen.scenario)
            if priced is not None and priced.unpriced:
                unpriced[name] = priced.unpriced
        return unpriced

    def _refuse_what_is_no_measure(self, scenario: Scenario) -> None:
        """Refuse a measure that the profile does not have, or of which more is better; nothing is run for that.

        Raises:
            ProblemError: with the nearest name.
        """
        name = self._plan.measure
        known = measured_by([name], [scenario])
        measure = known.get(plain(name))
        if measure is None:
            message = absent(plain(name), scenario) or unknown(name, known)
        elif measure.is_more_better:
            message = f"'{name}' is better when there is more of it; {LESS}"
        else:
            return
        raise ProblemError([Problem("", None, "--measure", message)])

    def _refuse_what_cannot_be(self, points: Sequence[Values]) -> None:
        """Build the profile and every choice at the ends of all inputs, before anything is run.

        Raises:
            ProblemError: with what is wrong with one of them.
        """
        for changes in ({}, *self._plan.choices.values()):
            candidates(self._plan.chosen.profile, {**self._plan.chosen.settings, **changes}, points)

    def _at(self, points: Sequence[Values], changes: Mapping[str, str] | None = None) -> list[float]:
        """Return the measure at each point, NaN where it cannot be run."""
        listed = candidates(self._plan.chosen.profile, {**self._plan.chosen.settings, **(changes or {})}, points)
        measured = iter(self._measured([candidate.scenario for candidate in listed if candidate.scenario is not None]))
        values = [None if candidate.scenario is None else next(measured) for candidate in listed]
        return [math.nan if value is None else value.value for value in values]

    def _measured(self, scenarios: Sequence[Scenario]) -> list[Measure | None]:
        """Return the measure of each scenario, None for those that cannot be run or do not have it."""
        return [measured for _, measured in self._answered(scenarios)]

    def _answered(self, scenarios: Sequence[Scenario]) -> list[tuple[Finished, Measure | None]]:
        """Return what each scenario came to, with its measure, as far as it has one."""
        plan = self._plan
        points = [Point(scenario=case, profile=plan.chosen.profile, seed=plan.seed) for case in scenarios]
        values: list[tuple[Finished, Measure | None]] = []
        for scenario, answer in zip(scenarios, self._runner.run(points, self._on_done), strict=True):
            numbers = measures(scenario, answer, [plan.measure]) if isinstance(answer, Answer) else {}
            values.append((answer, by_plain_name(numbers).get(plain(plan.measure))))
        return values

    def _unfit(self, scenario: Scenario, answer: Finished, base: Measure | None) -> str:
        """Return why the profile's measure is none to study."""
        name = self._plan.measure
        if base is not None:
            return f"--measure: '{name}' is 0; {LESS}"
        if not isinstance(answer, Answer):
            return answer.reason
        return f"--measure: {lack(name, scenario)}"


def _change(before: float, after: float) -> float:
    """Return a relative change; what differs by the rounding of the engine alone has not changed."""
    return 0.0 if math.isclose(before, after, rel_tol=ROUNDING) else after / before - 1


def _gain(scenario: Scenario, lever: Lever, base: Measure, measure: Measure) -> Gain:
    """Return what a lever brings; only time saved has a worth, and only where everything has a price."""
    change, now, then = _change(base.value, measure.value), bill(scenario), bill(lever.scenario)
    if now is None or then is None or now.unpriced:
        return Gain(lever.name, measure.value, change, None, None)
    worth = max(0.0, now.per_year * -change) if base.unit == "s" else None
    is_known = not then.unpriced and then.per_year != now.per_year
    costs = then.per_year - now.per_year if is_known else None
    return Gain(lever.name, measure.value, change, worth, costs)
