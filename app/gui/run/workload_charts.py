"""Charts of many workloads over a day: when each ran, who used what, and how requests came and fared.

A workload has the same colour and marker in all of them, in the table and in the playback; charts share their time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout

from app.gui.charts.chart import WIDE, TimeChart, decades, legend
from app.gui.charts.workload_colours import WorkloadColours
from app.gui.look import theme
from app.reports import words
from app.reports.workload_series import REBUILD, Lane, contested, lanes, loads, users
from models.target import target
from models.units import format, format_duration
from simulator.result import LATENCY, RATE, Result

Floats = NDArray[np.float64]
FAINT = 0.65  # opacity of an area over the ground
LEAST = 0.12  # height of a lane whose rate is next to nothing
HEIGHT = 0.7  # of a lane
MARKERS = 7  # on each line


class DayChart(TimeChart):
    """A chart of many workloads over the time of their run, with marks where something fails and is whole again."""

    def __init__(self, title: str, y: str = "") -> None:
        super().__init__(title, y)
        self.plot.setMouseEnabled(x=True, y=False)

    def begin_day(self, result: Result) -> WorkloadColours:
        """Take the time of a run, mark its failures, and return the colours of its workloads."""
        self.begin(result.duration)
        self.plot.setXRange(0, self.at(result.duration), padding=0.02)
        for fault in result.failures.faults if result.failures else ():
            for time, colour in ((fault.at, theme.VERMILION), (fault.healthy_at, theme.GREEN)):
                if time <= result.duration:
                    pen = pg.mkPen(colour, width=theme.line(1.5), style=Qt.PenStyle.DashLine)
                    self.plot.addItem(pg.InfiniteLine(self.at(time), pen=pen), ignoreBounds=True)
        return WorkloadColours.of(result)

    def keep_left(self, width: float) -> None:
        """Give the axis on the left a width (logical pixels), so that charts above each other share their time."""
        self.plot.getAxis("left").setWidth(width)


class ScheduleChart(DayChart):
    """When each workload ran, how many of its requests came, when runs were due, and what failed until when."""

    def __init__(self) -> None:
        super().__init__("When each workload ran")

    def show_run(self, result: Result) -> None:
        """Draw the workloads of a run."""
        self.draw(lambda: self._lanes(result))

    def _lanes(self, result: Result) -> None:
        colours, shown = self.begin_day(result), lanes(result)
        for row, lane in enumerate(shown):
            self._lane(row, lane, colours.colour(lane.name))
        for fault in result.failures.faults[:1] if result.failures else ():  # a second name would lie on the first
            end = min(fault.healthy_at, result.duration)
            is_after = result.duration - end > fault.at
            at, side = (end, 0) if is_after else (fault.at, 1)
            self.say(self.at(at), len(shown) - 1, fault.component, (side, 0.5))
        self.plot.getAxis("left").setTicks([[(row, lane.name) for row, lane in enumerate(shown)]])
        self.plot.invertY(True)
        self.plot.setYRange(-0.6, len(shown) - 0.4, padding=0.02)
        self.say_at(lambda time, height: _of_lane(shown, time, height))

    def _lane(self, row: int, lane: Lane, colour: QColor) -> None:
        """Draw the spans of a lane, as high as their rates, and when it was due."""
        starts, ends, parts = np.array(lane.spans).reshape(-1, 3).T
        given = {"x0": self.at(starts), "width": self.at(ends - starts), "y": np.full(len(starts), row)}
        edge = pg.mkPen(colour, width=1)  # what lasts less than a pixel is seen, too
        heights = HEIGHT * np.maximum(parts, LEAST)
        self.plot.addItem(pg.BarGraphItem(**given, height=heights, brush=pg.mkBrush(colour), pen=edge))
        for due in lane.due:
            pen = pg.mkPen(theme.current().text, width=theme.line())
            self.plot.plot([self.at(due)] * 2, [row - 0.45, row + 0.45], pen=pen)


class UsersChart(DayChart):
    """Who used a group of resources over time, one workload on the other up to all that was used of it."""

    def __init__(self) -> None:
        super().__init__("Who uses", "used (%)")
        self.plot.showGrid(y=True, alpha=0.2)
        self.group = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.group.setAccessibleName("Resources")
        self.group.setToolTip("What the workloads share: what holds any of them up first, then the busiest")
        self.group.currentTextChanged.connect(lambda _: self.draw(self._areas))
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self.group)
        self.column.insertLayout(0, row)
        self._result: Result | None = None
        self._whole: dict[str, Floats] = {}

    def show_run(self, result: Result, whole: Sequence[tuple[str, Floats]]) -> None:
        """Draw a group of a run; `whole` are the utilizations of all groups, 0 to 1, in bins of the result."""
        self._result, self._whole = result, dict(whole)
        before = self.group.currentText()
        self.group.blockSignals(True)
        self.group.clear()
        self.group.addItems([group for group in contested(result) if group in self._whole])
        self.group.setCurrentIndex(max(self.group.findText(before), 0))
        self.group.blockSignals(False)
        self.draw(self._areas)

    def _areas(self) -> None:
        result, group = self._result, self.group.currentText()
        if result is None or group not in self._whole:
            return
        colours, parts = self.begin_day(result), users(result, group, self._whole[group])
        bins = len(self._whole[group])
        edges = self.at(np.minimum(np.arange(bins + 1) * result.bin_width, result.duration))
        reached = np.cumsum([100 * used for _, used in parts], axis=0) if parts else np.zeros((0, bins))
        for (name, _), top in reversed(list(zip(parts, reached, strict=True))):
            area = QColor(colours.colour(name))
            ground = QColor(theme.current().base)
            self.plot.plot(edges, top, stepMode="center", fillLevel=0, brush=pg.mkBrush(ground), pen=None)
            area.setAlphaF(FAINT)
            pen = pg.mkPen(colours.colour(name), width=theme.line(1.0))
            self.plot.plot(edges, top, stepMode="center", fillLevel=0, brush=pg.mkBrush(area), pen=pen)
        most = max(float(self._whole[group].max(initial=0.0)) * 100, 1.0)
        self.plot.setYRange(0, min(1.05 * most, 100), padding=0.02)
        means = [(name, colours.colour(name), words.percent(_mean(used, result))) for name, used in parts]
        self.legend.setText(legend(means))
        self.legend.setVisible(bool(parts))
        self.say_at(lambda time, _: _told(time, [(name, used, words.percent) for name, used in parts], result))


class LoadsChart(DayChart):
    """A series of the loads of requests over time: how many were answered, or how long the slowest took."""

    def __init__(self, title: str, y: str, series: str, scale: float, in_words: Callable[[float], str]) -> None:
        super().__init__(title, y)
        self._series, self._scale, self._in_words, self._is_wide = series, scale, in_words, False
        self.plot.showGrid(y=True, alpha=0.2)

    def show_run(self, result: Result) -> None:
        """Draw the loads of a run."""
        self.draw(lambda: self._lines(result))

    def _lines(self, result: Result) -> None:
        colours = self.begin_day(result)
        known = {load.name: load.series[self._series] for load in loads(result)}
        limits = self._limits(result)
        values = [v for series in known.values() for v in series[series > 0].tolist()] + [limit for _, limit in limits]
        self._is_wide = bool(values) and max(values) > WIDE * min(values)
        for name, series in known.items():
            self._line(name, series, result, colours)
        for name, limit in limits:
            pen = pg.mkPen(colours.colour(name), width=theme.line(1.0), style=Qt.PenStyle.DotLine)
            self.plot.addItem(pg.InfiniteLine(self._heights(limit), angle=0, pen=pen), ignoreBounds=True)
        scaled = [self._scale * value for value in values]
        self.plot.getAxis("left").setTicks([decades(scaled)] if self._is_wide else None)
        if values:
            low = min(values) if self._is_wide else 0.0
            self.plot.setYRange(self._heights(low), self._heights(max(values)), padding=0.05)
        labels = [(name, colours.colour(name), "") for name in known]
        labels += [("objectives", QColor(theme.current().text), "")] if limits else []
        self.legend.setText(legend(labels, [*map(colours.sign, known), "┄"][: len(labels)]))
        self.legend.setVisible(bool(known))
        self.say_at(lambda time, _: _told(time, [(n, s, self._in_words) for n, s in known.items()], result))

    def _line(self, name: str, series: Floats, result: Result, colours: WorkloadColours) -> None:
        """Draw a load's line with its markers; nothing where no request came."""
        edges = np.minimum(np.arange(len(series) + 1) * result.bin_width, result.duration)
        heights = self._heights(np.where(series > 0, series, np.nan))
        self.plot.plot(self.at(edges), heights, stepMode="center", pen=colours.pen(name), connect="finite")
        middles = (np.arange(MARKERS) + colours.shift(name)) * result.duration / MARKERS
        bins = np.minimum((middles / result.bin_width).astype(int), len(series) - 1)
        colour, symbol = colours.colour(name), colours.symbol(name)
        marks = {"symbol": symbol, "symbolSize": 8, "symbolBrush": colour, "symbolPen": colour}
        self.plot.plot(self.at(middles), heights[bins], pen=None, **marks)

    def _heights(self, values: Any) -> Any:
        return np.log10(self._scale * values) if self._is_wide else self._scale * values

    def _limits(self, result: Result) -> list[tuple[str, float]]:
        """Return what is expected of the 99th percentiles (s), by the names of the workloads."""
        if self._series != LATENCY:
            return []
        known = [
            (workload.name, target(goal.text))
            for workload in result.workloads
            for goal in workload.objectives
            if goal.unit == "s"
        ]
        return [(name, goal.value("s")) for name, goal in known if "p99" in goal.measure]


