"""Losses by simulation agree with the chains, where both can be run."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.planning.durability import RepairTime, durability, mttdl_closed_form
from models.units import YEAR
from simulator.studies.rare_events import Component, Danger, estimate, simulate_losses
from tests.models.planning.test_durability import DAY, HOUR, grid, hdfs, hours, machines, minio


def of_drives(count: int, mttf: float, mttr: float) -> list[Component]:
    return [Component(frozenset({drive}), mttf, mttr, "drive") for drive in range(count)]


@pytest.mark.parametrize(("drives", "tolerated"), [(3, 2), (16, 4), (20, 3)])
def test_a_loss_once_in_ages_is_estimated_within_the_interval(drives: int, tolerated: int) -> None:
    mttf, mttr = YEAR / 0.014, 7 * HOUR
    answer = estimate(
        of_drives(drives, mttf, mttr),
        Danger(lambda down, _: len(down) > tolerated),
        paths=8000,
        rng=np.random.default_rng(1),
    )
    expected = mttdl_closed_form(drives, tolerated, mttf, mttr)
    assert answer.low < expected < answer.high
    assert answer.high / answer.low < 1.25


def test_failure_biasing_agrees_with_a_simulation_of_what_happens() -> None:
    # drives so bad that a loss is met in days: plain simulation of exponential times, one repair at a time
    mttf, mttr, rng = 10 * DAY, 1 * DAY, np.random.default_rng(2)
    times = [plain_time_to_loss(6, 2, mttf, mttr, rng) for _ in range(2000)]
    error = np.std(times) / math.sqrt(len(times))
    answer = estimate(
        of_drives(6, mttf, mttr), Danger(lambda down, _: len(down) > 2), paths=8000, rng=np.random.default_rng(3)
    )
    assert abs(answer.mttdl - np.mean(times)) < 2 * error + answer.high - answer.mttdl


def plain_time_to_loss(drives: int, tolerated: int, mttf: float, mttr: float, rng: np.random.Generator) -> float:
    time, down = 0.0, 0
    while down <= tolerated:
        failure = rng.exponential(mttf / (drives - down))
        repair = rng.exponential(mttr) if down else math.inf
        time += min(failure, repair)
        down += 1 if failure < repair else -1
    return time


@pytest.mark.parametrize("lost_servers", [0.0, 0.015])
@pytest.mark.parametrize("build", [minio, hdfs])
def test_simulated_losses_and_the_chain_agree_on_the_documented_hardware(build, lost_servers: float) -> None:  # type: ignore[no-untyped-def]
    scenario = build(server_failures_per_year=lost_servers)
    expected = durability(scenario, hours(7)).mttdl
    answer = simulate_losses(scenario, hours(7), paths=10_000)
    assert answer.low < expected < answer.high
    assert answer.high / answer.low < 1.6


def test_simulated_losses_and_the_chain_agree_on_racks() -> None:
    scenario = hdfs(machines(racks=3))
    answer = simulate_losses(scenario, hours(7), paths=10_000)
    assert answer.low < durability(scenario, hours(7)).mttdl < answer.high


def test_simulated_losses_and_the_chain_agree_where_few_groups_hold_a_block() -> None:
    scenario = hdfs(fill=0.02)
    answer = simulate_losses(scenario, hours(7), paths=20_000)
    assert answer.low < durability(scenario, hours(7)).mttdl < answer.high


@pytest.mark.parametrize("build", [minio, hdfs])
def test_simulated_losses_and_the_chain_agree_on_unreadable_sectors(build) -> None:  # type: ignore[no-untyped-def]
    scenario = build(bit_error_rate=1e-15)
    answer = simulate_losses(scenario, hours(7), paths=10_000)
    assert answer.low < durability(scenario, hours(7)).mttdl < answer.high


def test_the_same_seed_gives_the_same_estimate() -> None:
    scenario, repair = minio(), RepairTime(HOUR, HOUR)
    assert simulate_losses(scenario, repair, paths=100) == simulate_losses(scenario, repair, paths=100)


def test_what_is_never_lost_has_no_mean() -> None:
    answer = estimate(of_drives(2, YEAR, HOUR), Danger(lambda down, _: False), paths=1, rng=np.random.default_rng(0))
    assert answer.mttdl == math.inf


@pytest.mark.parametrize("protection", ["copies", "erasure-coding"])
def test_simulated_losses_and_the_chain_agree_on_nodes_of_a_grid(protection: str) -> None:
    scenario = grid(protection=protection)
    answer = simulate_losses(scenario, hours(50), paths=10_000)
    assert answer.low < durability(scenario, hours(50)).mttdl < answer.high
