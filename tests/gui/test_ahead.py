"""What is done ahead of what the user asks for comes in turns, between which the user is heard."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui import ahead
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


def test_the_window_goes_on_while_modules_are_imported(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_import.py").write_text("import threading\nHEARD = threading.pressed.wait(60)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(threading, "pressed", threading.Event(), raising=False)
    monkeypatch.setattr(ahead, "MODULES", ("slow_to_import",))
    made: list[str] = []
    Ahead(steps(made.append), qapp)
    QTimer.singleShot(2 * PAUSE, threading.pressed.set)  # as a user does, while the import goes on
    qtbot.waitUntil(lambda: "slow_to_import" in sys.modules and bool(made), timeout=60_000)
    assert sys.modules.pop("slow_to_import").HEARD


def test_pages_are_made_last_and_import_all_that_is_imported_ahead(qapp: QApplication) -> None:
    made: list[object] = []
    for _ in steps(made.append):
        assert not made or set(MODULES) <= sys.modules.keys()
    assert made == [page.title for page in PAGES]