def rates_chart() -> LoadsChart:
    """Return the chart of the requests that were answered a second."""
    return LoadsChart("Requests answered a second", "requests/s", RATE, 1.0, lambda rate: f"{words.amount(rate)}/s")


def tails_chart() -> LoadsChart:
    """Return the chart of the latency below which 99 of 100 requests stay."""
    return LoadsChart("Latency below which 99 % of requests stay", "p99 (ms)", LATENCY, 1e3, _latency)


def _latency(seconds: float) -> str:
    return format(seconds, "s", 3)


def _mean(used: Floats, result: Result) -> float:
    """Return the mean of a series of bins over a run, whose last bin may be cut."""
    return float(used.sum() * result.bin_width / result.duration) if result.duration else 0.0


def _of_lane(shown: Sequence[Lane], time: float, height: float) -> str:
    if not -0.5 <= height < len(shown) - 0.5:
        return ""
    lane = shown[round(height)]
    spans = [(start, end, part) for start, end, part in lane.spans if start <= time <= end]
    what = "fails and is whole again" if lane.name == REBUILD else "runs"
    texts = [f"{what} {format_duration(start)} to {format_duration(end)}" for start, end, _ in spans]
    texts += [f"at {words.percent(part)} of its highest rate" for _, _, part in spans if part < 1]
    due = [f"due by {format_duration(moment)}" for moment in lane.due]
    return f"{lane.name}: {', '.join([*texts, *due]) or 'does not run'}"


def _told(time: float, series: Sequence[tuple[str, Floats, Callable[[float], str]]], result: Result) -> str:
    """Return what each series is at a time (s), in words."""
    if not 0 <= time <= result.duration:
        return ""
    rows = [
        f"{name} {in_words(float(s[min(int(time / result.bin_width), len(s) - 1)]))}" for name, s, in_words in series
    ]
    return "\n".join([f"at {format_duration(time)}", *rows])
