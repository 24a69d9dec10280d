"""What leaves a rented store is paid for: once where a copy comes once, beside others too, and not within the store."""

from __future__ import annotations

import math
import pickle

import pytest

from models.planning.bill import bill, fetched_of
from models.planning.cash_flow import cash_flow
from models.planning.cost import Cost
from models.planning.lint import lint
from models.planning.prices import Prices
from models.scenario import Scenario
from models.units import YEAR
from profiles.loading.loader import load, load_text

COPIES = """
[profile]
title = "400 TB that move"

[prices]
use = "on-premises-2024"
object_store = { stored = "0.021 USD/GB-month", get = "0.0000004 USD", egress = "0.05 USD/GB" }

[storage]
use = "minio"
servers = "servers"
bay = "data"

[cluster]
network = { round_trip = "100 us" }

[cluster.groups.servers]
server = "hdd-25gbe"
count = 4

[[workloads]]
name = "move"
kind = "copy"
origin = "amazon-s3"
tool = "distcp"
files = 1000
size = "400 TB"
line = { rate = "10 Gbit/s", round_trip = "20 ms" }
"""
ONCE = 400_000 * 0.05


def priced(more: str = "", **settings: str) -> Cost:
    text = COPIES + more
    made = load_text(text, Scenario, overrides={key.replace("__", "."): value for key, value in settings.items()})
    cost = bill(made.scenario)
    assert cost is not None
    return cost


def machines() -> Cost:
    return priced(prices__object_store__egress="0 USD/GB")


def test_a_copy_out_of_a_rented_store_is_paid_once_with_the_machines_whatever_the_years() -> None:
    paid, without = priced(), machines()
    assert paid.capital - without.capital == pytest.approx(ONCE)
    for years in (1, 3, 12):  # in which machines are bought again
        assert paid.over(years) - without.over(years) == pytest.approx(ONCE)
        assert paid.present(years) - without.present(years) == pytest.approx(ONCE)
        assert sum(year.paid for year in cash_flow(paid, years)) == pytest.approx(paid.over(years))
    assert paid.requested(3) == pytest.approx(ONCE)


def test_the_bill_says_how_it_comes_about_and_spreads_it_as_machines() -> None:
    (line,) = [item for item in priced().items if item.name.startswith("data fetched")]
    assert (line.name, line.basis) == ("data fetched by move", "400 TB at 0.05 USD a GB, once")
    assert line.per_year == pytest.approx(ONCE / 5)


def test_a_copy_that_comes_again_is_paid_as_often() -> None:
    again = priced('every = "73 d"\nuntil = "146 d"\n')
    assert again.over(3) - machines().over(3) == pytest.approx(3 * 5 * ONCE)
    assert again.capital == pytest.approx(machines().capital)
    assert pytest.approx(5) == YEAR / 86400 / 73


def test_a_copy_that_comes_again_and_grows_is_paid_as_it_grows() -> None:
    growth = '[growth]\nstart = "2027-01-01"\nstored = "2 PB"\nannual_growth = "30 %"\nmonths = 36\n'
    again = 'every = "73 d"\nuntil = "146 d"\n'
    steady, growing = priced(again + growth), priced(f"{again}{growth}growing_workloads = ['move']\n")
    of_three_years = (1.3**3 - 1) / math.log(1.3)
    assert steady.over(3) - machines().over(3) == pytest.approx(3 * 5 * ONCE)
    assert growing.over(3) - machines().over(3) == pytest.approx(of_three_years * 5 * ONCE, rel=1e-4)
    assert sum(year.paid for year in cash_flow(growing, 3)) == pytest.approx(growing.over(3))
    assert growing.per_year == pytest.approx(steady.per_year)
    assert growing.per_job(3600) == pytest.approx(machines().per_job(3600))
    (line,) = [item for item in growing.items if item.name.startswith("data fetched")]
    assert line.basis.endswith("times a year, at the start: it grows")


def test_a_bill_can_be_sent_to_another_process_whatever_grows_in_it() -> None:
    growth = '[growth]\nstart = "2027-01-01"\nstored = "2 PB"\nannual_growth = "30 %"\nmonths = 36\n'
    rented = load("copy-distcp-11-node", Scenario, {"storage": "amazon-s3", "prices": "aws-on-demand-2019"}).scenario
    for paid in (priced(growth), bill(rented)):
        assert paid is not None
        assert pickle.loads(pickle.dumps(paid)).over(3) == paid.over(3)


def test_what_is_copied_within_a_store_leaves_nothing() -> None:
    benchmark = load("copy-distcp-11-node", Scenario).scenario
    assert len(list(fetched_of(benchmark))) == 1
    rented = load("copy-distcp-11-node", Scenario, {"storage": "amazon-s3-express"}).scenario
    assert not list(fetched_of(rented))


def test_machines_of_a_job_are_not_charged_with_what_the_job_fetches_a_second_time() -> None:
    assert priced().per_job(3600) == pytest.approx(machines().per_job(3600))


