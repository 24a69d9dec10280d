"""Units in which the numbers of an axis are short."""

from __future__ import annotations

import pytest

from app.reports.scales import ENOUGH, ROOM, drawn, round_numbers, told


@pytest.mark.parametrize(
    ("unit", "values", "expected"),
    [
        ("s", [30.0, 119.0], (1.0, "s")),
        ("s", [30.0, None, 5000.0], (60.0, "min")),
        ("s", [9e3], (3600.0, "h")),
        ("B", [3e15, 2e12], (1e15, "PB")),
        ("USD", [1.5e6], (1e6, "million USD")),
        ("1", [], (1.0, "1")),
    ],
)
def test_a_chart_is_drawn_in_the_unit_of_its_largest_number(
    unit: str, values: list[float | None], expected: tuple[float, str]
) -> None:
    assert drawn(unit, values) == expected


def test_a_time_is_told_beside_its_axis_in_minutes_and_hours() -> None:
    assert [told(43.2, "s"), told(5000.0, "s"), told(2e12, "B")] == ["43.2 s", "1 h 23 min", "2 TB"]


@pytest.mark.parametrize("low", [1.0, 1.5, 2.1, 6.0, 9.99])
@pytest.mark.parametrize("times", [1.01, 2.0, 3.0, 21.0, 300.0, 1e5, 1e13])
def test_a_logarithmic_axis_has_three_to_ten_numbers_between_its_ends_however_far_they_are_apart(
    low: float, times: float
) -> None:
    numbers = round_numbers(low, low * times)
    assert ENOUGH <= len(numbers) <= ROOM
    assert low <= numbers[0] <= numbers[-1] <= low * times


def test_from_1_to_21_stand_1_2_and_5_of_each_power_of_ten() -> None:
    assert round_numbers(1.0, 21.0) == [1.0, 2.0, 5.0, 10.0, 20.0]
    assert round_numbers(3.0, 3.0) == [3.0]
