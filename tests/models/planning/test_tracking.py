"""A trend through measured days, and the growth of a plan put right by it."""

from __future__ import annotations

from datetime import date

import pytest

from models.planning.growth import Growth
from models.planning.tracking import planned_growth, trend
from tests.narrow import some

YEAR = [date(2027, 1, 1), date(2027, 7, 2), date(2028, 1, 1)]


def test_a_steady_growth_is_found_without_doubt() -> None:
    line = some(trend(list(zip(YEAR, [100.0, 100 * 1.44 ** (182 / 365), 144.0], strict=True))))
    assert (line.count, line.last) == (3, date(2028, 1, 1))
    assert (line.growth, line.low, line.high) == pytest.approx((0.44, 0.44, 0.44))
    assert line.stored == pytest.approx(144)


def test_days_beside_the_line_widen_the_interval() -> None:
    line = some(trend(list(zip(YEAR, [100.0, 130.0, 144.0], strict=True))))
    low, high = some(line.low), some(line.high)
    assert low < line.growth < high
    close = some(trend(list(zip(YEAR, [100.0, 121.0, 144.0], strict=True))))
    assert some(close.high) - some(close.low) < high - low


def test_two_days_tell_a_growth_and_no_interval_and_one_tells_none() -> None:
    line = some(trend([(YEAR[0], 100.0), (YEAR[2], 150.0)]))
    assert line.growth == pytest.approx(0.5)
    assert line.low is None
    assert line.ends == pytest.approx((0.5, 0.5))
    assert trend([(YEAR[0], 100.0), (YEAR[0], 120.0)]) is None


def test_the_growth_of_a_plan_is_that_of_the_data_with_its_ingest() -> None:
    plain = Growth.model_validate({"start": "2027-01-01", "annual_growth": 0.3})
    assert planned_growth(plain, 1e12, YEAR[0], YEAR[2]) == pytest.approx(0.3)
    fed = Growth.model_validate({"start": "2027-01-01", "ingest": 1e12 / (365 * 86400)})
    assert planned_growth(fed, 1e12, YEAR[0], YEAR[2]) == pytest.approx(1.0)
