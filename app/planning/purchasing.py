"""What to buy in which quarter: the fewest servers that each needs, and the purchases of least net present cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, NoReturn

from app.planning.loading import Chosen, choose, rated, refusals
from app.planning.progress import Counted
from app.reports.purchase_document import PurchaseReport
from models.planning.bill import bill
from models.planning.cost import purchase_of
from models.planning.growth import Expansion, growth_of
from models.planning.lots import Lot, of_group
from models.planning.payments import Terms
from models.problem import Problem, ProblemError, RefusalError, refusal, shortened
from models.quantity import MOST
from models.scenario import Scenario
from models.target import Target, target
from models.units import DAY, parse
from profiles.plans.candidates import targets_of
from simulator.clock import Cancelled
from simulator.studies.growth import Finished, Moving
from simulator.studies.measures import servers
from simulator.studies.points import Point
from simulator.studies.purchase import Needs, lots, on_arrival, others
from simulator.studies.purchase_plan import Need, Offer, PurchasePlan, Quarter, purchases
from simulator.studies.runner import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked: targets beside room for the data, and how servers are bought.

    Without a `lot` it is that of least cost in which the storage system grows.
    """

    chosen: Chosen
    targets: Sequence[Target] = ()
    order: float = 0.0
    lot: int | None = None
    seed: int = 0
    replications: int = 1


def delivered(profile: str, changes: Mapping[str, str], lead_time: str | None) -> Chosen:
    """Return a profile with changes by key, and with a time of delivery if one is stated, as the text of an option.

    Raises:
        ProblemError: with all that is wrong with it; a time is stated for a profile without growth.
    """
    chosen = choose(profile, changes)
    if lead_time is None:
        return chosen
    if chosen.scenario.growth is None:
        message = 'needs a profile that grows; add a [growth] table with start = "2027-01-01", and how its data grows'
        raise ProblemError([Problem("", None, "--lead-time", message)])
    return choose(profile, {**changes, "growth.lead_time": lead_time})


def asked(chosen: Chosen, options: Mapping[str, Any]) -> Plan:
    """Return what options ask for.

    Raises:
        ProblemError: with every text that cannot be read.
    """
    problems: list[Problem] = []

    def read(key: str, text: str, unit: str) -> float:
        try:
            value = parse(text, unit)
        except RefusalError as error:
            problems.append(Problem("", None, key, str(error)))
            return 0.0
        if value < 0:
            problems.append(Problem("", None, key, f"must be at least 0 (got '{text}')"))
        return value

    targets: list[Target] = []
    for text in options["targets"] or targets_of(chosen.profile):
        try:
            targets.append(target(text))
        except RefusalError as error:
            problems.append(Problem("", None, "--target", str(error)))
    prices = chosen.scenario.prices
    currency = prices.currency if prices is not None else "USD"
    plan = Plan(
        chosen=chosen,
        targets=targets,
        order=read("--order-cost", options["order_cost"], currency) if options["order_cost"] else 0.0,
        lot=options["lot"],
        seed=options["seed"] or 0,
        replications=options["replications"] or 1,
    )
    if plan.lot is not None and plan.lot > MOST:
        problems.append(Problem("", None, "--lot", f"must be at most {MOST:,} (got {shortened(f'{plan.lot}')})"))
    if problems:
        raise ProblemError(problems)
    return plan


def study(plan: Plan, workers: int | None, counted: Counted) -> PurchaseReport:
    """Return what to buy when. Ctrl+C ends it with the quarters that are known by then.

    Raises:
        ProblemError: the profile states no growth or no prices, or nothing meets what is asked for in time.
    """
    chosen, scenario = plan.chosen, rated(plan.chosen.scenario)

    def point(standing: Scenario) -> Point:
        return Point(scenario=standing, profile=chosen.profile, seed=plan.seed, replications=plan.replications)

    with refusals(chosen.profile):
        if not servers(scenario.cluster):
            text = "has no servers of one's own: nothing is bought for a store that is rented, it grows by itself"
            raise refusal("cluster.groups", text, value=scenario.storage.system)
        offer = _offer(plan, scenario)
        offer = replace(offer, lot=plan.lot or _lot(scenario, plan.targets, offer))
        known: list[Need] = []
        with Runner(workers=workers) as runner:

            def run(points: Sequence[Point]) -> Sequence[Finished]:
                with counted(_so_far(known)) as on_done:
                    return runner.run(points, lambda *_: on_done(len(known), len(wanted.days)))

            wanted = Needs(scenario, plan.targets, offer.lot, point, run)
            if not wanted.days:
                raise refusal("growth.months", "there is no quarter in them", "state at least 3")
            try:
                known.extend(wanted)
            except (Cancelled, KeyboardInterrupt):
                if not known:
                    raise
        bought = _bought(scenario, known, offer, wanted.moving)
        return PurchaseReport(
            **chosen.told(plan.seed),
            plan=replace(bought, beside=_beside(scenario, bought, offer.terms)),
            targets=[f"{wish}" for wish in plan.targets],
            lot=offer.lot,
            lead_days=growth_of(scenario).lead_time / DAY,
            simulated=wanted.simulated,
            left=len(wanted.days) - len(known),
        )


