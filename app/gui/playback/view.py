"""Playback: a run, or two side by side at the same simulated time, with play, speed and a scrubber.

Space plays and pauses; the arrow keys on the scrubber go from bin to bin, Page Up and Down by ten, Home and End to both
ends. One second shows a twentieth of the longer run at normal speed.
"""

from __future__ import annotations

import time as clock

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.jobs.series import Series
from app.gui.jobs.steps import Steps
from app.gui.look import theme
from app.gui.look.icons import icon
from app.gui.playback.model import Playback, ticks_of
from app.gui.playback.pane import SCALES, Legend, Pane, time_words
from app.gui.playback.pieces import Pieces
from app.gui.playback.server_view import ServerView
from app.gui.playback.servers import ServerTimes, servers
from app.gui.playback.strip import LaneNames, TimeStrip
from app.gui.session.runs import Run
from app.gui.session.session import Session

TICKS = 10_000  # positions of the scrubber
WHOLE = 20.0  # seconds in which normal speed shows the longer run
FRAME = 33  # milliseconds between two frames: 30 a second
WORDS = 0.1  # seconds between two changes of words while playing: nobody reads faster
SPEEDS = (("¼ ×", 0.25), ("½ ×", 0.5), ("1 ×", 1.0), ("2 ×", 2.0), ("4 ×", 4.0))
EMPTY = "Simulate the profile (Ctrl+R) to see where its cluster is busy, from the first second to the last."
ALL = "all"
LAYS_OUT = "Laying the servers out."
NO_SERIES = "How busy this run was over time is not kept: it is too large, or the project is old. Simulate it again."
STEADY = "One picture: runs of requests report means over their whole measured time."
KEY = (
    "Each server: processor on the left, drives in the middle, network cards below; bars above a rack are its uplinks."
)


def _scrolled(inside: QWidget) -> QScrollArea:
    """Return a widget that scrolls where a small window would leave nothing of its picture."""
    scroll = QScrollArea(widgetResizable=True)
    scroll.setFrameShape(QScrollArea.Shape.NoFrame)
    scroll.setAccessibleName("Playback")
    scroll.setWidget(inside)
    return scroll


