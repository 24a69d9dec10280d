"""Boxes that tell or ask something: words as they are, and no more of them at once than a small screen has room for."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.reports.media import shown

Button = QMessageBox.StandardButton
Icon = QMessageBox.Icon
LINES, LETTERS = 12, 900  # of a text that is told at once: with its buttons it has room in 800 by 500 pixels
UNBROKEN = re.compile(r"(\w{50})(?=\w)")
"""Letters that fill a line of a box; a longer word would make the box as wide as it is."""


def box_of(icon: Icon, text: str, parent: QWidget, buttons: Button = Button.Ok, title: str = "Headroom") -> QMessageBox:
    """Return a box; a text that is too long for it can be looked at as a whole below its beginning."""
    whole = shown(text)
    beginning = begun(whole)
    box = QMessageBox(icon, title, UNBROKEN.sub("\\1\u200b", beginning), buttons, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    if beginning != whole:
        box.setDetailedText(whole)
    return box


def tell(icon: Icon, text: str, parent: QWidget, title: str = "Headroom") -> QMessageBox:
    """Show a box that stops nothing, and goes when it is closed."""
    box = box_of(icon, text, parent, title=title)
    show(box)
    return box


def show(box: QMessageBox) -> None:
    """Show a box without waiting for its end, with which it goes."""
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def begun(text: str) -> str:
    """Return as many lines of a text as there is room for, and how many are left."""
    lines, room = text.splitlines(), LETTERS
    first: list[str] = []
    for told in lines[:LINES]:
        if len(told) > room:
            break
        first.append(told)
        room -= len(told)
    if len(first) == len(lines):
        return text
    left = len(lines) - len(first)
    return "\n".join([*first, f"… and {left} more"]) if first else f"{text[:LETTERS]}…"
