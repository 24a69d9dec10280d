"""The window draws what a report describes, and says what stands where one points."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.charts.drawn import DrawnChart
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports.document import OTHER, Axis, Lines, Mark, Ranges, Series, Waterfall

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


def test_a_curve_in_steps_says_what_holds_at_a_place_and_nothing_where_it_has_no_value(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    assert chart.values_at(0.9) == ["time 0.9 min", "cpu 50 %", "drives 20 %"]
    assert chart.values_at(1.5) == ["time 1.5 min", "cpu 100 %"]
    assert chart.values_at(2.9) == ["time 2.9 min", "cpu 0 %", "drives 40 %"]
    assert chart.values_at(3.1) == []


def test_a_curve_that_is_shown_alone_is_alone_with_its_markers_and_its_words(chart: DrawnChart) -> None:
    chart.show_drawing(BUSY)
    chart.legend.linkActivated.emit("cpu")
    assert {item.name() for item in chart.plot.listDataItems() if item.isVisible()} == {"cpu"}
    assert chart.values_at(0.5) == ["time 0.5 min", "cpu 50 %"]
    chart.legend.linkActivated.emit("cpu")
    assert len(chart.values_at(0.5)) == 3


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


def test_areas_reach_up_to_all_that_was_used(chart: DrawnChart) -> None:
    used = [Series("one", [0.0, 1.0], [0.1, 0.2]), Series("two", [0.0, 1.0], [0.3, 0.4])]
    chart.show_drawing(Lines("Used", Axis("time", "s"), Axis("used", "share"), used, is_stacked=True, end=2.0))
    tops = [item.getData()[1] for item in chart.plot.listDataItems()]
    assert max(float(np.max(top)) for top in tops) == pytest.approx(60.0)  # per cent


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
    assert [text for _, text in scale.ticks([1.0, 10.0]) or []] == ["1", "2", "5", "10", "20", "50"]
