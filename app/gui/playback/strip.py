"""A strip of time for one or two runs: their stages or workloads, when things fail and are safe again, and the time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.charts.workload_colours import WorkloadColours
from app.gui.look import theme
from app.gui.playback.model import Playback

LANE = 14  # logical pixels a stage
LANES = 4  # as many stages have one of their own
MARGIN = 8  # at both ends, as a slider has
ARROW = 5.0


class TimeStrip(QWidget):
    """Shows where in the runs one is; a click goes elsewhere."""

    time_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[tuple[Playback, QColor], ...] = ()
        self._length = 0.0
        self._time = 0.0
        self.setAccessibleName("Stages and failures")
        self.setToolTip("Stages, or workloads, of the runs; ▼ something fails, ▲ its data is safe again. Click to go.")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_runs(self, runs: Sequence[tuple[Playback, QColor]], length: float) -> None:
        """Show runs with their colours, on an axis as long as `length` (s)."""
        self._runs, self._length = tuple(runs), length
        self.updateGeometry()
        self.update()

    def show_time(self, time: float) -> None:
        """Mark another time (s)."""
        self._time = time
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, sum(_height(run) for run, _ in self._runs) + 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._length and event.button() == Qt.MouseButton.LeftButton:
            share = (event.position().x() - MARGIN) / max(self.width() - 2 * MARGIN, 1)
            self.time_chosen.emit(min(max(share, 0.0), 1.0) * self._length)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._length:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0
        for run, colour in self._runs:
            if run.users.names:
                self._draw_workloads(painter, run, top)
            else:
                self._draw_stages(painter, run, colour, top)
            self._draw_faults(painter, run, top)
            top += _height(run)
        painter.setPen(QPen(self.palette().windowText().color(), 1.5))
        x = self._x(self._time)
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    def _x(self, time: float) -> float:
        return MARGIN + min(time / self._length, 1.0) * (self.width() - 2 * MARGIN)

    def _draw_workloads(self, painter: QPainter, run: Playback, top: float) -> None:
        """Draw when each of many workloads ran, in its colour, as high as the rate of its requests."""
        colours = WorkloadColours(run.users.names)
        for n, lane in enumerate(run.users.lanes):
            middle, filled = top + LANE * (n + 0.5), colours.colour(lane.name)
            for start, end, part in lane.spans:
                left, right, height = round(self._x(start)), round(self._x(end)), max(part * (LANE - 4), 2.0)
                painter.fillRect(QRectF(left, middle - height / 2, max(right - left, 1), height), filled)

    def _draw_stages(self, painter: QPainter, run: Playback, colour: QColor, top: float) -> None:
        painter.setFont(_small(self.font()))
        filled = QColor(colour)
        filled.setAlphaF(0.4)
        for n, stage in enumerate(run.stages):
            left, right = self._x(stage.start), self._x(stage.end)
            area = QRectF(left, top + LANE * (n % _lanes(run)) + 1, max(right - left - 1, 1.0), LANE - 2)
            painter.fillRect(area, filled)
            painter.setPen(self.palette().windowText().color())
            text = painter.fontMetrics().elidedText(stage.name, Qt.TextElideMode.ElideRight, int(area.width()) - 4)
            painter.drawText(area.adjusted(3, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text if len(text) > 1 else "")

    def _draw_faults(self, painter: QPainter, run: Playback, top: float) -> None:
        painter.setPen(QPen(QColor(theme.current().base), 1))
        for fault in run.faults:
            for time, colour, sign in ((fault.at, theme.VERMILION, 1), (fault.healthy_at, theme.GREEN, -1)):
                if time > self._length:
                    continue
                x, middle = self._x(time), top + (_height(run) - 4) / 2
                painter.setBrush(QColor(colour))
                tip = QPointF(x, middle + sign * ARROW)
                base = middle - sign * ARROW
                painter.drawPolygon(QPolygonF([tip, QPointF(x - ARROW, base), QPointF(x + ARROW, base)]))


class LaneNames(QWidget):
    """The names of the workloads of one or two runs, beside their lanes; nothing for runs of stages."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[Playback, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_runs(self, runs: Sequence[Playback]) -> None:
        """Show the names of the workloads of some runs."""
        self._runs = tuple(runs)
        self.setAccessibleName(", ".join(name for run in runs for name in run.users.names))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics, names = (
            QFontMetrics(_small(self.font())),
            [lane.name for run in self._runs for lane in run.users.lanes],
        )
        return QSize(max(map(metrics.horizontalAdvance, names), default=0), sum(map(_height, self._runs)) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, top = QPainter(self), 0
        painter.setFont(_small(self.font()))
        for run in self._runs:
            colours = WorkloadColours(run.users.names)
            for n, lane in enumerate(run.users.lanes):
                painter.setPen(colours.colour(lane.name))
                area = QRectF(0, top + LANE * n, self.width(), LANE)
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, lane.name)
            top += _height(run)


def _small(font: QFont) -> QFont:
    """Return a font that a lane has room for."""
    small = QFont(font)
    small.setPixelSize(LANE - 4)
    return small


def _lanes(run: Playback) -> int:
    """Return how many stages, or workloads, lie one below the other."""
    if run.users.lanes:
        return len(run.users.lanes)
    return len(run.stages) if 1 <= len(run.stages) <= LANES else 1


def _height(run: Playback) -> int:
    return LANE * _lanes(run) + 4
