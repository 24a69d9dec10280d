"""The window draws what a report describes, and says what stands where one points."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.charts.curves import SIZE
from app.gui.charts.drawn import DrawnChart
from app.gui.charts.parity import RING
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports.document import OTHER, Axis, Bars, Lines, Mark, Ranges, Series, Waterfall
from app.reports.parity import Agreement, Parity
from app.reports.pictures import Field, HeatMap
from app.reports.scales import axis_of
from tests.gui.conftest import show

AT = [0.0, 1.0, 2.0]
BUSY = Lines(
    "Busy",
    Axis("time", "min"),
    Axis("busy", "share", most=1.0),
    [
        Series("cpu", [0.0, 1.0, 2.0], [0.5, 1.0, 0.0]),
        Series("drives", [0.0, 1.0, 2.0], [0.2, math.nan, 0.4], colour=3),
    ],
    end=3.0,
)
RAN = Ranges(
    "Ran",
    Axis("time", "min"),
    [("night", 0.0, 4.0), ("web", 1.0, 2.0), ("web", 3.0, 4.0)],
    colours={"night": 0, "web": OTHER},
    parts=[1.0, 1.0, 0.5],
    notes=["", "drive 3", ""],
    due=[("night", 5.0)],
    marks=[Mark("failure", 1.0, is_upright=True, colour=4)],
)


@pytest.fixture
def chart(qapp: QApplication, qtbot: QtBot) -> DrawnChart:
    made = DrawnChart("Chart")
    made.resize(400, 300)
    qtbot.addWidget(made)
    return made


def items(chart: DrawnChart, kind: type) -> list[pg.GraphicsObject]:
    return [item for item in chart.plot.getPlotItem().items if isinstance(item, kind)]


def test_a_plot_is_made_when_something_is_drawn_and_then_shares_the_axis_of_the_one_it_follows(
    chart: DrawnChart, qtbot: QtBot
) -> None:
    follower = DrawnChart("Follower")
    qtbot.addWidget(follower)
    follower.follow(chart)
    chart.link(follower)
    chart.hovered.emit(1.0)
    assert [chart.has_plot, follower.has_plot] == [False, False]
    follower.show_drawing(BUSY)
    chart.plot.setXRange(1.0, 2.0, padding=0)
    assert follower.plot.viewRange()[0] == pytest.approx([1.0, 2.0], abs=0.2)


def test_a_curve_in_steps_says_what_holds_at_a_place_and_nothing_where_it_has_no_value(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    assert chart.values_at(0.9) == ["time 0.9 min", "cpu 50 %", "drives 20 %"]
    assert chart.values_at(1.5) == ["time 1.5 min", "cpu 100 %"]
    assert chart.values_at(2.9) == ["time 2.9 min", "cpu 0 %", "drives 40 %"]
    assert chart.values_at(3.1) == []


def test_the_markers_of_curves_in_steps_are_of_one_size_as_they_stand_apart(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    markers = [item for item in chart.plot.listDataItems() if item.opts["symbol"] is not None]
    assert len(markers) == len(BUSY.series)
    assert {item.opts["symbolSize"] for item in markers} == {SIZE}


def test_a_curve_that_is_shown_alone_is_alone_with_its_markers_and_its_words(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    chart.legend.linkActivated.emit("cpu")
    assert {item.name() for item in chart.plot.listDataItems() if item.isVisible()} == {"cpu"}
    assert chart.values_at(0.5) == ["time 0.5 min", "cpu 50 %"]
    chart.legend.linkActivated.emit("cpu")
    assert len(chart.values_at(0.5)) == 3


def test_tab_goes_to_the_links_of_a_legend_and_return_shows_a_curve_alone(chart: DrawnChart, qtbot: QtBot) -> None:
    chart.show_drawing(BUSY)
    show(chart, qtbot)
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is chart.legend
    for key, alone in ((Qt.Key.Key_Return, "cpu"), (Qt.Key.Key_Tab, "cpu"), (Qt.Key.Key_Return, "drives")):
        qtbot.keyClick(chart.legend, key)
        assert chart.alone == alone
    chart.show_drawing(RAN)
    assert chart.legend.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_arrow_keys_go_from_step_to_step_and_from_bar_to_bar(chart: DrawnChart, qtbot: QtBot) -> None:
    chart.show_drawing(BUSY)
    for key, at in ((Qt.Key.Key_Right, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_End, 2)):
        qtbot.keyClick(chart, key)
        assert chart._cross.value() == at
    chart.show_drawing(RAN)
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.accessibleDescription() == "night: 0 min to 4 min; web: 1 min to 2 min, drive 3"


def test_a_series_has_the_colour_of_its_number(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    pens = {item.name(): item.opts["pen"].color().name() for item in chart.plot.listDataItems() if item.opts["pen"]}
    assert pens == {"cpu": theme.series_colour(0).name(), "drives": theme.series_colour(3).name()}


def test_a_row_that_is_pointed_at_says_its_bars_and_when_it_was_due(chart: DrawnChart) -> None:
    chart.show_drawing(RAN)
    assert chart.said_at(1.0, 0.1) == "night: 0 min to 4 min\ndue by 5 min"
    assert chart.said_at(3.5, 1.0) == "web: 3 min to 4 min, at 50 % of its highest rate"
    assert chart.said_at(2.5, 1.0) == "web: nothing at that time"
    assert chart.said_at(2.5, 2.0) == ""


def test_bars_are_one_item_and_a_line_across_is_named_below(chart: DrawnChart) -> None:
    chart.show_drawing(RAN)
    assert len(items(chart, pg.BarGraphItem)) == 1
    assert "failure" in chart.legend.text()
    assert [line.value() for line in items(chart, pg.InfiniteLine) if line is not chart._cross] == [1.0]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_note_on_a_bar_has_the_letters_and_the_ground_of_the_theme(chart: DrawnChart, name: str) -> None:
    theme.apply(name)
    chart.show_drawing(Ranges("Ran", Axis("time", "min"), [("night", 0.0, 4.0)], colours={"night": 0}, notes=["cpu"]))
    note = next(item for item in items(chart, pg.TextItem) if item.toPlainText() == "cpu")
    scheme = theme.current()
    assert note.color.name() == scheme.text.lower()
    assert note.fill.color().name() == scheme.base.lower()
    theme.apply("light")


def test_areas_reach_up_to_all_that_was_used(chart: DrawnChart) -> None:
    used = [Series("one", [0.0, 1.0], [0.1, 0.2]), Series("two", [0.0, 1.0], [0.3, 0.4])]
    chart.show_drawing(Lines("Used", Axis("time", "s"), Axis("used", "share"), used, is_stacked=True, end=2.0))
    tops = [item.getData()[1] for item in chart.plot.listDataItems()]
    assert max(float(np.max(top)) for top in tops) == pytest.approx(60.0)  # per cent


def test_a_waterfall_of_a_run_that_moves_nothing_is_drawn(chart: DrawnChart) -> None:
    chart.show_drawing(Waterfall("Left", Axis("rate", "B/s"), [("nameplate", 0.0), ("delivered", 0.0)]))
    texts = [item.toPlainText() for item in items(chart, pg.TextItem)]
    assert texts == ["nameplate: 0 B/s", "delivered: 0 B/s, 0 %"]


def test_a_waterfall_says_what_each_step_leaves(chart: DrawnChart) -> None:
    chart.show_drawing(Waterfall("Left", Axis("rate", "B/s"), [("nameplate", 4e9), ("delivered", 1e9)]))
    texts = [item.toPlainText() for item in items(chart, pg.TextItem)]
    assert texts == ["nameplate: 4 GB/s", "delivered: 1 GB/s, 25 %"]
    assert chart.values_at(1.0) == []


def test_an_axis_of_nines_has_90_99_and_99_9_at_equal_steps() -> None:
    places = Scale.of(Axis("done", "%", is_nines=True), []).place([0.0, 90.0, 99.0, 99.9])
    assert places == pytest.approx([0.0, 1.0, 2.0, 3.0])


def test_a_logarithmic_axis_has_no_place_for_nothing_and_finds_its_numbers_again() -> None:
    scale = Scale.of(Axis("p99", "ms", is_log=True), [1.0, 1000.0])
    assert math.isnan(scale.place(0.0))
    assert scale.number(scale.place(20.0)) == pytest.approx(20.0)
    assert [text for _, text in scale.ticks([1.0, 10.0]) or []] == ["1", "2", "5", "10"]


@pytest.mark.parametrize("is_log", [False, True])
def test_the_first_and_the_last_value_of_a_sweep_are_named_at_its_axis(chart: DrawnChart, is_log: bool) -> None:
    named = {1e9: "1 GB", 3e9: "3 GB", 8e9: "8 GB", 21e9: "21 GB"}
    over = Axis("input", "B", is_log=is_log, named=named)
    chart.show_drawing(Lines("Time", over, Axis("time", "s"), [Series("time", list(named), [22.0, 23.0, 24.0, 25.0])]))
    chart.show()
    QApplication.processEvents()
    axis = chart.plot.getAxis("bottom")
    picture = QImage(400, 300, QImage.Format.Format_ARGB32)
    painter = QPainter(picture)
    _, _, texts = axis.generateDrawSpecs(painter)
    painter.end()
    assert [text for _, _, text in texts][:: len(texts) - 1] == ["1 GB", "21 GB"]
    end = max(place.right() for place, _, _ in texts)
    assert axis.mapToScene(end, 0.0).x() <= chart.plot.width()


def test_times_of_an_hour_stand_in_minutes_at_the_axis_and_at_the_bars(chart: DrawnChart) -> None:
    spans = [None, (2900.0, 3100.0)]
    bars = Bars("Time", Axis("duration", "s"), ["small", "large"], ("duration",), [(5000.0,), (3000.0,)], (0, 1), spans)
    chart.show_drawing(bars)
    assert chart.plot.getAxis("bottom").labelText == "duration (min)"
    assert sorted(item.toPlainText() for item in items(chart, pg.TextItem)) == ["1 h 23 min", "50 min 0 s"]
    (whisker,) = items(chart, pg.ErrorBarItem)
    assert whisker.opts["x"][0] == 50.0
    assert chart.said_at(0.0, 1.2) == "large: 50 min 0 s, between 48 min 20 s and 51 min 40 s"


FIELD = Field("Time", "count", "size", ["4", "8"], ["1 TB", "2 TB"], [[60.0, None], [240.0, 120.0]], Axis("time", "s"))


def test_a_field_says_its_cells_where_one_points_and_by_column_with_the_arrow_keys(
    chart: DrawnChart, qtbot: QtBot
) -> None:
    chart.show_drawing(FIELD)
    assert sorted(item.toPlainText() for item in items(chart, pg.TextItem)) == ["1", "2", "4"]  # min
    assert chart.said_at(1.2, 0.9) == "count 8, 2 TB: 2 min 0 s"
    qtbot.keyClick(chart, Qt.Key.Key_End)
    assert chart.accessibleDescription() == "count 8; 1 TB: nothing was run; 2 TB: 2 min 0 s"
    assert "time&nbsp;(min):&nbsp;1" in chart.legend.text()


def test_a_map_has_the_colours_of_its_names_and_a_frame_around_what_was_asked(chart: DrawnChart) -> None:
    cells = [[(0, "4, 1 M USD"), (OTHER, "none")]]
    chart.show_drawing(HeatMap("Who wins", "growth", "price", ["10 %", "20 %"], ["100 %"], cells, ["HDFS"], (0, 0)))
    assert chart.said_at(0.0, 0.0) == "growth 10 %, 100 %: HDFS, 4, 1 M USD, as asked"
    assert chart.said_at(1.0, 0.0) == "growth 20 %, 100 %: no candidate, none"
    assert len(chart.plot.listDataItems()) == 1


def test_the_name_of_an_axis_stands_beside_the_names_of_its_rows(chart: DrawnChart) -> None:
    def width(name: str) -> float:
        cells = [[(0, "4, 1 M USD")]]
        chart.show_drawing(HeatMap("Who wins", "growth", name, ["10 %"], ["100 %"], cells, ["HDFS"]))
        return chart.plot.getAxis("left").minimumWidth()

    assert width("load") >= width("") + chart.fontMetrics().height()


def test_a_point_of_a_chart_of_errors_says_what_it_is(chart: DrawnChart) -> None:
    points = [Agreement(name, 10.0**i, 1.1 * 10.0**i, "s", 0.1, "predicted", "a") for i, name in enumerate("xyz")]
    chart.show_drawing(Parity("Errors", "s", points, ["a"]))
    assert chart.said_at(0.9, 1.1) == "y: documented 10 s, simulated 11 s: +10.0 %"
    chart.mark("y")
    (ring,) = [item for item in items(chart, pg.ScatterPlotItem) if item.opts["size"] == RING]
    assert ring.getData()[0][0] == pytest.approx(1.0)


def test_points_apart_have_no_line_and_their_names_are_said(chart: DrawnChart) -> None:
    front = Series("best", [1.0, 3.0], [4.0, 2.0], names=["4 servers", "8 servers"])
    others = Series("others", [2.0], [9.0], colour=OTHER, names=["6 servers"], is_apart=True)
    chart.show_drawing(Lines("Cost", Axis("time", "h"), Axis("cost", "USD"), [others, front]))
    named = {item.name(): item for item in chart.plot.listDataItems() if item.name()}
    assert isinstance(named["others"], pg.ScatterPlotItem)
    assert named["best"].opts["pen"] is not None
    assert chart.values_at(3.0) == ["6 servers 9 USD at 2 h", "8 servers 2 USD at 3 h"]
    assert sorted(item.toPlainText() for item in items(chart, pg.TextItem)) == ["4 servers", "8 servers"]


def test_names_of_points_that_would_lie_on_others_are_left_out_until_one_looks_closer(chart: DrawnChart) -> None:
    names = [f"{count} servers of 16 drives" for count in range(6)]
    close = Series("best", [1.0, 1.01, 1.02, 9.0, 9.01, 9.02], [4.0, 3.99, 3.98, 1.0, 0.99, 0.98], names=names)
    chart.show()
    chart.show_drawing(Lines("Cost", Axis("time", "h"), Axis("cost", "USD"), [close]))
    seen = [item for item in items(chart, pg.TextItem) if item.isVisible()]
    places = [item.mapRectToScene(item.boundingRect()) for item in seen]
    assert 1 < len(seen) < len(names)
    assert not any(here.intersects(there) for i, here in enumerate(places) for there in places[:i])
    assert chart.values_at(1.01) == [f"{names[1]} 3.99 USD at 1.01 h"]
    chart.plot.setRange(xRange=(0.99, 1.03), yRange=(3.9, 4.1), padding=0)
    assert sum(item.isVisible() for item in items(chart, pg.TextItem)[:3]) > 1


def test_a_limit_is_named_below_where_it_lies_on_no_point(chart: DrawnChart) -> None:
    chart.show_drawing(
        Lines("Time", Axis("servers"), Axis("time", "h"), [Series("a", [1], [2])], marks=[Mark("limit", 2)])
    )
    assert "limit" in chart.legend.text()
    assert items(chart, pg.InfLineLabel) == []


def test_a_chart_goes_from_one_kind_of_drawing_to_another_and_back(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    before = chart.plot.getViewBox().viewRange()
    chart.show_drawing(RAN)
    chart.show_drawing(Waterfall("Left", Axis("rate", "B/s"), [("nameplate", 4e9), ("delivered", 1e9)]))
    chart.show_words("nothing yet")
    assert chart.places() == []
    chart.show_drawing(BUSY)
    box = chart.plot.getViewBox()
    assert (box.viewRange(), box.yInverted(), box.state["mouseEnabled"]) == (before, False, [True, True])
    assert chart.plot.getAxis("left").isVisible()


def test_servers_are_whole_at_the_axis_however_few_there_are(chart: DrawnChart) -> None:
    few = [Series("one", [3.0, 4.0], [1.5, 2.5])]
    chart.show_drawing(Lines("Time", axis_of("servers", "1"), Axis("time", "h"), few))
    chart.plot.resize(800, 300)
    for side, is_whole in (("bottom", True), ("left", False)):
        levels = chart.plot.getAxis(side).tickValues(3.0, 4.0, 800.0)
        ticks = [tick for _, places in levels for tick in places]
        assert ticks
        assert all(tick == round(tick) for tick in ticks) is is_whole


def ticks_in_sight(chart: DrawnChart, side: str) -> list[str]:
    """Return the words at the ticks of an axis that are seen."""
    axis = chart.plot.getAxis(side)
    low, high = sorted(axis.range)
    if axis._tickLevels is not None:
        return [text for level in axis._tickLevels for place, text in level if low <= place <= high]
    spacing, places = axis.tickValues(low, high, 300.0)[0]
    return axis.tickStrings([place for place in places if low <= place <= high], 1.0, spacing)


@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize("unit", ["s", "GET/s"])
def test_numbers_stand_at_the_axes_however_close_one_looks_and_none_twice(
    chart: DrawnChart, unit: str, is_log: bool
) -> None:
    axis = Axis("load", unit, is_log=is_log)
    numbers = [1.0, 40.0, 9000.0, 21000.0]
    chart.show_drawing(Lines("Sweep", axis, Axis("p99", "s", is_log=is_log), [Series("GET", numbers, numbers)]))
    box, first = chart.plot.getViewBox(), {side: ticks_in_sight(chart, side) for side in ("bottom", "left")}
    for factor in [0.5] * 40:
        box.scaleBy((factor, factor))
        for side in ("bottom", "left"):
            seen = ticks_in_sight(chart, side)
            assert len(seen) >= 2, (side, box.viewRange())
            assert len(set(seen)) == len(seen)
    for _ in range(60):
        box.scaleBy((2.0, 2.0))
        assert ticks_in_sight(chart, "bottom")
    chart.show_all()
    assert {side: ticks_in_sight(chart, side) for side in ("bottom", "left")} == first
