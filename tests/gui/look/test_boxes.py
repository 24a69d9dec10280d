"""Boxes that tell or ask: they fit a small screen, and Escape does what is harmless."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.look.boxes import LETTERS, begun
from app.gui.shell.window import LEAST_SIZE, MainWindow
from models.problem import Problem, ProblemError


def seen(window: MainWindow) -> QMessageBox:
    (box,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    return box


@pytest.mark.parametrize(
    "file",
    ["a/path/of/some/folders/" * 12 + "profile.toml", "x" * 300, "\u05e9\u05dc\u05d5\u05dd" * 70, "\U0001f5c4" * 250],
    ids=["path", "word", "right to left", "pictures"],
)
def test_however_much_is_told_it_fits_the_smallest_window(window: MainWindow, file: str) -> None:
    problems = [Problem(file, line, "cluster.groups.workers.server", "has no part of this name") for line in range(60)]
    window.say("Cannot open the profile", ProblemError(problems))
    box = seen(window)
    assert box.width() <= LEAST_SIZE.width()
    assert box.height() <= LEAST_SIZE.height()
    assert box.detailedText() == str(ProblemError(problems))
    assert box.text().endswith("more")
    box.close()


def test_what_is_short_is_told_as_a_whole() -> None:
    assert begun("one\ntwo") == "one\ntwo"
    assert begun("x" * (LETTERS + 1)) == "x" * LETTERS + "…"


def test_escape_leaves_what_a_killed_program_left_behind_for_later(window: MainWindow, qtbot: QtBot) -> None:
    left = SimpleNamespace(written=1e9, project=SimpleNamespace(summary="notes"))
    window.projects._offered = [left]
    window.projects._offer()
    box = seen(window)
    with qtbot.waitSignal(box.destroyed):
        qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert window.projects._offered == [left]
