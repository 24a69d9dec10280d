"""Upkeep against closed forms: pieces that are down, calendars, contracts."""

from __future__ import annotations

import math

import pytest

from models.failures import Failures
from models.planning.durability import RepairTime
from models.planning.upkeep import (
    Calendar,
    Contract,
    Domains,
    calendar,
    contract,
    down_chance,
    rolled,
    unreadable,
    ways,
)
from models.problem import RefusalError
from models.units import YEAR

HOUR = 3600.0


def test_three_replicas_are_unreadable_when_all_three_are_down() -> None:
    assert unreadable(3, 2, 0.01) == pytest.approx(1e-6)
    assert unreadable(3, 3, 0.01) == 0
    assert unreadable(3, -1, 0.01) == 1


def test_a_code_is_unreadable_when_one_piece_more_is_down_than_it_has_parity() -> None:
    """Of 4 + 2: the binomial tail from three on."""
    p = 0.05
    tail = 20 * p**3 * (1 - p) ** 3 + 15 * p**4 * (1 - p) ** 2 + 6 * p**5 * (1 - p) + p**6
    assert unreadable(6, 2, p) == pytest.approx(tail)


def test_a_piece_is_down_for_the_part_of_its_life_that_repairs_take() -> None:
    """A failure a year and a day to heal: one day of 366."""
    failures = Failures(drive_failures_per_year=1.0, server_failures_per_year=0.0)
    assert down_chance(failures, RepairTime(YEAR / 365, HOUR)) == pytest.approx(1 / 366)


def test_rounds_take_as_long_as_servers_at_once_leave_them() -> None:
    placed = Domains(pieces=3, spare=2, on_server=1, islands=1, servers=12)
    one, two = (rolled(placed, Calendar("upgrade", 4, 1200), count, 0.01) for count in (1, 2))
    assert (one.rounds, one.length, two.rounds, two.length) == (12, 14400, 6, 7200)
    assert one.degraded == pytest.approx(4 * 14400 / YEAR)
    assert (one.survives, two.survives) == (1, 0)


def test_maintenance_costs_nines_of_reading_as_one_piece_less_does_for_its_time() -> None:
    placed = Domains(pieces=3, spare=2, on_server=1, islands=1, servers=12)
    always = rolled(placed, Calendar("always", YEAR / HOUR, HOUR), 1, 0.01)
    never = rolled(placed, Calendar("never", 0.0, HOUR), 1, 0.01)
    assert always.unreadable == pytest.approx(1e-4)
    assert never.unreadable == pytest.approx(1e-6)


def test_servers_of_islands_that_share_no_object_may_be_away_together() -> None:
    placed = Domains(pieces=8, spare=2, on_server=1, islands=3, servers=24)
    assert ways(placed, keep=1) == [1, 3]
    assert ways(placed, keep=0) == [1, 3, 6]
    assert (placed.survives(3), placed.survives(4), placed.survives(6)) == (1, 0, 0)


def test_contracts_and_calendars_are_read_as_people_write_them() -> None:
    assert contract("4 h on site = 4 h, 3 %", "USD") == Contract("4 h on site", 4 * HOUR, share=0.03)
    assert contract("next day = 1 d, 250 USD", "USD") == Contract("next day", 24 * HOUR, a_server=250.0)
    assert contract("spare = 0 s, 2 spares", "USD").spares == 2
    assert Contract("x", 0.0, share=0.03, a_server=10.0).per_year(1000.0, 4) == 70.0
    assert calendar("upgrades = 4/y, 20 min").times == pytest.approx(4)
    for text in ("next day", "next day = soon", "= 4 h"):
        with pytest.raises(RefusalError):
            contract(text, "USD")
    with pytest.raises(RefusalError):
        calendar("upgrades = 4/y")
    assert math.isclose(calendar("refresh = 0.2/y, 8 h").each, 8 * HOUR)
