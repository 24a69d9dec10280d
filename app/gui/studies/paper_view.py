"""The view of a report: white paper in both themes, charts no wider than it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSizeF, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.gui.look.theme import LIGHT
from app.gui.studies.paper import PAGE_MARGIN, PAPER, PICTURE

TO_LINKS: dict[int, bool] = {Qt.Key.Key_Right: True, Qt.Key.Key_Left: False}
"""Keys that go to a link, and whether to the next one."""
CHART = '<img src="data:image/svg'


class PaperView(QTextBrowser):
    """Shows a page that `readable` has made, or words while there is none.

    Tab passes it by, however many links it has; the arrows to the right and left go from link to link, Enter follows.
    """

    def __init__(self, name: str) -> None:
        super().__init__(openLinks=True)
        self._page, self._room = "", 0
        self.setAccessibleName(name)
        self.setStyleSheet(PAPER)
        self.document().setDocumentMargin(PAGE_MARGIN)
        self.document().setDefaultStyleSheet(f"a {{ color: {LIGHT.link}; }}")
        self.document().documentLayout().documentSizeChanged.connect(self._on_laid_out)

    def show_page(self, page: str) -> None:
        """Show another page, from where one reads."""
        self._page = page
        self._fit()

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load what stands in the page itself and nothing else: a page of a project may come from anybody."""
        url = QUrl(name)
        return super().loadResource(type, url) if url.scheme() == "data" else None

    def focusNextPrevChild(self, next: bool) -> bool:
        return QWidget.focusNextPrevChild(self, next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in TO_LINKS and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            super().focusNextPrevChild(TO_LINKS[event.key()])
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._room != self._room_for_charts:
            self._fit()

    def _on_laid_out(self, size: QSizeF) -> None:
        """Offer no scrolling sideways where it is but the margin that goes beyond the edge."""
        is_beyond = size.width() > self.viewport().width() + PAGE_MARGIN
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_beyond else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(policy)

    @property
    def _room_for_charts(self) -> int:
        """The width of a chart, logical pixels: that of the page where it is narrow."""
        return max(min(PICTURE, self.viewport().width() - 2 * PAGE_MARGIN - 1), 1)

    def _fit(self) -> None:
        self._room = self._room_for_charts
        at = self.verticalScrollBar().value()
        self.setHtml(self._page.replace(CHART, CHART.replace(" ", f' width="{self._room}" ', 1)))
        self.verticalScrollBar().setValue(at)
