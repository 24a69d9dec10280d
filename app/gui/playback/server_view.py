"""The time line of one server of a run, chosen by a click in the picture or from a list, the busiest first."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.charts.chart import TimeChart, legend
from app.gui.look import theme
from app.gui.playback.model import Playback
from app.gui.playback.servers import ServerTimes, servers
from app.reports.media import rich
from app.reports.words import percent

NONE = "none: click one in the picture, or choose"
HEIGHT = 150  # logical pixels of the chart
ROOM = len(NONE)  # letters of the list


class ServerView(QWidget):
    """A list of servers, and a chart of the chosen one."""

    def __init__(self) -> None:
        super().__init__()
        self._playback: Playback | None = None
        self._servers: list[ServerTimes] = []
        fixed = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon  # of ten thousand it measures none
        self.list = QComboBox(sizeAdjustPolicy=fixed, minimumContentsLength=ROOM)
        self.list.setAccessibleName("Server")
        self.list.setToolTip("How busy one server was over the run; those that had most to do come first")
        self.list.currentIndexChanged.connect(self._draw)
        self.chart = TimeChart("Server over time", "busy (%)")
        self.chart.setFixedHeight(HEIGHT)
        self.chart.legend.show()
        self.chart.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        line, layout = QHBoxLayout(), QVBoxLayout(self)
        label = QLabel("Ser&ver")
        label.setBuddy(self.list)
        line.addWidget(label)
        line.addWidget(self.list)
        line.addStretch()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.chart)

    def show_run(self, playback: Playback) -> None:
        """Offer the servers of a run; one of the same name stays chosen."""
        before = self.chosen
        self._playback, self._servers = playback, servers(playback)
        with QSignalBlocker(self.list):
            self.list.clear()
            told = ((each.name, *each.busiest) for each in self._servers)
            self.list.addItems([NONE, *(f"{name}: {kind} {percent(busy)} busy" for name, kind, busy in told)])
        self.choose(before)

    @property
    def chosen(self) -> str:
        """The name of the server that is shown, "" for none."""
        at = self.list.currentIndex() - 1
        return self._servers[at].name if 0 <= at < len(self._servers) else ""

    def choose(self, name: str) -> None:
        """Show the server of a name."""
        names = [each.name for each in self._servers]
        self.list.setCurrentIndex(names.index(name) + 1 if name in names else 0)
        self._draw()

    def show_time(self, time: float) -> None:
        """Let the line of the chart stand at a time (s)."""
        if self.chart.isVisible():
            self.chart.point_at(self.chart.at(time))

    def _draw(self) -> None:
        found = next((each for each in self._servers if each.name == self.chosen), None)
        self.chart.setVisible(found is not None)
        if found is not None and self._playback is not None:
            playback = self._playback
            self.chart.begin(playback.duration)
            self.chart.draw(lambda: self._curves(found, playback))
            self.chart.heading.setText(f"<b>{rich(found.name)}</b>")

    def _curves(self, server: ServerTimes, playback: Playback) -> None:
        said, signs = [], []
        for number, (kind, values) in enumerate(server.times(playback).items()):
            colour = theme.series_colour(number)
            times = self.chart.at(np.arange(len(values)) * playback.bin_width)
            pen = pg.mkPen(colour, width=2, style=theme.STYLES[number])
            self.chart.plot.addItem(pg.PlotDataItem(times, 100 * values, pen=pen, name=kind))
            said.append((kind, colour, ""))
            signs.append("■")
        self.chart.plot.setRange(xRange=(0, self.chart.at(playback.duration)), yRange=(0, 100), padding=0.02)
        self.chart.legend.setText(legend(said, signs, is_linked=True))
