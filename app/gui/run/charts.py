"""Charts of one run: its stages, how busy everything was, what is left of the nameplate, how long requests took.

A group of resources has the same colour in all charts of a run, a line style and a marker of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.gui.charts.chart import SIGNS, WIDE, Chart, TimeChart, decades, legend
from app.gui.look import theme
from app.reports import words
from app.reports.media import rich
from models.units import format
from simulator.result import RequestsResult, Result, Span, StageResult

LINES = 6
"""Groups that are drawn over time: as many as there are colours. The table has them all."""
LABELS = 10  # stage names that the axis of the lowest chart has room for
ROOM = 0.45  # part of a chart's width that a group's name takes at most. Assumption: seen at 1024 pixels
MARKERS = 7  # on each line over time
PERCENTILES = (0.0, 50.0, 90.0, 99.0, 99.9)


class GroupColours:
    """The colour and line of each group of resources of a run: the busiest first."""

    def __init__(self, result: Result) -> None:
        self.groups = [g for g in sorted(result.groups, key=lambda g: -g.utilization_mean) if g.utilization_peak]
        self._order = {group.group: index for index, group in enumerate(self.groups)}

    def colour(self, group: str) -> QColor:
        """Return the colour of a group; grey for limits that are no resource."""
        index = self._order.get(group)
        return QColor(theme.current().muted) if index is None else theme.series_colour(index)

    def pen(self, group: str) -> QPen:
        """Return the line of a group."""
        style = theme.STYLES[self._order.get(group, 0) % len(theme.STYLES)]
        line: QPen = pg.mkPen(self.colour(group), width=theme.line(), style=style)
        return line

    def symbol(self, group: str) -> str:
        """Return the marker of a group."""
        return theme.SYMBOLS[self._order.get(group, 0) % len(theme.SYMBOLS)]


class StagesChart(TimeChart):
    """When each stage ran, in the colour of what limited it."""

    def __init__(self) -> None:
        super().__init__("Stages and what limits them")
        self.plot.setMouseEnabled(x=True, y=False)
        self._stages: tuple[StageResult, ...] = ()

    def show_run(self, result: Result) -> None:
        """Draw the stages of a run."""
        self._stages = result.stages
        self.draw(lambda: self._bars(result))

    def said_at(self, time: float, height: float = 0.0) -> str:
        """Return what is said of the stage that is drawn at a height of the chart, "" where there is none."""
        if not -0.5 <= height < len(self._stages) - 0.5:
            return ""
        stage = self._stages[round(height)]
        limit = stage.bottleneck
        limited = f"\nlimited by {limit.resource}, {words.percent(limit.share)} of the time" if limit else ""
        return f"{stage.name}: {words.seconds(stage.start)} to {words.seconds(stage.end)}{limited}"

    def _bars(self, result: Result) -> None:
        self.begin(result.duration)
        colours, stages = GroupColours(result), result.stages
        limits = [stage.bottleneck.resource if stage.bottleneck else "" for stage in stages]
        self.bars(
            [self.at(stage.start) for stage in stages],
            range(len(stages)),
            [self.at(stage.end - stage.start) for stage in stages],
            [colours.colour(limit) for limit in limits],
            height=0.6 if len(stages) <= LABELS else 1.0,
        )
        for row, stage in enumerate(stages if len(stages) <= LABELS else ()):
            self._name_limit(row, stage, result.duration)
        step = -(-len(stages) // LABELS) or 1
        names = [(row, stage.name) for row, stage in enumerate(stages) if row % step == 0]
        axis = self.plot.getAxis("left")
        axis.setTicks([names])
        axis.setWidth(max((self.fontMetrics().horizontalAdvance(name) for _, name in names), default=0) + 16)
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, self.at(result.duration)), yRange=(-0.6, max(len(stages), 1) - 0.4), padding=0.02)
        self._legend(colours, {stage.bottleneck.resource for stage in stages if stage.bottleneck})

    def _name_limit(self, row: int, stage: StageResult, duration: float) -> None:
        """Write what limits a stage where there is most room: after its bar, before it, or on it."""
        if stage.bottleneck is None:
            return
        text = f"{stage.bottleneck.resource} {words.percent(stage.bottleneck.share)}"
        before, after = stage.start, duration - stage.end
        if max(before, after) < ROOM * duration:
            self._on_bar(row, stage, text)
        elif after >= before:
            self.say(self.at(stage.end), row, text, (0, 0.5))
        else:
            self.say(self.at(stage.start), row, text, (1, 0.5))

    def _on_bar(self, row: int, stage: StageResult, text: str) -> None:
        item = pg.TextItem(text, color="#000000", anchor=(0.5, 0.5), fill=pg.mkBrush(255, 255, 255, 190))
        item.setPos(self.at(stage.start + stage.end) / 2, row)
        self.plot.addItem(item, ignoreBounds=True)

    def _legend(self, colours: GroupColours, limits: set[str]) -> None:
        self.legend.setText(legend([(limit, colours.colour(limit), "") for limit in sorted(limits)]))
        self.legend.setVisible(bool(limits))


class UtilizationChart(TimeChart):
    """How busy each group of resources was over time: the mean over its members."""

    def __init__(self) -> None:
        super().__init__("Utilization over time", "busy (%)")
        self.plot.showGrid(y=True, alpha=0.2)

    def show_run(self, result: Result, series: Sequence[tuple[str, NDArray[np.float64]]]) -> None:
        """Draw the busiest groups of a run; `series` are their utilizations, 0 to 1, in bins of the result."""
        self.draw(lambda: self._lines(result, dict(series)))

    def _lines(self, result: Result, series: dict[str, NDArray[np.float64]]) -> None:
        self.begin(result.duration)
        colours = GroupColours(result)
        shown = [group for group in colours.groups[:LINES] if group.group in series]
        for group in shown:
            values = series[group.group]
            edges = np.minimum(np.arange(len(values) + 1) * result.bin_width, result.duration)
            self.plot.plot(
                self.at(edges), 100 * values, pen=colours.pen(group.group), stepMode="center", name=group.group
            )
        for place, group in enumerate(shown):
            self._mark(series[group.group], result, colours, (place + 0.5) / len(shown), group.group)
        self.plot.setRange(xRange=(0, self.at(result.duration)), yRange=(0, 100), padding=0.02)
        labels = [(g.group, colours.colour(g.group), f"{words.percent(g.utilization_mean)}") for g in shown]
        self.legend.setText(legend(labels, [SIGNS[colours.symbol(g.group)] for g in shown], is_linked=True))
        self.legend.setVisible(bool(shown))

    def _mark(
        self, values: NDArray[np.float64], result: Result, colours: GroupColours, shift: float, group: str
    ) -> None:
        """Put the marker of a group on its line, a part `shift` of a step after the left end."""
        times = (np.arange(MARKERS) + shift) * result.duration / MARKERS
        bins = np.minimum((times / result.bin_width).astype(int), len(values) - 1)
        colour = colours.colour(group)
        marks = {"symbol": colours.symbol(group), "symbolSize": 8, "symbolBrush": colour, "symbolPen": colour}
        self.plot.plot(self.at(times), 100 * values[bins], pen=None, **marks)


class WaterfallChart(Chart):
    """What is left of the drives' nameplate rate, step by step, down to what the job delivers."""

    def __init__(self) -> None:
        super().__init__("From nameplate to delivered", "rate (GB/s)")
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.hideAxis("left")

    def show_steps(self, steps: Sequence[tuple[str, float]], why_none: str = "") -> None:
        """Draw the rates, B/s, that are left after each step; without steps, say why there are none."""
        self.plot.setVisible(bool(steps))
        self.legend.setText(rich(why_none))
        self.legend.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.legend.setVisible(not steps)
        self.draw(lambda: self._bars(steps))

    def _bars(self, steps: Sequence[tuple[str, float]]) -> None:
        most = before = max((rate for _, rate in steps), default=1.0)
        for row, (name, rate) in enumerate(steps):
            self.bar(0.0, row, rate / 1e9, theme.series_colour(0 if row < len(steps) - 1 else 2), height=0.35)
            self.bar(rate / 1e9, row, (before - rate) / 1e9, QColor(theme.current().button), height=0.35)
            before = rate
            share = f", {words.percent(rate / most)}" if row else ""
            self.say(0.0, row - 0.18, f"{name}: {format(rate, 'B/s', 3)}{share}", (0, 1))
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, most / 1e9), yRange=(-0.75, max(len(steps), 1) - 0.7), padding=0.02)