def test_a_list_that_says_nothing_of_the_store_is_told_of() -> None:
    made = load_text(COPIES.replace("object_store =", "# "), Scenario).scenario
    (piece,) = [piece for piece in lint(made) if piece.rule == "fetched-for-nothing"]
    assert piece.message.startswith("what the store asks for 400 TB that leave it is in no cost")


def test_a_list_that_says_that_a_line_costs_nothing_is_believed() -> None:
    unpriced = COPIES.replace('egress = "0.05 USD/GB"', 'over_line = "0 USD/GB"')
    assert unpriced != COPIES
    assert not [piece for piece in lint(load_text(unpriced, Scenario).scenario) if piece.rule == "fetched-for-nothing"]


def test_a_line_has_a_price_of_its_own_and_what_stays_at_the_site_of_the_store_has_that_of_egress() -> None:
    over_line = priced(prices__object_store__over_line="0.09 USD/GB")
    assert over_line.capital - machines().capital == pytest.approx(400_000 * 0.09)
    local = COPIES.replace("line = {", "# line = {")
    made = load_text(local, Scenario, overrides={"prices.object_store.over_line": "0.09 USD/GB"}).scenario
    cost = bill(made)
    assert cost is not None
    assert cost.capital - machines().capital == pytest.approx(ONCE)


@pytest.mark.parametrize("list_name", ["aws-2026", "aws-reserved-2026", "aws-on-demand-2019"])
@pytest.mark.parametrize(("rented_as", "retrieval"), [("standard", 0.0), ("standard-ia", 0.01)])
def test_shipped_lists_of_aws_ask_for_what_leaves_over_a_line_and_nothing_within_a_region(
    list_name: str, rented_as: str, retrieval: float
) -> None:
    store = load(list_name, Prices, folders=["prices"]).scenario.store(rented_as)
    assert store is not None
    assert store.fetched(1e12, is_over_line=True) == pytest.approx(1000 * (0.09 + retrieval))
    assert store.fetched(1e12, is_over_line=False) == pytest.approx(1000 * retrieval)


def test_what_copies_fetch_from_a_store_that_they_read_from_outside_leaves_over_a_line() -> None:
    text = COPIES.replace("line = {", "# line = {")
    text = text.replace('origin = "amazon-s3"', 'origin = { use = "amazon-s3", outside = true }')
    made = load_text(text, Scenario, overrides={"prices.object_store.over_line": "0.09 USD/GB"}).scenario
    cost = bill(made)
    assert cost is not None
    assert cost.capital - machines().capital == pytest.approx(400_000 * 0.09)


LOAD = """
[profile]
title = "A load on a rented store"
[prices]
use = "aws-2026"
[storage]
use = "amazon-s3"
[cluster.groups.clients]
server = { use = "nvme-100gbe", model = "the customer's own" }
count = 4
[workload]
kind = "requests"
clients = "clients"
rate = "100 1/s"
count = 1000
mix = { GET = { action = "get", size = "1 MB" }, PUT = { action = "put", size = "1 MB", weight = 3 } }
"""
READ = 25e6 * YEAR / 1e9  # GB a year


def asked(**settings: str) -> Scenario:
    return load_text(
        LOAD, Scenario, overrides={key.replace("__", "."): value for key, value in settings.items()}
    ).scenario


def advice(**settings: str) -> list[tuple[str, str]]:
    return [(one.severity, one.key) for one in lint(asked(**settings)) if one.rule == "read-for-nothing"]


@pytest.mark.parametrize(("store", "retrieval"), [("amazon-s3", 0.0), ("amazon-s3-standard-ia", 0.01)])
def test_clients_outside_the_region_pay_for_what_they_read_as_over_a_line(store: str, retrieval: float) -> None:
    inside, outside = (bill(asked(storage=store, storage__outside=where)) for where in ("false", "true"))
    assert inside is not None
    assert outside is not None
    assert outside.asked - inside.asked == pytest.approx(READ * 0.09)
    assert inside.over(2) + 2 * READ * 0.09 == pytest.approx(outside.over(2))


def test_a_list_without_a_price_for_a_line_asks_egress_of_clients_outside() -> None:
    stated = {
        "prices": "on-premises-2024",
        "prices__object_store": '{ stored = "0.02 USD/GB-month", egress = "1 USD/GB" }',
    }
    outside = bill(asked(storage__outside="true", **stated))
    assert outside is not None
    assert outside.asked == pytest.approx(READ)


def test_the_customers_own_clients_of_a_rented_store_are_asked_about_until_it_is_said_where_they_are() -> None:
    assert advice() == [("hint", "storage.outside")]
    assert advice(storage__outside="true") == []
    assert advice(prices__object_store__egress="0.05 USD/GB") == []
    nothing = '{ stored = "0.02 USD/GB-month" }'
    unpriced = {"prices": "on-premises-2024", "prices__object_store": nothing}
    assert advice(storage__outside="true", **unpriced) == [("warning", "prices.object_store")]
