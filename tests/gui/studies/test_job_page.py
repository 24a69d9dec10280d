"""What all pages with jobs do alike: Escape ends what the page shows, and no words stay that do not hold any more."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.jobs.processes import AT_ONCE
from app.gui.jobs.study import BUSY, Study
from app.gui.jobs.worker import Worker
from app.gui.shell.window import MainWindow


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jobs begin that never end."""
    monkeypatch.setattr(Worker, "start", lambda *_: None)


def escape(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)


@pytest.mark.usefixtures("endless")
def test_escape_ends_what_the_page_shows_before_the_run(window: MainWindow, qtbot: QtBot) -> None:
    window.run_action.trigger()
    page = window.show_page("Validate")
    page.run()
    assert window.session.is_running
    assert page.study.is_running
    escape(window, qtbot)
    assert (page.study.is_running, window.session.is_running) == (False, True)
    escape(window, qtbot)
    assert not window.session.is_running
    escape(window, qtbot)  # there is nothing left to end


@pytest.mark.usefixtures("endless")
def test_a_button_that_begins_something_has_the_keys_again_when_that_ends(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Validate")
    page.run_button.setFocus()
    qtbot.keyClick(page.run_button, Qt.Key.Key_Return)
    assert page.study.is_running
    assert not page.run_button.hasFocus()
    escape(window, qtbot)
    assert page.run_button.hasFocus()
    qtbot.keyClick(page.run_button, Qt.Key.Key_Return)
    page.table.setFocus()  # somebody goes elsewhere meanwhile
    escape(window, qtbot)
    assert page.table.hasFocus()


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize(("title", "label"), [("Validate", "message"), ("Sweep", "summary"), ("Size", "summary")])
def test_that_too_much_is_running_is_not_said_any_more_once_it_is_not(
    window: MainWindow, title: str, label: str
) -> None:
    page = window.show_page(title)
    others = [Study(window.session.studies) for _ in range(AT_ONCE)]
    for other in others:
        other.start(print)
    if title == "Validate":
        page.run()
    assert getattr(page, label).text() == BUSY
    others[0].cancel()
    assert getattr(page, label).text() != BUSY
    for other in others:
        other.cancel()


@pytest.mark.usefixtures("endless")
def test_while_nothing_is_done_it_is_told_how_long_that_has_taken(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window.show_page("Validate")
    page.run()
    assert page.progress.text() == "Starting"
    monkeypatch.setattr(Study, "passed", 75.0)
    page._ticks.timeout.emit()
    assert page.progress.text() == "Starting, 1 min 15 s so far – Esc cancels"
    page.study._worker.progressed.emit(0.0, "Simulating")
    assert page.progress.text() == "Simulating, 1 min 15 s so far – Esc cancels"
    page.cancel()
    assert not page._ticks.isActive()


@pytest.mark.usefixtures("endless")
def test_the_time_left_is_that_of_what_is_being_done_whatever_was_done_before(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window.show_page("Validate")
    page.run()
    now = time.monotonic()
    worker = page.study._worker
    for passed, fraction, told in (
        (100.0, 0.5, "about 1 min 40 s left"),
        (300.0, 1.0, "so far"),
        (300.0, 0.0, "so far"),  # the next thing begins
        (310.0, 0.5, "about 10 s left"),
    ):
        monkeypatch.setattr(time, "monotonic", lambda passed=passed: now + passed)
        worker.progressed.emit(fraction, "Simulating")
        assert told in page.progress.text()
    page.cancel()
