"""Max-min fair rates by hand. A work whose amount is its rate ends after one second: so all must."""

from __future__ import annotations

import math

import pytest

from models.work import Demand, Resource, Resources, Use, Work, demand
from simulator.engine import Engine


class Links:
    """Named capacities of a small network."""

    def __init__(self, **capacities: float | tuple[float, ...]) -> None:
        self.resources = Resources()
        self._by_name = {name: self._add(name, capacity) for name, capacity in capacities.items()}

    def _add(self, name: str, capacity: float | tuple[float, ...]) -> Resource:
        return self.resources.add(name, kind="link", group=name, unit="B", capacity=capacity)

    def over(self, names: str, *, max_rate: float = float("inf"), weight: float = 1.0, **costs: float) -> Demand:
        """Return the demand of a flow over some links: one unit a unit, unless `costs` says otherwise."""
        uses = [Use(self._by_name[name], costs.get(name, 1.0), 1.0) for name in names.split()]
        return demand(uses, max_rate=max_rate, weight=weight)

    def check_rates(self, expected: list[tuple[Demand, float]]) -> None:
        engine = Engine(self.resources)
        ends: list[float] = []
        for wanted, rate in expected:
            engine.execute(Work(rate, wanted), lambda: ends.append(engine.now))
        engine.run()
        assert ends == pytest.approx([1.0] * len(expected), rel=1e-12)
        engine.close()


def test_one_flow_takes_bytes_over_capacity() -> None:
    links = Links(a=40.0)
    engine = Engine(links.resources)
    engine.execute(Work(100.0, links.over("a")), lambda: None)
    engine.run()
    assert engine.now == 2.5


def test_flows_over_one_link_share_it_equally() -> None:
    links = Links(a=90.0)
    links.check_rates([(links.over("a"), 30.0)] * 3)


def test_the_long_flow_of_a_parking_lot_gets_the_fair_part_of_the_narrowest_link() -> None:
    links = Links(a=10.0, b=20.0, c=30.0)
    cross = [(links.over("a"), 5.0), (links.over("b"), 15.0), (links.over("c"), 25.0)]
    links.check_rates([(links.over("a b c"), 5.0), *cross])


def test_a_capped_flow_of_a_dumb_bell_leaves_its_part_to_the_others() -> None:
    links = Links(neck=13.0, a=100.0, b=100.0, c=2.0)
    capped, wide = links.over("a neck", max_rate=1.0), links.over("b neck")
    # 13 - 1 (cap) - 2 (own access link) is left to two
    links.check_rates([(capped, 1.0), (wide, 5.0), (wide, 5.0), (links.over("c neck"), 2.0)])


def test_shares_go_by_weight() -> None:
    links = Links(a=60.0)
    links.check_rates([(links.over("a", weight=w), 10.0 * w) for w in (1.0, 2.0, 3.0)])


def test_a_heavy_flow_stopped_elsewhere_leaves_the_rest_to_the_light() -> None:
    links = Links(a=60.0, b=12.0)
    links.check_rates([(links.over("a b", weight=5.0), 12.0), (links.over("a"), 48.0)])


def test_works_over_drive_and_link_are_stopped_by_what_saturates_first() -> None:
    links = Links(drive=1.0, link=180.0)
    reading = links.over("drive link", drive=0.01)  # 10 ms of the drive a unit: two readers get 50 each
    links.check_rates([(reading, 50.0), (reading, 50.0), (links.over("link"), 80.0)])


def test_unequal_costs_on_one_resource_give_equal_rates_not_equal_use() -> None:
    links = Links(cpu=8.0)
    links.check_rates([(links.over("cpu", cpu=3.0), 2.0), (links.over("cpu", cpu=1.0), 2.0)])


@pytest.mark.parametrize(("streams", "rate"), [(1, 100.0), (2, 30.0), (3, 15.0), (5, 9.0)])
def test_a_drive_gives_what_its_table_says_for_that_many_streams(streams: int, rate: float) -> None:
    links = Links(drive=(100.0, 60.0, 45.0))
    links.check_rates([(links.over("drive"), rate)] * streams)


def test_streams_of_unlike_works_count_together() -> None:
    links = Links(drive=(100.0, 60.0), link=10.0)
    links.check_rates([(links.over("drive link"), 10.0), (links.over("drive"), 50.0)])


def test_rings_of_three_links_share_by_pairs() -> None:
    links = Links(a=10.0, b=10.0, c=4.0)
    # c saturates at 2 each; a and b then have 8 left for a flow that uses both
    links.check_rates([(links.over("a c"), 2.0), (links.over("b c"), 2.0), (links.over("a b"), 8.0)])


def test_a_work_without_resources_goes_at_its_own_rate() -> None:
    links = Links(a=1.0)
    links.check_rates([(demand([], max_rate=7.0), 7.0), (demand([], max_rate=7.0), 7.0)])


def test_three_levels_of_saturation_follow_one_another() -> None:
    links = Links(a=3.0, b=10.0, c=40.0)
    # a stops three at 1; b: 10 - 1 leaves 4.5 each to two; c: 40 - 1 - 4.5 is left to one
    expected = [("a", 1.0), ("a b", 1.0), ("a c", 1.0), ("b", 4.5), ("b c", 4.5), ("c", 34.5)]
    links.check_rates([(links.over(names), rate) for names, rate in expected])


@pytest.mark.parametrize("weight", [1e-3, 1e-20, 1e-40, 1e-200])
def test_what_hardly_counts_gets_what_rounding_leaves_and_all_once_others_have_ended(weight: float) -> None:
    """Two readers are stopped elsewhere one bit below their share of a drive: of its 40 B/s nothing is left to see."""
    links = Links(drive=40.0)
    reading = links.over("drive", drive=0.1, max_rate=math.nextafter(200.0, 0.0))
    engine = Engine(links.resources)
    ends: list[float] = []
    for work in (Work(200.0, reading), Work(200.0, reading), Work(40.0, links.over("drive", weight=weight))):
        engine.execute(work, lambda: ends.append(engine.now))
    engine.run()
    assert ends == pytest.approx([1.0 + weight * 200 / 40] * 2 + [2.0], rel=1e-12)
    engine.close()
