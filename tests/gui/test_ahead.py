"""What is done ahead of what the user asks for comes in turns, between which the user is heard."""

from __future__ import annotations

import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.ahead import MODULES, PAUSE, TURN, Ahead, steps
from app.gui.pages import PAGES


def test_slow_steps_come_in_turns_of_their_own_between_which_the_user_is_heard(
    qapp: QApplication, qtbot: QtBot
) -> None:
    met: list[str] = []

    def work() -> None:
        met.append("step")
        QTimer.singleShot(0, lambda: met.append("user"))
        time.sleep(2 * TURN)

    Ahead((work() for _ in range(3)), qapp)
    qtbot.waitUntil(lambda: met.count("user") == 3, timeout=100 * PAUSE)
    qtbot.wait(2 * PAUSE)
    assert met == ["step", "user"] * 3


def test_pages_are_made_last_and_import_all_that_is_imported_ahead(qapp: QApplication) -> None:
    made: list[object] = []
    for _ in steps(made.append):
        assert not made or set(MODULES) <= sys.modules.keys()
    assert made == [page.title for page in PAGES]
