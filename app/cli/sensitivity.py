"""`simulate sensitivity`: what better parts would bring, and what uncertain inputs do to an answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.reports.sensitivity_document import Gain, SensitivityReport
    from models.planning.grid import Values
    from models.planning.levers import Lever
    from models.planning.uncertain import Input
    from models.scenario import Scenario
    from simulator.studies.measures import Measure
    from simulator.studies.runner import Runner
    from simulator.studies.uncertainty import Regret


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of which profile. `choices` are changes of the profile by the names given to them."""

    title: str
    profile: str
    settings: dict[str, str]
    inputs: Sequence[Input]
    choices: Mapping[str, dict[str, str]]
    measure: str
    samples: int
    sobol: int
    seed: int


def _power_of_two(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value & (value - 1):
        raise click.BadParameter(f"expected a power of two such as 64 (got {value})")
    return value


@click.command("sensitivity")
@shared.profile
@click.option(
    "--input", "inputs", metavar="KEY=RANGE", multiple=True, help="LOW..HIGH, LOW..MIDDLE..HIGH, or VALUE +- 5 %."
)
@click.option("--measure", metavar="MEASURE", help="What is measured; less is better. Default: duration.")
@click.option("--samples", type=click.IntRange(min=8), help="Samples of the inputs; default: 64.")
@click.option(
    "--sobol",
    type=click.IntRange(min=8),
    callback=_power_of_two,
    help="Rows of a design for Sobol indices, a power of two.",
)
@several(shared.study, shared.changes, shared.seed, shared.answered, shared.workers)
def command(**options: Any) -> None:
    """Say what an answer hangs on.

    Always: what drives, cards, processors, memory or servers 10 % better would bring. With inputs that are not known
    exactly: what to expect, which input moves it most, and in a study with choices, which is regretted least.
    """
    from app.cli.reporting import check_files, tell
    from app.reports.sensitivity_document import document

    check_files(options)
    page = document(study(_plan(options), options["workers"]))
    short = page.only(["answer", "marginal", "band", "swings", "influence", "regret"])
    tell(options, page, text=short, sheet=short)


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.asking import PROFILE, Flag, asked
    from models.planning.study import Sensitivity

    flags = {"profile": PROFILE, "inputs": Flag("--input"), "measure": Flag("--measure")}
    found = asked(Sensitivity, options, flags, f"What {options['profile']} hangs on")
    said = found.study
    return Plan(
        title=said.title,
        profile=said.profile,
        settings=said.set,
        inputs=found.inputs,
        choices=said.choices,
        measure=said.measure,
        samples=said.samples,
        sobol=said.sobol,
        seed=said.seed,
    )


def study(plan: Plan, workers: int | None) -> SensitivityReport:
    """Run a study and return what it came to.

    Raises:
        ProblemError: the profile is wrong, cannot be run, or has no such measure.
    """
    from app.cli.progress import counted
    from simulator.studies.runner import Runner

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
        from app.cli.loading import load_profile
        from app.reports.sensitivity_document import SensitivityReport
        from simulator.studies.uncertainty import band, influences, samples, sobol_points, swings, swings_points

        plan, inputs = self._plan, self._plan.inputs
        self._refuse_what_cannot_be(swings_points(inputs))
        scenario = load_profile(plan.profile, plan.settings)[0].scenario
        base, gains = self._levers(scenario)
        swung = swings(inputs, self._at(swings_points(inputs))) if inputs else []
        sampled = self._at(drawn := samples(inputs, plan.samples, plan.seed)) if inputs else []
        told = []
        if plan.sobol and inputs:
            told = influences(inputs, self._at(sobol_points(inputs, plan.sobol, plan.seed)), plan.seed)
        return SensitivityReport(
            title=plan.title,
            profile=plan.profile,
            measure=plan.measure,
            unit=base.unit,
            base=base.value,
            gains=gains,
            inputs=inputs,
            swings=swung,
            band=band(sampled) if inputs else None,
            sampled=[value for value in sampled if math.isfinite(value)],
            influences=told,
            regrets=self._regrets(drawn) if inputs and plan.choices else [],
            samples=plan.samples,
            seed=plan.seed,
            version=version("headroom"),
            settings=plan.settings,
        )

    def _levers(self, scenario: Scenario) -> tuple[Measure, list[Gain]]:
        """Return the measure of the profile as it is, and what each lever brings."""
        from models.planning.levers import levers

        pulled = levers(scenario)
        base, *found = self._measured([scenario, *(lever.scenario for lever in pulled)])
        if base is None or base.is_more_better or not base.value:
            raise ProblemError([Problem("", None, self._plan.profile, self._unfit(scenario, base))])
        pairs = zip(pulled, found, strict=True)
        return base, [_gain(scenario, lever, base, measured) for lever, measured in pairs if measured is not None]

    def _regrets(self, drawn: Sequence[Values]) -> list[Regret]:
        import numpy as np

        from simulator.studies.uncertainty import regrets

        rows = [self._at(drawn, settings) for settings in self._plan.choices.values()]
        return regrets(list(self._plan.choices), np.array(rows))

    def _refuse_what_cannot_be(self, points: Sequence[Values]) -> None:
        """Build every choice at the ends of all inputs, before anything is run for them.

        Raises:
            ProblemError: with what is wrong with one of them.
        """
        from app.cli.points import candidates

        for settings in self._plan.choices.values():
            candidates(self._plan.profile, {**self._plan.settings, **settings}, points)

    def _at(self, points: Sequence[Values], settings: Mapping[str, str] | None = None) -> list[float]:
        """Return the measure at each point, NaN where it cannot be run."""
        from app.cli.points import candidates

        found = candidates(self._plan.profile, {**self._plan.settings, **(settings or {})}, points)
        measured = iter(self._measured([each.scenario for each in found if each.scenario is not None]))
        values = [None if each.scenario is None else next(measured) for each in found]
        return [math.nan if value is None else value.value for value in values]

    def _measured(self, scenarios: Sequence[Scenario]) -> list[Measure | None]:
        """Return the measure of each scenario, None for those that cannot be run or do not have it."""
        from models.planning.target import plain
        from simulator.studies.measures import by_plain_name, measures
        from simulator.studies.points import Answer, Point

        plan = self._plan
        points = [Point(scenario=each, profile=plan.profile, seed=plan.seed) for each in scenarios]
        values: list[Measure | None] = []
        for scenario, answer in zip(scenarios, self._runner.run(points, self._on_done), strict=True):
            found = measures(scenario, answer) if isinstance(answer, Answer) else {}
            values.append(by_plain_name(found).get(plain(plan.measure)))
        return values

    def _unfit(self, scenario: Scenario, base: Measure | None) -> str:
        """Return why the profile's measure is none to study."""
        from models.planning.target import unknown
        from simulator.studies.measures import measures
        from simulator.studies.points import Answer, Point

        name = self._plan.measure
        if base is not None:
            reason = "is better when there is more of it" if base.is_more_better else "is 0"
            return f"--measure: '{name}' {reason}; name one of which less is better, such as duration or cost"
        (answer,) = self._runner.run([Point(scenario=scenario, profile=self._plan.profile, seed=self._plan.seed)])
        if not isinstance(answer, Answer):
            return answer.reason
        return f"--measure: {unknown(name, measures(scenario, answer))}"


def _gain(scenario: Scenario, lever: Lever, base: Measure, found: Measure) -> Gain:
    """Return what a lever brings; only time saved has a worth, and only where everything has a price."""
    from app.reports.sensitivity_document import Gain
    from simulator.studies.measures import bill

    change, now, then = found.value / base.value - 1, bill(scenario), bill(lever.scenario)
    if now is None or then is None or now.unpriced:
        return Gain(lever.name, found.value, change, None, None)
    worth = max(0.0, now.per_year * -change) if base.unit == "s" else None
    costs = then.per_year - now.per_year if then.per_year != now.per_year else None
    return Gain(lever.name, found.value, change, worth, costs)
