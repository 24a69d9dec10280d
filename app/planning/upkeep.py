"""Repair policies and maintenance of a profile: what they cost, how soon all heals, how durable data is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from app.planning.loading import Chosen, rated, refusals
from app.planning.points import candidates
from app.planning.progress import Counted
from app.reports.upkeep_document import Degraded, Policy, UpkeepReport
from models.failures import Fault
from models.planning.bill import bill
from models.planning.capacity import capacity
from models.planning.cost import purchase_of
from models.planning.durability import RepairTime, durability, known_placement
from models.planning.grid import Values, axis, combined
from models.planning.lots import Lot
from models.planning.upkeep import (
    CALENDARS,
    CONTRACTS,
    Calendar,
    Contract,
    calendar,
    check_heals,
    contract,
    domains,
    down_chance,
    rolled,
    ways,
)
from models.problem import Problem, ProblemError, RefusalError
from models.scenario import Scenario
from simulator.studies.measures import leading
from simulator.studies.points import Answer, Point
from simulator.studies.rebuild import known_repair_time
from simulator.studies.runner import Runner

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked: contracts and values of keys, all combined; calendars, and how many servers may still fail."""

    chosen: Chosen
    contracts: Sequence[Contract]
    points: Sequence[Values]
    calendars: Sequence[Calendar]
    keep: int = 1
    nines: float | None = None
    runs: bool = False
    seed: int = 0


def asked(chosen: Chosen, options: Mapping[str, Any]) -> Plan:
    """Return what options ask for.

    Raises:
        ProblemError: with every text that cannot be read.
    """
    problems: list[Problem] = []
    currency = _currency(chosen)

    def read(option: str, texts: Sequence[str], parse: Callable[[str], T]) -> list[T]:
        numbers = []
        for text in texts:
            try:
                numbers.append(parse(text))
            except RefusalError as error:
                problems.append(Problem("", None, option, f"{error}"))
        return numbers

    def varied(text: str) -> Any:
        key, _, values = text.partition("=")
        return axis(key.strip(), values.strip())

    contracts = read("--contract", options["contracts"] or CONTRACTS, lambda text: contract(text, currency))
    calendars = read("--maintenance", options["calendars"] or CALENDARS, calendar)
    axes = read("--vary", options["vary"], varied)
    if (nines := options["nines"]) is not None and not 0 <= nines < math.inf:
        problems.append(Problem("", None, "--nines", f"expected a number of at least 0 (got {nines})"))
    if problems:
        raise ProblemError(problems)
    return Plan(
        chosen=chosen,
        contracts=contracts,
        points=combined(axes) if axes else [()],
        calendars=calendars,
        keep=options["keep"],
        nines=options["nines"],
        runs=options["runs"],
        seed=options["seed"] or 0,
    )


def usual(chosen: Chosen, seed: int = 0) -> Plan:
    """Return what is asked where nobody says more: the usual contracts and calendars, for the profile as it is."""
    return Plan(
        chosen=chosen,
        contracts=[contract(text, _currency(chosen)) for text in CONTRACTS],
        points=[()],
        calendars=[calendar(text) for text in CALENDARS],
        seed=seed,
    )


def _currency(chosen: Chosen) -> str:
    prices = chosen.scenario.prices
    return prices.currency if prices is not None else "USD"


def study(plan: Plan, workers: int | None, counted: Counted) -> UpkeepReport:
    """Return what each policy and calendar comes to.

    Raises:
        ProblemError: nothing is known of where the bytes of the profile lie, or a point cannot be set up.
    """
    chosen = plan.chosen
    listed = candidates(chosen.profile, chosen.settings, plan.points) if any(plan.points) else None
    scenarios = [candidate.scenario for candidate in listed] if listed else [chosen.scenario]
    with refusals(chosen.profile):
        placed = domains(chosen.scenario)
        policies: list[Policy] = []
        with counted("Simulating repairs") as on_done:
            for i, (values, scenario) in enumerate(zip(plan.points, scenarios, strict=True)):
                if scenario is not None:
                    check_heals(scenario)
                    policies += _policies(plan, values, rated(scenario))
                on_done(i + 1, len(plan.points))
        degraded = _degraded(plan, scenarios, workers, counted) if plan.runs else []
        usual = _usual(plan, policies)
        calendars = [
            rolled(placed, maintenance, together, usual.down)
            for maintenance in plan.calendars
            for together in ways(placed, plan.keep)
        ]
    return UpkeepReport(
        **chosen.told(plan.seed),
        policies=policies,
        best=_best(plan, policies),
        nines=plan.nines,
        keep=plan.keep,
        domains=placed,
        down=usual.down,
        calendars=calendars,
        degraded=degraded,
    )


