"""The question what rows of a quotation are: whatever they say, they can be read in the smallest window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.gui.plan.offers import AskedRow, Offer, RowsDialog
from app.gui.session.settings import Settings
from app.gui.shell.window import LEAST_SIZE


def test_long_rows_are_wider_than_high_and_need_no_scrolling_aside(
    qapp: QApplication, qtbot: QtBot, settings: Settings
) -> None:
    words = "Server with two processors of 32 cores, 512 GB and <b>mirrored</b> system drives, " * 3
    asked = (AskedRow(words, "no rule names it", {"part": "server.NAME", "each": 1}),) * 3
    window = QWidget()
    qtbot.addWidget(window)
    dialog = RowsDialog(Offer(Path("offer.xlsx"), "", asked), window)
    dialog.show()
    assert dialog.width() <= LEAST_SIZE.width()
    assert dialog.height() <= LEAST_SIZE.height()
    assert dialog.findChild(QScrollArea).horizontalScrollBar().maximum() == 0
    row = next(label for label in dialog.findChildren(QLabel) if label.text() == words)
    assert row.width() > row.height()
