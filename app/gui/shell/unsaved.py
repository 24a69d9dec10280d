"""The question before unsaved work goes away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.reports.media import shown

Button = QMessageBox.StandardButton


def may_go_on(parent: QWidget, asked: str, save: Callable[[], bool]) -> bool:
    """Ask whether to save first, and do so; return False to stay, or where saving failed. The text is read as it is."""
    buttons = Button.Save | Button.Discard | Button.Cancel
    box = QMessageBox(QMessageBox.Icon.Question, "Headroom", shown(asked), buttons, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    answer = box.exec()
    box.deleteLater()
    return save() if answer == Button.Save else answer == Button.Discard
