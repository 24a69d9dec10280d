"""One run in the playback: its picture, what it does in words, and the scale of its colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.jobs.series import LEVELS
from app.gui.look import theme
from app.gui.playback.model import Playback
from app.gui.playback.picture import ClusterPicture, shades
from app.gui.playback.servers import why_idle
from app.gui.session.runs import Run
from app.reports.media import rich
from app.reports.words import percent
from models.units import format_duration

SCALES = ("cividis", "viridis")


class Pane(QWidget):
    """One run: what it is, what it is doing, its picture."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = ClusterPicture()
        self.name = QLabel(textFormat=Qt.TextFormat.RichText)
        self.busy, self.faults = (QLabel(textFormat=Qt.TextFormat.PlainText) for _ in range(2))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for label in (self.name, self.busy, self.faults):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            layout.addWidget(label)
        layout.addWidget(self.picture, 1)
        self._label, self._colour = "", 0

    def show_run(self, run: Run, playback: Playback) -> None:
        self._label, self._colour = run.label, run.colour
        self.picture.show_playback(playback)
        self.faults.setVisible(bool(playback.faults))

    def say(self, time: float) -> None:
        playback = self.picture.playback
        assert playback is not None  # a pane without a run is hidden
        doing = self._elided(f": {time_words(playback.duration)}, {_doing(playback, time)}", room=0.5)
        colour, mark = theme.series_colour(self._colour).name(), theme.series_mark(self._colour)
        name = f'<span style="color:{colour}">{mark}</span> <b>{rich(self._elided(self._label, room=0.4))}</b>'
        self.name.setText(name + rich(doing))
        for label, text in ((self.busy, _busiest(playback, time)), (self.faults, _faults(playback, time))):
            label.setText(self._elided(text))
            label.setToolTip(text)

    def _elided(self, text: str, room: float = 1.0) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room * self.width()))


class Legend(QWidget):
    """The colour scale, from idle to busy."""

    def __init__(self) -> None:
        super().__init__()
        self._scale = SCALES[0]
        self.setAccessibleName("Colour scale: 0 to 100 % busy")
        self.setToolTip("How busy a resource is")

    def show_scale(self, name: str) -> None:
        self._scale = name
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, self.fontMetrics().height() + 6)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        metrics, area = self.fontMetrics(), QRectF(self.rect())
        left, right = metrics.horizontalAdvance("idle "), metrics.horizontalAdvance(" 100 % busy")
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, "idle")
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, "100 % busy")
        colours = shades(self._scale)
        bar = QImage(colours.data, LEVELS, 1, colours.nbytes, QImage.Format.Format_RGB32)
        painter.drawImage(area.adjusted(left, 3, -right, -3), bar)
        painter.end()  # before the image goes, which lies in the array


def time_words(seconds: float) -> str:
    """Return a simulated time as the playback says it: "12.3 s", "13 h 12 min"."""
    return f"{seconds:.1f} s" if seconds < 60 else format_duration(round(seconds))


def _doing(playback: Playback, time: float) -> str:
    if time >= playback.duration:
        return "done"
    return playback.stage_at(time) or why_idle(playback, time)


def _busiest(playback: Playback, time: float) -> str:
    if time >= playback.duration:
        return ""
    busiest = playback.busiest(time)
    text = " · ".join(f"{name} {percent(share)}{_used(playback, name, time)}" for name, share in busiest)
    lost = playback.failed(time)
    return text or (f"all idle: {why_idle(playback, time)}" if lost else "all idle: tasks start or wait for a time-out")


def _used(playback: Playback, group: str, time: float) -> str:
    """Return who of many workloads uses a group: " (dashboards 47 %, tenant 11 %)"."""
    used = [f"{name} {percent(part)}" for name, part in playback.using(group, time)]
    return f" ({', '.join(used)})" if used else ""


def _faults(playback: Playback, time: float) -> str:
    """Return in words what has failed, and what is safe again."""
    lines = []
    for fault in playback.faults:
        failed = f"{fault.component} failed at {time_words(fault.at)}, safe again"
        if fault.at <= time < fault.healthy_at:
            lines.append(f"▼ {failed} at {time_words(fault.healthy_at)}")
        elif fault.healthy_at <= time:
            lines.append(f"▲ {failed} since {time_words(fault.healthy_at)}")
    return "; ".join(lines) or "nothing has failed yet"
