"""Words of an answer: all in sight where there is room, whatever stood there before."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.studies.scrolled import Scrolled

WORDS = "HDFS, as much money takes 8 min 16 s (495.7 s), likely 6.6 to 14 min (80 %)"


@pytest.mark.parametrize("room", range(0, 40, 5))
def test_longer_words_in_place_of_shorter_ones_are_seen_whole_at_any_width(qtbot: QtBot, room: int) -> None:
    page, label = QWidget(), QLabel(wordWrap=True)
    scrolled, layout = Scrolled(label), QVBoxLayout(page)
    layout.addWidget(scrolled)
    layout.addWidget(QTextEdit(), 1)
    page.setMinimumSize(400, 600)
    page.resize(label.fontMetrics().horizontalAdvance(WORDS) + room, 600)  # a bar more, and a line more
    qtbot.addWidget(page)
    page.show()
    for count in (1, 4):
        label.setText("<br>".join([WORDS] * count))
        qtbot.waitUntil(lambda: scrolled.height() == label.heightForWidth(scrolled.width()))
        assert label.height() <= scrolled.height()
        assert not scrolled.verticalScrollBar().isVisible()
        assert scrolled.focusPolicy() == Qt.FocusPolicy.NoFocus
    page.setMinimumSize(0, 0)
    page.resize(400, 140)
    qtbot.waitUntil(scrolled.verticalScrollBar().isVisible)
    assert scrolled.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_words_that_came_while_nobody_looked_are_not_cut(qtbot: QtBot) -> None:
    stack, page, label = QStackedWidget(), QWidget(), QLabel("one", wordWrap=True)
    scrolled, layout = Scrolled(label), QVBoxLayout(page)
    layout.addWidget(scrolled)
    layout.addStretch()
    for widget in (page, QWidget()):
        stack.addWidget(widget)
    qtbot.addWidget(stack)
    stack.resize(400, 300)
    stack.show()
    stack.setCurrentIndex(1)
    label.setText("<br>".join(["one"] * 9))
    stack.setCurrentIndex(0)
    qtbot.waitUntil(lambda: scrolled.height() >= label.heightForWidth(scrolled.width()))
