"""Money over time against sums by hand: present value, depreciation, falling prices, currencies, licences, people."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from models.planning.cost import Cost, cost
from models.planning.payments import Purchase, Terms
from models.planning.prices import Prices
from models.problem import ProblemError
from profiles.loading.loader import load, load_text
from tests.models.machines import cluster, server
from tests.models.planning.test_cost import Deal


def bill(**changes: Any) -> Cost:
    """Return the bill of ten servers of 4 cores, 2 TB of drives and 1,000 USD, written off in four years."""
    machine = server(model="plain", volumes={})
    prices = {"date": "2026", "years": 4.0, "servers": {"plain": {"capital": 1000.0}}, **changes}
    priced = cost(Deal(cluster(workers=(10, machine)), Prices.model_validate(prices)))
    assert priced is not None
    return priced


def test_the_net_present_cost_discounts_each_payment_from_its_day() -> None:
    """10,000 now and 10,000 after four years at 5 %: 10,000 + 10,000 / 1.05^4 = 18,227.02."""
    priced = bill(discount_rate=0.05)
    assert priced.over(8) == pytest.approx(20_000)
    assert priced.present(8) == pytest.approx(18_227.02, abs=0.01)


def test_what_is_paid_all_the_time_is_worth_the_sum_of_its_days() -> None:
    purchase = Purchase("power", None, 1.0, 0.0, 365.0)
    days = sum(1.08 ** -(1.0 + (day + 0.5) / 365) for day in range(2 * 365))
    assert purchase.paid(3.0, Terms(4.0, discount_rate=0.08)) == pytest.approx(days, rel=1e-6)
    assert Terms(4.0, 0.08).integral(0, math.inf) == pytest.approx(1 / math.log(1.08))


def test_a_machine_loses_value_by_the_same_part_each_year() -> None:
    """Of 10,000 a sixteenth is left after four years: half a year by year, 5,000, 2,500, 1,250, 625."""
    priced = bill(residual_value=1 / 16)
    assert [priced.over(years) for years in (1, 2, 3, 4)] == pytest.approx([5000, 7500, 8750, 9375])
    assert priced.over(5) == pytest.approx(9375 + 5000)
    assert priced.per_year == pytest.approx(9375 / 4)


def test_machines_that_come_later_are_cheaper_by_the_decline() -> None:
    """10,000 now and, at 10 % less a year, 6,561 after four."""
    assert bill(price_decline=0.1).over(8) == pytest.approx(10_000 + 6_561)


def test_maintenance_is_a_part_of_what_was_paid_for_the_machines_that_run() -> None:
    """At 10 % less a year: 1,000 a year of 10,000 over four years, then 656.1 of 6,561; of 7,290 after three 729."""
    priced = bill(price_decline=0.1, maintenance=0.1)
    assert priced.over(8) == pytest.approx(10_000 + 4 * 1_000 + 6_561 + 4 * 656.1)
    assert priced.per_year == pytest.approx(10_000 / 4 + 1_000)
    later = priced.purchases[0].alone(3, 8, priced.terms)
    assert later == pytest.approx(7_290 + 4 * 729)


def test_a_discount_is_off_the_price_of_machines() -> None:
    assert bill(discount=0.3).over(4) == pytest.approx(7_000)


def test_licences_count_servers_cores_terabytes_or_the_cluster_once_or_each_year() -> None:
    priced = bill(
        licences={
            "support": {"price": "20 USD"},
            "engine": {"price": "5 USD", "per": "core"},
            "store": {"price": "3 USD", "per": "TB"},
            "site": {"price": "400 USD", "per": "cluster", "paid": "once"},
            "elsewhere": {"price": "9 USD", "groups": ("clients",)},
        }
    )
    yearly = 10 * 20 + 40 * 5 + 20 * 3
    assert priced.over(4) == pytest.approx(10_000 + 400 + 4 * yearly)
    assert priced.over(8) == pytest.approx(20_000 + 400 + 8 * yearly)
    assert priced.per_year == pytest.approx(2_500 + 100 + yearly)
    assert priced.capital == pytest.approx(10_400)


def test_people_are_those_who_are_there_anyway_and_those_for_the_servers() -> None:
    priced = bill(staff={"operators": {"yearly": "100000 USD/y", "servers": 200.0, "count": 0.25}})
    assert priced.over(2) == pytest.approx(10_000 + 2 * (0.25 + 10 / 200) * 100_000)


RENTED = {"plain": {"hourly": "1 USD/h", "reserved": "0.4 USD/h", "spot": "0.3 USD/h"}}


@pytest.mark.parametrize(("term", "hourly"), [("on-demand", 1.0), ("reserved", 0.4), ("spot", 0.3)])
def test_the_term_chooses_the_rent(term: str, hourly: float) -> None:
    assert bill(servers=RENTED, term=term).per_year == pytest.approx(10 * hourly * 8760)


EUROPEAN = """
date = "2026"
currency = "EUR"
years = 4
energy = "0.2 EUR/kWh"
ranges."*" = ["0.5 x", "2 x"]
source = "assumed: for a test"
[currencies.EUR]
value = "1.25 USD"
source = "assumed: for a test"
[servers.plain]
capital = "1,000 EUR"
power = "1 kW"
[servers.other]
capital = "1000 USD"
[servers.other.ranges]
capital = ["800 EUR", "1250 USD"]
"""


def test_a_list_in_euros_tells_costs_in_euros_and_takes_dollars_at_their_value(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(EUROPEAN, encoding="utf-8")
    loaded = load(str(path), Prices)
    prices = loaded.scenario
    assert prices.servers["plain"].capital == 1250
    assert prices.told().servers["other"].capital == 800
    assert (loaded.ranges["servers.other.capital"].low, loaded.ranges["servers.other.capital"].high) == (1000, 1250)
    priced = cost(Deal(cluster(workers=(1, server(model="plain", volumes={}))), prices))
    assert priced is not None
    assert priced.currency == "EUR"
    assert priced.over(4) == pytest.approx(1000 + 4 * 8760 * 0.2)
    assert "1,000 EUR over 4 years" in priced.items[0].basis


def test_a_currency_without_a_value_is_refused_where_it_stands() -> None:
    text = 'date = "2026"\n[servers.plain]\ncapital = "900 EUR"\n'
    with pytest.raises(ProblemError, match=r"toml:3: servers.plain.capital: .*add \[currencies.EUR\] with value"):
        load_text(text, Prices)
    with pytest.raises(
        ProblemError,
        match=r"the price list does not say what GBP is worth; state it in the list, such as currencies.GBP.value",
    ):
        load_text('date = "2026"\ncurrency = "GBP"\n', Prices)


def test_a_list_in_dollars_is_taken_as_it_is() -> None:
    prices = load("aws-on-demand-2019", Prices, folders=["prices"]).scenario
    assert prices.told() is prices
