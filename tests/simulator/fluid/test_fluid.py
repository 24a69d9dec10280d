"""The kernel against a slow solver in exact arithmetic, on random networks and random histories."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from models.work import Demand, Resources, Use, Work, demand
from simulator.engine import Engine
from simulator.fluid.state import WIDE
from tests.extent import IS_WHOLE


def exact_rates(capacities: list[list[Fraction]], demands: list[Demand]) -> list[Fraction]:
    """Return the weighted max-min fair rate of each work, by raising one level step by step."""
    users = [
        [c for c, d in enumerate(demands) for use in d.uses if use.resource.index == i] for i in range(len(capacities))
    ]
    room = [table[min(len(users[i]), len(table)) - 1] if users[i] else table[0] for i, table in enumerate(capacities)]
    cost = {(c, use.resource.index): Fraction(use.cost) for c, d in enumerate(demands) for use in d.uses}
    weight = [Fraction(d.weight) for d in demands]
    rates: dict[int, Fraction] = {}
    while len(rates) < len(demands):
        growing = [c for c in range(len(demands)) if c not in rates]
        levels = {
            ("cap", c): Fraction(demands[c].max_rate) / weight[c] for c in growing if math.isfinite(demands[c].max_rate)
        }
        for i, who in enumerate(users):
            pull = sum(cost[c, i] * weight[c] for c in who if c in growing)
            given_out = sum(cost[c, i] * rates[c] for c in who if c in rates)
            if pull:
                levels["resource", i] = (room[i] - given_out) / pull
        level = min(levels.values())
        stopped = {
            c for (kind, at), value in levels.items() if value == level for c in ([at] if kind == "cap" else users[at])
        }
        rates |= {c: level * weight[c] for c in stopped if c in growing}
    return [rates[c] for c in range(len(demands))]


@dataclass(frozen=True)
class Network:
    """Random resources, and the demands that works can have on them."""

    resources: Resources
    capacities: list[list[Fraction]]
    demands: list[Demand]


few = st.integers(1, 12)
factors = st.sampled_from([0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 3.0, 7.0, 0.1])
magnitudes = st.integers(0, 100)  # queries that came later


@st.composite
def networks(draw: st.DrawFn) -> Network:
    resources = Resources()
    capacities = []
    for i in range(draw(st.integers(1, 7))):
        table = draw(st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, 10.0, 0.7, 40.0]), min_size=1, max_size=3))
        resources.add(f"r{i}", kind="link", group=f"g{i % 3}", unit="B", capacity=table)
        capacities.append([Fraction(c) for c in table])
    caps = st.sampled_from([math.inf, math.inf, 0.3, 1.0, 2.5])
    demands = []
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.lists(st.integers(0, len(resources) - 1), min_size=1, max_size=4, unique=True))
        uses = [Use(resources[i], draw(factors), 1.0) for i in at]
        demands.append(demand(uses, max_rate=draw(caps), weight=draw(factors)))
    return Network(resources, capacities, demands)


class Bench:
    """An engine, and the demands of the works that are under way on it."""

    def __init__(self, resources: Resources) -> None:
        self.engine = Engine(resources)
        self.running: dict[int, Demand] = {}
        self._ended = self.engine.env.event()
        self._soon = 1e-6

    def begin(self, number: int, work: Work) -> None:
        self.running[number] = work.demand
        self.engine.execute(work, lambda: self._end(number))

    def settle(self) -> None:
        """Let the rates of this instant be shared, ever sooner after it, in case a work ends just then."""
        self._soon *= 0.9
        self.engine.run(self.engine.now + self._soon)

    def wait_for_an_end(self) -> None:
        self._ended = self.engine.env.event()
        self.engine.run(self._ended)

    def _end(self, number: int) -> None:
        del self.running[number]
        if not self._ended.triggered:
            self._ended.succeed()

    def rate(self, wanted: Demand) -> float:
        """Return the present rate of the works of a demand."""
        tables = self.engine.activities.tables
        weight = wanted.weight
        needs = [(use.resource.index, use.cost * weight) for use in wanted.uses]
        under_way = np.flatnonzero(tables.classes["count"]).tolist()
        (c,) = [c for c in under_way if self._demand(c) == (wanted.max_rate / weight, weight, needs)]
        return weight * float(tables.classes["rate"][c])

    def _demand(self, c: int) -> tuple[float, float, list[tuple[int, float]]]:
        """Return the cap, the weight and the needs of a class."""
        tables = self.engine.activities.tables
        k, kind = tables.classes[c], tables.kinds[c]
        uses = tables.uses[k["first"] : k["first"] + k["uses"]]
        needs = list(zip(uses["resource"].tolist(), uses["cost"].tolist(), strict=True))
        return float(kind["own"]), float(kind["weight"]), needs

    def check_against_exact(self, capacities: list[list[Fraction]]) -> None:
        running = list(self.running.values())
        for wanted, exact in zip(running, exact_rates(capacities, running), strict=True):
            assert self.rate(wanted) == pytest.approx(float(exact), rel=1e-9)


THOROUGH = 48 if IS_WHOLE else 1  # times as many examples with make laws


@settings(max_examples=100 * THOROUGH)
@given(networks(), st.data())
def test_rates_are_those_of_the_exact_solver(network: Network, data: st.DataObject) -> None:
    bench = Bench(network.resources)
    for number, wanted in enumerate(data.draw(st.lists(st.sampled_from(network.demands), min_size=1, max_size=14))):
        bench.begin(number, Work(1.0, wanted))
    bench.settle()
    bench.check_against_exact(network.capacities)


@settings(max_examples=70 * THOROUGH)
@given(networks(), st.data())
def test_rates_after_any_history_of_starts_and_ends_are_those_of_the_exact_solver(
    network: Network, data: st.DataObject
) -> None:
    bench = Bench(network.resources)
    for number in range(data.draw(st.integers(1, 25))):
        if data.draw(st.booleans()) or not bench.running:
            for copy in range(data.draw(st.integers(1, 3))):
                wanted = data.draw(st.sampled_from(network.demands))
                bench.begin(10 * number + copy, Work(float(data.draw(few)), wanted))
        else:
            bench.wait_for_an_end()
        bench.settle()
        bench.check_against_exact(network.capacities)
    bench.engine.close()


@st.composite
def drives_and_drains(draw: st.DrawFn) -> Network:
    """Readers of one drive or two, whom a cap stops where a drive does but for rounding, and what drains to the drives.

    It has the weights of what queries before left, a hundredth for each: readers leave it rounding, or nothing.
    """
    resources, capacities, demands = Resources(), draw(st.lists(st.sampled_from([1.0, 0.7, 40.0]), max_size=2)), []
    capacities.append(draw(st.sampled_from([1.0, 10.0, 40.0])))
    for i, capacity in enumerate(capacities):
        resources.add(f"r{i}", kind="link", group=f"g{i}", unit="B", capacity=capacity)
    places = st.integers(0, len(resources) - 1)
    for _ in range(draw(st.integers(1, 4))):
        at, cost = draw(st.sets(places, min_size=1, max_size=2)), draw(factors)
        share = capacities[max(at)] / cost / draw(few)
        cap = share + draw(st.integers(-3, 1)) * math.ulp(share)
        demands.append(demand([Use(resources[i], cost, 1.0) for i in at], max_rate=cap))
    for _ in range(draw(st.integers(1, 4))):
        use = Use(resources[draw(places)], draw(factors), 1.0)
        demands.append(demand([use], weight=100.0 ** -draw(magnitudes)))
    return Network(resources, [[Fraction(c)] for c in capacities], demands)


@settings(max_examples=200 * THOROUGH)
@given(drives_and_drains(), st.data())
def test_weights_of_any_magnitude_leave_each_work_a_rate_and_no_resource_overloaded(
    network: Network, data: st.DataObject
) -> None:
    """What rounding leaves is given to whom it may: all are within it of the exact rates, and none has nothing."""
    bench = Bench(network.resources)
    for number in range(data.draw(st.integers(1, 16))):
        if data.draw(st.integers(0, 3)) or not bench.running:
            bench.begin(number, Work(float(data.draw(few)), data.draw(st.sampled_from(network.demands))))
        else:
            bench.wait_for_an_end()
        bench.settle()
        running = list(bench.running.values())
        for wanted, exact in zip(running, exact_rates(network.capacities, running), strict=True):
            assert bench.rate(wanted) > 0
            for use in wanted.uses:
                rounding = 1e-9 * float(network.capacities[use.resource.index][0])
                assert abs(bench.rate(wanted) - float(exact)) * use.cost <= rounding
    bench.engine.close()


def test_a_history_of_thousands_of_changes_leaves_rates_exact_and_books_balanced() -> None:
    """Running sums are summed up again before rounding adds up."""
    random = np.random.Generator(np.random.PCG64(3))
    resources = Resources()
    capacities = [list(random.uniform(0.5, 20.0, 1 + i % 2)) for i in range(10)]
    links = [resources.add(f"r{i}", kind="link", group="g", unit="B", capacity=c) for i, c in enumerate(capacities)]
    bench = Bench(resources)
    for number in range(4000):
        at = random.choice(10, random.integers(1, 4), replace=False)
        wanted = demand([Use(links[i], random.uniform(0.01, 10.0)) for i in at], weight=random.uniform(0.1, 10.0))
        bench.begin(number, Work(random.uniform(0.1, 5.0), wanted))
        while len(bench.running) > 20:
            bench.wait_for_an_end()
    bench.settle()
    bench.check_against_exact([[Fraction(c) for c in table] for table in capacities])
    bench.engine.close()


@pytest.mark.parametrize("capacities", [(2.0,), (1.0, 2.0, 3.0, 5.0, 7.0)], ids=["equal", "apart"])
def test_rates_of_works_on_more_resources_than_are_looked_through_one_by_one_are_exact(
    capacities: tuple[float, ...],
) -> None:
    random = np.random.Generator(np.random.PCG64(5))
    resources = Resources()
    rates = random.choice(capacities, WIDE + 6).tolist()
    links = [resources.add(f"r{i}", kind="link", group="g", unit="B", capacity=[rate]) for i, rate in enumerate(rates)]
    bench = Bench(resources)
    for number in range(60):
        many = random.choice([1, 2, WIDE, WIDE + 5])
        costs = random.choice([0.5, 1.0, 2.0], many) if len(capacities) > 1 else [1.0] * many
        at = random.choice(len(links), many, replace=False)
        wanted = demand([Use(links[i], float(cost)) for i, cost in zip(at, costs, strict=True)])
        bench.begin(number, Work(random.uniform(0.1, 5.0), wanted))
        while len(bench.running) > 12:
            bench.wait_for_an_end()
        bench.settle()
        bench.check_against_exact([[Fraction(rate)] for rate in rates])
    bench.engine.close()


ENDLESS = """
from itertools import count
from models.work import Resources, Use, Work, demand
from simulator.engine import Engine
from simulator.fluid import sharing

numbers = count(1)


def level_of(t, i, r):
    t.state[0]["levels"] += 1
    return 1e6 - next(numbers)


sharing.level_of = level_of
resources = Resources()
pair = [resources.add(name, kind="link", group="g", unit="B", capacity=1e9) for name in ("left", "right")]
engine = Engine(resources)
for _ in range(3):
    engine.execute(Work(1.0, demand([Use(resource, 1.0) for resource in pair])), lambda: None)
engine.run()
"""


def test_levels_that_go_round_in_a_circle_end_the_run() -> None:
    command, plain = [sys.executable, "-c", ENDLESS], os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, env=plain, capture_output=True, text=True, timeout=100, check=False)
    assert "ConservationError: the sharing of" in run.stderr
    assert "has no end" in run.stderr
