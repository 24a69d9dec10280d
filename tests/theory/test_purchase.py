"""Purchases against all others: none that keeps enough servers in every quarter has a smaller net present cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from models.planning.capacity import capacity
from models.planning.growth import add_months, data_at, scenario_at
from models.planning.payments import Purchase, Terms
from models.problem import RefusalError
from models.scenario import Scenario
from models.target import target
from profiles.loading.loader import load
from simulator.result import Bottleneck
from simulator.studies.points import Answer, Point
from simulator.studies.purchase import Needs, lots
from simulator.studies.purchase_plan import Need, Offer, PurchasePlan, purchases
from simulator.studies.runner import Runner

START = date(2027, 1, 1)


def offer(price: float = 1000.0, running: float = 0.0, order: float = 0.0, lead: int = 0, **terms: float) -> Offer:
    one = Purchase("one", None, 0.0, price, running)
    stated = {"life": 10.0} | terms
    return Offer(one=one, terms=Terms(**stated), order=order, lead=lead, lot=1, currency="USD")


def plan(needed: list[int], what: Offer, initial: int = 0) -> PurchasePlan:
    days = [add_months(START, 3 * i) for i in range(len(needed))]
    return purchases([Need(day, count, "") for day, count in zip(days, needed, strict=True)], days, initial, what)


def bought(planned: PurchasePlan) -> list[int]:
    return [quarter.bought for quarter in planned.quarters]


def least(needed: list[int], what: Offer) -> float:
    """Return the net present cost of the best of all purchases, each of them tried."""
    count, life = len(needed), round(what.terms.life * 4)
    best = float("inf")
    for tried in itertools.product(range(max(needed) + 1), repeat=count):
        there = [sum(tried[max(i - life + 1, 0) : i + 1]) for i in range(count)]
        if all(have >= need for have, need in zip(there, needed, strict=True)):
            one = [what.one.alone(i / 4, count / 4, what.terms) for i in range(count)]
            fixed = [what.order * what.terms.worth(i / 4) for i in range(count)]
            paid = sum(number * one[i] + (fixed[i] if number else 0) for i, number in enumerate(tried))
            best = min(best, paid)
    return best


@pytest.mark.parametrize(
    "what",
    [
        offer(price_decline=0.1, discount_rate=0.05),
        offer(order=150.0, discount_rate=0.3),
        offer(order=700.0, running=200.0, price_decline=0.2),
        offer(running=400.0, residual_value=0.1, life=0.5),
        offer(order=900.0, life=0.75, discount_rate=0.1, residual_value=0.2),
    ],
)
@pytest.mark.parametrize("needed", [[1, 2, 2, 3, 4], [2, 2, 3, 1, 2]])
def test_no_other_purchases_cost_less(needed: list[int], what: Offer) -> None:
    assert plan(needed, what).present == pytest.approx(least(needed, what))


def test_while_prices_fall_each_quarter_buys_what_it_lacks() -> None:
    """2 + 1 + 3 servers of 1,000 USD that lose 19 % a year, 10 % in half a year."""
    planned = plan([2, 2, 3, 6], offer(price_decline=0.19))
    assert bought(planned) == [2, 0, 1, 3]
    assert planned.paid == pytest.approx(2000 + 900 + 3000 * 0.81**0.75)


def test_a_dear_order_is_placed_ahead_of_need() -> None:
    """An order costs more than interest on what is bought early: one order for all."""
    assert bought(plan([1, 2, 3, 4], offer(order=1e4, discount_rate=0.05))) == [4, 0, 0, 0]


def test_what_is_written_off_is_replaced_as_far_as_it_is_needed() -> None:
    planned = plan([4, 4, 4, 4, 3, 3], offer(life=1.0, price_decline=0.1), initial=4)
    assert bought(planned) == [0, 0, 0, 0, 3, 0]
    assert [quarter.written_off for quarter in planned.quarters] == [0, 0, 0, 0, 4, 0]


def test_nothing_comes_before_its_time_of_delivery() -> None:
    assert bought(plan([2, 2, 3], offer(lead=1, price_decline=0.1), initial=2)) == [0, 0, 1]
    with pytest.raises(RefusalError, match="3 servers are needed by 2027-04-01, before what is ordered"):
        plan([2, 3, 3], offer(lead=2), initial=2)


def growing(**changes: str) -> Scenario:
    return load("growth-hdfs", Scenario, changes).scenario


def run(points: list[Point]) -> list[Answer]:
    with Runner(workers=1) as runner:
        return [answer for answer in runner.run(points) if isinstance(answer, Answer)]


def test_each_quarter_needs_the_fewest_servers_that_hold_the_data_of_its_last_day() -> None:
    scenario = growing(**{"growth.months": "48"})
    wanted = Needs(scenario, [], 1, lambda sized: Point(scenario=sized), lambda points: run(list(points)))
    quarters = list(wanted)
    assert wanted.simulated == 0
    assert len(quarters) == 16
    last = quarters[-1]
    end = add_months(last.day, 3) - timedelta(days=1)
    assert scenario.growth is not None
    alone = scenario.model_copy(update={"growth": scenario.growth.model_copy(update={"expansions": ()})})
    data = data_at(scenario, end)
    for count, fits in ((last.servers, True), (last.servers - 1, False)):
        cluster = scenario_at(alone, end).cluster
        group = cluster.groups["workers"]
        larger = cluster.model_copy(update={"groups": {"workers": group.with_more(count - group.count)}})
        assert (capacity(alone.model_copy(update={"cluster": larger})).effective >= data) is fits
    assert "full" in last.cause


def test_a_deadline_may_need_more_servers_than_the_data() -> None:
    scenario = growing(**{"growth.months": "3", "workload.input": "40 GB"})
    usual = run([Point(scenario=scenario.model_copy(update={"growth": None}))])[0].duration
    asked = [target(f"duration <= {usual * 0.95:.2f} s")]
    wanted = Needs(scenario, asked, 1, lambda sized: Point(scenario=sized), lambda points: run(list(points)))
    quarters = list(wanted)
    assert wanted.simulated
    assert quarters[0].servers > 12
    assert "longer than" in quarters[0].cause


class Clock:
    """Answers runs by a law: seconds grow with the data and fall with the servers. It keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Point] = []

    def __call__(self, points: Sequence[Point]) -> list[Answer]:
        self.asked += points
        return [self._answer(point.scenario) for point in points]

    def _answer(self, scenario: Scenario) -> Answer:
        workload: Any = scenario.workload
        servers = sum(group.count for group in scenario.cluster.groups.values())
        return Answer(
            duration=(seconds := workload.input / servers / 1e8),
            durations=(seconds,),
            interval=None,
            bottleneck=Bottleneck("", 0.0),
            next_bottleneck=None,
            metrics={"duration": (seconds, "s")},
            stages=(),
            groups=(),
            capacity={},
            warnings=(),
            leading={"duration": (seconds,)},
        )


