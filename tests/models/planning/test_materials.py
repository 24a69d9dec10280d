"""Bills of materials by hand: counts and spares of parts, switches with their uplinks, what stands in which rack."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import poisson

from models.failures import Failures
from models.hardware.assembly import Assembly
from models.hardware.cluster import Cluster
from models.hardware.network import Network
from models.hardware.server import Server
from models.planning.cost import cost
from models.planning.materials import BillOfMaterials, bill_of_materials
from models.planning.spares import spare_parts
from models.problem import RefusalError
from models.units import parse
from tests.models.machines import GB, card, cluster
from tests.models.planning.test_components import prices, server
from tests.models.planning.test_cost import Deal

HUNDRED = {"bandwidth": "100 Gbit/s", "capital": 600, "power": 6}


def bill(groups: dict[str, tuple[int, Server]], failures: Failures | None = None, **network: Any) -> BillOfMaterials:
    return bill_of_materials(deal(groups, failures, **network))


def deal(groups: Any, failures: Failures | None = None, **network: Any) -> Deal:
    """Return servers of one rack unit and 138 W, with two drives and a card of 25 Gbit/s, on a network."""
    listed = prices()
    known = prices(
        ports={**{name: price.model_dump() for name, price in listed.ports.items()}, "100g": HUNDRED},
        cables={**{name: price.model_dump() for name, price in listed.cables.items()}, "100g": HUNDRED},
    )
    made: Cluster = cluster(**groups).model_copy(update={"network": Network(**network)})
    return Deal(made, known, failures=failures)


def machine(**changes: Any) -> Server:
    return server(**{"nic": card(bandwidth=3.125 * GB)} | changes)


def counts(bought: BillOfMaterials) -> dict[str, float]:
    return {part.kind: part.count for part in bought.materials}


def test_each_part_is_counted_over_all_servers() -> None:
    bought = bill({"workers": (10, machine())})
    assert counts(bought) == {
        "chassis": 10,
        "processor": 40,
        "memory": 1000,
        "drive": 20,
        "network card": 10,
        "switch port": 10,
        "cable": 10,
        "switch": 1,
    }
    assert bought.switches.leaves == 1
    assert bought.switches.uplinks == 0
    assert bought.unpriced == ()


@pytest.mark.parametrize("mean", [0.02, 0.7, 3.0, 40.0, 800.0])
def test_spares_are_the_least_that_last_in_so_many_of_the_cases(mean: float) -> None:
    assert spare_parts(mean, 0.95) == pytest.approx(poisson.ppf(0.95, mean), abs=1 if mean > 500 else 0)


def test_spare_drives_follow_their_failures_until_new_ones_are_there() -> None:
    """200 drives, of which a tenth fails a year, for a month: 1.67 on average, and four are enough in 95 %."""
    failing = Failures(drive_failures_per_year=parse("10 %/y", "1/y"))
    bought = bill({"workers": (100, machine())}, failing, assembly=Assembly(spare_time=parse("1 month", "s")))
    assert next(part.spares for part in bought.materials if part.kind == "drive") == 4
    assert next(part.spares for part in bought.materials if part.kind == "cable") == 5


def test_leaves_have_uplinks_for_the_rate_of_their_servers_over_the_oversubscription() -> None:
    """100 servers of 138 W and 25 Gbit/s in three racks of 42 units: 34 x 25 over 2 x 100 Gbit/s asks for 5 uplinks."""
    bought = bill({"workers": (100, machine())}, oversubscription=2.0, assembly=Assembly(rack_power=1e4))
    assert (len(bought.racks), bought.switches.leaves, bought.switches.spines) == (3, 3, 2)
    assert bought.switches.uplinks == 3 * 5
    extra = {part.kind: (part.count, part.price) for part in bought.materials if part.group == "network"}
    assert extra == {"switch": (2, 0), "uplink port": (30, 600), "uplink cable": (15, 600)}


def test_a_rack_is_filled_up_to_its_height_and_its_power() -> None:
    lower = Assembly(rack_power=1000.0)
    by_power = bill({"workers": (20, machine())}, assembly=lower)
    assert all(rack.power <= 1000 for rack in by_power.racks)
    assert len(by_power.racks) == 4  # 20 x 138 W, and uplinks
    by_height = bill({"workers": (80, machine(chassis="large"))}, assembly=Assembly(rack_power=1e6))
    assert len(by_height.racks) == 4  # 160 units beside switches
    for rack in (*by_power.racks, *by_height.racks):
        units = [unit for slot in rack.slots for unit in range(slot.first, slot.first + slot.height)]
        assert len(units) == len(set(units))
        assert min(units) == 1
        assert max(units) <= rack.height


def test_servers_stand_in_the_racks_that_the_cluster_states_in_turn() -> None:
    bought = bill({"workers": (6, machine()), "masters": (1, machine())}, racks=3)
    stand = {rack.name: [slot.name for slot in rack.slots if slot.group != "switches"] for rack in bought.racks}
    assert stand == {
        "rack-1": ["workers-1", "workers-4", "masters-1"],
        "rack-2": ["workers-2", "workers-5"],
        "rack-3": ["workers-3", "workers-6"],
    }
    assert bought.notes == ()


def test_stated_racks_that_are_too_small_are_told() -> None:
    bought = bill({"workers": (100, machine())}, racks=2)
    assert "state cluster.network.racks = 3" in bought.notes[0]


def test_a_feed_carries_a_rack_alone_and_is_there_twice() -> None:
    bought = bill({"workers": (20, machine())}, assembly=Assembly(feed_power=2000.0))
    assert [(round(rack.power), rack.feeds) for rack in bought.racks] == [(20 * 138, 4)]


def test_racks_carry_the_ports_of_uplinks_at_both_ends_and_half_of_their_cables() -> None:
    """34, 33 and 33 servers of 138 W, and 5 uplinks a rack of 6 + 3 W an end; two racks have a spine with 7.5 ends."""
    bought = bill({"workers": (100, machine())}, oversubscription=2.0, assembly=Assembly(rack_power=1e4))
    ends = [12.5 * 9, 12.5 * 9, 5 * 9]
    servers = [34 * 138, 33 * 138, 33 * 138]
    assert [rack.power for rack in bought.racks] == pytest.approx(list(map(sum, zip(servers, ends, strict=True))))
    assert sum(rack.power for rack in bought.racks) == pytest.approx(bought.power)


def test_a_rack_that_its_uplinks_fill_up_takes_another() -> None:
    """20 servers of 138 W in three racks: seven draw 966 W, and five ends of uplinks 45 W more."""
    bought = bill({"workers": (20, machine())}, assembly=Assembly(rack_power=1000.0))
    assert all(rack.power <= 1000 for rack in bought.racks)
    assert len(bought.racks) == 4


def test_the_cost_is_that_of_the_bill_of_materials() -> None:
    scenario = deal({"workers": (100, machine())})
    bought, priced = bill_of_materials(scenario), cost(scenario)
    assert priced is not None
    assert bought.paid == pytest.approx(priced.capital)
    assert bought.power == pytest.approx(priced.power)


def test_machines_of_the_customer_are_not_bought() -> None:
    own = {"the customer's own": {"rack_units": 0}}
    known = prices(servers=own)
    made = cluster(workers=(4, server()), clients=(8, server(model="the customer's own")))
    bought = bill_of_materials(Deal(made, known))
    assert {part.group for part in bought.materials} == {"workers", "network"}


def test_without_a_price_list_there_is_a_way_out() -> None:
    with pytest.raises(RefusalError, match=r"prices: missing: .*add prices = \"on-premises-2024\""):
        bill_of_materials(Deal(cluster(workers=(1, server())), None))
