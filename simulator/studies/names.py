"""Whether there is a measure of each name that is asked for, told before anything runs, with the nearest name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from models.planning.bill import bill
from models.planning.grid import Values
from models.planning.power import power
from models.problem import Problem, ProblemError, RefusalError
from models.scenario import Scenario
from models.target import Target, plain, unknown
from models.units import measured_in, parse
from simulator.run import measured
from simulator.studies.measures import (
    COST_OVER,
    DURABLE,
    PRESENT,
    Measure,
    is_more_better,
    known_of_durability,
    of_scenario,
)

COSTS = ("cost_per_year", "cost_per_usable_tb_month", "cost_per_job", "power", "rack_units")
OF_POWER = {"mean_power": "W", "energy_per_job": "kWh", "carbon_per_job": "kg"}


def check(targets: Sequence[Target], scenarios: Sequence[Scenario], key: str = "target") -> None:
    """Refuse targets that none of the scenarios has a measure for, or whose value is in another unit than that.

    Raises:
        ProblemError: with every one of them.
    """
    if not targets:
        return
    known = measured_by([target.measure for target in targets], scenarios)
    texts = {target: _wrong(target, known, scenarios) for target in targets}
    if wrong := [Problem("", None, key, message) for message in texts.values() if message]:
        raise ProblemError(wrong)


def varied(values: Values, names: Iterable[str]) -> dict[str, Measure]:
    """Return varied keys with numbers and quantities as measures, those of some names as targets write them."""
    texts = {plain(key): text for key, text in values}
    units = {name: unit for name in names if (unit := measured_in(texts.get(name, "")))}
    return {name: Measure(parse(texts[name], unit), unit, False) for name, unit in units.items()}


class Known(NamedTuple):
    """What is known of a measure before it is measured."""

    unit: str
    is_more_better: bool


def measured_by(names: Iterable[str], scenarios: Iterable[Scenario]) -> dict[str, Known]:
    """Return the measures of scenarios by the names that targets write; all of them where one of `names` is not there.

    Nothing is run. Scenarios of one workload and storage system have the same metrics; once every name is known, the
    other scenarios are not looked at.
    """
    names = list(names)
    wanted, kinds, by_name = set(map(plain, names)), set(), dict[str, Known]()
    for scenario in scenarios:
        if (kind := _kind(scenario)) not in kinds:
            kinds.add(kind)
            of_run = _of_run(scenario).items()
            by_name |= {plain(name): Known(unit, is_more_better(name, unit)) for name, unit in of_run}
        of_parts = of_scenario(scenario, [name for name in names if name not in DURABLE]).items()
        by_name |= {plain(name): Known(measure.unit, measure.is_more_better) for name, measure in of_parts}
        for name, unit in zip(DURABLE, ("1", "s"), strict=True):
            if name in known_of_durability(scenario):
                by_name[name] = Known(unit, is_more_better=True)
        if "cost_per_year" in by_name:
            by_name |= {measure: Known(unit, is_more_better=False) for measure, unit in _of_power(scenario)}
            by_name["cost_per_job"] = Known(by_name["cost_per_year"].unit, is_more_better=False)
        if wanted <= by_name.keys():
            break
    return by_name


def _of_power(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the measures of a run's power, which a price list that knows watts brings."""
    drawn = power(scenario, {})
    if drawn is not None:
        yield from (item for item in OF_POWER.items() if item[0] != "carbon_per_job" or drawn.carbon is not None)


def absent(name: str, scenario: Scenario) -> str | None:
    """Return what a scenario would have to state to be measured by a name; None where no statement would do."""
    if name == "cost":
        return "'cost': over how many years? Name them, such as 'cost over 3 years'"
    if name in COSTS or name.removeprefix(PRESENT).startswith(COST_OVER):
        priced = bill(scenario)
        if priced is None:
            return f"'{name}' needs a price list, such as prices = \"on-premises-2024\""
        return f"'{name}': the price list has no price for {', '.join(priced.unpriced)}" if priced.unpriced else None
    if name in OF_POWER and name not in dict(_of_power(scenario)):
        return f"'{name}' needs a price list with watts{' and carbon' if 'carbon' in name else ''}"
    if name == "carbon_per_year" and (scenario.prices is None or scenario.prices.carbon is None):
        return f"'{name}' needs a price list with watts and carbon"
    if name in DURABLE:
        return f"'{name}' needs failure rates, such as failures = \"hdd\""
    return None


def lack(name: str, scenario: Scenario) -> str:
    """Return in words that a scenario is not measured by a name that others have."""
    return absent(name, scenario) or f"has no measure '{name}'"


def _kind(scenario: Scenario) -> tuple[str, str]:
    """Return what the names of a run's metrics depend on."""
    return scenario.storage.system, scenario.model_dump_json(include={"workload", "client", "failures"})


def _of_run(scenario: Scenario) -> dict[str, str]:
    """Return the metrics of a run with their units; none where the scenario cannot be run, which its run will tell."""
    try:
        return measured(scenario)
    except RefusalError:
        return {}


def _wrong(target: Target, known: dict[str, Known], scenarios: Sequence[Scenario]) -> str | None:
    """Return what is wrong with a target, None for nothing."""
    if target.measure not in known:
        return absent(target.measure, scenarios[0]) or unknown(target.measure, known)
    try:
        target.value(known[target.measure].unit)
    except RefusalError as error:
        return f"{target}: {error}"
    return None
