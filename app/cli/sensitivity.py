"""`simulate sensitivity`: what better parts would bring, and what uncertain inputs do to an answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.reports.sensitivity_document import Gain, SensitivityReport
    from models.planning.grid import Values
    from models.planning.uncertain import Input
    from models.scenario import Scenario
    from simulator.studies.runner import Runner
    from simulator.studies.uncertainty import Regret

SAMPLES = 64


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


@click.command("sensitivity")
@click.option("--profile", metavar="NAME|PATH", help="Profile to study.")
@click.option("--study", metavar="NAME|PATH", help="A study that ships, or a file, instead of the options here.")
@click.option(
    "--input", "inputs", metavar="KEY=RANGE", multiple=True, help="LOW..HIGH, LOW..MIDDLE..HIGH, or VALUE +- 5 %."
)
@click.option("--measure", metavar="MEASURE", help="What is measured; less is better. Default: duration.")
@click.option("--samples", type=click.IntRange(min=8), help=f"Samples of the inputs; default: {SAMPLES}.")
@click.option("--sobol", type=click.IntRange(min=8), help="Rows of a design for Sobol indices, a power of two.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value of the profile.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of samples and chances; default: 0.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@click.option("--report", "reports", metavar="FILE", multiple=True, help="Write a report: .html, .pdf, .xlsx, .md ...")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
def command(**options: Any) -> None:
    """Say what an answer hangs on.

    Always: what drives, cards, processors, memory or servers 10 % better would bring. With inputs that are not known
    exactly: what to expect, which input moves it most, and in a study with choices, which is regretted least.
    """
    from app.cli.output import check_writable, write
    from app.cli.reporting import check_forms, write_reports
    from app.reports import document_csv, document_text
    from app.reports.json_text import dumps
    from app.reports.sensitivity_document import contract, document

    check_forms(options["reports"])
    check_writable([("--output", options["output"] or "-"), *(("--report", name) for name in options["reports"])])
    report = study(_plan(options), options["workers"])
    page = document(report)
    write_reports(page, options["reports"])
    short = page.only(["answer", "marginal", "band", "swings", "influence", "regret"])
    forms = {
        "text": lambda: document_text.render(short),
        "json": lambda: dumps(contract(report)),
        "csv": lambda: document_csv.render(short),
    }
    write(options["output"], forms[options["format_"]]())


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import setting_problems

    if options["study"] is not None:
        return _from_study(options)
    problems = setting_problems(options["settings"])
    if not options["profile"]:
        problems.append(Problem("", None, "--profile", "missing: name a shipped profile or a TOML file, or a --study"))
    inputs = _inputs("--input", [text.partition("=")[::2] for text in options["inputs"]], problems)
    if problems:
        raise ProblemError(problems)
    return Plan(
        title=f"What {options['profile']} hangs on",
        profile=options["profile"],
        settings=dict(setting.split("=", 1) for setting in options["settings"]),
        inputs=inputs,
        choices={},
        measure=options["measure"] or "duration",
        samples=options["samples"] or SAMPLES,
        sobol=options["sobol"] or 0,
        seed=options["seed"] or 0,
    )


def _from_study(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import pairs
    from models.planning.study import FOLDER, Sensitivity
    from profiles.loader import load

    own = [name for name in ("profile", "inputs", "measure") if options[name]]
    if own:
        raise ProblemError([Problem("", None, "--study", f"states {', '.join(own)} itself; leave them out")])
    name, problems = options["study"], list[Problem]()
    stated = load(name, Sensitivity, folders=[FOLDER]).scenario
    inputs = _inputs(f"{name}: inputs", list(stated.inputs.items()), problems)
    if problems:
        raise ProblemError(problems)
    return Plan(
        title=stated.title,
        profile=stated.profile,
        settings={**stated.set, **pairs(options["settings"])},
        inputs=inputs,
        choices=stated.choices,
        measure=stated.measure,
        samples=options["samples"] or stated.samples,
        sobol=stated.sobol if options["sobol"] is None else options["sobol"],
        seed=stated.seed if options["seed"] is None else options["seed"],
    )


def _inputs(key: str, pairs: Sequence[tuple[str, str]], problems: list[Problem]) -> list[Input]:
    from models.planning.uncertain import uncertain

    found = []
    for name, text in pairs:
        try:
            found.append(uncertain(name.strip(), text.strip()))
        except ValueError as error:
            problems.append(Problem("", None, key, f"{name}: {error}"))
    return found


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
        scenario = load_profile(plan.profile, plan.settings)[0].scenario
        base, unit, gains = self._levers(scenario)
        swung = swings(inputs, self._at(swings_points(inputs))) if inputs else []
        sampled = self._at(drawn := samples(inputs, plan.samples, plan.seed)) if inputs else []
        told = []
        if plan.sobol and inputs:
            told = influences(inputs, self._at(sobol_points(inputs, plan.sobol, plan.seed)), plan.seed)
        return SensitivityReport(
            title=plan.title,
            profile=plan.profile,
            measure=plan.measure,
            unit=unit,
            base=base,
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
        )

    def _levers(self, scenario: Scenario) -> tuple[float, str, list[Gain]]:
        """Return the measure of the profile as it is with its unit, and what each lever brings."""
        from app.reports.sensitivity_document import Gain
        from models.planning.levers import levers
        from simulator.studies.measures import bill

        pulled = levers(scenario)
        found = self._measured([scenario, *(lever.scenario for lever in pulled)])
        if found[0] is None:
            raise ProblemError([Problem("", None, self._plan.profile, self._missing(scenario))])
        base, unit = found[0]
        cost = bill(scenario)
        gains = []
        for lever, measured in zip(pulled, found[1:], strict=True):
            if measured is None:
                continue
            change, better = measured[0] / base - 1, bill(lever.scenario)
            worth = max(cost.per_year * -change, 0.0) if cost and not cost.unpriced else None
            is_priced = cost and better and not cost.unpriced and better.per_year != cost.per_year
            gains.append(
                Gain(lever.name, measured[0], change, worth, better.per_year - cost.per_year if is_priced else None)
            )
        return base, unit, gains

    def _regrets(self, drawn: Sequence[Values]) -> list[Regret]:
        import numpy as np

        from simulator.studies.uncertainty import regrets

        rows = [self._at(drawn, settings) for settings in self._plan.choices.values()]
        return regrets(list(self._plan.choices), np.array(rows))

    def _at(self, points: Sequence[Values], settings: Mapping[str, str] | None = None) -> list[float]:
        """Return the measure at each point, NaN where it cannot be run."""
        from app.cli.points import candidates

        found = candidates(self._plan.profile, {**self._plan.settings, **(settings or {})}, points)
        measured = iter(self._measured([each.scenario for each in found if each.scenario is not None]))
        values = [None if each.scenario is None else next(measured) for each in found]
        return [math.nan if value is None else value[0] for value in values]

    def _measured(self, scenarios: Sequence[Scenario]) -> list[tuple[float, str] | None]:
        """Return the measure of each scenario with its unit, None for those that cannot be run or do not have it."""
        from models.planning.target import plain
        from simulator.studies.measures import measures
        from simulator.studies.points import Answer, Point

        plan = self._plan
        points = [Point(scenario=each, profile=plan.profile, seed=plan.seed) for each in scenarios]
        values: list[tuple[float, str] | None] = []
        for scenario, answer in zip(scenarios, self._runner.run(points, self._on_done), strict=True):
            found = measures(scenario, answer) if isinstance(answer, Answer) else {}
            measure = {plain(name): each for name, each in found.items()}.get(plain(plan.measure))
            values.append(None if measure is None else (measure.value, measure.unit))
        return values

    def _missing(self, scenario: Scenario) -> str:
        from models.planning.target import unknown
        from simulator.studies.measures import measures
        from simulator.studies.points import Answer, Point

        (answer,) = self._runner.run([Point(scenario=scenario, profile=self._plan.profile, seed=self._plan.seed)])
        if not isinstance(answer, Answer):
            return answer.reason
        return f"--measure: {unknown(self._plan.measure, measures(scenario, answer))}"
