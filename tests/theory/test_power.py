"""Power against sums by hand: what parts draw at a use, what a run takes in energy, and what that emits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from models.hardware.server import EXPONENT
from models.planning.cost import cost
from models.planning.power import Power, power
from models.scenario import Scenario
from models.units import parse
from profiles.loading.loader import load
from simulator.readings import swollen
from simulator.result import ResourceResult
from simulator.run import simulate
from simulator.studies.measures import measures
from simulator.studies.points import Answer
from tests.models.machines import cluster
from tests.models.planning.test_components import prices, server
from tests.models.planning.test_cost import Deal


@dataclass(frozen=True)
class Use:
    group: str
    utilization_mean: float

    @property
    def swollen_mean(self) -> float:
        return float(self.utilization_mean**EXPONENT)


def drawn(uses: dict[str, float], **changes: Any) -> Power:
    """Return the power of ten servers: chassis 50 to 80 W, four cores 1 to 6 W, drives 12 W, memory 10 W."""
    usage = power(
        Deal(cluster(workers=(10, server())), prices(**changes)), {name: Use(name, use) for name, use in uses.items()}
    )
    assert usage is not None
    return usage


def test_without_work_and_at_work_parts_draw_what_the_list_says() -> None:
    idle = drawn({})
    assert idle.mean == idle.idle == pytest.approx(10 * (50 + 4 + 10 + 24))
    assert drawn({"workers/cpu": 1.0}).mean == idle.work == pytest.approx(10 * (80 + 24 + 10 + 24))


def test_half_the_use_of_processors_takes_six_tenths_of_their_span_and_of_drives_half() -> None:
    span = 10 * (30 + 20)
    assert drawn({"workers/cpu": 0.5}).mean == pytest.approx(drawn({}).mean + span * 0.5**0.7)
    assert 0.60 < 0.5**EXPONENT < 0.65
    drives = {"nvme": {"capital": 1.0, "power": 12.0, "idle": 2.0}}
    still, busy = drawn({}, drives=drives), drawn({"workers/data drives": 0.5}, drives=drives)
    assert busy.mean - still.mean == pytest.approx(20 * 5)


def test_energy_counts_the_building_and_carbon_what_a_kilowatt_hour_emits() -> None:
    """880 W x 1.5 for two hours are 2.64 kWh, at 400 g a kWh 1.056 kg."""
    usage = drawn({}, usage_effectiveness=1.5, carbon="400 g/kWh")
    assert usage.energy(7200) == pytest.approx(2.64)
    assert usage.emitted(7200) == pytest.approx(1.056)
    assert drawn({}).emitted(7200) is None


def test_a_year_always_under_load_emits_its_energy() -> None:
    priced = cost(Deal(cluster(workers=(10, server())), prices(carbon="400 g/kWh")))
    assert priced is not None
    assert priced.carbon == pytest.approx(10 * 138 * 8.76 * 0.4)
    assert parse("0.4 kg/kWh", "g/kWh") == 400


def test_power_follows_use_over_time_and_not_its_mean() -> None:
    """Half the time at work and half without draws as much as the mean of both, less than half the use all the time."""
    series = np.array([1.0, 0.0])
    resource = ResourceResult("cpu", "cpu", "workers/cpu", 0.5, 1.0, 0.0, series)
    assert swollen(resource) == pytest.approx(0.5)


def test_a_run_is_measured_by_its_power_between_idle_and_work() -> None:
    changes = {"cluster.groups.workers.server": "hdd-25gbe", "workload.input": "20 GB", "prices": "on-premises-2024"}
    scenario = load("hdfs-terasort", Scenario, changes).scenario
    result = simulate(scenario)
    values = measures(scenario, Answer.of(result))
    own = power(scenario, {group.group: group for group in result.groups})
    assert own is not None
    assert own.idle < values["mean_power"].value < own.work
    assert own.work == pytest.approx(values["power"].value)
    assert values["energy_per_job"].value == pytest.approx(values["mean_power"].value * result.duration / 3.6e6)
    assert values["carbon_per_job"].value == pytest.approx(values["energy_per_job"].value * 0.416)