class LatencyChart(Chart):
    """How long requests of each kind took: the part of them that was done within a time."""

    def __init__(self) -> None:
        super().__init__("Requests done within a time", "latency (ms)", "requests done (%)")
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        self.plot.getAxis("left").setTicks([[(nines(percentile), f"{percentile:g}") for percentile in PERCENTILES]])

    def show_run(self, result: Result) -> None:
        """Draw the percentiles of a run's requests."""
        self.draw(lambda: self._lines(result))

    def _lines(self, result: Result) -> None:
        labels, signs = [], []
        drawn = [(requests, _known(requests)) for requests in result.requests]
        every = [span.value for _, known in drawn for span in known.values() if span.value > 0]
        is_wide = bool(every) and max(every) > WIDE * min(every)
        place: Callable[[float], float] = math.log10 if is_wide else float
        self.plot.getAxis("bottom").setTicks([decades([1000 * value for value in every])] if is_wide else None)
        for index, (requests, known) in enumerate(drawn):
            points = sorted((float(name.removeprefix("p")), span.value) for name, span in known.items())
            signs.append(SIGNS[theme.SYMBOLS[index % len(theme.SYMBOLS)]])
            colour = theme.series_colour(index)
            self.plot.plot(
                [place(1000 * value) for _, value in points],
                [nines(percentile) for percentile, _ in points],
                pen=pg.mkPen(colour, width=theme.line(), style=theme.STYLES[index % len(theme.STYLES)]),
                symbol=theme.SYMBOLS[index % len(theme.SYMBOLS)],
                symbolBrush=colour,
                symbolPen=colour,
            )
            labels.append((requests.name, colour, ""))
        self.plot.enableAutoRange()
        self.legend.setText(legend(labels, signs))
        self.legend.setVisible(bool(labels))


def _known(requests: RequestsResult) -> dict[str, Span]:
    """Return the percentiles of which the sample could say how sure they are."""
    return {name: span for name, span in requests.latency.items() if math.isfinite(span.high - span.low)}


def nines(percentile: float) -> float:
    """Return where a percentile is drawn: 90 is 1, 99 is 2, 99.9 is 3, so that the slowest requests have room."""
    return -math.log10(1 - percentile / 100)
