"""A page that is about a profile offers the ways to one while none is open."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.jobs.worker import Worker
from app.gui.pages import PAGES
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.no_profile import NoProfileBar
from app.gui.shell.window import MainWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def empty(qtbot: QtBot, worker: Worker, settings: Settings) -> MainWindow:
    made = MainWindow(Session(worker), settings)
    qtbot.addWidget(made)
    made.show()
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
