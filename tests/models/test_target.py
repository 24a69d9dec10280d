"""Targets as text."""

from __future__ import annotations

import math

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


@pytest.mark.parametrize(
    ("text", "value", "unit", "sentence"),
    [
        ("duration <= 1 min", 60.55, "s", "takes 1 min 0.55 s, 0.55 s longer than 1 min"),
        ("duration <= 90 min", 5400.4, "s", "takes 1 h 30 min 0.4 s, 0.4 s longer than 90 min"),
        ("nightly_duration <= 3 h", 11520.0, "s", "nightly takes 3 h 12 min, 12 min 0 s longer than 3 h"),
        ("GET latency p99 <= 50 ms", 0.05000001, "s", "get latency p99 50.00001 ms, 10 ns longer than 50 ms"),
        ("PUT latency p99 <= 200 ms", 0.306, "s", "put latency p99 306 ms, 106 ms longer than 200 ms"),
        ("usable >= 600 TB", 599.99999e12, "B", "usable 599.99999 TB, 10 MB short of 600 TB"),
        ("survives_writing 2 servers", 1.0, "1", "data is written with any 1 server down, not with 2"),
        ("cost over 3 years <= 900 USD", 910.0, "USD", "cost over 3 years 910 USD, 10 USD above 900 USD"),
        ("cost over 3 years <= 1000 USD", 1000.2, "USD", "cost over 3 years 1,000.20 USD, 0.2 USD above 1,000 USD"),
        ("duration <= 3 h", math.inf, "s", "takes unbounded, not at most 3 h"),
    ],
)  # fmt: skip
def test_a_miss_is_said_in_words_with_the_digits_that_tell_it_from_its_limit(
    text: str, value: float, unit: str, sentence: str
) -> None:
    assert target(text).missed(value, unit) == sentence


def test_a_miss_of_a_bound_says_why_it_may_be_more() -> None:
    assert target("duration <= 5 min").missed(312.0, "s", "drives read 1 TB") == (
        "takes at least 5 min 12 s (drives read 1 TB), 12 s longer than 5 min"
    )
