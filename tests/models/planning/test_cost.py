"""Bills by hand, and the documents' comparison: 24 machines against twelve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.planning.bill import bill as bill_of
from models.planning.capacity import with_count
from models.planning.cost import BESIDE, KEPT, Cost, cost
from models.planning.demand import Demanded
from models.planning.growth import Expansion, Growth
from models.planning.prices import Prices, Traffic
from models.quantity import stated
from models.scenario import Scenario
from profiles.loading.loader import load

H1, C5D = 3.744, 3.456  # USD an hour on demand, 2019


@dataclass(frozen=True)
class Deal:
    """What cost asks of a scenario."""

    cluster: Cluster
    prices: Prices | None
    growth: Growth | None = None
    failures: Failures | None = None

    def growing_group(self) -> str:
        return next(iter(self.cluster.groups))


def bill(
    cluster: str, prices: str = "aws-on-demand-2019", stored: float = 0.0, a_second: Traffic | None = None
) -> Cost:
    machines = load(cluster, Cluster, folders=["clusters"]).scenario
    deal = Deal(machines, load(prices, Prices, folders=["prices"]).scenario)
    priced = cost(deal, lambda years: stored, Demanded(a_second or Traffic()))
    assert priced is not None
    return priced


def bought(growth: Growth | None = None, change: dict[str, object] | None = None, **changes: object) -> Cost:
    """Return the bill of ten hdd-25gbe at round prices; `change` is of the server, `changes` are of the list."""
    server = {"capital": 10_000.0, "has_drives": False, "power": 300.0, "rack_units": 2.0}
    prices = {
        "date": "2024",
        "years": 4.0,
        "servers": {"hdd-25gbe": server},
        "drives": {"hdd": {"per_byte": 15.0, "power": 8.0}},
        "energy": 0.1,
        "usage_effectiveness": 1.5,
        "rack_unit": 20.0,
        "maintenance": 0.05,
        **changes,
    }
    text = {"groups": {"workers": {"server": {**load_server(), **(change or {})}, "count": 10}}}
    priced = cost(Deal(Cluster.model_validate(text), Prices.model_validate(prices), growth))
    assert priced is not None
    return priced


def load_server() -> dict[str, Any]:
    from models.hardware.server import Server

    server = load("hdd-25gbe", Server, folders=["hardware/servers"]).scenario
    data: dict[str, Any] = stated(server.model_dump())
    return data


def test_without_a_price_list_there_is_no_bill() -> None:
    assert cost(Deal(load("12-h1", Cluster, folders=["clusters"]).scenario, None)) is None


def test_rented_machines_cost_their_hours() -> None:
    assert bill("12-h1").per_year == pytest.approx(12 * H1 * 8760)


def test_the_documents_compared_a_cluster_of_1_9_times_the_price() -> None:
    """86.4 USD an hour against 44.9; a WordCount of 787 s then costs 18.9 USD, one of 1100 s on HDFS 13.7 USD."""
    hdfs, minio = bill("12-h1"), bill("12-h1-and-12-c5d")
    assert hdfs.per_job(3600) == pytest.approx(44.9, abs=0.05)
    assert minio.per_job(3600) == pytest.approx(86.4, abs=0.05)
    assert minio.per_year / hdfs.per_year == pytest.approx(1.92, abs=0.01)
    assert hdfs.per_job(1100) == pytest.approx(13.7, abs=0.05)
    assert minio.per_job(787) == pytest.approx(18.9, abs=0.05)


def test_rented_machines_that_keep_no_data_may_be_up_for_a_part_of_the_time() -> None:
    """A job costs the hours of its machines as before, and so do those of the storage servers in a year."""
    deal = Deal(
        load("12-h1-and-12-c5d", Cluster, folders=["clusters"]).scenario,
        load("aws-on-demand-2019", Prices, folders=["prices"]).scenario,
    )
    priced = cost(deal, rented_part=0.1, always=["storage"])
    assert priced is not None
    assert priced.per_year == pytest.approx((12 * H1 + 0.1 * 12 * C5D) * 8760)
    assert priced.per_job(3600) == pytest.approx(bill("12-h1-and-12-c5d").per_job(3600))


def test_a_usable_terabyte_costs_its_share_of_the_year() -> None:
    assert bill("12-h1").per_terabyte_month(64e12) == pytest.approx(12 * H1 * 730 / 64)


def test_bought_servers_are_written_off_with_their_drives() -> None:
    priced = bought()
    assert priced.capital == 10 * (10_000 + 12 * 16 * 15)
    assert priced.items[0].per_year == priced.capital / 4


def test_power_counts_drives_and_the_building() -> None:
    priced = bought()
    assert priced.power == pytest.approx(10 * (300 + 12 * 8) * 1.5)
    power = next(item for item in priced.items if item.name == "power")
    assert power.per_year == pytest.approx(priced.power / 1000 * 8760 * 0.1)


def test_space_and_maintenance_come_on_top() -> None:
    priced = bought()
    items = {item.name: item.per_year for item in priced.items}
    assert priced.rack_units == 20
    assert items["space"] == pytest.approx(20 * 20 * 12)
    assert items["maintenance"] == pytest.approx(priced.capital * 0.05)
    assert priced.over(4) == pytest.approx(4 * sum(items.values()))


def test_a_cost_over_some_years_is_what_is_paid_until_then() -> None:
    """Written off in four years: paid at once, and once more after four."""
    priced = bought()
    running = priced.per_year - priced.capital / 4
    assert priced.over(1) == pytest.approx(priced.capital + running)
    assert priced.over(3) == pytest.approx(priced.capital + 3 * running)
    assert priced.over(4.5) == pytest.approx(2 * priced.capital + 4.5 * running)


def test_servers_that_growth_adds_are_paid_when_they_come_and_run_from_then_on() -> None:
    now = bought()
    growth = Growth(start=date(2027, 1, 1), expansions=(Expansion(date=date(2028, 1, 1), servers=5),))
    grown, running = bought(growth), now.per_year - now.capital / 4
    assert grown.capital == now.capital
    assert grown.over(1) == pytest.approx(now.over(1))
    assert grown.over(3) == pytest.approx(now.over(3) + now.capital / 2 + 2 * running / 2)
    assert [(purchase.day, purchase.name) for purchase in grown.purchases] == [
        (None, "workers: 10 × hdd-25gbe"),
        (date(2028, 1, 1), "workers: 5 × hdd-25gbe"),
    ]


def network_of(scenario: Scenario, servers: int, later: int = 0) -> float:
    """Return what network and spare parts cost of so many servers, and of more that come later."""
    cluster = with_count(scenario.cluster, "workers", servers)
    expansions = (Expansion(date=date(2028, 1, 1), servers=later),) if later else ()
    growth = Growth(start=date(2027, 1, 1), expansions=expansions)
    priced = bill_of(scenario.model_copy(update={"cluster": cluster, "growth": growth}))
    assert priced is not None
    return sum(purchase.capital for purchase in priced.purchases if purchase.name == BESIDE)


def test_servers_that_come_later_bring_the_switches_that_they_need() -> None:
    scenario = load("growth-hdfs", Scenario, {"prices": "on-premises-2024", "prices.price_decline": "0 %"}).scenario
    spares = 0.01  # of each lot by itself, in whole parts
    assert network_of(scenario, 12, later=60) == pytest.approx(network_of(scenario, 72), rel=spares)
    assert network_of(scenario, 72) > network_of(scenario, 12) * 72 / 12  # racks are joined by uplinks


def test_servers_of_several_kinds_in_a_group_are_priced_each_as_what_they_are() -> None:
    server = load_server()
    larger = {**server, "bays": {"data": {**server["bays"]["data"], "count": 24}}}
    group = {"server": server, "count": 10, "later": ({"server": larger, "count": 4},)}
    prices = Prices.model_validate(
        {
            "date": "2024",
            "servers": {"hdd-25gbe": {"capital": 1e4, "has_drives": False}},
            "drives": {"hdd": {"per_byte": 15.0}},
        }
    )
    priced = cost(Deal(Cluster.model_validate({"groups": {"workers": group}}), prices))
    assert priced is not None
    assert priced.capital == 10 * 1e4 + (6 * 12 + 4 * 24) * 16 * 15


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"nic": {"bandwidth": 12.5e9}}, "hdd-25gbe with a card of 12.5 GB/s, priced with 3.125 GB/s"),
        ({"memory": {"size": 512 * 2.0**30}}, "hdd-25gbe with memory of 549.8 GB, priced with 274.9 GB"),
        ({"cpu": {"cores": 64, "threads": 128, "speed": 1.0}}, "hdd-25gbe with 128 threads, priced with 64"),
    ],
)
def test_a_server_that_differs_from_the_priced_one_has_no_price(change: dict[str, object], expected: str) -> None:
    price = {"capital": 1e4, "has_drives": False, "threads": 64, "memory": 256 * 2.0**30, "network": 3.125e9}
    assert bought(servers={"hdd-25gbe": price}).unpriced == ()
    assert bought(change=change, servers={"hdd-25gbe": price}).unpriced == (expected,)


def test_a_measured_card_is_that_of_the_price() -> None:
    price = {"capital": 1e4, "has_drives": False, "network": 3.125e9}
    assert bought(change={"nic": {"bandwidth": 2.9e9}}, servers={"hdd-25gbe": price}).unpriced == ()


def test_drives_that_the_price_includes_are_counted() -> None:
    price = {"capital": 2e4, "drives": 10}
    assert bought(servers={"hdd-25gbe": price}).unpriced == ("hdd-25gbe with 12 drives, priced with 10",)


def test_a_rented_store_charges_requests_and_what_leaves_it() -> None:
    a_second = Traffic(reads=1000.0, writes=100.0, egress=1e9)
    priced = bill("8-c5n", a_second=a_second)
    asked = (1000 * 0.4e-6 + 100 * 5e-6) * 365 * 86400
    assert next(item for item in priced.items if item.name == "object store, requests").per_year == pytest.approx(asked)
    assert priced.over(2) == pytest.approx(2 * priced.per_year)
    machines = 8 * 3.888 * 8760 * 600 / (365 * 86400)
    assert priced.per_job(600, a_second.scaled(600)) == pytest.approx(machines + asked * 600 / (365 * 86400))


def test_data_that_grows_in_a_rented_store_is_billed_as_it_grows() -> None:
    deal = Deal(
        load("8-c5n", Cluster, folders=["clusters"]).scenario,
        Prices.model_validate({"date": "2019", "object_store": {"stored": 0.023}}),
    )
    priced = cost(deal, lambda years: 1e12 * years)
    assert priced is not None
    assert priced.over(4) == pytest.approx(8 * 1e3 * 0.276)


@pytest.mark.parametrize("discount", [0.0, 0.06])
def test_requests_that_grow_are_paid_for_as_they_grow(discount: float) -> None:
    store = {"stored": 0.0, "put": 5e-6}
    deal = Deal(
        load("8-c5n", Cluster, folders=["clusters"]).scenario,
        Prices.model_validate({"date": "2019", "object_store": store, "discount_rate": discount}),
    )
    growing = Demanded(Traffic(writes=20.0), Traffic(writes=100.0), lambda years: 1.4**years)
    priced = cost(deal, None, growing)
    assert priced is not None
    a_year, growth, worth = 5e-6 * 365 * 86400, math.log(1.4), math.log1p(discount)
    steady = 20 * ((1 - math.exp(-3 * worth)) / worth if worth else 3)
    grown = 100 * (math.exp(3 * (growth - worth)) - 1) / (growth - worth)
    assert priced.present(3) == pytest.approx(a_year * (steady + grown), rel=1e-4)
    assert priced.asked == pytest.approx(a_year * 120)
    assert priced.requested(3) == pytest.approx(a_year * (60 + 100 * (1.4**3 - 1) / growth), rel=1e-4)
    yearly = [priced.rented(year, year + 1, priced.terms) for year in range(3)]
    assert sum(yearly) == pytest.approx(priced.rented(0, 3, priced.terms))
    assert yearly[0] < yearly[1] < yearly[2]


def test_what_a_list_does_not_price_is_named_and_not_taken_for_free() -> None:
    assert bought(servers={}).unpriced == ('hdd-25gbe (add prices.servers."hdd-25gbe")',)
    assert bought(drives={}).unpriced == ("hdd drives (add prices.drives.hdd)",)
    assert bought(term="spot").unpriced == ('hdd-25gbe by the term spot (add prices.servers."hdd-25gbe".spot)',)
    assert bill("12-h1", "on-premises-2024").unpriced == ("attached volumes (add prices.volumes)", KEPT)
    assert bought().unpriced == ()


def test_a_rented_store_that_the_list_does_not_know_is_not_free() -> None:
    assert bill("8-c5n", "aws-on-demand-2019").unpriced == ()
    assert bill("8-c5n", "on-premises-2024").unpriced[-1] == KEPT


def test_a_rented_store_asks_for_the_bytes_it_keeps() -> None:
    priced = bill("8-c5n", stored=1e15)
    kept = next(item for item in priced.items if item.name == "object store, bytes kept")
    assert kept.per_year == pytest.approx(1e6 * 0.023 * 12)


KEEPING = """
storage = "{storage}"
prices = "aws-reserved-2026"
[profile]
title = "Kept at Amazon S3"
[cluster.groups.workers]
server = "c5n.18xlarge"
count = 1
[workload]
kind = "storing"
data = "100 TB"
[planning]
object_size = "64 kB"
"""


@pytest.mark.parametrize(
    ("storage", "price", "billed"), [("amazon-s3", 0.021, 1.0), ("amazon-s3-standard-ia", 0.0125, 2.0)]
)
def test_small_objects_of_a_class_are_billed_at_its_least_size(
    storage: str, price: float, billed: float, tmp_path: Path
) -> None:
    path = tmp_path / "kept.toml"
    path.write_text(KEEPING.format(storage=storage), encoding="utf-8")
    priced = bill_of(load(str(path), Scenario).scenario)
    assert priced is not None
    kept = next(item for item in priced.items if item.name == "object store, bytes kept")
    assert kept.per_year == pytest.approx(100e3 * billed * price * 12)


def test_a_class_may_charge_what_is_read() -> None:
    prices = load("aws-reserved-2026", Prices, folders=["prices"]).scenario
    read = Traffic(reads=1e6, egress=1e12)
    assert prices.storage_classes["glacier-instant"].asked(read) == pytest.approx(10 + 30)
    assert prices.object_store is not None
    assert prices.object_store.asked(read) == pytest.approx(0.4)
