"""Targets as text."""

from __future__ import annotations

import pytest

from models.target import Target, plain, target, unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("duration <= 900 s", Target("duration", "<=", "900 s")),
        ("usable>=2 PB", Target("usable", ">=", "2 PB")),
        ("get_p99 <= 50 ms", Target("get_p99", "<=", "50 ms")),
        ("GET latency p99 <= 50 ms", Target("get_latency_p99", "<=", "50 ms")),
        ("survives_reading 1 rack", Target("survives_reading_racks", ">=", "1")),
        ("survives_writing 2 nodes", Target("survives_writing_servers", ">=", "2")),
        ("survives_writing_drives >= 2", Target("survives_writing_drives", ">=", "2")),
        ("durability >= 11 nines", Target("durability", ">=", "11")),
    ],
)
def test_a_target_names_measure_sense_and_limit(text: str, expected: Target) -> None:
    assert target(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "faster",
            "expected a target such as 'duration <= 900 s', 'usable >= 2 PB' or 'survives_writing 1 rack'"
            " (got 'faster')",
        ),
        (
            "duration < 900 s",
            "expected a target such as 'duration <= 900 s', 'usable >= 2 PB' or 'survives_writing 1 rack':"
            " write <= for < (got 'duration < 900 s')",
        ),
    ],
)
def test_what_is_no_target_is_refused_with_an_example(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="expected a target") as error:
        target(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["survives 1 rack", "survives_servers >= 2", "survives >= 1", "survives"])
def test_survives_alone_is_refused_with_both_measures(text: str) -> None:
    with pytest.raises(ValueError, match=r"survives_reading, after which .* and survives_writing, after") as error:
        target(text)
    assert str(error.value).endswith(f"write one of them (got '{text}')")


def test_survives_alone_is_no_measure_either() -> None:
    assert "survives_reading, after which" in unknown("survives_servers", ["duration", "survives_reading_servers"])


def test_a_limit_is_read_in_the_unit_of_its_measure() -> None:
    assert target("duration <= 15 min").value("s") == 900
    assert target("usable >= 2 PB").is_met(2e15, "B")
    assert not target("usable >= 2 PB").is_met(1.99e15, "B")


def test_a_limit_in_another_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a time such as '8 ms' or '15 min'"):
        target("duration <= 2 PB").value("s")


def test_names_of_metrics_are_told_in_small_letters_and_underscores() -> None:
    assert plain("GET range (cached) latency p99") == "get_range_cached_latency_p99"


@pytest.mark.parametrize("limit", ["1500000", "1,500,000", "1,500,000 USD", "1.5 M USD", "1500000 USD"])
def test_a_target_of_money_is_taken_as_the_program_prints_money(limit: str) -> None:
    money = target(f"cost_per_year <= {limit}")
    assert money.value("USD") == 1.5e6
    assert money.is_met(1.4e6, "USD")


def test_only_money_may_leave_its_unit_out() -> None:
    with pytest.raises(ValueError, match="the unit is missing"):
        target("usable >= 2").value("B")
