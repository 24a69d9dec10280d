"""Days of times in seconds: what nobody can have measured is refused as a wrong value, whatever Python says of it."""

from __future__ import annotations

import pytest

from profiles.imports.dates import day_at


@pytest.mark.parametrize("seconds", [1e10, -1.0, 1e17, 1e300, float("inf"), float("nan")])
def test_a_time_of_no_year_in_which_anybody_measured_is_a_wrong_value(seconds: float) -> None:
    with pytest.raises(ValueError, match=r"time in the year|s since 1970|NaN"):
        day_at(seconds)