def _so_far(known: Sequence[Need]) -> str:
    """Return in words how far it is known what is needed."""
    return f"Simulating; {known[-1].servers:,} servers for {known[-1].day}" if known else "Simulating"


def _lot(scenario: Scenario, targets: Sequence[Target], offer: Offer) -> int:
    """Return the lot whose purchases cost least by room alone, the smallest of several."""
    possible = lots(scenario, targets)
    if len(possible) == 1:
        return possible[0]
    costs: dict[int, float] = {}
    for lot in possible:
        quarters = list(Needs(scenario, (), lot, _never, _never))
        costs[lot] = _bought(scenario, quarters, replace(offer, lot=lot), _never).present
    return min(costs, key=costs.__getitem__)


def _never(*_: object) -> NoReturn:
    raise AssertionError("room needs no run")


def _bought(
    scenario: Scenario, needs: Sequence[Need], offer: Offer, moving: Callable[[date, Scenario], Moving]
) -> PurchasePlan:
    """Return the purchases of least cost, each ordered so early that it serves when it is needed.

    That is once it has come and data has moved onto it. What comes too late for that is bought before, or not at all.
    """
    initial = scenario.cluster.groups[scenario.growing_group()].count
    delivery = growth_of(scenario).lead_time
    start, orders = needs[0].day, [_before(need.day, delivery) for need in needs]
    late = sum(order < start for order in orders)
    while True:
        bought = purchases(needs, orders, initial, replace(offer, lead=late))
        quarters = list(_moved(scenario, bought, moving))
        too_late = [i for i, one in enumerate(quarters) if one.order_by is not None and one.order_by < start]
        if not too_late:
            return replace(bought, quarters=tuple(quarters))
        late = too_late[-1] + 1


def _moved(scenario: Scenario, bought: PurchasePlan, moving: Callable[[date, Scenario], Moving]) -> Iterator[Quarter]:
    """Yield the quarters with how data moves onto what is bought, for which it is ordered so much earlier."""
    delivery, there = growth_of(scenario).lead_time, bought.initial
    for quarter in bought.quarters:
        day = quarter.need.day
        standing = on_arrival(scenario, day, there, quarter.bought)
        there = quarter.servers
        if standing is None:
            yield quarter
            continue
        one = moving(day, standing)
        yield replace(quarter, moving=one, order_by=_before(day, delivery + one.time))


def _before(day: date, seconds: float) -> date:
    """Return the last day that is so long before another one, or the first of all days."""
    try:
        return day - timedelta(days=math.ceil(seconds / DAY))
    except OverflowError:
        return date.min


def _beside(scenario: Scenario, bought: PurchasePlan, terms: Terms) -> float:
    """Return the net present cost of what servers need beside themselves as they come, and of all that does not grow.

    That is the network, spare parts, other groups, contracts for the cluster.
    """
    growth, growing = growth_of(scenario), scenario.growing_group()
    more = [Expansion(date=day, servers=count) for day, count in bought.added()]
    grown = growth.model_copy(update={"expansions": (*others(scenario), *more)})
    priced = bill(scenario.model_copy(update={"growth": grown}))
    if priced is None or scenario.prices is None:
        return 0.0
    group = scenario.cluster.groups[growing]
    servers = list(of_group(growing, group.model_copy(update={"later": ()})))
    servers += [Lot(growing, group.server, one.servers, one.date, growth.years_until(one.date)) for one in more]
    own = sum(purchase_of(scenario.prices, lot)[0].paid(bought.years, terms) for lot in servers)
    return max(priced.present(bought.years) - own, 0.0)


def _offer(plan: Plan, scenario: Scenario) -> Offer:
    """Return what a server of the growing group costs.

    Raises:
        RefusalError: there is no price list, or something has no price.
    """
    prices, name = scenario.prices, scenario.growing_group()
    if prices is None:
        raise refusal("prices", "missing", 'add prices = "on-premises-2024", or a list of your own')
    group = scenario.cluster.groups[name]
    one, unpriced = purchase_of(prices, Lot(name, group.server, 1))
    if unpriced:
        raise refusal("prices", f"the list has none for {', '.join(unpriced)}")
    return Offer(
        one=one,
        terms=Terms(prices.years, prices.discount_rate, prices.price_decline, prices.residual_value),
        order=plan.order,
        lead=0,
        lot=1,
        currency=prices.currency,
        owned=group.owned,
    )
