"""Words of an answer that take the room that there is: where it is little, they scroll, and nothing lies on them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea

LEAST = 4
"""Lines that are seen in the smallest window. Assumption: the answer comes first, reasons are scrolled to."""


class Scrolled(QScrollArea):
    """A label as high as its words where there is room, and hidden while it is hidden.

    Where it is cut Tab reaches it, and the arrow keys scroll it.
    """

    def __init__(self, label: QLabel) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(label.accessibleName())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._label = label
        self.setWidget(label)
        label.installEventFilter(self)
        self.setVisible(not label.isHidden())
        self._stand()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self.maximumHeight(), LEAST * self.fontMetrics().lineSpacing()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._stand()
        else:
            self._show_cut()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._stand()  # Qt tells of other words only while they are seen

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._stand()  # other words
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._label and event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.setVisible(event.type() == QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)

    def _stand(self) -> None:
        """Be at most as high as the words are in the width that there is."""
        self.setMaximumHeight(max(self._label.heightForWidth(self.width()), 0))
        self.updateGeometry()
        self._show_cut()

    def _show_cut(self) -> None:
        """Have a bar and a frame where words are cut alone: a bar takes room, for the want of which it stays.

        The frame shows the focus.
        """
        is_cut = self._label.heightForWidth(self.width()) > self.height()
        policies = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policies[not is_cut])
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_cut else Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.StyledPanel if is_cut else QFrame.Shape.NoFrame)
