"""A server by its parts: each part counts, what changes costs, and what has no price is named."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.server import Bay, Cpu, Memory, Server
from models.planning.components import composition
from models.planning.prices import Prices
from tests.models.machines import GB, card, hdd, nvme, server as machine

LIST: dict[str, Any] = {
    "date": "2026",
    "chassis": {
        "small": {"capital": "2000 USD", "small_bays": 10, "rack_units": 1, "power": "80 W", "idle": "50 W"},
        "large": {"capital": "3000 USD", "large_bays": 12, "rack_units": 2, "power": "90 W"},
    },
    "core": {"capital": "100 USD", "power": "6 W", "idle": "1 W"},
    "memory": {"per_byte": "5 USD/GB", "power": "0.1 W/GB"},
    "drives": {"hdd": {"per_byte": "15 USD/TB", "power": "8 W"}, "nvme": {"capital": "200 USD", "power": "12 W"}},
    "cards": {
        "8g": {"bandwidth": "8 Gbit/s", "capital": "100 USD"},
        "25g": {"bandwidth": "25 Gbit/s", "capital": "300 USD"},
    },
    "ports": {
        "8g": {"bandwidth": "8 Gbit/s", "capital": "50 USD"},
        "25g": {"bandwidth": "25 Gbit/s", "capital": "150 USD"},
    },
    "cables": {"any": {"bandwidth": "8 Gbit/s", "capital": "20 USD"}, "25g": {"bandwidth": "25 Gbit/s", "capital": 50}},
}


def prices(**changes: Any) -> Prices:
    return Prices.model_validate({**LIST, **changes})


def server(**changes: Any) -> Server:
    """Return a server of 4 cores, 100 GB, a card of 8 Gbit/s and two NVMe drives."""
    return machine(**{"volumes": {}} | changes)


PLAIN = 2000 + 4 * 100 + 100 * 5 + 2 * 200 + 100 + 50 + 20


def test_a_server_costs_draws_and_takes_what_its_parts_do() -> None:
    made = composition(server(), prices())
    assert made.capital == pytest.approx(PLAIN)
    assert made.power == pytest.approx(80 + 4 * 6 + 10 + 2 * 12)
    assert made.idle == pytest.approx(50 + 4 * 1 + 10 + 2 * 12)
    assert made.rack_units == 1
    assert made.unpriced == ()


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"nic": card(bandwidth=3.125 * GB)}, 200 + 100 + 30),
        ({"nic": card(bandwidth=1 * GB, links=2)}, 170),
        ({"memory": Memory(size=200 * GB)}, 500),
        ({"cpu": Cpu(cores=8, threads=16, speed=1.0)}, 400),
        ({"cpu": Cpu(cores=4, threads=8, speed=1.5)}, 200),
        ({"bays": {"data": Bay(drive=nvme(), count=10)}}, 8 * 200),
        ({"bays": {"data": Bay(drive=hdd(capacity=16e12), count=12)}}, 1000 - 400 + 12 * 16 * 15),
    ],
)
def test_a_changed_part_changes_the_price_by_what_it_costs(change: dict[str, Any], more: float) -> None:
    assert composition(server(**change), prices()).capital == pytest.approx(PLAIN + more)


def test_a_drive_a_processor_and_a_chassis_may_be_priced_by_their_models() -> None:
    known = prices(
        drives={"nvme": {"capital": "200 USD"}, "P5800": {"capital": "900 USD"}},
        processors={"Two Cores": {"cores": 2, "capital": "500 USD"}},
    )
    named = server(
        bays={"data": Bay(drive=nvme(model="P5800"), count=2)},
        cpu=Cpu(model="Two Cores", cores=4, threads=8, speed=1.0),
        chassis="large",
    )
    assert composition(named, known).capital == pytest.approx(PLAIN + 2 * 700 + (2 * 500 - 400) + 1000)


def test_memory_by_the_module_is_bought_in_whole_modules() -> None:
    made = composition(server(), prices(memory={"capital": "150 USD", "module": "32 GB"}))
    (memory,) = (part for part in made.components if part.kind == "memory")
    assert (memory.count, memory.capital) == (4, 150)


def test_attached_volumes_are_rented_by_their_size() -> None:
    made = composition(machine(), prices(volumes={"stored": "0.073 USD/GB-month"}))
    assert made.hourly == pytest.approx(100 * 0.073 / 730)


@pytest.mark.parametrize(
    ("without", "change", "unpriced"),
    [
        ("core", {}, "processors (add prices.core)"),
        ("memory", {}, "memory (add prices.memory)"),
        ("drives", {}, "nvme drives (add prices.drives.nvme)"),
        (
            "",
            {"nic": card(bandwidth=6.25 * GB)},
            'switch port of 50 Gbit/s (add prices.ports.NAME with bandwidth = "50 ',
        ),
        ("", {"chassis": "tower"}, 'chassis tower (add prices.chassis."tower")'),
        ("", {"bays": {"data": Bay(drive=hdd(), count=13)}}, "a chassis for 13 hard drives and 0 drives of flash"),
        ("", {"volumes": machine().volumes}, "attached volumes (add prices.volumes)"),
    ],
)
def test_a_part_without_a_price_is_named_with_the_key_that_adds_it(
    without: str, change: dict[str, Any], unpriced: str
) -> None:
    known = Prices.model_validate({key: value for key, value in LIST.items() if key != without})
    made = composition(server(**change), known)
    assert any(part.startswith(unpriced) for part in made.unpriced), made.unpriced


def test_memory_and_drives_have_one_price() -> None:
    with pytest.raises(ValueError, match="goes not with capital"):
        prices(drives={"hdd": {"per_byte": 15, "capital": 200}})
    with pytest.raises(ValueError, match="the size of the module"):
        prices(memory={"capital": 150})
