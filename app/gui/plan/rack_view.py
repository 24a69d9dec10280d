"""The racks of a candidate from the front: the picture of the report, drawn as a small widget."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.look import theme
from app.reports.pictures import Elevation

UNIT = 3.0  # logical pixels of a rack unit
WIDEST, NARROWEST, GAP = 64.0, 24.0, 8.0  # of a rack, and between two
SEAM = 0.5  # around what stands in a rack


@dataclass(frozen=True, slots=True)
class Drawn:
    """Something that stands in a rack: where it is drawn, its name, and the number of what it belongs to."""

    area: QRectF
    name: str
    owner: int


class RackView(QWidget):
    """Draws an elevation; pointing at something tells its name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._shown: Elevation | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_racks(self, shown: Elevation | None) -> None:
        """Draw other racks; None for nothing."""
        self._shown = shown
        self.setVisible(shown is not None)
        self.setAccessibleDescription("; ".join(_said(shown)) if shown else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        highest = max((height for _, height, _ in self._shown.racks), default=0) if self._shown else 0
        return QSize(round(WIDEST), round(UNIT * highest) + self.fontMetrics().height() + round(GAP))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def frames(self) -> list[tuple[QRectF, str, list[Drawn]]]:
        """Return each rack with its name and what stands in it, as they are drawn in the room that there is."""
        shown = self._shown
        if shown is None:
            return []
        count, owners = max(len(shown.racks), 1), shown.owners
        width = min(max((self.width() - GAP * (count - 1)) / count, NARROWEST), WIDEST)
        bottom = UNIT * max((height for _, height, _ in shown.racks), default=0)
        frames = []
        for i, (name, height, slots) in enumerate(shown.racks):
            left = i * (width + GAP)
            things = [
                Drawn(
                    QRectF(left + 2, bottom - UNIT * (first - 1 + units), width - 4, UNIT * units).adjusted(
                        SEAM, SEAM, -SEAM, -SEAM
                    ),
                    what,
                    owners.index(owner),
                )
                for first, units, what, owner in slots
            ]
            frames.append((QRectF(left, bottom - UNIT * height, width, UNIT * height), name, things))
        return frames

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, scheme = QPainter(self), theme.current()
        for frame, name, things in self.frames():
            painter.setPen(QPen(QColor(scheme.muted), 1))
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
            for drawn in things:
                painter.fillRect(drawn.area, theme.series_colour(drawn.owner))
            painter.setPen(QColor(scheme.text))
            below = QRectF(frame.left(), frame.bottom() + 2, frame.width() + GAP, self.fontMetrics().height())
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, round(below.width()))
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, short)
        self._paint_legend(painter)

    def _paint_legend(self, painter: QPainter) -> None:
        """Say beside the racks what the colours are, where there is room."""
        if self._shown is None:
            return
        left = max((frame.right() for frame, _, _ in self.frames()), default=0.0) + 2 * GAP
        height = self.fontMetrics().height()
        for i, owner in enumerate(self._shown.owners):
            at = QRectF(left, i * (height + GAP / 2), GAP, height)
            if at.right() + GAP + self.fontMetrics().horizontalAdvance(owner) < self.width():
                painter.fillRect(at.adjusted(0, 4, 0, -2), theme.series_colour(i))
                painter.drawText(QPointF(at.right() + GAP, at.bottom() - self.fontMetrics().descent()), owner)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = QPointF(event.pos())
            text = next((e.name for _, _, things in self.frames() for e in things if e.area.contains(at)), "")
            QToolTip.showText(event.globalPos(), text or self.accessibleDescription(), self)
            return True
        return super().event(event)


def _said(shown: Elevation) -> list[str]:
    """Return in words what stands in each rack."""
    lines = []
    for name, _, slots in shown.racks:
        counts = Counter(owner for *_, owner in slots)
        lines.append(f"{name}: {', '.join(f'{count} of {owner}' for owner, count in counts.items())}")
    return lines
