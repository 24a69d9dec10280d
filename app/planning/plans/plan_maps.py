"""Which candidate wins where growth, load or prices are otherwise than a plan states: maps over two numbers.

By closed forms, and by the runs that the search made. Room is that of the fullest day. A time that was not simulated
grows with the data and falls with the servers; latencies and what else is asked of a load hold as long as a server has
no more to do than in a run in which they held, and a rented store is within its limits. A cost is linear in each price,
so that it is exact; requests to a rented store grow with the load.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.planning.plans.plan_options import Further, measure_of
from app.reports.plan.plan_answer import servers_of
from app.reports.plan.plan_decision import FlipMap, Scale, Won
from models.jobs.object_load import ObjectLoad
from models.planning.bill import bill
from models.planning.sheet import Required
from models.scenario import Scenario
from models.storage.rented import RentedStorage
from models.target import plain
from profiles.plans.sheet import Sheet
from simulator.studies.measures import COST_OVER, Measure, by_plain_name, measures, of_scenario
from simulator.studies.points import Answer
from simulator.studies.size import Option, margin

FACTORS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""Multiples of a number that a map looks at. Assumption: what is known of a plan is known to a factor of two."""
CHEAPEST = 6
"""Options of a candidate, the cheapest that meet all, among which the cheapest is sought at other prices. Assumption: a
dearer one is not the cheapest of its candidate at half or twice a price."""
MACHINES = ("servers", "chassis", "processors", "core", "memory", "cards", "ports", "cables")
"""Tables of a price list with what a server has beside its drives, and its part of the network."""
BY_RUNS = "Times that were not simulated grow with the data and fall with the servers; ! marks what exceeds a limit."
LIKELY = "Cases beside the one asked about are judged by likely values, without the confidence."
BY_PRICES = "Costs follow from the price list; ! marks what exceeds a limit."


def maps(sheet: Sheet, options: Sequence[Option], objective: str) -> Iterator[FlipMap]:
    """Yield the maps of a plan: growth against load, and the price of drives against that of the rest of a server."""
    known = [option for option in options if option.scenario is not None and objective in option.measures]
    if not known:
        return
    field = _Field(sheet, known, objective)
    requirements = sheet.plan.requirements
    if requirements.workloads or (requirements.stored and requirements.annual_growth):
        yield field.of_needs()
    if objective.startswith(COST_OVER) and field.has_servers:
        yield field.of_prices()


@dataclass(frozen=True, slots=True)
class _Case:
    """What is otherwise: growth a year, and multiples of the load and of prices."""

    growth: float
    load: float = 1.0
    drives: float = 1.0
    machines: float = 1.0


class _Bid(NamedTuple):
    """What an option that meets all but the limits costs in a case, and whether it is over a limit."""

    is_over: bool
    cost: float
    option: Option


