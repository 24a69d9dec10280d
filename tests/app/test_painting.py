"""How charts of reports are painted: their axes."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from app.reports.document import Axis
from app.reports.painting.common import measure
from app.reports.scales import ENOUGH, ROOM, axis_of


@pytest.mark.parametrize(("counted", "is_whole"), [("servers", True), ("drives", True), ("cost", False)])
def test_what_has_no_halves_has_whole_numbers_at_its_axis(counted: str, is_whole: bool) -> None:
    axes = Figure().add_subplot()
    axes.plot([3.0, 4.0], [1.0, 2.0])
    measure(axes.xaxis, axis_of(counted, "1"))
    ticks = axes.xaxis.get_majorticklocs()
    assert len(ticks) > 1
    assert all(tick == round(tick) for tick in ticks) is is_whole


@pytest.mark.parametrize("most", [18e9, 6e16])
def test_a_logarithmic_axis_of_a_report_has_numbers_that_do_not_lie_on_each_other(most: float) -> None:
    axes = Figure().add_subplot()
    axes.plot([6e9, most], [1.0, 2.0])
    axes.set_xscale("log")
    measure(axes.xaxis, Axis("input", "B", is_log=True))
    low, high = axes.xaxis.get_view_interval()
    assert ENOUGH <= sum(low <= tick <= high for tick in axes.xaxis.get_majorticklocs()) <= ROOM
