"""An axis whose numbers are written as those of a report, and whose name has the room that there is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGraphicsSceneResizeEvent

from app.reports.media import rich
from app.reports.scales import tick

EDGE = 2  # logical pixels by which a name stands further inside: pyqtgraph lets it lose the last one at the edge


class NamedAxis(pg.AxisItem):  # type: ignore[misc]
    """Shortens its name in the middle where there is no room for all of it: the unit at its end stays.

    pyqtgraph (0.14) cuts it off at both ends, shows numbers below 1 times 1000, even where its prefixes are switched
    off, and takes tags.
    """

    def call(self, name: str) -> None:
        """Give the axis a name."""
        self.setLabel(name, siPrefixEnableRanges=())

    def labelString(self) -> str:
        metrics, size = QFontMetricsF(self.label.font()), self.size()
        room = size.height() if self.orientation == "left" else size.width()
        name = metrics.elidedText(self.labelText, Qt.TextElideMode.ElideMiddle, room or math.inf)  # 0: not laid out yet
        style = ";".join(f"{key}: {value}" for key, value in self.labelStyle.items())
        return f"<span style='{style}'>{rich(name)}</span>"

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        if self.label is not None:  # which it is of an axis that is closed
            self.label.setHtml(self.labelString())
        super().resizeEvent(event)
        if self.label is not None:
            self.label.moveBy(*((EDGE, 0) if self.orientation == "left" else (0, -EDGE)))

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the numbers at places of the axis."""
        step = abs(spacing * scale) or 1.0
        digits = max(-math.floor(math.log10(step)) + 1, 0)
        return [tick(round(value * scale, digits) + 0.0) for value in values]