class _Field:
    """The options of a plan, and who wins among them in a case."""

    def __init__(self, sheet: Sheet, options: Sequence[Option], objective: str) -> None:
        plan = sheet.plan
        self._requirements = plan.requirements
        self._options, self._objective = options, objective
        self._required = list(plan.requirements.required())
        self._unit = options[0].measures[objective].unit
        self._stored = plan.requirements.stored_at(plan.requirements.fullest)
        self._most = plan.requirements.grown(plan.requirements.fullest)
        self._prices: dict[int, tuple[float, float]] = {}
        self._grown: dict[tuple[int, float], float] = {}
        self._requests: dict[int, float] = {}
        self._like = {name: _simulated(options, name) for name in plan.candidates}
        self._further = {name: Further(sheet, name, objective) for name in {option.candidate for option in options}}

    def of_needs(self) -> FlipMap:
        """Return who wins by growth and load."""
        asked = self._requirements.annual_growth
        has_growth, has_load = bool(self._requirements.stored), bool(self._requirements.workloads)
        growths = sorted({asked * factor for factor in FACTORS} | {0.0}) if has_growth and asked else [asked]
        loads = list(FACTORS) if has_load else [1.0]
        x = Scale("growth a year", "share", growths, growths.index(asked))
        y = Scale("load", "share", loads, loads.index(1.0))
        cells = [[self._won_by_needs(_Case(growth, load)) for growth in growths] for load in loads]
        basis = f"{BY_RUNS} {LIKELY}" if self._requirements.confidence else BY_RUNS
        return FlipMap("Who wins by growth and load", x, y, cells, self._unit, basis)

    @property
    def has_servers(self) -> bool:
        """Whether a candidate has servers with a price, without which those of drives and servers move nothing."""
        return any(
            any(self._parts(option)) for option in {option.candidate: option for option in self._options}.values()
        )

    def of_prices(self) -> FlipMap:
        """Return who wins by the prices of drives and of all else in a server."""
        case = _Case(self._requirements.annual_growth)
        fitting = [option for option in self._options if self._fits(option, case)]
        pool = []
        for name in self._like:
            own = sorted((o for o in fitting if o.candidate == name), key=lambda o: o.measures[self._objective].value)
            pool += own[:CHEAPEST]
        scale = Scale("price of drives", "share", FACTORS, FACTORS.index(1.0))
        other = Scale("price of all else in servers", "share", FACTORS, FACTORS.index(1.0))
        cells = [[_cheapest(self._bids(replace(case, drives=x, machines=y), pool)) for x in FACTORS] for y in FACTORS]
        return FlipMap("Who wins by prices", scale, other, cells, self._unit, BY_PRICES)

    def _won_by_needs(self, case: _Case) -> Won:
        """Return who wins where every candidate whose numbers of servers are too few may have more of them."""
        bids = self._bids(case, self._options)
        known = {bid.option.candidate for bid in bids}
        wanting = [further for name, further in self._further.items() if name not in known]
        more = [further.first(lambda option: self._fits(option, case)) for further in wanting]
        return _cheapest([*bids, *self._bids(case, filter(None, more))])

    def _fits(self, option: Option, case: _Case) -> bool:
        """Tell whether an option meets all but the limits."""
        return self._meets(option, case) is not None

    def _bids(self, case: _Case, options: Iterable[Option]) -> list[_Bid]:
        """Return the options that meet all but the limits, with what they cost then."""
        judged = ((self._meets(option, case), option) for option in options)
        return [_Bid(not within, self._cost(option, case), option) for within, option in judged if within is not None]

    def _meets(self, option: Option, case: _Case) -> bool | None:
        """Tell whether an option keeps the limits, too; None where it misses anything else."""
        is_unsure = option.chance < self._requirements.confidence
        if is_unsure and case.load >= 1 and case.growth >= self._requirements.annual_growth:
            return None
        is_within, measures = True, by_plain_name(option.measures)
        for required in self._required:
            if required.is_limit:
                is_within &= self._is_within(required, measures, option, case)
            elif required.workload:
                if not self._runs(required, option, case):
                    return None
            elif required.target.measure == "effective":
                if measures["effective"].value < self._room(case):
                    return None
            elif (measure := measures.get(required.target.measure)) and margin(required.target, measure) < 0:
                return None
        return is_within

    def _is_within(self, required: Required, measures: dict[str, Measure], option: Option, case: _Case) -> bool:
        measure = measures.get(plain(required.target.measure))
        if measure is None:
            return True
        if required.target.measure == self._objective:
            measure = replace(measure, value=self._cost(option, case))
        return margin(required.target, measure) >= 0

    def _room(self, case: _Case) -> float:
        grown = self._requirements.model_copy(update={"annual_growth": case.growth})
        return grown.stored_at(grown.fullest)

    def _runs(self, required: Required, option: Option, case: _Case) -> bool:
        """Tell whether a run's requirement is met, by the option's own run or by the nearest of its candidate."""
        like = self._nearest(option) or option
        measure = measure_of(required, like)
        if measure is None:
            return True  # nobody has simulated any: the closed forms decide
        more = self._work(required, case)
        if servers := servers_of(option):  # a rented store has none
            more *= servers_of(like) / servers
        if measure.unit == "s" and required.target.measure.endswith("duration"):
            return margin(required.target, replace(measure, value=measure.value * more)) >= 0
        if required.target.sense == ">=" and measure.unit != "s":
            return margin(required.target, replace(measure, value=measure.value / more)) >= 0
        return more <= self._bearable(like) and margin(required.target, measure) >= 0

    def _bearable(self, option: Option) -> float:
        """Return how many times its loads an option bears as in its runs: a rented store, up to its limits.

        Other stores have no more servers to share more among.
        """
        scenario = option.scenario
        if scenario is None or servers_of(option) or not isinstance(scenario.storage, RentedStorage):
            return 1.0
        asked: Counter[str] = Counter()
        growing = {demand.name for demand in self._requirements.workloads if demand.grows}
        for name, one in scenario.each().items():
            load = one.workload
            if isinstance(load, ObjectLoad) and load.rate is not None:
                rate = load.rate * (self._most if name in growing else 1.0)
                asked.update({verb: count * rate for verb, count in load.verbs().items()})
        return max(scenario.storage.served(asked), 1.0)

    def _nearest(self, option: Option) -> Option | None:
        """Return an option that was simulated: itself, or that of its candidate with nearly as many servers."""
        tried = self._like[option.candidate]
        nearest = min(tried, key=lambda other: abs(servers_of(other) - servers_of(option)), default=None)
        return option if option.answer is not None else nearest

    def _work(self, required: Required, case: _Case) -> float:
        """Return how many times as much a workload has to do as in the runs that were made."""
        demand = next(workload for workload in self._requirements.workloads if workload.name == required.workload)
        grown = self._room(case) / self._stored if demand.grows and self._stored else 1.0
        return case.load * grown

    def _cost(self, option: Option, case: _Case) -> float:
        base = self._base(option, case.growth) + (case.load - 1) * self._asked(option)
        if case.drives == case.machines == 1.0:
            return base
        drives, machines = self._parts(option)
        return base + (case.drives - 1) * drives + (case.machines - 1) * machines

    def _parts(self, option: Option) -> tuple[float, float]:
        """Return what an option costs for drives, and for all else in its servers."""
        if id(option) not in self._prices:
            self._prices[id(option)] = self._dearer(option, ("drives",)), self._dearer(option, MACHINES)
        return self._prices[id(option)]

    def _base(self, option: Option, growth: float) -> float:
        """Return what an option costs at a growth: a rented store bills what it keeps, and what runs ask of it."""
        assert option.scenario is not None  # only those have measures
        scenario = option.scenario
        if not isinstance(scenario.storage, RentedStorage):
            return option.measures[self._objective].value
        if (id(option), growth) not in self._grown:
            grown = scenario.growth and scenario.growth.model_copy(update={"annual_growth": growth})
            other, most = scenario.model_copy(update={"growth": grown}), self._most
            priced = measures(other, self._told(option), [self._objective], grown=most)
            self._grown[id(option), growth] = priced[self._objective].value
        return self._grown[id(option), growth]

    def _asked(self, option: Option) -> float:
        """Return what rented stores ask over all years for requests, and for what leaves them."""
        assert option.scenario is not None  # only those have measures
        if not self._objective.startswith(COST_OVER):
            return 0.0
        if id(option) not in self._requests:
            answer = self._told(option)
            priced = bill(option.scenario, None if answer is None else answer.metrics, self._most)
            self._requests[id(option)] = priced.requested(self._requirements.years) if priced is not None else 0.0
        return self._requests[id(option)]

    def _told(self, option: Option) -> Answer | None:
        """Return the answer that says what an option's runs ask of its store, which servers do not change much."""
        like = self._nearest(option)
        return like.answer if like is not None else None

    def _dearer(self, option: Option, tables: Collection[str]) -> float:
        """Return how much more an option costs where some tables of its price list cost twice as much."""
        assert option.scenario is not None  # only those have measures
        once, twice = (
            of_scenario(scenario, [self._objective])[self._objective].value
            for scenario in (option.scenario, dearer(option.scenario, tables, 2.0))
        )
        return twice - once


def _cheapest(bids: Sequence[_Bid]) -> Won:
    """Return who meets all for the least; where nobody is within the limits, who meets all else for the least."""
    if not bids:
        return Won(None)
    is_over, cost, option = min(bids, key=lambda bid: bid[:2])
    return Won(option.candidate, servers_of(option), cost, not is_over, option.answer is not None)


def dearer(scenario: Scenario, tables: Collection[str], factor: float) -> Scenario:
    """Return a scenario with some tables of its price list multiplied."""
    prices = scenario.prices
    return scenario if prices is None else scenario.model_copy(update={"prices": prices.times(tables, factor)})


def _simulated(options: Sequence[Option], name: str) -> list[Option]:
    return [option for option in options if option.candidate == name and option.answer is not None]
