"""What is typed into a plan is taken before a key does anything else."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.session.project_file import read
from app.gui.shell.window import MainWindow
from tests.gui.hands import ALT, CTRL


def typed(window: MainWindow, qtbot: QtBot, name: str, text: str) -> QLineEdit:
    """Type into a field of the plan, and leave the keys there."""
    page = window.show_page("Plan")
    line = next(field for field in page.findChildren(QLineEdit) if field.accessibleName() == name)
    line.setFocus()
    qtbot.keyClicks(line, text)
    return line


def test_it_is_in_the_project_that_a_key_saves(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "ours.headroom"
    window.projects.model.save(file)
    line = typed(window, qtbot, "Stored now", "30 TB")
    qtbot.keyClick(line, Qt.Key.Key_S, CTRL | ALT)
    assert 'stored = "30 TB"' in read(file).setups.plan.text
    assert line.hasFocus()


def test_a_button_that_is_pressed_by_its_letter_leaves_it(window: MainWindow, qtbot: QtBot) -> None:
    line = typed(window, qtbot, "Budget", "9 M USD")
    model = window.pages["Plan"].model
    qtbot.keyClick(line, Qt.Key.Key_J, ALT)
    qtbot.waitUntil(lambda: len(model.workloads) == 1)
    assert model.get("requirements", "budget") == "9 M USD"
