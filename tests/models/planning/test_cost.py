"""Bills by hand, and the documents' comparison: 24 machines against twelve."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from models.hardware.cluster import Cluster
from models.planning.cost import Cost, Prices, cost
from profiles.loader import load

H1, C5D = 3.744, 3.456  # USD an hour on demand, 2019


@dataclass(frozen=True)
class Deal:
    """What cost asks of a scenario."""

    cluster: Cluster
    prices: Prices | None


def bill(cluster: str, prices: str = "aws-on-demand-2019", stored: float = 0.0) -> Cost:
    machines = load(cluster, Cluster, folders=["clusters"]).scenario
    found = cost(Deal(machines, load(prices, Prices, folders=["prices"]).scenario), stored)
    assert found is not None
    return found


def bought(**changes: object) -> Cost:
    """Return the bill of ten hdd-25gbe at round prices."""
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
    text = {"groups": {"workers": {"server": load_server(), "count": 10}}}
    found = cost(Deal(Cluster.model_validate(text), Prices.model_validate(prices)))
    assert found is not None
    return found


def load_server() -> dict[str, object]:
    from models.hardware.server import Server

    server = load("hdd-25gbe", Server, folders=["hardware/servers"]).scenario
    return server.model_dump(exclude_defaults=True)


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


def test_a_usable_terabyte_costs_its_share_of_the_year() -> None:
    assert bill("12-h1").per_terabyte_month(64e12) == pytest.approx(12 * H1 * 730 / 64)


def test_bought_servers_are_written_off_with_their_drives() -> None:
    found = bought()
    assert found.capital == 10 * (10_000 + 12 * 16 * 15)
    assert found.items[0].per_year == found.capital / 4


def test_power_counts_drives_and_the_building() -> None:
    found = bought()
    assert found.power == pytest.approx(10 * (300 + 12 * 8) * 1.5)
    power = next(item for item in found.items if item.name == "power")
    assert power.per_year == pytest.approx(found.power / 1000 * 8760 * 0.1)


def test_space_and_maintenance_come_on_top() -> None:
    found = bought()
    items = {item.name: item.per_year for item in found.items}
    assert found.rack_units == 20
    assert items["space"] == pytest.approx(20 * 20 * 12)
    assert items["maintenance"] == pytest.approx(found.capital * 0.05)
    assert found.total == pytest.approx(4 * sum(items.values()))


def test_what_a_list_does_not_price_is_named_and_not_taken_for_free() -> None:
    assert bill("12-h1", "on-premises-2024").unpriced == ("h1.16xlarge",)
    assert bought(drives={}).unpriced == ("hdd drives",)
    assert bought().unpriced == ()


def test_a_rented_store_asks_for_the_bytes_it_keeps() -> None:
    found = bill("8-c5n", stored=1e15)
    kept = next(item for item in found.items if item.name == "object store, bytes kept")
    assert kept.per_year == pytest.approx(1e6 * 0.023 * 12)
