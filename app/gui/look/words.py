"""What parts of the window are called."""

from __future__ import annotations

from PySide6.QtGui import QAction


def name_of(action: QAction) -> str:
    """Return what an action is called, without the mark of its menu key."""
    return action.text().replace("&", "").removesuffix("…")
