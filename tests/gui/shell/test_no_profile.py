"""A page that is about a profile offers the ways to one while none is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.jobs.worker import Worker
from app.gui.pages import EXAMPLE, PAGES
from app.gui.session.project_file import read
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.no_profile import NoProfileBar
from app.gui.shell.window import MainWindow
from tests.gui.conftest import show

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def empty(qtbot: QtBot, worker: Worker, settings: Settings) -> MainWindow:
    made = MainWindow(Session(worker), settings)
    qtbot.addWidget(made)
    show(made, qtbot)
    return made


def press(window: MainWindow, qtbot: QtBot, text: str) -> None:
    buttons = window.findChild(NoProfileBar).findChildren(QPushButton)
    qtbot.mouseClick(next(button for button in buttons if button.text() == text), LEFT)


def test_only_pages_about_a_profile_offer_one(empty: MainWindow) -> None:
    bar = empty.findChild(NoProfileBar)
    for entry in PAGES:
        empty.show_page(entry.title)
        assert bar.isVisible() == (entry.title in {"Cluster", "Run", "Sweep", "Size", "Report", "Delivery"})


def test_a_click_leads_to_the_library_or_opens_an_example_and_the_offer_goes(empty: MainWindow, qtbot: QtBot) -> None:
    empty.show_page("Sweep")
    press(empty, qtbot, "Choose in the library")
    assert empty.page == "Library"
    empty.show_page("Sweep")
    press(empty, qtbot, "An example")
    assert empty.session.document.is_open
    assert not empty.findChild(NoProfileBar).isVisible()


def test_a_plan_without_a_profile_is_saved_by_the_usual_keys(
    empty: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.headroom"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    assert not empty.save_action.isEnabled()
    plan = empty.show_page("Plan")
    qtbot.mouseClick(next(button for button in plan.findChildren(QPushButton) if button.text() == "Add a &job"), LEFT)
    qtbot.waitUntil(empty.save_action.isEnabled)
    qtbot.keySequence(empty, QKeySequence.StandardKey.Save)
    assert "nightly" in read(file).setups.plan.text
    assert empty.session.project == file


def test_where_a_profile_is_open_the_page_of_the_plan_saves_the_project_and_others_the_profile(
    empty: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.open(EXAMPLE)
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda _, title, *__: (asked.append(title), ("", ""))[1])
    for page in ("Plan", "Cluster"):
        empty.show_page(page)
        empty.save_action.trigger()
    assert asked == ["Save the project", "Save the profile"]