def _policies(plan: Plan, values: Values, scenario: Scenario) -> list[Policy]:
    """Return the policies of one point: a repair begins when the technician has been there, where it needs that."""
    failures = scenario.failures
    assert failures is not None  # the scenario is rated
    longest = max(offer.time for offer in plan.contracts)

    def repair(wait: float) -> RepairTime:
        waiting = failures.model_copy(update={"replacement_time": wait})
        return known_repair_time(scenario.model_copy(update={"failures": waiting}))

    at_once = repair(0.0)
    latest = repair(longest) if longest else at_once
    held = capacity(scenario).effective
    policies = []
    for offer in plan.contracts:
        part = offer.time / longest if longest else 0.0
        time = RepairTime(
            drive=at_once.drive + part * (latest.drive - at_once.drive),
            server=at_once.server + part * (latest.server - at_once.server),
        )
        durable = durability(scenario, time)
        cost, currency = _cost(scenario, offer)
        policies.append(
            Policy(
                contract=offer,
                values=values,
                repair=time,
                nines=durable.object_nines,
                mttdl=durable.mttdl,
                down=down_chance(failures, time),
                effective=held,
                per_year=cost,
                currency=currency,
            )
        )
    return policies


def _cost(scenario: Scenario, chosen: Contract) -> tuple[float | None, str]:
    """Return what a year costs with a contract; None without a price list, or where something has no price."""
    priced = bill(scenario)
    if priced is None or priced.unpriced or scenario.prices is None:
        return None, ""
    home, _ = known_placement(scenario, "upkeep")
    group = scenario.cluster.groups[home[0]]
    one, _ = purchase_of(scenario.prices, Lot(home[0], group.server, 1))
    spare = one.capital * chosen.spares / priced.years
    return priced.per_year + chosen.per_year(one.capital * group.count, group.count) + spare, priced.currency


def _best(plan: Plan, policies: Sequence[Policy]) -> Policy | None:
    """Return the cheapest policy with the nines that are asked for, of equal ones the one with more nines."""
    fitting = [policy for policy in policies if policy.per_year is not None and policy.nines >= (plan.nines or 0.0)]
    if plan.nines is None or not fitting:
        return None
    return min(fitting, key=lambda policy: (policy.per_year or 0.0, -policy.nines))


def _usual(plan: Plan, policies: Sequence[Policy]) -> Policy:
    """Return the policy under which maintenance is looked at: the best, else the one that takes the longest."""
    return _best(plan, policies) or max(policies, key=lambda policy: policy.down)


def _degraded(
    plan: Plan, scenarios: Sequence[Scenario | None], workers: int | None, counted: Counted
) -> list[Degraded]:
    """Return what leads a run on the whole cluster, and while a server is down from the start."""
    longest = max(offer.time for offer in plan.contracts)
    told = [(values, case) for values, case in zip(plan.points, scenarios, strict=True) if case is not None]
    points = []
    for _, scenario in told:
        home, _ = known_placement(scenario, "upkeep")
        rates = rated(scenario).failures
        assert rates is not None  # the scenario is rated
        fault = Fault(at=0.0, component=f"{home[0]}-1")
        down = rates.model_copy(update={"faults": (fault,), "replacement_time": longest, "acceleration": 0.0})
        pair = [scenario, scenario.model_copy(update={"failures": down})]
        points += [Point(scenario=case, profile=plan.chosen.profile, seed=plan.seed) for case in pair]
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers = runner.run(points, on_done)
    degraded = []
    for (values, _), whole, down_one in zip(told, answers[::2], answers[1::2], strict=True):
        if isinstance(whole, Answer) and isinstance(down_one, Answer):
            name = leading([whole, down_one])[0]
            unit = whole.metrics[name][1] if name in whole.metrics else "s"
            degraded.append(Degraded(values, name, unit, _value(whole, name), _value(down_one, name)))
    return degraded


def _value(answer: Answer, name: str) -> float:
    return answer.duration if name == "duration" else answer.metrics[name][0]
