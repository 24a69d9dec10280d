"""Drives that take writes faster than they keep them, against the closed form of a cache that fills and empties."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from models.hardware.cluster import Device
from models.hardware.drive import Drive
from models.work import Delay, Sequence, Step, Work, demand
from simulator.engine import Engine
from tests.models.machines import GB, layout, nvme, server

FAST, SUSTAINED, ROOM = 1.0, 0.25, 75.0
"""GB/s, and GB: at the full rate the cache is full after 75 / (1 - 0.25) = 100 s."""


def cached() -> Drive:
    return nvme(write_bandwidth=FAST * GB, sustained_write=SUSTAINED * GB, write_cache=ROOM * GB)


def machine(drive: Drive, drives: int = 1) -> tuple[Engine, tuple[Device, ...]]:
    made = layout(storage=(1, server(drives=drives, drive=drive)))
    return Engine(made.resources), made.nodes[0].bays["data"]


def written(device: Device, amount: float, rate: float = math.inf) -> Work:
    return Work(amount * GB, demand(device.write("direct"), max_rate=rate * GB))


def ends(engine: Engine, *steps: Step) -> list[float]:
    """Return when steps end that begin together (s)."""
    times = list[float]()
    for step in steps:
        engine.execute(step, lambda: times.append(engine.now))
    engine.run()
    engine.close()
    return times


@pytest.mark.parametrize("amount", [50.0, 100.0, 120.0, 1000.0])
def test_a_drive_writes_at_full_rate_until_its_cache_is_full(amount: float) -> None:
    engine, (device,) = machine(cached())
    burst = min(amount, 100.0)
    assert ends(engine, written(device, amount)) == [pytest.approx(burst / FAST + (amount - burst) / SUSTAINED)]


def test_slower_writes_fill_it_later_and_those_below_the_sustained_rate_never() -> None:
    engine, (device,) = machine(cached())
    assert ends(engine, written(device, 100.0, rate=0.5)) == [pytest.approx(200.0)]
    engine, (device,) = machine(cached())
    assert ends(engine, written(device, 500.0, rate=0.25)) == [pytest.approx(2000.0)]


def test_a_rest_empties_it_at_the_sustained_rate() -> None:
    engine, (device,) = machine(cached())
    steps = Sequence((written(device, 100.0), Delay(150.0), written(device, 60.0)))
    again = 150.0 * SUSTAINED / (FAST - SUSTAINED)  # 50 s, in which as many GB are written
    assert ends(engine, steps) == [pytest.approx(100.0 + 150.0 + again + (60.0 - again) / SUSTAINED)]


def test_each_drive_has_a_cache_of_its_own_and_reads_pass_none() -> None:
    engine, (one, two) = machine(cached(), drives=2)
    reads = Work(400 * GB, demand(two.read("direct")))
    times = ends(engine, written(one, 120.0), reads)
    assert sorted(times) == pytest.approx([180.0, 200.0])


def test_what_goes_on_for_ever_has_the_sustained_rate() -> None:
    drive = cached()
    assert (1 / drive.write_cost(), 1 / drive.write_cost(lasting=True)) == pytest.approx((FAST * GB, SUSTAINED * GB))
    assert nvme().write_cost(lasting=True) == nvme().write_cost()


@pytest.mark.parametrize(
    "changes",
    [
        {"write_cache": 1 * GB},
        {"sustained_write": 0.1 * GB},
        {"write_cache": 1.0, "sustained_write": 1 * GB},
    ],
)
def test_a_cache_states_its_room_and_the_lower_rate_behind_it(changes: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=r"write_cache|sustained_write"):
        nvme(write_bandwidth=1 * GB, **changes)
