"""Bars of a comparison: values in units in which they are read."""

from __future__ import annotations

import pyqtgraph as pg
from pytestqt.qtbot import QtBot

from app.gui.compare.charts import BarsChart
from app.reports.document import Axis, Bars


def test_times_of_an_hour_stand_in_minutes_at_the_axis_and_at_the_bars(qtbot: QtBot) -> None:
    chart = BarsChart("Time")
    qtbot.addWidget(chart)
    bars = Bars("Time", Axis("duration", "s"), ["small", "large"], ("duration",), [(5000.0,), (3000.0,)])
    chart.show_bars(bars, [0, 1], [None, (2900.0, 3100.0)])
    assert chart.plot.getAxis("bottom").labelText == "duration (min)"
    texts = [item.toPlainText() for item in chart.plot.items() if isinstance(item, pg.TextItem)]
    assert sorted(texts) == ["1 h 23 min", "50 min 0 s"]
    (whisker,) = [item for item in chart.plot.items() if isinstance(item, pg.ErrorBarItem)]
    assert whisker.opts["x"][0] == 50.0
