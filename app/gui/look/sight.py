"""What gets the keys is in sight: areas that scroll follow it from wherever it comes, as Qt does within one of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QWidget


def follow(before: QWidget | None, now: QWidget | None) -> None:
    """Scroll to what gets the keys from another part of the window; nothing moves under a button that is held down."""
    if before is None or now is None or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return
    around = now.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(now)
        around = around.parentWidget()
