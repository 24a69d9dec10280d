"""How charts of reports are painted: their axes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from app.reports.charts import svg
from app.reports.document import Axis, Bars, Lines, Series
from app.reports.painting.common import measure
from app.reports.painting.curves import paint
from app.reports.painting.names import Names
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


def drawn_names(series: list[Series]) -> list[str]:
    """Return the names that a picture of curves has room for, and hold that none lies on another."""
    figure = Figure(figsize=(6.0, 3.0), layout="constrained")
    axes = figure.add_subplot()
    paint(axes, Lines("Cost", Axis("time", "s"), Axis("cost", "USD"), series))
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    (names,) = (artist for artist in axes.artists if isinstance(artist, Names))
    boxes = [name.get_window_extent(canvas.get_renderer()) for name in names.free(canvas.get_renderer())]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    return [name.get_text() for name in names.free(canvas.get_renderer())]


def test_of_names_that_would_lie_on_each_other_a_picture_shows_those_that_have_room() -> None:
    called = [f"option {number}" for number in range(4)]
    close = [
        Series("one", [1.0, 1.02, 1.04, 9.0], [1.0, 1.01, 1.02, 9.0], names=called),
        Series("two", [1.01, 9.01], [1.0, 9.0], names=["another", "last"]),
    ]
    assert drawn_names(close) == ["option 0", "option 3"]
    apart = [Series("one", [1.0, 4.0, 6.0, 9.0], [1.0, 4.0, 6.0, 9.0], names=called)]
    assert drawn_names(apart) == called


@pytest.mark.parametrize("name", ["\u65e5\u672c", "a\tb", "w" * 255], ids=["of another script", "with a tab", "long"])
@pytest.mark.filterwarnings("error")
def test_a_name_that_fonts_lack_or_that_has_no_room_is_drawn_without_a_word(name: str) -> None:
    assert name in svg(Bars(name, Axis("duration", "s"), ["before"], [name], [[1.0]]))