@pytest.mark.parametrize("seconds", [100, 20, 13])
def test_a_deadline_is_kept_in_every_quarter_by_the_fewest_servers_however_few_are_simulated(seconds: int) -> None:
    """A run of a later quarter stands for those before it; a law that is even tells what each needs."""
    scenario = growing(
        **{
            "growth.months": "120",
            "growth.stored": "10 TB",
            "growth.annual_growth": "20 %",
            "workload.input": "14 GB",
        }
    )
    clock = Clock()
    wanted = Needs(scenario, [target(f"duration <= {seconds} s")], 1, lambda sized: Point(scenario=sized), clock)
    quarters = list(wanted)
    for need in quarters:
        end = add_months(need.day, 3) - timedelta(days=1)
        grown = data_at(scenario, end) / data_at(scenario, START)
        assert need.servers == max(math.ceil(14e9 * grown / 1e8 / seconds - 1e-9), 12)
    assert len(clock.asked) == wanted.simulated
    assert seconds < 100 or wanted.simulated <= 7  # 1, 2, 4, 8, 16 and the 9 that are left, of 40 quarters


def test_what_no_number_of_servers_does_is_told() -> None:
    scenario = growing(**{"growth.months": "3"})
    with pytest.raises(RefusalError, match=r"12 servers miss: .*; 2\d\d miss: data is written with no racks down"):
        list(Needs(scenario, [target("survives_writing 1 rack")], 1, lambda sized: Point(scenario=sized), lambda _: []))


POOLED = {
    "cluster.groups.storage.count": "16",
    "growth.start": "2026-12-01",
    "growth.stored": "500 TB",
    "growth.annual_growth": "20 %",
    "growth.months": "36",
}


def pooled(asked: list[str]) -> tuple[Scenario, list[int]]:
    """Return MinIO on 16 servers of 8 drives that grows, and the lots in which it may."""
    scenario = load("sizing-minio-servers", Scenario, POOLED).scenario
    return scenario, lots(scenario, [target(text) for text in asked])


def test_where_data_spreads_over_all_servers_one_may_come() -> None:
    assert lots(growing(**{"growth.months": "48"}), []) == [1]


def test_a_pool_survives_by_itself_what_is_asked_for() -> None:
    """MinIO puts a set of up to 16 drives on the servers of a pool in turn, and loses 4 of them at most."""
    _, servers_of_two = pooled(["survives_reading 2 servers"])
    assert servers_of_two == [5, 7, 8]  # sets of 10, 14 and 16 drives, two on each; of 6 servers some have three of 16
    _, as_now = pooled([])
    assert min(as_now) > max(servers_of_two)  # four servers may fail now: one drive of a set on each


def test_servers_of_pools_are_needed_by_lots() -> None:
    scenario, _ = pooled([])
    quarters = list(Needs(scenario, [], 8, lambda sized: Point(scenario=sized), lambda points: []))
    assert {(quarter.servers - 16) % 8 for quarter in quarters} == {0}
    assert quarters[-1].servers > 16
