"""How charts of reports are painted: their axes."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from app.reports.painting.common import measure
from app.reports.scales import axis_of


@pytest.mark.parametrize(("counted", "is_whole"), [("servers", True), ("drives", True), ("cost", False)])
def test_what_has_no_halves_has_whole_numbers_at_its_axis(counted: str, is_whole: bool) -> None:
    axes = Figure().add_subplot()
    axes.plot([3.0, 4.0], [1.0, 2.0])
    measure(axes.xaxis, axis_of(counted, "1"))
    ticks = axes.xaxis.get_majorticklocs()
    assert len(ticks) > 1
    assert all(tick == round(tick) for tick in ticks) is is_whole