class PlaybackView(QWidget):
    """Plays the last run, and beside it a kept one."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._runs: tuple[Run, ...] = ()
        self._playbacks: tuple[Playback, ...] = ()
        self._pieces = Pieces(self)
        self._length, self._bin = 0.0, 0.0
        self._time, self._since, self._said_at = 0.0, 0.0, 0.0
        self._timer = QTimer(self, interval=FRAME)
        self._timer.timeout.connect(self._on_frame)
        self.panes = (Pane(), Pane())
        self.strip, self.names = TimeStrip(), LaneNames()
        self.strip.time_chosen.connect(self.go_to)
        self.servers = ServerView()
        self.servers.time_chosen.connect(self.go_to)
        self._add_controls()
        self._arrange()
        for pane in self.panes:
            pane.picture.server_chosen.connect(self.servers.choose)
        session.run_finished.connect(self._on_run_finished)
        session.runs_changed.connect(self._list_others)
        self._runs = (session.last_run,) if session.last_run else ()
        self._is_prepared = False
        self._list_others()

    # What is shown

    def show_runs(self, first: Run, second: Run | None = None) -> None:
        """Show a run from its beginning, and another one beside it."""
        self.pause()
        self._runs = (first,) if second is None else (first, second)
        self._list_others()
        self._is_prepared = False
        if self.isVisible():
            self._prepare()

    def _prepare(self) -> None:
        """Make pictures of the runs that are to be shown: in pieces, as ten thousand servers take half a second."""
        self._is_prepared = True
        self._pieces.begin(self._prepared())
        if self._pieces.is_busy:
            self._show_nothing(LAYS_OUT)

    def _prepared(self) -> Steps[None]:
        playbacks, lists = list[Playback](), list[list[ServerTimes]]()
        for run in self._runs:
            playback = yield from _playback(run)
            playbacks.append(playback)
            lists.append((yield from servers(playback)) if playback.bins else [])
            yield
        self._playbacks = tuple(playbacks)
        self._show(lists)

    def _show(self, lists: list[list[ServerTimes]]) -> None:
        """Show the runs, whose pictures are made."""
        self._length, self._bin = ticks_of(self._playbacks)
        if not self._runs or not all(shown.bins and shown.racks for shown in self._playbacks):
            self._show_nothing(NO_SERIES if self._runs else EMPTY)
            return
        for pane, run, playback in zip(self.panes, self._runs, self._playbacks, strict=False):
            pane.show_run(run, playback)
        self.panes[1].setVisible(len(self._runs) > 1)
        self.servers.show_run(self._playbacks[0], lists[0])
        self._list_workloads()
        self._colour_strip()
        self._set_controls()
        self._stack.setCurrentIndex(1)
        self.go_to(0.0)

    def changeEvent(self, event: QEvent) -> None:
        """Give runs the colours that they have in the theme."""
        super().changeEvent(event)
        if event.type() != QEvent.Type.PaletteChange or not hasattr(self, "_is_prepared"):
            return  # what there is to colour is made after Qt tells of the first palette
        self._say_state()
        if self._is_prepared and self._stack.currentIndex() == 1:
            self._colour_strip()
            self._say()

    def _colour_strip(self) -> None:
        colours = [theme.series_colour(run.colour) for run in self._runs]
        self.names.show_runs(self._playbacks)
        self.strip.show_runs(list(zip(self._playbacks, colours, strict=True)), self._length)

    def _set_controls(self) -> None:
        step = max(round(TICKS * self._bin / self._length), 1) if self._length else 1
        self.scrubber.setSingleStep(step)
        self.scrubber.setPageStep(10 * step)
        is_moving = any(playback.bins > 1 for playback in self._playbacks)
        for control in (self.scrubber, self.speed, self.play_action):
            control.setEnabled(is_moving)
        self.hint.setText(KEY if is_moving else STEADY)

    @property
    def time(self) -> float:
        """The simulated time that is shown, s."""
        return self._time

    @property
    def is_playing(self) -> bool:
        """Whether time goes on by itself."""
        return self._timer.isActive()

    def go_to(self, time: float) -> None:
        """Show a simulated time (s), the nearest that there is."""
        self._draw(time)
        self._say()

    def _draw(self, time: float) -> None:
        self._time = min(max(time, 0.0), self._length)
        with QSignalBlocker(self.scrubber):
            self.scrubber.setValue(round(TICKS * self._time / self._length) if self._length else 0)
        self.strip.show_time(self._time)
        self.servers.show_time(self._time)
        for pane, _ in zip(self.panes, self._playbacks, strict=False):
            pane.picture.show_time(self._time)

    def _say(self) -> None:
        """Say in words what is shown; each time all around is laid out and painted again."""
        self._said_at = clock.monotonic()
        self.clock.setText(f"{time_words(self._time)} of {time_words(self._length)}")
        for pane, _ in zip(self.panes, self._playbacks, strict=False):
            pane.say(self._time)

    def play(self) -> None:
        """Let time go on, from the beginning if it is at the end."""
        if self._time >= self._length:
            self.go_to(0.0)
        self._since = clock.monotonic()
        self._timer.start()
        self._say_state()

    def pause(self) -> None:
        """Stop time."""
        self._timer.stop()
        self._say_state()

    def toggle(self) -> None:
        """Play, or pause."""
        self.pause() if self.is_playing else self.play()

    def showEvent(self, event: QShowEvent) -> None:
        if not self._is_prepared:
            self._prepare()

    def hideEvent(self, event: QHideEvent) -> None:
        self.pause()

    # Building

    def _add_controls(self) -> None:
        self.play_action = QAction(icon("run"), "Play", self)
        self.play_action.setShortcut(QKeySequence(Qt.Key.Key_Space))
        self.play_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.play_action.triggered.connect(self.toggle)
        self.addAction(self.play_action)
        self.play_button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.play_button.setDefaultAction(self.play_action)
        self.scrubber = QSlider(Qt.Orientation.Horizontal)
        self.scrubber.setMaximum(TICKS)
        self.scrubber.setAccessibleName("Simulated time")
        self.scrubber.setToolTip("Simulated time: arrows go from bin to bin, Page Up and Down by ten")
        self.scrubber.valueChanged.connect(lambda tick: self.go_to(tick / TICKS * self._length))
        self.speed = _combo("Speed", [name for name, _ in SPEEDS], "1 × shows the longer run in 20 seconds")
        self.speed.setCurrentIndex(2)
        self.scale = _combo("Colours", list(SCALES), "Colour scale")
        self.scale.currentTextChanged.connect(self._on_scale_chosen)
        self.other = _combo("Compare with", [], "A kept run, at the same simulated time")
        self.other.activated.connect(self._on_other_chosen)
        self.workload = _combo("Workload", [ALL], "What one of the workloads uses of each resource")
        self.workload.currentTextChanged.connect(self._on_workload_chosen)
        self.legend = Legend()
        self.clock = QLabel()
        self.clock.setAccessibleName("Time shown")
        self.hint = QLabel(KEY, wordWrap=True)

    def _arrange(self) -> None:
        head, body, foot = QHBoxLayout(), QHBoxLayout(), QGridLayout()
        choices = (("Compare w&ith", self.other), ("Co&lours", self.scale), ("Used &by", self.workload))
        for label, choice in choices:
            named = QLabel(label)
            named.setBuddy(choice)
            head.addWidget(named)
            head.addWidget(choice)
        self._of_many = (named, self.workload)
        head.addStretch()
        head.addWidget(self.legend)
        for pane in self.panes:
            body.addWidget(pane, 1)
        foot.addWidget(self.names, 0, 0)
        foot.addWidget(self.strip, 0, 1)
        for place, widget in enumerate((self.play_button, self.scrubber, self.clock, self.speed)):
            foot.addWidget(widget, 1, place)
        shown, column = QWidget(), QVBoxLayout()
        shown.setLayout(column)
        column.addLayout(head)
        column.addLayout(body, 1)
        column.addWidget(self.servers)
        column.addLayout(foot)
        column.addWidget(self.hint)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._nothing())
        self._stack.addWidget(_scrolled(shown))

    def _nothing(self) -> QWidget:
        """Return what stands in place of a picture: why there is none, and the way to one."""
        self.empty = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter)
        self.simulate_button = QPushButton("&Simulate the open profile")
        self.simulate_button.clicked.connect(self._session.run)
        empty = QWidget()
        layout = QVBoxLayout(empty)
        layout.addStretch()
        layout.addWidget(self.empty)
        layout.addWidget(self.simulate_button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()
        return empty

    def _show_nothing(self, why: str) -> None:
        self._playbacks = ()
        self.play_action.setEnabled(False)
        self.empty.setText(why)
        self.simulate_button.setEnabled(self._session.is_valid)
        self.simulate_button.setVisible(why != LAYS_OUT)
        self._stack.setCurrentIndex(0)

    def _list_workloads(self) -> None:
        """Offer the workloads of the runs that are shown, where there are many."""
        names = list(dict.fromkeys(name for playback in self._playbacks for name in playback.users.names))
        before = self.workload.currentText()
        with QSignalBlocker(self.workload):
            self.workload.clear()
            self.workload.addItems([ALL, *names])
            self.workload.setCurrentIndex(max(self.workload.findText(before), 0))
        for widget in self._of_many:
            widget.setVisible(bool(names))
        self._on_workload_chosen(self.workload.currentText())

    def _list_others(self) -> None:
        """Offer all kept runs but the first one that is shown."""
        chosen = self._runs[1].number if len(self._runs) > 1 else None
        with QSignalBlocker(self.other):
            self.other.clear()
            self.other.addItem("nothing", None)
            for run in {run.number: run for run in (*self._session.runs, *self._runs[1:])}.values():
                if not self._runs or run.number != self._runs[0].number:
                    self.other.addItem(run.label, run.number)
            self.other.setCurrentIndex(max(self.other.findData(chosen), 0))
        self.other.setEnabled(self.other.count() > 1)
        self.other.setToolTip(
            "A kept run, at the same simulated time"
            if self.other.count() > 1
            else "Keep a run (Ctrl+D), then run again"
        )

    def _say_state(self) -> None:
        self.play_action.setText("Pause" if self.is_playing else "Play")
        self.play_action.setIcon(icon("pause" if self.is_playing else "run"))
        self.play_action.setToolTip(f"{self.play_action.text()} (Space)")

    # What happens

    def _on_frame(self) -> None:
        now = clock.monotonic()
        passed, self._since = now - self._since, now
        self._draw(self._time + passed * self._length / WHOLE * SPEEDS[self.speed.currentIndex()][1])
        if now - self._said_at >= WORDS or self._time >= self._length:
            self._say()
        if self._time >= self._length:
            self.pause()

    def _on_run_finished(self, run: Run) -> None:
        self.show_runs(run, self._runs[1] if len(self._runs) > 1 else None)

    def _on_other_chosen(self, index: int) -> None:
        number = self.other.itemData(index)
        second = next((run for run in (*self._session.runs, *self._runs[1:]) if run.number == number), None)
        self.show_runs(self._runs[0], second)

    def _on_workload_chosen(self, name: str) -> None:
        for pane in self.panes:
            pane.picture.show_workload("" if name == ALL else name)

    def _on_scale_chosen(self, name: str) -> None:
        self.legend.show_scale(name)
        for pane in self.panes:
            pane.picture.show_scale(name)


def _playback(run: Run) -> Steps[Playback]:
    series = (yield from Series.opening(run.ran.playback)) if run.ran.playback else None
    return (yield from Playback.made(run.result, run.scenario.cluster, series))


def _combo(name: str, items: list[str], tip: str) -> QComboBox:
    box = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.addItems(items)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    return box
