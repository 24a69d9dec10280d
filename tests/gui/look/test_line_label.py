"""Titles of any length: the window keeps its size, and the title can be read as a whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from tests.gui.conftest import SMALL

TITLES = {
    "words": "A very long title of a cluster " * 10,
    "one word": "x" * 300,
    "pictures": "\U0001f5c4" * 120,
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd " * 30,
    "tags": "<b>bold</b> <img src=x> " * 15,
}


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_a_page_needs_no_more_room_for_a_long_title(window: MainWindow, qtbot: QtBot, title: str) -> None:
    page = window.show_page("Run")
    usual = page.minimumSizeHint().width()
    window.session.open_text(SMALL.replace("Small TeraSort", title.strip()), "small")
    qtbot.waitUntil(lambda: page.answer.caption.text() == title.strip())
    assert page.minimumSizeHint().width() <= usual
    caption = page.answer.caption
    assert caption.seen != caption.text()
    assert caption.fontMetrics().horizontalAdvance(caption.seen) <= caption.width()
    QApplication.sendEvent(caption, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), caption.mapToGlobal(QPoint(1, 1))))
    assert QToolTip.text() == title.strip()
    QToolTip.hideText()
