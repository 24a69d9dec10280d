"""The cluster of one run, drawn at one time: an array of pixels; over it, names and what has failed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.jobs.series import LEVELS
from app.gui.jobs.steps import Steps
from app.gui.look import theme
from app.gui.playback.model import HEAD, Box, Playback, Raster, scene
from app.gui.playback.pieces import Pieces
from app.gui.playback.servers import server_of
from app.reports.words import percent
from simulator.result import FaultResult

SMALLEST = 7  # logical pixels of letters: smaller ones are left out
LARGEST = 13
LOWEST = 160
"""Logical pixels of height below which a picture scrolls. Assumption: two rows of servers can still be told apart."""


def shades(name: str) -> NDArray[np.uint32]:
    """Return the shades of a colour scale of pyqtgraph, dark to bright, as 0xffRRGGBB, of shape (`LEVELS`,)."""
    from pyqtgraph import colormap

    table: NDArray[np.uint32] = colormap.get(name).getLookupTable(nPts=LEVELS).astype(np.uint32)
    return np.uint32(0xFF000000) | table[:, 0] << np.uint32(16) | table[:, 1] << np.uint32(8) | table[:, 2]


class ClusterPicture(QWidget):
    """Draws one run. Pointing at a resource tells its name and numbers; a click on one chooses its server."""

    server_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.playback: Playback | None = None
        self.time = 0.0
        self._raster: Raster | None = None
        self._pieces = Pieces(self)
        self._scale, self._workload = "cividis", ""
        self._colours = np.zeros(0, dtype=np.uint32)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Cluster")

    def show_playback(self, playback: Playback | None) -> None:
        """Draw another run, or nothing."""
        self.playback = playback
        self._forget()
        self.update()

    def show_time(self, time: float) -> None:
        """Draw another time (s)."""
        self.time = time
        self.update()

    def show_workload(self, name: str) -> None:
        """Draw what one of many workloads uses, or what all use for ""."""
        self._workload = name
        self.update()

    def show_scale(self, name: str) -> None:
        """Draw in another colour scale of pyqtgraph."""
        self._scale, self._colours = name, np.zeros(0, dtype=np.uint32)
        self.update()

    def resource_at(self, point: QPointF) -> int | None:
        """Return the number of the resource at a point of the widget."""
        ratio = self.devicePixelRatioF()
        return self._raster.resource_at(int(point.x() * ratio), int(point.y() * ratio)) if self._raster else None

    def centre_of(self, component: str) -> QPointF:
        """Return the middle of a rack, server or resource on the widget.

        Raises:
            ValueError: it is not drawn.
        """
        box = self._raster.scene.find(component) if self._raster else None
        if box is None:
            raise ValueError(f"{component!r} is not drawn")
        return self._rectangle(box).center()

    def said_of(self, number: int) -> str:
        """Return what is said of a resource: its name, and how busy it is now and over the run."""
        assert self.playback is not None  # only what is drawn has a number
        resource = self.playback.resources[number]
        now = percent(self.playback.utilization(number, self.time))
        mean, peak = percent(resource.utilization_mean), percent(resource.utilization_peak)
        used = [f"{name} {percent(part)}" for name, part in self.playback.using(resource.group, self.time)]
        text = f"{self.playback.names[number]}: {now} busy now\nover the run {mean}, at most {peak}\n{resource.group}"
        return f"{text}, used by {', '.join(used)}" if used else text

    def sizeHint(self) -> QSize:
        return QSize(640, LOWEST)  # it takes what is left of the page, and may not push its controls off

    def minimumSizeHint(self) -> QSize:
        return QSize(160, LOWEST)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.current().base))
        if self.playback is None or not self.playback.bins:
            return
        raster = self._rasterised(self.playback)
        if raster is None:
            return
        pixels = raster.pixels(self.playback.levels(self.time, self._workload), self._palette())
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self.devicePixelRatioF())
        painter.drawImage(0, 0, image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_names(painter, raster)
        for fault in self.playback.faults:
            self._draw_fault(painter, raster, fault)
        painter.end()  # before the image goes, which lies in the raster's array

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._forget()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.show_scale(self._scale)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._tell(QPointF(event.pos()), event.globalPos().toPointF())
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.resource_at(event.position())
        if number is not None and self.playback is not None and event.button() == Qt.MouseButton.LeftButton:
            self.server_chosen.emit(server_of(self.playback, number))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if QToolTip.isVisible():
            self._tell(event.position(), event.globalPosition())

    def _tell(self, point: QPointF, at: QPointF) -> None:
        number = self.resource_at(point)
        QToolTip.showText(at.toPoint(), "" if number is None else self.said_of(number), self)

    @property
    def is_laid_out(self) -> bool:
        """Whether the run is drawn at the next paint."""
        return self._raster is not None

    def _forget(self) -> None:
        self._pieces.drop()
        self._raster = None

    def _rasterised(self, playback: Playback) -> Raster | None:
        """Return the picture in pixels, None while it is laid out."""
        if self._raster is None and not self._pieces.is_busy:
            self._pieces.begin(self._laid_out(playback))
        return self._raster

    def _laid_out(self, playback: Playback) -> Steps[None]:
        """Lay the run out for the size that there is, in pieces."""
        ratio = self.devicePixelRatioF()
        width, height = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        laid_out = yield from scene(playback.racks, playback.names, width / height)
        self._raster = yield from Raster.filled(laid_out, width, height)
        self.update()

    def _palette(self) -> NDArray[np.uint32]:
        if not len(self._colours):
            scheme = theme.current()
            behind = [QColor(name).rgb() for name in (scheme.base, scheme.window, scheme.button)]
            self._colours = np.concatenate((shades(self._scale), np.array(behind, dtype=np.uint32)))
        return self._colours

    def _rectangle(self, box: Box) -> QRectF:
        assert self._raster is not None  # made before anything is drawn
        left, top, right, bottom = self._raster.rectangle(box)
        ratio = self.devicePixelRatioF()
        return QRectF(left / ratio, top / ratio, (right - left) / ratio, (bottom - top) / ratio)

    def _draw_names(self, painter: QPainter, raster: Raster) -> None:
        unit = raster.scale / self.devicePixelRatioF()
        scheme = theme.current()
        for boxes, room, colour in (
            (raster.scene.racks, (HEAD - 1) * unit, scheme.text),
            (raster.scene.servers, unit, scheme.muted),
        ):
            size = int(min(0.8 * room, LARGEST))
            if size < SMALLEST:
                continue
            font = QFont(self.font())
            font.setPixelSize(size)
            painter.setFont(font)
            painter.setPen(QColor(colour))
            is_rack = boxes is raster.scene.racks
            for box in boxes:
                self._draw_name(painter, box, room, is_rack=is_rack)

    def _draw_name(self, painter: QPainter, box: Box, room: float, *, is_rack: bool) -> None:
        """Draw the name of a rack inside its top, that of a server above it."""
        area = self._rectangle(box)
        area = QRectF(area.left() + 2, area.top() - (0 if is_rack else room), area.width() - 4, room)
        text = painter.fontMetrics().elidedText(box.name, Qt.TextElideMode.ElideMiddle, int(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _draw_fault(self, painter: QPainter, raster: Raster, fault: FaultResult) -> None:
        """Cross out what has failed; outline what is safe again with dashes."""
        box = raster.scene.find(fault.component)
        if box is None or self.time < fault.at:
            return
        area = self._rectangle(box).adjusted(-1, -1, 1, 1)
        is_safe = self.time >= fault.healthy_at
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((theme.current().base, 4.5), (theme.GREEN if is_safe else theme.VERMILION, 2.0)):
            style = Qt.PenStyle.DashLine if is_safe and width < 3 else Qt.PenStyle.SolidLine
            painter.setPen(QPen(QColor(colour), width, style))
            painter.drawRect(area)
            if not is_safe:
                painter.drawLine(area.topLeft(), area.bottomRight())
                painter.drawLine(area.bottomLeft(), area.topRight())
