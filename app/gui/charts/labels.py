"""Words beside the points of a plot, of which those that would lie on others are left out."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, QRectF


class PointLabels(QObject):
    """Shows as many words as there is room for: the closer one looks, the more."""

    def __init__(self, plot: pg.PlotWidget) -> None:
        super().__init__(plot)
        self._box = plot.getViewBox()
        self._items: list[pg.TextItem] = []
        self._box.sigRangeChanged.connect(self.thin)
        self._box.sigResized.connect(self.thin)

    def clear(self) -> None:
        """Forget the words, which the plot has dropped."""
        self._items.clear()

    def add(self, item: pg.TextItem) -> None:
        """Take words that stand in the plot; those that come first are shown first."""
        self._items.append(item)

    def thin(self, *_: object) -> None:
        """Show the words that lie on no others that are shown."""
        taken: list[QRectF] = []
        for item in self._items:
            place = self._place(item)
            is_free = not any(place.intersects(other) for other in taken)
            item.setVisible(is_free)
            taken += [place] if is_free else []

    def _place(self, item: pg.TextItem) -> QRectF:
        """Return where words stand on the screen."""
        size = item.textItem.boundingRect().size()
        point = self._box.mapViewToScene(item.pos())
        return QRectF(point - QPointF(item.anchor.x() * size.width(), item.anchor.y() * size.height()), size)
