"""Servers that are there already: they cost what they take to run, and are bought when they are written off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from models.planning.bill import bill
from models.planning.cash_flow import cash_flow
from models.planning.cost import Cost
from models.planning.lots import lots, owned
from models.planning.materials import bill_of_materials
from models.scenario import Scenario
from profiles.loading.loader import load

COUNT, OWNED = "cluster.groups.workers.count", "cluster.groups.workers.owned"
PRICES = {
    "prices": "on-premises-2024",
    "prices.years": "4",
    "prices.maintenance": "5 %",
    "prices.residual_value": "10 %",
    "prices.licences.store": '{ price = "100 USD", paid = "once" }',
    "prices.licences.support": '{ price = "1000 USD", paid = "once", per = "cluster" }',
    "cluster.groups.workers.server": "hdd-25gbe",
}


def asked(servers: int, there: int = 0, changes: Mapping[str, str] | None = None) -> Scenario:
    """Return a cluster of HDFS of which some servers are owned."""
    stated = {**PRICES, COUNT: f"{servers}", OWNED: f"{there}", **(changes or {})}
    return load("hdfs-terasort", Scenario, stated).scenario


def priced(*scenario: Any) -> Cost:
    cost = bill(asked(*scenario))
    assert cost is not None
    return cost


def running(cost: Cost) -> float:
    """Return what a year of it costs to run."""
    return sum(purchase.per_year for purchase in cost.purchases)


def test_servers_that_are_owned_cost_what_they_take_to_run_alone() -> None:
    there, new = priced(12, 12), priced(12)
    assert there.capital == 0
    assert running(there) == pytest.approx(running(new))
    assert there.over(3) == pytest.approx(3 * running(there))
    assert there.per_year == pytest.approx(running(there))
    assert there.power == new.power


def test_what_replaces_them_is_bought_when_they_are_written_off() -> None:
    """Four years after the start all is bought, and a year later it is worth 10 % to the power of 1/4."""
    there, new = priced(12, 12), priced(12)
    machines = sum(purchase.capital for purchase in new.purchases)
    assert there.over(5) == pytest.approx(5 * running(there) + machines * (1 - 0.1**0.25))


@pytest.mark.parametrize("there", [3, 12, 40])
def test_beside_servers_that_are_owned_only_what_is_more_is_paid(there: int) -> None:
    """Its network, spare parts and contracts, too: 100 servers take more switches than 40."""
    assert priced(100, there).capital == pytest.approx(priced(100).capital - priced(there).capital)


def test_no_more_servers_are_owned_than_there_are() -> None:
    assert priced(6, 12).over(3) == pytest.approx(priced(6, 6).over(3))


@pytest.mark.parametrize("there", [0, 12, 40, 60])
def test_what_is_paid_at_the_start_is_that_of_the_bill_of_materials(there: int) -> None:
    scenario = asked(60, there)
    cost, built = bill(scenario), bill_of_materials(scenario)
    assert cost is not None
    licences = (60 - there) * 100 + (0 if there else 1000)
    assert built.paid + licences == pytest.approx(cost.capital, abs=1e-6)
    assert built.power == pytest.approx(bill_of_materials(asked(60)).power)


@pytest.mark.parametrize("years", [0.5, 3.0, 4.0, 6.5, 9.0])
def test_the_years_sum_up_to_the_cost(years: float) -> None:
    cost = priced(20, 12, {"prices.discount_rate": "6 %"})
    flow = cash_flow(cost, years)
    assert sum(year.paid for year in flow) == pytest.approx(cost.over(years))
    assert sum(year.present for year in flow) == pytest.approx(cost.present(years))


def test_servers_that_growth_adds_are_bought() -> None:
    more = {"growth": '{ start = "2027-01-01", expansions = [{ date = "2028-01-01", servers = 3 }] }'}
    there, new = priced(12, 12, more), priced(12, 0, more)
    assert new.over(3) - there.over(3) == pytest.approx(priced(12).over(3) - priced(12, 12).over(3))
    assert [lot.title for lot in lots(asked(12, 12, more))] == [
        "workers: 12 × hdd-25gbe, owned",
        "workers: 3 × hdd-25gbe",
    ]


def test_those_that_came_first_are_owned_first() -> None:
    later = {"cluster.groups.workers.later": '[{ server = "nvme-25gbe", count = 4 }]'}
    shown = [(lot.server.model, lot.count, lot.is_owned) for lot in lots(asked(12, 10, later))]
    assert shown == [("hdd-25gbe", 8, True), ("nvme-25gbe", 2, True), ("nvme-25gbe", 2, False)]
    there = owned(asked(12, 10, later).cluster)
    assert there is not None
    assert [batch.count for batch in there.groups["workers"].batches()] == [8, 2]
