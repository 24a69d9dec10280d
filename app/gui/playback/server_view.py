"""The time line of one server of a run: chosen by a click in the picture, from a list, or by one of its slow tasks."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSignalBlocker, QStringListModel, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.look import theme
from app.gui.playback.model import Playback
from app.gui.playback.servers import ServerTimes, task_words
from app.reports.document import Axis, Lines, Series
from app.reports.words import percent, time_unit
from simulator.result import TaskResult

NONE = "none: click one in the picture, or choose"
HEIGHT = 150  # logical pixels of the chart
NO_TASK = "none: choose, the slowest come first"
FAINT = 0.12  # of the time in which the chosen task ran
ROOM = 20  # letters that a list shows at least: a narrow window has room for both


class ServerView(QWidget):
    """Lists of servers and of the slowest tasks, and a chart of the chosen server, with the chosen task in it."""

    time_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._playback: Playback | None = None
        self._servers: list[ServerTimes] = []
        self.list = _list("Server", "How busy one server was over the run; those that had most to do come first")
        self._names = QStringListModel(self.list)
        self.list.setModel(self._names)
        self.list.currentIndexChanged.connect(self._draw)
        self.tasks = _list("Slowest tasks", "The tasks of each stage that ran longest, and what they waited for")
        self.tasks.activated.connect(self._on_task_chosen)
        self.chart = DrawnChart("Server over time")
        self.chart.setFixedHeight(HEIGHT)
        self.chart.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        line, layout = QHBoxLayout(), QVBoxLayout(self)
        for words, choice in (("&Server", self.list), ("Slowest &tasks", self.tasks)):
            label = QLabel(words)
            label.setBuddy(choice)
            line.addWidget(label)
            line.addWidget(choice, 1)
        self._of_tasks = (label, self.tasks)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.chart)

    def show_run(self, playback: Playback, servers: list[ServerTimes]) -> None:
        """Offer the servers of a run; one of the same name stays chosen."""
        before = self.chosen
        self._playback, self._servers = playback, servers
        with QSignalBlocker(self.list):
            told = ((server.name, *server.busiest) for server in self._servers)
            names = [NONE, *(f"{name}: {kind} {percent(busy)} busy" for name, kind, busy in told)]
            self._names.setStringList(names)  # ten thousand lines at once, none by itself
            self.tasks.clear()
            self.tasks.addItems([NO_TASK, *(task_words(playback, task) for task in playback.tasks)])
        for widget in self._of_tasks:
            widget.setVisible(bool(playback.tasks))
        self.choose(before)

    @property
    def chosen(self) -> str:
        """The name of the server that is shown, "" for none."""
        at = self.list.currentIndex() - 1
        return self._servers[at].name if 0 <= at < len(self._servers) else ""

    @property
    def task(self) -> TaskResult | None:
        """The task that is chosen, while its server is shown."""
        at = self.tasks.currentIndex() - 1
        task = self._playback.tasks[at] if self._playback is not None and at >= 0 else None
        return task if task is not None and task.server == self.chosen else None

    def _on_task_chosen(self) -> None:
        """Show the server of the chosen task, when the task begins."""
        at = self.tasks.currentIndex() - 1
        if self._playback is not None and at >= 0:
            self.choose(self._playback.tasks[at].server)
            self.time_chosen.emit(self._playback.tasks[at].start)

    def choose(self, name: str) -> None:
        """Show the server of a name."""
        names = [server.name for server in self._servers]
        self.list.setCurrentIndex(names.index(name) + 1 if name in names else 0)
        self._draw()

    def show_time(self, time: float) -> None:
        """Let the line of the chart stand at a time (s)."""
        if self.chart.isVisible():
            self.chart.point_at(self._place(time))

    def _draw(self) -> None:
        times = next((server for server in self._servers if server.name == self.chosen), None)
        self.chart.setVisible(times is not None)
        if times is not None and self._playback is not None:
            self.chart.show_drawing(self._curves(times, self._playback), self._show_task)

    def _curves(self, server: ServerTimes, playback: Playback) -> Lines:
        """Return how busy each kind of part of a server was over time."""
        seconds, unit = time_unit(playback.duration)
        times = server.times(playback)
        starts = {
            kind: (np.arange(len(values)) * playback.bin_width / seconds).tolist() for kind, values in times.items()
        }
        series = [Series(kind, starts[kind], values.tolist()) for kind, values in times.items()]
        end = playback.duration / seconds
        return Lines(server.name, Axis("simulated time", unit), Axis("busy", "share", most=1.0), series, end=end)

    def _show_task(self) -> None:
        """Shade the time in which the chosen task ran."""
        task = self.task
        if task is None:
            return
        area = QColor(theme.current().text)
        area.setAlphaF(FAINT)
        span = (self._place(task.start), self._place(task.end))
        self.chart.plot.addItem(pg.LinearRegionItem(span, movable=False, brush=area))

    def _place(self, time: float) -> float:
        """Return where a time (s) stands in the chart."""
        return time / time_unit(self._playback.duration)[0] if self._playback is not None else time


def _list(name: str, tip: str) -> QComboBox:
    fixed = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon  # of ten thousand it measures none
    box = QComboBox(sizeAdjustPolicy=fixed, minimumContentsLength=ROOM)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    return box
